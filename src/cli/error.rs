//! How a run ends.

use std::borrow::Cow;
use std::env;
use std::ffi::OsString;
use std::fmt;
use std::process::ExitCode;

use chatmd::diagnostic::{ErrorKind, sanitize};

use crate::cli::{output, report};

/// The exit codes of the command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ExitStatus {
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
pub(crate) struct CliError {
    pub(crate) exit: ExitStatus,
    pub(crate) message: String,
    pub(crate) help: Option<String>,
}

impl CliError {
    /// Tells an error on stderr and says how the run ends. A reader that went away is told nothing.
    pub(crate) fn report(error: &anyhow::Error) -> ExitStatus {
        let is_broken_pipe = |cause: &(dyn std::error::Error + 'static)| {
            cause.downcast_ref::<std::io::Error>().is_some_and(|io| io.kind() == std::io::ErrorKind::BrokenPipe)
        };
        if error.chain().any(is_broken_pipe) {
            return ExitStatus::Done;
        }
        report::error(&format!("{error:#}"));
        let stop = error.downcast_ref::<CliError>();
        if let Some(help) = stop.and_then(|stop| stop.help.as_ref()) {
            report::help(help);
        }
        stop.map_or(ExitStatus::InputOutput, |stop| stop.exit)
    }
}

impl ExitStatus {
    /// How a run over several files ends: as the first of them that did not go well.
    pub(crate) fn of_all(exits: impl IntoIterator<Item = ExitStatus>) -> Self {
        exits.into_iter().find(|exit| *exit != ExitStatus::Done).unwrap_or(ExitStatus::Done)
    }
}

impl fmt::Display for CliError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for CliError {}

impl From<ExitStatus> for ExitCode {
    fn from(exit: ExitStatus) -> Self {
        ExitCode::from(exit as u8)
    }
}

impl From<ErrorKind> for ExitStatus {
    fn from(error_kind: ErrorKind) -> Self {
        match error_kind {
            ErrorKind::Malformed => ExitStatus::Malformed,
            ErrorKind::Missing => ExitStatus::Missing,
            ErrorKind::Api => ExitStatus::ApiError,
            ErrorKind::Refused => ExitStatus::Refused,
            ErrorKind::Unreadable => ExitStatus::InputOutput,
        }
    }
}

/// Shows help, the version, or what is wrong with the arguments, and says how the run ends.
pub(crate) fn report_usage(error: &clap::Error) -> ExitStatus {
    // In colour, an argument that steers the terminal could not be told from what colours the text.
    let is_harmful = |argument: OsString| matches!(sanitize(&argument.to_string_lossy()), Cow::Owned(_));
    let text = if env::args_os().any(is_harmful) {
        sanitize(&error.render().to_string()).into_owned()
    } else {
        error.render().ansi().to_string()
    };
    if error.use_stderr() {
        report::message(&text);
        return ExitStatus::Usage;
    }
    output::print_styled(&text).map_or_else(|error| CliError::report(&error), |()| ExitStatus::Done)
}
