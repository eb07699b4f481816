//! `chatmd batch requests`: a Batch API line for each document.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use crate::diagnostic::Colors;
use crate::json::write::ObjectWriter;
use crate::resources::Budget;
use crate::{Api, Input, RequestOptions};
use indicatif::ProgressBar;

use super::{Failures, custom_id, documents, lines, member, without_batch};
use crate::cli::args::BatchRequestsArgs;
use crate::cli::error::{ExitStatus, Failure, Result};
use crate::cli::hints::Flags;
use crate::cli::input::read_file;
use crate::cli::output;
use crate::cli::parallel;
use crate::cli::paths::shown;
use crate::cli::report::{first_failure, message};

/// A result, and what is said about its document.
struct Converted {
    json: String,
    api: Api,
    warnings: String,
    ledger: String,
    /// The exit code if the warnings are errors.
    failure: Option<ExitStatus>,
}

pub(crate) fn requests(args: &BatchRequestsArgs) -> Result<ExitStatus> {
    let options = RequestOptions { changes: args.ledger.changes, ..args.request.options()? };
    let mut ledger = String::new();
    if args.paths.iter().any(|path| path == Path::new("-")) {
        if args.url.is_some() {
            return Err(without_batch("--url"));
        }
        let exit = lines::filter(args.max_line_bytes, args.keep_going, |id, _, members| {
            let document = member(members, "document")?.as_str()?;
            let document = Input::from(document.into_owned()).with_name(id);
            let request = with_ledger(convert(document, &options, args.read.files.budget(), args), &mut ledger)?;
            message(&request.warnings);
            Ok(("request", request.json, ExitStatus::Success))
        });
        args.ledger.write(&ledger)?;
        return exit;
    }
    let mut failures = Failures::new(args.keep_going);
    let paths = match documents(&args.paths, &mut failures) {
        Ok(paths) => paths,
        Err(exit) => return Ok(exit),
    };
    // Not visible unless standard error is a terminal.
    let progress = ProgressBar::new(paths.len() as u64);
    let line_within = |path: &PathBuf, budget: &Budget| {
        batch_line(path, args.url.as_deref(), |document| convert(document, &options, budget.clone(), args))
    };
    let line = |path: &PathBuf| {
        let budget = args.read.files.budget();
        (line_within(path, &budget), budget.total() - budget.left())
    };
    // What the documents have read is added up in their order, so that the same document fails in every run.
    let budget = args.read.files.budget();
    let mut first_api = None;
    let stopped = parallel::for_each(&paths, line, |path, (line, read)| {
        progress.inc(1);
        // Converted again, the document has the error at the reference that is too much.
        let line = if budget.take(read) { line } else { line_within(path, &budget) };
        let line = with_ledger(line, &mut ledger).and_then(|line| same_api(&mut first_api, line));
        let stop = match line {
            Ok(Converted { json, warnings, .. }) => {
                progress.suspend(|| message(&warnings));
                output::print(output::json_for_stdout(&json).as_bytes()).err().map(Err)
            }
            Err(error) => progress.suspend(|| failures.report(&shown(path), &error)).map(Ok),
        };
        stop.map_or(ControlFlow::Continue(()), ControlFlow::Break)
    });
    args.ledger.write(&ledger)?;
    stopped.unwrap_or(Ok(failures.first))
}

/// Refuses a line for another API than that of the first one: a batch is for one API.
fn same_api(first: &mut Option<Api>, line: Converted) -> Result<Converted> {
    let first = *first.get_or_insert(line.api);
    if line.api == first {
        return Ok(line);
    }
    let message = format!("this document is for {}, and the batch is for {}", line.api.title(), first.title());
    let help = "make a batch for each API, or choose one for all documents with `--api`";
    Err(Failure::new(ExitStatus::Malformed, message).with_help(help))
}

/// The Batch API line of a document. The request is already JSON and is copied as it is.
fn batch_line(path: &Path, url: Option<&str>, convert: impl Fn(Input) -> Result<Converted>) -> Result<Converted> {
    let request = convert(read_file(path)?)?;
    let mut line = String::with_capacity(request.json.len() + 128);
    let mut object = ObjectWriter::new(&mut line);
    object.text("custom_id", &custom_id(request.api, path));
    let request_key = match batch_url(request.api) {
        Some(default) => {
            object.text("method", "POST");
            object.text("url", url.unwrap_or(default));
            "body"
        }
        None => "params",
    };
    object.key(request_key).push_str(&request.json);
    object.end();
    line.push('\n');
    Ok(Converted { json: line, ..request })
}

/// The endpoint in each line of a batch. The Messages API has none there.
fn batch_url(api: Api) -> Option<&'static str> {
    match api {
        Api::Responses => Some("/v1/responses"),
        Api::Chat => Some("/v1/chat/completions"),
        Api::Messages => None,
    }
}

/// The request of a document.
fn convert(document: Input, options: &RequestOptions, budget: Budget, args: &BatchRequestsArgs) -> Result<Converted> {
    let directory = args.read.files.directory_within(document.path.as_deref(), budget)?;
    let converted = args.read.converter(&directory).with_request(document, options, |request, report| Converted {
        json: request.to_json(),
        api: request.api,
        warnings: report.render(Colors::None, &Flags),
        ledger: report.ledger().to_owned(),
        failure: first_failure(report),
    });
    Ok(converted?)
}

/// Adds the ledger of a conversion to that of the batch. Returns an error if the warnings are errors.
fn with_ledger(converted: Result<Converted>, ledger: &mut String) -> Result<Converted> {
    ledger.push_str(converted.as_ref().map_or_else(Failure::ledger, |converted| &converted.ledger));
    let converted = converted?;
    match converted.failure {
        None => Ok(converted),
        Some(exit) => Err(Failure::new(exit, converted.warnings)),
    }
}
