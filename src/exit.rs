//! How a run ends.

use std::fmt;
use std::process::ExitCode;

use anstream::eprintln;
use chatmd::diagnostic::Class;
use clap::builder::styling::{AnsiColor, Style};

/// The exit codes of the command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Exit {
    Done = 0,
    Found = 1,
    Usage = 2,
    ApiError = 4,
    Incomplete = 5,
    Malformed = 65,
    Missing = 66,
    SelfCheck = 70,
    InputOutput = 74,
    Refused = 77,
}

/// An error that is about no place in a document: what happened, and what to do.
#[derive(Debug)]
pub(crate) struct Stop {
    pub(crate) exit: Exit,
    pub(crate) message: String,
    pub(crate) help: Option<String>,
}

impl Stop {
    /// Tells an error on stderr and says how the run ends. A reader that went away is told nothing.
    pub(crate) fn report(error: &anyhow::Error) -> Exit {
        let is_broken_pipe = |cause: &(dyn std::error::Error + 'static)| {
            cause.downcast_ref::<std::io::Error>().is_some_and(|io| io.kind() == std::io::ErrorKind::BrokenPipe)
        };
        if error.chain().any(is_broken_pipe) {
            return Exit::Done;
        }
        let (red, cyan) = (bold(AnsiColor::BrightRed), bold(AnsiColor::BrightCyan));
        eprintln!("{red}error{red:#}: {error:#}");
        let stop = error.downcast_ref::<Stop>();
        if let Some(help) = stop.and_then(|stop| stop.help.as_ref()) {
            eprintln!("  = {cyan}help{cyan:#}: {help}");
        }
        stop.map_or(Exit::InputOutput, |stop| stop.exit)
    }
}

impl Exit {
    /// How a run over several files ends: as the first of them that did not go well.
    pub(crate) fn of_all(exits: impl IntoIterator<Item = Exit>) -> Self {
        exits.into_iter().find(|exit| *exit != Exit::Done).unwrap_or(Exit::Done)
    }
}

impl fmt::Display for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Stop {}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        ExitCode::from(exit as u8)
    }
}

impl From<Class> for Exit {
    fn from(class: Class) -> Self {
        match class {
            Class::Malformed => Exit::Malformed,
            Class::Missing => Exit::Missing,
            Class::ApiError => Exit::ApiError,
            Class::Refused => Exit::Refused,
            Class::Unreadable => Exit::InputOutput,
        }
    }
}

fn bold(color: AnsiColor) -> Style {
    color.on_default().bold()
}
