//! `chatmd completions`: generated from the arguments.

use crate::lint::rules;
use clap::Command;
use clap::builder::PossibleValuesParser;
use clap_complete::Shell;

use super::help::LANGUAGE;
use crate::cli::args;
use crate::cli::error::{ExitStatus, Result};
use crate::cli::output;

/// Prints the completions for a shell.
pub(crate) fn run(shell: Shell) -> Result<ExitStatus> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut with_rule_names(args::command()), "chatmd", &mut script);
    output::print(script)?;
    Ok(ExitStatus::Success)
}

/// Completes the names of rules and commands. They are checked elsewhere, with better messages than clap's.
fn with_rule_names(cli: Command) -> Command {
    let topics: Vec<String> =
        cli.get_subcommands().map(|command| command.get_name().to_owned()).chain([LANGUAGE.to_owned()]).collect();
    let names = || PossibleValuesParser::new(rules().map(|rule| rule.name));
    cli.mut_subcommand("explain", |explain| explain.mut_arg("rule", |rule| rule.value_parser(names())))
        .mut_subcommand("check", |check| check.mut_arg("allow", |allow| allow.value_parser(names())))
        .mut_subcommand("help", |help| {
            help.mut_arg("topic", |topic| topic.value_parser(PossibleValuesParser::new(topics)))
        })
}
