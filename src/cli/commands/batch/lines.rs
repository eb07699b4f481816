//! `batch requests -` and `batch results -`: JSON lines from standard input to standard output.

use std::io::{self, BufRead, Read};

use crate::json::write::ObjectWriter;
use crate::json::{Json, Object, StringArena};

use super::{Failures, member};
use crate::cli::error::{ExitStatus, Failure, Result};
use crate::cli::input::read_error;
use crate::cli::output::{self, json_for_stdout};

/// The result of one line: its key, its JSON, and how the conversion ended. A line that is not complete is written too.
pub(super) type Line = (&'static str, String, ExitStatus);

/// Reads JSON lines with an `id` and writes a line for each, one at a time.
///
/// `convert` gets the id, the line and its members. The `custom_id` of Batch results is their id.
pub(super) fn filter(
    max_line_bytes: u64,
    keep_going: bool,
    mut convert: impl FnMut(&str, Json<'_>, &Object<'_>) -> Result<Line>,
) -> Result<ExitStatus> {
    let mut failures = Failures::new(keep_going);
    let mut input = io::stdin().lock();
    let mut number = 0_usize;
    while let Some(line) =
        next_line(&mut input, max_line_bytes).map_err(|error| read_error("standard input", &error))?
    {
        number += 1;
        let written = line.and_then(|line| match line.trim() {
            "" => Ok((String::new(), ExitStatus::Success)),
            line => convert_line(line, &mut convert),
        });
        match written {
            Ok((written, exit)) => {
                failures.record(exit);
                output::print(json_for_stdout(&written).as_bytes())?;
            }
            Err(error) => {
                if let Some(exit) = failures.report(&format!("line {number}"), &error) {
                    return Ok(exit);
                }
            }
        }
    }
    failures.summarize();
    Ok(failures.first)
}

/// The next line, if there is one. A line that is too long is read to its end, but not kept.
fn next_line(input: &mut impl BufRead, most: u64) -> io::Result<Option<Result<String>>> {
    let malformed = |what: String| Failure::new(ExitStatus::Malformed, what);
    let mut line = Vec::new();
    if input.take(most.saturating_add(1)).read_until(b'\n', &mut line)? == 0 {
        return Ok(None);
    }
    if line.len() as u64 > most && !line.ends_with(b"\n") {
        input.skip_until(b'\n')?;
        let message = format!("the line has more than {most} bytes; `--max-line-bytes` allows more");
        return Ok(Some(Err(malformed(message))));
    }
    Ok(Some(String::from_utf8(line).map_err(|error| malformed(format!("the line is not UTF-8: {error}")))))
}

/// `{"id": …, "document": …}` to `{"id": …, "request": …}`, or `response` to `document`.
fn convert_line(
    line: &str,
    convert: impl FnOnce(&str, Json<'_>, &Object<'_>) -> Result<Line>,
) -> Result<(String, ExitStatus)> {
    let strings = StringArena::default();
    let json = Json::parse(line, &strings)?;
    let object = json.object()?;
    let id = object.get("custom_id").map_or_else(|| member(&object, "id"), Ok)?;
    let (key, json, exit) = convert(&id.as_str().unwrap_or_else(|_| id.compact()), json, &object)?;
    let mut written = String::new();
    let mut object = ObjectWriter::new(&mut written);
    object.json("id", id);
    object.key(key).push_str(&json);
    object.end();
    written.push('\n');
    Ok((written, exit))
}
