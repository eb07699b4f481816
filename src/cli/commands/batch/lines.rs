//! `batch requests -` and `batch results -`: JSON lines from standard input to standard output.

use std::io::{self, BufRead, Write};

use anyhow::Context;
use chatmd::json::write::ObjectWriter;
use chatmd::json::{Json, Object, StringArena};

use super::{Failures, malformed, member};
use crate::cli::args::BatchArgs;
use crate::cli::error::{CliError, ExitStatus};

/// Reads JSON lines with an `id` and writes a line for each, one at a time.
///
/// `convert` gets the id and the line, and returns the key and the JSON of its result.
pub(super) fn filter(
    args: &BatchArgs,
    convert: impl Fn(&str, &Object<'_>) -> Result<(&'static str, String), CliError>,
) -> anyhow::Result<ExitStatus> {
    let mut failures = Failures::new(args);
    let mut out = io::stdout().lock();
    for (number, line) in io::stdin().lock().lines().enumerate() {
        let line = line.context("cannot read standard input")?;
        if line.trim().is_empty() {
            continue;
        }
        match convert_line(&line, &convert) {
            Ok(written) => out.write_all(written.as_bytes()).context("cannot write standard output")?,
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
    convert: impl Fn(&str, &Object<'_>) -> Result<(&'static str, String), CliError>,
) -> Result<String, CliError> {
    let strings = StringArena::default();
    let object = Json::parse(line, &strings).and_then(Json::object).map_err(|error| malformed(&error))?;
    let id = member(&object, "id")?;
    let (key, json) = convert(&id.as_str().unwrap_or_else(|_| id.compact()), &object)?;
    let mut written = String::new();
    let mut object = ObjectWriter::new(&mut written);
    object.json("id", id);
    object.key(key).push_str(&json);
    object.end();
    written.push('\n');
    Ok(written)
}
