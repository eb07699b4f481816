//! `chatmd batch`: many documents to Batch API lines, and the results back.

mod lines;
mod requests;
mod results;

use crate::json::{Json, JsonError, Object};
use crate::sanitize::{on_one_line, sanitize};

use crate::cli::error::{CliError, ExitStatus};
use crate::cli::report::{help, message, note};

pub(crate) use requests::requests;
pub(crate) use results::results;

/// The failures of a batch so far.
struct Failures {
    keep_going: bool,
    first: ExitStatus,
    count: usize,
}

impl Failures {
    fn new(keep_going: bool) -> Self {
        Self { keep_going, first: ExitStatus::Success, count: 0 }
    }

    /// Prints why one document or line failed. Returns the exit code if the batch stops here.
    fn report(&mut self, name: &str, error: &CliError) -> Option<ExitStatus> {
        message(&format!("{}: {}\n", on_one_line(name), sanitize(error.message.trim_end())));
        if let Some(text) = &error.help {
            help(text);
        }
        self.count += 1;
        self.record(error.exit);
        (!self.keep_going).then_some(error.exit)
    }

    /// Says how many lines failed, if any did.
    fn summarize(&self) {
        match self.count {
            0 => {}
            1 => note("1 line failed; the others were converted"),
            count => note(&format!("{count} lines failed; the others were converted")),
        }
    }

    /// Remembers the exit code of one document or line.
    fn record(&mut self, exit: ExitStatus) {
        self.first = ExitStatus::first_failure([self.first, exit]);
    }
}

/// The error for a flag that does nothing if lines are read from standard input.
fn without_batch(flag: &str) -> CliError {
    CliError::new(ExitStatus::Usage, format!("`{flag}` does nothing with `-`: the lines name no files"))
        .with_help(format!("leave out `{flag}`"))
}

/// A required member of a line.
fn member<'j>(object: &Object<'j>, key: &str) -> Result<Json<'j>, CliError> {
    object.get(key).ok_or_else(|| CliError::new(ExitStatus::Malformed, format!("`{key}` is missing")))
}

/// The error for a line that is not the expected JSON.
fn malformed(error: &JsonError) -> CliError {
    CliError::new(ExitStatus::Malformed, error.to_string())
}
