//! Programs that a user allows: one fetches URLs, one answers agents.

use std::fmt;
use std::time::Duration;

/// Runs programs for a document.
pub trait Programs {
    /// Fetches a URL; `None` if fetching is not allowed.
    fn fetch(&self, url: &str) -> Option<Result<Vec<u8>, ProgramError>>;

    /// Whether asking is allowed.
    fn can_ask(&self) -> bool;

    /// The answer to a request, given as JSON; `None` if asking is not allowed.
    fn ask(&self, request: &str) -> Option<Result<Vec<u8>, ProgramError>>;
}

/// Why a program gave nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum ProgramError {
    /// It could not be started.
    NotStarted(String),
    /// It ended with an error: its exit status, and its messages.
    Failed(String, String),
    /// It took longer than allowed.
    TooSlow(Duration),
    /// It printed more than allowed.
    TooMuch(u64),
    /// Together with what was read before, it printed more than allowed.
    TooMuchInAll(u64),
    /// It was not started, because programs have run as often as allowed.
    TooManyRuns(u64),
}

impl fmt::Display for ProgramError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ProgramError::NotStarted(why) => write!(f, "it cannot be started: {why}"),
            ProgramError::Failed(how, words) if words.is_empty() => f.write_str(how),
            ProgramError::Failed(how, words) => {
                let lines: Vec<&str> = words.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
                write!(f, "{how}: {}", lines.join("; "))
            }
            ProgramError::TooSlow(time) => {
                let seconds = time.as_secs();
                write!(f, "it took longer than {seconds} second{}", if seconds == 1 { "" } else { "s" })
            }
            ProgramError::TooMuch(ceiling) => write!(f, "it printed more than {ceiling} bytes"),
            ProgramError::TooMuchInAll(ceiling) => write!(f, "with it, more than {ceiling} bytes would be read in all"),
            ProgramError::TooManyRuns(limit) => write!(f, "programs have run {limit} times"),
        }
    }
}

impl std::error::Error for ProgramError {}
