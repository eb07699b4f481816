//! `chatmd batch results`: appends each reply to its document.

use std::collections::HashMap;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use crate::diagnostic::{Colors, sanitize_short};
use crate::json::{Json, Object, StringArena, write};
use crate::wire::{Detected, detect};
use crate::{Api, Converter, Envelope, Input, Reply, ResponseOptions};

use super::{Failures, custom_id, documents, lines, member, without_batch};
use crate::cli::append::{Append, require_reply};
use crate::cli::args::BatchResultsArgs;
use crate::cli::error::{ExitStatus, Failure, Result};
use crate::cli::hints::Flags;
use crate::cli::input::read_text;
use crate::cli::paths::{resolve, shown};
use crate::cli::reply::Base;
use crate::cli::report::{first_failure, message, report_completion};

/// How much of an id is shown.
const MAX_ID_CHARS: usize = 100;

pub(crate) fn results(args: &BatchResultsArgs) -> Result<ExitStatus> {
    if args.file == Path::new("-") {
        if !args.root.is_empty() {
            return Err(without_batch("--root"));
        }
        if !args.paths.is_empty() {
            return Err(without_batch("PATHS"));
        }
        return lines::filter(args.max_line_bytes, true, |_, line, members| {
            let response = if members.get("custom_id").is_some() { line } else { member(members, "response")? };
            let reply = convert(response.raw(), args)?;
            let mut json = String::new();
            write::string(&mut json, &reply.text);
            Ok(("document", json, report_completion(&reply, Some("converted"))))
        });
    }
    let name = shown(&args.file);
    let text = read_text(&args.file)?;
    // The replies are paid for: a line that failed does not stop the others.
    let mut failures = Failures::new(true);
    let paths = documents(&args.paths, &mut failures).unwrap_or_default();
    let by_id = paths.into_iter().map(|path| (custom_id(Api::Messages, &path), path)).collect();
    for (number, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        match append_result(line, &by_id, args) {
            Ok(exit) => failures.record(exit),
            Err(error) => drop(failures.report(&format!("{name}:{}", number + 1), &error)),
        }
    }
    failures.summarize();
    Ok(failures.first)
}

/// Appends the reply of one line to the document that its `custom_id` names. `by_id` has the documents of the arguments by
/// their ids on the Messages API.
fn append_result(line: &str, by_id: &HashMap<String, PathBuf>, args: &BatchResultsArgs) -> Result<ExitStatus> {
    let strings = StringArena::default();
    let object = Json::parse(line, &strings).and_then(Json::object)?;
    let id = member(&object, "custom_id")?.as_str()?;
    let is_messages = matches!(detect(&object), Some(Detected::Api(Api::Messages, _)));
    let named = match by_id.get(id.as_ref()) {
        Some(path) => path.clone(),
        None if is_messages => {
            let message = format!("no document has the id `{}`", sanitize_short(&id, MAX_ID_CHARS));
            let help = "name the documents or directories after FILE, as `batch requests` got them";
            return Err(Failure::new(ExitStatus::Missing, message).with_help(help));
        }
        None => PathBuf::from(id.as_ref()),
    };
    // From here on only the resolved path is used, so that a link that is exchanged meanwhile leads nowhere else.
    let path = resolve(&named);
    // Only an id that is a path could name any file.
    let refusal = refusal(&path, &args.root).filter(|_| !by_id.contains_key(id.as_ref()));
    let path = env::current_dir().ok().and_then(|current| path.strip_prefix(current).ok()).unwrap_or(&path);
    if let Some(why) = refusal {
        let message = format!("{} {why}", shown(&named));
        return Err(Failure::new(ExitStatus::Refused, message));
    }
    let named_error = |error: Failure| {
        let status = if error.exit == ExitStatus::ApiError { status(&object) } else { String::new() };
        let message = format!("{}: {status}{}", shown(&named), error.text());
        Failure { help: error.help, ..Failure::new(error.exit, message) }
    };
    let reply = convert(line, args).map_err(named_error)?;
    let converter = Converter::new().whitespace(args.whitespace.mode);
    let append = Append { path, converter, next_turn: args.append.next, creates: false, base: &Base::Any };
    let done = append.add(&reply, None)?.then(|| format!("appended to {}", shown(path)));
    Ok(report_completion(&reply, done.as_deref()))
}

/// The status of HTTP and the id of the request of a result, before the error of the API.
fn status(result: &Object<'_>) -> String {
    let response = result.get("response").and_then(|response| response.object().ok()).unwrap_or_default();
    let status =
        response.get("status_code").map(|status| format!("status {}", sanitize_short(status.raw(), MAX_ID_CHARS)));
    let id = response.get_str("request_id").map(|id| format!("request id `{}`", sanitize_short(&id, MAX_ID_CHARS)));
    [status, id].into_iter().flatten().map(|part| part + ", ").collect()
}

/// Why results may not be appended to a file, whose path is resolved. The results are not trusted: they could name any
/// file. A missing file is judged by its directory, so that the answer does not reveal which files exist elsewhere.
fn refusal(path: &Path, roots: &[PathBuf]) -> Option<&'static str> {
    let current_dir = env::current_dir().ok();
    let roots: Vec<PathBuf> = current_dir.iter().chain(roots).filter_map(|root| root.canonicalize().ok()).collect();
    let below: Vec<&Path> = roots.iter().filter_map(|root| path.strip_prefix(root).ok()).collect();
    if below.is_empty() {
        return Some("is not in the current directory; `--root DIR` allows more");
    }
    // Programs keep their settings and hooks in such files and directories.
    let is_hidden = |below: &&Path| below.iter().any(|step| step.as_encoded_bytes().starts_with(b"."));
    if below.iter().all(is_hidden) {
        return Some("is in a file or directory with a name that starts with `.`; `--root DIR` allows it");
    }
    let is_empty = fs::metadata(path).is_ok_and(|metadata| metadata.is_file() && metadata.len() == 0);
    is_empty.then_some("is empty, so it is not the document of a request")
}

/// The document of a response or a line of Batch results.
fn convert(response: &str, args: &BatchResultsArgs) -> Result<Reply> {
    let is_filter = args.file == Path::new("-");
    let converter = Converter::new().whitespace(args.whitespace.mode);
    // If the reply is appended, the document may have the next turn already.
    let options = ResponseOptions {
        next_turn: args.append.next && is_filter,
        envelope: args.append.envelope_or(Envelope::Usage),
        ..ResponseOptions::default()
    };
    let reply = converter.from_response(Input::from(response).with_name("<response>"), &options)?;
    if !is_filter {
        require_reply(&reply)?;
    }
    let warnings = reply.warnings.render(Colors::None, &Flags);
    if let Some(exit) = first_failure(&reply.warnings) {
        return Err(Failure::new(exit, warnings));
    }
    message(&warnings);
    Ok(reply)
}
