//! `batch requests -` and `batch results -`: JSON lines from standard input to standard output.

use std::io::{self, BufRead, Write};

use anyhow::Context;
use chatmd::json::write::ObjectWriter;
use chatmd::json::{Json, Object, StringArena};

use super::{Failures, malformed, member};
use crate::cli::args::BatchArgs;
use crate::cli::error::{CliError, ExitStatus};

/// The result of one line.
pub(super) struct Line {
    /// The key and the JSON of the result.
    pub(super) member: (&'static str, String),
    /// How the conversion ended. A line that is not complete is written too.
    pub(super) exit: ExitStatus,
}

/// Reads JSON lines with an `id` and writes a line for each, one at a time.
///
/// `convert` gets the id and the line.
pub(super) fn filter(
    args: &BatchArgs,
    convert: impl Fn(&str, &Object<'_>) -> Result<Line, CliError>,
) -> anyhow::Result<ExitStatus> {
    let mut failures = Failures::new(args);
    let mut out = io::stdout().lock();
    for (number, line) in io::stdin().lock().lines().enumerate() {
        let line = line.context("cannot read standard input")?;
        if line.trim().is_empty() {
            continue;
        }
        match convert_line(&line, &convert) {
            Ok((written, exit)) => {
                failures.record(exit);
                out.write_all(written.as_bytes()).context("cannot write standard output")?;
            }
            Err(error) => {
                if let Some(exit) = failures.report(&format!("line {}", number + 1), &error) {
                    return Ok(exit);
                }
            }
        }
    }
    out.flush().context("cannot write standard output")?;
    Ok(failures.first)
}

/// `{"id": …, "document": …}` to `{"id": …, "request": …}`, or `response` to `document`.
fn convert_line(
    line: &str,
    convert: impl Fn(&str, &Object<'_>) -> Result<Line, CliError>,
) -> Result<(String, ExitStatus), CliError> {
    let strings = StringArena::default();
    let object = Json::parse(line, &strings).and_then(Json::object).map_err(|error| malformed(&error))?;
    let id = member(&object, "id")?;
    let Line { member: (key, json), exit } = convert(&id.as_str().unwrap_or_else(|_| id.compact()), &object)?;
    let mut written = String::new();
    let mut object = ObjectWriter::new(&mut written);
    object.json("id", id);
    object.key(key).push_str(&json);
    object.end();
    written.push('\n');
    Ok((written, exit))
}
