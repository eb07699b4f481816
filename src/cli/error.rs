//! Errors and exit codes.

use std::env;
use std::ffi::OsString;
use std::fmt;
use std::io;
use std::process::ExitCode;

use crate::Severity;
use crate::diagnostic::{Colors, ErrorKind, sanitize_line};
use crate::resources::system_message;

use crate::cli::args;
use crate::cli::hints::Flags;
use crate::cli::input::read_error;
use crate::cli::{output, report};

/// The exit codes of the command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ExitStatus {
    /// Everything went well.
    Success = 0,
    /// `check` reported errors, `fmt --check` found changes, a token budget is exceeded, or `render --redact=strict` found
    /// something that cannot be checked.
    CheckFailed = 1,
    /// The arguments are wrong.
    Usage = 2,
    /// The input is an API error or a failed response.
    ApiError = 4,
    /// The response is incomplete; whatever has arrived was converted.
    Incomplete = 5,
    /// The document, JSON or stream is malformed.
    Malformed = 65,
    /// A file is missing.
    Missing = 66,
    /// The result did not read back as the input: a bug.
    SelfCheck = 70,
    /// Reading or writing failed.
    Io = 74,
    /// A file, a URL or a program is not allowed.
    Refused = 77,
    /// Ended because the terminal was closed.
    HungUp = 129,
    /// Ended by Ctrl-C.
    Interrupted = 130,
    /// Ended by SIGTERM.
    Terminated = 143,
}

/// An error without a place in a document.
#[derive(Debug)]
pub(crate) struct CliError {
    pub(crate) exit: ExitStatus,
    pub(crate) message: String,
    pub(crate) help: Option<String>,
}

impl CliError {
    pub(crate) fn new(exit: ExitStatus, message: impl Into<String>) -> Self {
        Self { exit, message: message.into(), help: None }
    }

    /// Adds advice for the user.
    pub(crate) fn with_help(self, help: impl Into<String>) -> Self {
        Self { help: Some(help.into()), ..self }
    }
}

impl fmt::Display for CliError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl From<crate::Error> for CliError {
    /// The error of a conversion on one line, except for problems, which are rendered with their excerpts.
    fn from(error: crate::Error) -> Self {
        match error {
            crate::Error::Problems(report) => {
                let errors = report.iter().filter(|finding| finding.severity() == Severity::Error);
                let exit = errors.map(|finding| finding.rule().kind.into()).next().unwrap_or(ExitStatus::Malformed);
                CliError::new(exit, report.render(Colors::None, &Flags))
            }
            crate::Error::RoundTrip(error) => {
                CliError::new(ExitStatus::SelfCheck, format!("{error}, nothing was written"))
                    .with_help("please report it, with the input if you can share it")
            }
            crate::Error::Io(error)
                if matches!(error.kind(), io::ErrorKind::FileTooLarge | io::ErrorKind::QuotaExceeded) =>
            {
                read_error("the session", &error)
            }
            error @ crate::Error::Io(_) => CliError::new(ExitStatus::Io, error.to_string()),
            crate::Error::Answer(error) => CliError::new(ExitStatus::Malformed, error.to_string()),
            error @ crate::Error::Api(_) => CliError::new(ExitStatus::ApiError, error.to_string()),
        }
    }
}

/// Why a command cannot go on.
#[derive(Debug)]
pub(crate) enum Failure {
    /// Everything is printed already, and this is the exit code.
    Reported(ExitStatus),
    /// An error that is not printed yet.
    Error(CliError),
}

/// The result of a command, or of a part of it.
pub(crate) type Result<T, E = Failure> = std::result::Result<T, E>;

impl Failure {
    /// The exit code.
    pub(crate) fn exit(&self) -> ExitStatus {
        match self {
            Failure::Reported(exit) => *exit,
            Failure::Error(error) => error.exit,
        }
    }

    /// Prints the error on standard error, unless that is done, and returns the exit code.
    pub(crate) fn report(&self) -> ExitStatus {
        if let Failure::Error(error) = self {
            report::error(&system_message(&error.message));
            if let Some(help) = &error.help {
                report::help(help);
            }
        }
        self.exit()
    }
}

impl From<CliError> for Failure {
    fn from(error: CliError) -> Self {
        Failure::Error(error)
    }
}

impl<E: Into<anyhow::Error>> From<E> for Failure {
    /// An error of the system. A broken pipe is not an error.
    fn from(error: E) -> Self {
        let error: anyhow::Error = error.into();
        let is_broken_pipe = |cause: &(dyn std::error::Error + 'static)| {
            cause.downcast_ref::<io::Error>().is_some_and(|io| io.kind() == io::ErrorKind::BrokenPipe)
        };
        if error.chain().any(is_broken_pipe) {
            return Failure::Reported(ExitStatus::Success);
        }
        Failure::Error(CliError::new(ExitStatus::Io, format!("{error:#}")))
    }
}

impl ExitStatus {
    /// The exit code of a run over several files: that of the first failure.
    pub(crate) fn first_failure(exits: impl IntoIterator<Item = ExitStatus>) -> Self {
        exits.into_iter().find(|exit| *exit != ExitStatus::Success).unwrap_or(ExitStatus::Success)
    }
}

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
            ErrorKind::Unreadable => ExitStatus::Io,
        }
    }
}

/// Prints help, the version or a usage error, and returns the exit code.
pub(crate) fn report_usage(error: &clap::Error) -> ExitStatus {
    // An argument may contain escape sequences or a key, so the colours are removed as well.
    let is_unsafe = |argument: OsString| sanitize_line(&argument.to_string_lossy()) != argument.to_string_lossy();
    let text = if env::args_os().any(is_unsafe) {
        let text = env::args_os().fold(error.render().to_string(), |text, argument| {
            let argument = argument.to_string_lossy();
            // A line break in an argument would look like another message.
            if argument.contains('\n') { text.replace(argument.as_ref(), &sanitize_line(&argument)) } else { text }
        });
        text.lines().map(|line| sanitize_line(line) + "\n").collect()
    } else {
        error.render().ansi().to_string()
    };
    // The words of the standard library.
    let text = text.replace("invalid digit found in string", "not a whole number");
    if error.use_stderr() {
        report::message(&text);
        if error.kind() == clap::error::ErrorKind::MissingRequiredArgument {
            let words = env::args_os().skip(1).filter_map(|word| word.into_string().ok());
            report::message(&format!("\nExample: {}\n", args::first_example(words)));
        }
        return ExitStatus::Usage;
    }
    output::print_styled(&text).map_or_else(|failure| failure.report(), |()| ExitStatus::Success)
}
