//! `chatmd batch results`: appends each reply to its document.

use std::env;
use std::path::{Path, PathBuf};

use chatmd::convert::{ResponseOptions, from_response, payload_problems};
use chatmd::diagnostic::{Colors, render, sanitize_line};
use chatmd::json::{Json, StringArena, write};
use chatmd::resources::NoFiles;
use chatmd::responses::{self, Failure};
use chatmd::source::Sources;

use super::{Failures, lines, malformed, member};
use crate::cli::append::{Append, require_reply};
use crate::cli::args::{BatchResultsArgs, Common};
use crate::cli::commands::from_response::{report_completion, round_trip_error};
use crate::cli::error::{CliError, ExitStatus};
use crate::cli::hints::Flags;
use crate::cli::input::Input;
use crate::cli::paths::parent;
use crate::cli::report::message;

pub(crate) fn results(args: &BatchResultsArgs, common: &Common) -> anyhow::Result<ExitStatus> {
    if args.file == Path::new("-") {
        return lines::filter(&args.batch, |_, object| {
            let response = member(object, "response")?;
            let (document, _) = convert(response.raw(), args)?;
            let mut json = String::new();
            write::string(&mut json, &document);
            Ok(("document", json))
        });
    }
    let input = Input::file(&args.file)?;
    let name = input.name.clone();
    let text = input.into_text()?;
    let mut failures = Failures::new(&args.batch);
    for (number, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        match append_result(line, args, common) {
            Ok(exit) => failures.record(exit),
            Err(error) => {
                if let Some(exit) = failures.report(&format!("{name}:{}", number + 1), &error) {
                    return Ok(exit);
                }
            }
        }
    }
    Ok(failures.first)
}

/// Appends the reply of one line to the document that its `custom_id` names.
fn append_result(line: &str, args: &BatchResultsArgs, common: &Common) -> Result<ExitStatus, CliError> {
    let strings = StringArena::default();
    let object = Json::parse(line, &strings).and_then(Json::object).map_err(|error| malformed(&error))?;
    let path = member(&object, "custom_id")?.as_str().map_err(|error| malformed(&error))?;
    let path = PathBuf::from(path.as_ref());
    if !is_allowed(&path, &args.root) {
        let message = format!("{} is not in the current directory; `--root DIR` allows more", path.display());
        return Err(CliError::new(ExitStatus::Refused, sanitize_line(&message)));
    }
    let (document, exit) = convert(line, args)?;
    let whitespace = args.whitespace.into();
    let append = Append { path: &path, whitespace, next_turn: args.reply, creates: false, files: &NoFiles, common };
    append.add(&document, None)?;
    Ok(exit)
}

/// Whether results may be appended to a file. The results are not trusted: they could name any file.
fn is_allowed(path: &Path, roots: &[PathBuf]) -> bool {
    // A missing file is judged by its directory, so that the answer does not reveal which files exist elsewhere.
    let Ok(path) = path.canonicalize().or_else(|_| parent(path).canonicalize()) else { return false };
    let current_dir = env::current_dir().ok();
    let mut roots = current_dir.iter().chain(roots).filter_map(|root| root.canonicalize().ok());
    roots.any(|root| path.starts_with(root))
}

/// The document of a response or a line of Batch results, and the exit code of an incomplete response.
fn convert(response: &str, args: &BatchResultsArgs) -> Result<(String, ExitStatus), CliError> {
    let (sources, strings) = (Sources::new(), StringArena::default());
    let source = sources.add("<response>", response.to_owned(), None);
    let payload = responses::read(&sources.get(source).text, &strings);
    let diagnostics = payload_problems(&payload, &sources, source);
    match payload {
        Ok(payload) => {
            if args.file != Path::new("-") {
                require_reply(&payload)?;
            }
            let options = ResponseOptions { whitespace: args.whitespace.into(), ..ResponseOptions::default() };
            let document = from_response(&payload, options, source).map_err(|error| round_trip_error(&error))?;
            message(&render(&diagnostics, &sources, Colors::None, &Flags));
            Ok((document, report_completion(&payload)))
        }
        Err(Failure::Api(error)) => Err(CliError::new(ExitStatus::ApiError, sanitize_line(&error.to_string()))),
        Err(Failure::Malformed(_) | Failure::Foreign(_)) => {
            Err(CliError::new(ExitStatus::Malformed, render(&diagnostics, &sources, Colors::None, &Flags)))
        }
    }
}
