//! The parts of an output, in the order of the command line.

use std::path::PathBuf;

use clap::{Arg, ArgAction, ArgMatches, Args, Command, Error, FromArgMatches, value_parser};

/// A part of an output.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum PartArg {
    /// The text on standard input: `-`
    Stdin,
    /// `--image PATH`
    Image(PathBuf),
    /// `--file PATH`
    File(PathBuf),
}

/// The parts, in the order in which they are given. The derive macros of clap do not keep the order of different options.
#[derive(Debug)]
pub(crate) struct PartArgs(pub(crate) Vec<PartArg>);

/// The id of `--file`. The document is `file`.
const ATTACH: &str = "attach";

impl FromArgMatches for PartArgs {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        let mut parts: Vec<(usize, PartArg)> = Vec::new();
        let with_indices = |id: &str| {
            let paths = matches.get_many::<PathBuf>(id).unwrap_or_default().cloned();
            matches.indices_of(id).unwrap_or_default().zip(paths).collect::<Vec<_>>()
        };
        parts.extend(with_indices("image").into_iter().map(|(index, path)| (index, PartArg::Image(path))));
        parts.extend(with_indices(ATTACH).into_iter().map(|(index, path)| (index, PartArg::File(path))));
        parts.extend(matches.index_of("text").map(|index| (index, PartArg::Stdin)));
        parts.sort_by_key(|(index, _)| *index);
        Ok(Self(parts.into_iter().map(|(_, part)| part).collect()))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl Args for PartArgs {
    fn augment_args(command: Command) -> Command {
        let path = |id: &'static str| {
            Arg::new(id).value_name("PATH").action(ArgAction::Append).value_parser(value_parser!(PathBuf))
        };
        command
            .arg(
                Arg::new("text")
                    .value_name("-")
                    .value_parser(["-"])
                    .hide_possible_values(true)
                    .help("Standard input as a text part, in this place among images and files"),
            )
            .arg(path("image").long("image").help("Add an image; parts are sent in the order given"))
            .arg(path(ATTACH).long("file").help("Add a file"))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}
