//! `chatmd batch requests`: a Batch API line for each document.

use std::io::{self, IsTerminal, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use crate::diagnostic::Colors;
use crate::json::write::ObjectWriter;
use crate::resources::Budget;
use crate::{Input, RequestOptions};
use anyhow::Context;
use indicatif::ProgressBar;

use super::{Failures, lines, malformed, member, without_batch};
use crate::cli::args::{BatchRequestsArgs, Common};
use crate::cli::error::{CliError, ExitStatus, Result};
use crate::cli::hints::Flags;
use crate::cli::input::read_file;
use crate::cli::output::json_for_stdout;
use crate::cli::parallel;
use crate::cli::paths::shown;
use crate::cli::report::{first_failure, message};
use crate::cli::walk::{DOCUMENTS_ARE, Found, NO_DOCUMENTS, documents_in, note_others};

/// The message if standard output is closed or full.
const CANNOT_WRITE: &str = "cannot write standard output";

const DEFAULT_URL: &str = "/v1/responses";

/// A result, and the warnings of its document.
struct Converted {
    json: String,
    warnings: String,
}

pub(crate) fn requests(args: &BatchRequestsArgs, common: &Common) -> Result<ExitStatus> {
    let options = args.request.options()?;
    if args.paths.iter().any(|path| path == Path::new("-")) {
        if args.url.is_some() {
            return Err(without_batch("--url").into());
        }
        return lines::filter(&args.batch, args.keep_going, |id, object| {
            let document = member(object, "document")?.as_str().map_err(|error| malformed(&error))?;
            let document = Input::from(document.into_owned()).with_name(id);
            let request = convert(document, &options, args.files.budget(), args, common)?;
            message(&request.warnings);
            Ok(lines::Line { member: ("request", request.json), exit: ExitStatus::Success })
        });
    }
    let url = args.url.as_deref().unwrap_or(DEFAULT_URL);
    let mut failures = Failures::new(args.keep_going);
    let paths = match documents(&args.paths, &mut failures) {
        Ok(paths) => paths,
        Err(exit) => return Ok(exit),
    };
    let progress = progress_bar(paths.len());
    let mut out = io::stdout().lock();
    let line_within = |path: &PathBuf, budget: &Budget| {
        batch_line(path, url, |document| convert(document, &options, budget.clone(), args, common))
    };
    let line = |path: &PathBuf| {
        let budget = args.files.budget();
        (line_within(path, &budget), budget.total() - budget.left())
    };
    // What the documents have read is added up in their order, so that the same document fails in every run.
    let budget = args.files.budget();
    let stopped = parallel::for_each(&paths, line, |path, (line, read)| {
        progress.inc(1);
        // Converted again, the document has the error at the reference that is too much.
        let line = if budget.take(read) { line } else { line_within(path, &budget) };
        let stop = match line {
            Ok(Converted { json, warnings }) => {
                progress.suspend(|| message(&warnings));
                out.write_all(json_for_stdout(&json).as_bytes())
                    .context(CANNOT_WRITE)
                    .err()
                    .map(|error| Err(error.into()))
            }
            Err(error) => progress.suspend(|| failures.report(&shown(path), &error)).map(Ok),
        };
        stop.map_or(ControlFlow::Continue(()), ControlFlow::Break)
    });
    if let Some(stopped) = stopped {
        return stopped;
    }
    out.flush().context(CANNOT_WRITE)?;
    Ok(failures.first)
}

/// The documents that the arguments name. A directory means the documents in it. Returns the exit code if the batch
/// stops here.
fn documents(paths: &[PathBuf], failures: &mut Failures) -> Result<Vec<PathBuf>, ExitStatus> {
    let mut documents = Vec::with_capacity(paths.len());
    let mut other_files = 0;
    for path in paths {
        if !path.is_dir() {
            documents.push(path.clone());
            continue;
        }
        let Found { documents: inside, mut errors, others } = documents_in(path);
        other_files += others;
        if inside.is_empty() && errors.is_empty() {
            errors.push(CliError::new(ExitStatus::Missing, NO_DOCUMENTS).with_help(DOCUMENTS_ARE));
        }
        documents.extend(inside);
        for error in &errors {
            if let Some(exit) = failures.report(&shown(path), error) {
                return Err(exit);
            }
        }
    }
    note_others(other_files);
    Ok(documents)
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
    let directory = args.files.directory_within(document.path.as_deref(), budget)?;
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
