//! `chatmd batch requests`: a Batch API line for each document.

use std::io::{self, IsTerminal, Write};
use std::path::Path;

use anyhow::Context;
use chatmd::diagnostic::Colors;
use chatmd::json::write::ObjectWriter;
use chatmd::resources::Budget;
use chatmd::{Input, RequestOptions};
use indicatif::ProgressBar;

use super::{Failures, lines, malformed, member};
use crate::cli::args::{BatchRequestsArgs, Common};
use crate::cli::error::{CliError, ExitStatus};
use crate::cli::hints::Flags;
use crate::cli::input::read_file;
use crate::cli::parallel;
use crate::cli::report::{first_failure, message};

/// How many documents are in memory at once.
const CHUNK: usize = 256;

/// A result, and the warnings of its document.
struct Converted {
    json: String,
    warnings: String,
}

pub(crate) fn requests(args: &BatchRequestsArgs, common: &Common) -> anyhow::Result<ExitStatus> {
    let options = args.request.options()?;
    if args.paths.iter().any(|path| path == Path::new("-")) {
        return lines::filter(&args.batch, |id, object| {
            let document = member(object, "document")?.as_str().map_err(|error| malformed(&error))?;
            let document = Input::from(document.into_owned()).with_name(id);
            let request = convert(document, &options, args.files.budget(), args, common)?;
            message(&request.warnings);
            Ok(("request", request.json))
        });
    }
    // The requests of many documents are in memory at once, so they share one budget.
    let budget = args.files.budget();
    let convert = |document: Input| convert(document, &options, budget.clone(), args, common);
    let progress = progress_bar(args.paths.len());
    let mut failures = Failures::new(&args.batch);
    let mut out = io::stdout().lock();
    for chunk in args.paths.chunks(CHUNK) {
        let lines = parallel::map(chunk, |path| batch_line(path, &args.url, convert));
        for (path, line) in chunk.iter().zip(lines) {
            progress.inc(1);
            match line {
                Ok(Converted { json, warnings }) => {
                    progress.suspend(|| message(&warnings));
                    out.write_all(json.as_bytes()).context("cannot write standard output")?;
                }
                Err(error) => {
                    let stop = progress.suspend(|| failures.report(&path.display().to_string(), &error));
                    if let Some(exit) = stop {
                        return Ok(exit);
                    }
                }
            }
        }
    }
    out.flush().context("cannot write standard output")?;
    Ok(failures.first)
}

/// The Batch API line of a document. The request is already JSON and is copied as it is.
fn batch_line(
    path: &Path,
    url: &str,
    convert: impl Fn(Input) -> Result<Converted, CliError>,
) -> Result<Converted, CliError> {
    let request = convert(read_file(path)?)?;
    let mut line = String::with_capacity(request.json.len() + 128);
    let mut object = ObjectWriter::new(&mut line);
    object.text("custom_id", &path.display().to_string());
    object.text("method", "POST");
    object.text("url", url);
    object.key("body").push_str(&request.json);
    object.end();
    line.push('\n');
    Ok(Converted { json: line, warnings: request.warnings })
}

/// The request of a document. An error has all its diagnostics in the message.
fn convert(
    document: Input,
    options: &RequestOptions,
    budget: Budget,
    args: &BatchRequestsArgs,
    common: &Common,
) -> Result<Converted, CliError> {
    let directory = args.files.directory_within(document.path.as_deref(), budget);
    let directory = directory.map_err(|error| CliError::new(ExitStatus::Io, error.to_string()))?;
    let output = args.files.converter(&directory, args.whitespace).to_request(document, options)?;
    let warnings = output.warnings.render(Colors::None, &Flags);
    match first_failure(&output.warnings, common) {
        None => Ok(Converted { json: output.value, warnings }),
        Some(exit) => Err(CliError::new(exit, warnings)),
    }
}

/// A progress bar, hidden unless standard error is a terminal.
fn progress_bar(length: usize) -> ProgressBar {
    if io::stderr().is_terminal() { ProgressBar::new(length as u64) } else { ProgressBar::hidden() }
}
