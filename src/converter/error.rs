//! Why a conversion failed.

use std::fmt;
use std::io;

use super::AnswerError;
use crate::convert::RoundTripError;
use crate::diagnostic::{Diagnostics, Report, sanitize_lines};
use crate::resources::system_message;
use crate::responses::ApiError;
use crate::source::Sources;

/// Why a conversion failed.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// The input has problems: at least one of them is an error, the others are warnings.
    Problems(Report),
    /// The input is an API error or a failed response.
    Api(ApiError),
    /// The result did not read back as the input: a bug of this crate, so there is no result.
    RoundTrip(RoundTripError),
    /// A session could not be read.
    Io(io::Error),
    /// The answer does not fit the call.
    Answer(AnswerError),
}

impl Error {
    /// The value with the warnings, or the problems if there is an error among them.
    pub(super) fn unless_errors<T>(value: T, diagnostics: Diagnostics, sources: Sources) -> Result<(T, Report), Self> {
        let report = Report::new(diagnostics, Vec::new(), sources);
        if report.has_errors() { Err(Error::Problems(report)) } else { Ok((value, report)) }
    }
}

impl From<RoundTripError> for Error {
    fn from(error: RoundTripError) -> Self {
        Error::RoundTrip(error)
    }
}

impl From<AnswerError> for Error {
    fn from(error: AnswerError) -> Self {
        Error::Answer(error)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Problems(report) => report.fmt(f),
            Error::Api(error) => f.write_str(&sanitize_lines(&error.to_string())),
            Error::RoundTrip(error) => error.fmt(f),
            Error::Io(error) => write!(f, "cannot read the session: {}", system_message(error)),
            Error::Answer(error) => error.fmt(f),
        }
    }
}

// The text of an error has that of its cause, so it has no `source`.
impl std::error::Error for Error {}
