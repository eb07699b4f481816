//! `chatmd batch`: many documents to Batch API lines, and the results back.

mod lines;
mod requests;
mod results;

use std::path::{Path, PathBuf};

use crate::Api;
use crate::json::{Json, Object};
use crate::resources::media::hash;
use crate::sanitize::{on_one_line, sanitize};

use crate::cli::error::{ExitStatus, Failure, Result};
use crate::cli::paths::shown;
use crate::cli::report::{help, message, note};
use crate::cli::walk::{DOCUMENTS_ARE, Found, NO_DOCUMENTS};

pub(crate) use requests::requests;
pub(crate) use results::results;

/// How many characters of a path are in an id of the Messages API.
const MAX_PATH_IN_ID: usize = 51;

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
    fn report(&mut self, name: &str, error: &Failure) -> Option<ExitStatus> {
        message(&format!("{}: {}\n", on_one_line(name), sanitize(error.text().trim_end())));
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

/// The id of a document's request in a batch: its path. The Messages API accepts fewer characters, so a part of the path's
/// SHA-256 takes the place of the others.
fn custom_id(api: Api, path: &Path) -> String {
    let path = path.display().to_string();
    if api != Api::Messages {
        return path;
    }
    let plain = |c: char| if c.is_ascii_alphanumeric() || c == '_' || c == '-' { c } else { '_' };
    let start: String = path.chars().map(plain).take(MAX_PATH_IN_ID).collect();
    format!("{start}_{:.12}", hash(path.as_bytes()))
}

/// The documents that the arguments name. A directory means the documents in it. Returns the exit code if the batch
/// stops here.
fn documents(paths: &[PathBuf], failures: &mut Failures) -> Result<Vec<PathBuf>, ExitStatus> {
    let mut found = Found::at(paths);
    for (path, error) in std::mem::take(&mut found.errors) {
        let error = error.unwrap_or_else(|| Failure::new(ExitStatus::Missing, NO_DOCUMENTS).with_help(DOCUMENTS_ARE));
        failures.report(&shown(&path), &error).map_or(Ok(()), Err)?;
    }
    found.note_others();
    Ok(found.documents)
}

/// The error for a flag that does nothing if lines are read from standard input.
fn without_batch(flag: &str) -> Failure {
    Failure::new(ExitStatus::Usage, format!("`{flag}` does nothing with `-`: the lines name no files"))
        .with_help(format!("leave out `{flag}`"))
}

/// A required member of a line.
fn member<'j>(object: &Object<'j>, key: &str) -> Result<Json<'j>> {
    object.get(key).ok_or_else(|| Failure::new(ExitStatus::Malformed, format!("`{key}` is missing")))
}
