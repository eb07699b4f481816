//! Errors.

use std::fmt;
use std::io;

use crate::diagnostic::{Report, sanitize_lines, sanitize_short};
use crate::resources::system_message;
use crate::responses::ApiError;

/// How much of an id is shown.
const MAX_ID_CHARS: usize = 100;

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

impl From<RoundTripError> for Error {
    fn from(error: RoundTripError) -> Self {
        Error::RoundTrip(error)
    }
}

impl From<io::Error> for Error {
    fn from(error: io::Error) -> Self {
        Error::Io(error)
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

/// The written document does not read back as the original: a bug, so the text must not be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RoundTripError {
    /// What differs: `input[3]`, or `the request`.
    pub what: String,
}

impl fmt::Display for RoundTripError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} does not read back as the input; this is a bug in chatmd", self.what)
    }
}

impl std::error::Error for RoundTripError {}

/// Why an answer was rejected.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum AnswerError {
    /// The document has no call with this id.
    UnknownCall(String),
    /// The call with this id already has an output.
    AlreadyAnswered(String),
    /// A call of this type cannot be answered with images or files.
    TextOnly(&'static str),
    /// A call of this type cannot be answered with JSON.
    NoJson(&'static str),
    /// The JSON is not an output, for this reason.
    NotAnOutput(String),
}

impl fmt::Display for AnswerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            AnswerError::UnknownCall(id) => write!(f, "no call has the id `{}`", sanitize_short(id, MAX_ID_CHARS)),
            AnswerError::AlreadyAnswered(id) => {
                write!(f, "the call `{}` already has an output", sanitize_short(id, MAX_ID_CHARS))
            }
            AnswerError::TextOnly(kind) => write!(f, "a `{kind}` is answered with text, not with images or files"),
            AnswerError::NoJson(kind) => write!(f, "a `{kind}` cannot be answered with JSON"),
            AnswerError::NotAnOutput(why) => write!(f, "the JSON is not an output: {why}"),
        }
    }
}

impl std::error::Error for AnswerError {}
