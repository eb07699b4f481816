//! Errors and exit codes.

use std::env;
use std::ffi::OsString;
use std::io;
use std::process::ExitCode;

use crate::Report;
use crate::diagnostic::{Colors, ErrorKind, sanitize_line};
use crate::json::JsonError;
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

/// Why a command cannot go on.
#[derive(Debug)]
pub(crate) struct Failure {
    pub(crate) exit: ExitStatus,
    /// What went wrong, with its causes. `None` if `problems` has the message, or if everything is printed already.
    pub(crate) error: Option<anyhow::Error>,
    pub(crate) help: Option<String>,
    /// The problems of a document, which are printed with their excerpts in place of the message.
    pub(crate) problems: Option<Box<Report>>,
}

/// The result of a command, or of a part of it.
pub(crate) type Result<T, E = Failure> = std::result::Result<T, E>;

impl Failure {
    pub(crate) fn new(exit: ExitStatus, message: impl Into<String>) -> Self {
        Self { error: Some(anyhow::Error::msg(message.into())), ..Self::reported(exit) }
    }

    /// A failure of which everything is printed already.
    pub(crate) fn reported(exit: ExitStatus) -> Self {
        Self { exit, error: None, help: None, problems: None }
    }

    /// The same failure, with the place or the purpose before the message.
    pub(crate) fn about(self, what: &str) -> Self {
        let problems = self.problems.map(|problems| anyhow::Error::msg(problems.render(Colors::None, &Flags)));
        let error = problems.or(self.error).map(|error| error.context(what.to_owned()));
        Self { error, problems: None, ..self }
    }

    /// Adds advice for the user.
    pub(crate) fn with_help(self, help: impl Into<String>) -> Self {
        Self { help: Some(help.into()), ..self }
    }

    /// What is printed on one line. Empty if `problems` has the message, or if everything is printed already.
    pub(crate) fn message(&self) -> String {
        self.error.as_ref().map_or_else(String::new, |error| format!("{error:#}"))
    }

    /// What is printed, without colours.
    pub(crate) fn text(&self) -> String {
        self.problems.as_ref().map_or_else(|| self.message(), |problems| problems.render(Colors::None, &Flags))
    }

    /// The ledger of a conversion that has failed.
    pub(crate) fn ledger(&self) -> &str {
        self.problems.as_ref().map_or("", |problems| problems.ledger())
    }

    /// Prints the error on standard error, unless that is done, and returns the exit code.
    pub(crate) fn report(&self) -> ExitStatus {
        if let Some(problems) = &self.problems {
            report::print(problems);
        } else if self.error.is_some() {
            report::error(&system_message(&self.message()));
        }
        if let Some(help) = &self.help {
            report::help(help);
        }
        self.exit
    }
}

impl From<io::Error> for Failure {
    /// An error of the system. A broken pipe is not an error.
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Self::reported(ExitStatus::Success),
            _ => Self { error: Some(error.into()), ..Self::reported(ExitStatus::Io) },
        }
    }
}

impl From<JsonError> for Failure {
    fn from(error: JsonError) -> Self {
        Self::new(ExitStatus::Malformed, error.to_string())
    }
}

impl From<crate::Error> for Failure {
    fn from(error: crate::Error) -> Self {
        match error {
            crate::Error::Problems(problems) => {
                let exit = report::first_failure(&problems).unwrap_or(ExitStatus::Malformed);
                Self { problems: Some(Box::new(problems)), ..Self::reported(exit) }
            }
            crate::Error::RoundTrip(error) => Self::new(ExitStatus::SelfCheck, format!("{error}, nothing was written"))
                .with_help("please report it, with the input if you can share it"),
            crate::Error::Io(error)
                if matches!(error.kind(), io::ErrorKind::FileTooLarge | io::ErrorKind::QuotaExceeded) =>
            {
                read_error("the session", &error)
            }
            error @ crate::Error::Io(_) => Self::new(ExitStatus::Io, error.to_string()),
            crate::Error::Answer(error) => Self::new(ExitStatus::Malformed, error.to_string()),
            error @ crate::Error::Api(_) => Self::new(ExitStatus::ApiError, error.to_string()),
        }
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
    // This is a message of the standard library, which users do not understand.
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
