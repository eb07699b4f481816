//! `chatmd batch`: many documents to Batch API lines, and their results back.

use std::io::{self, BufRead, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

use anyhow::Context as _;
use chatmd::convert::{Context, RequestOptions, ResponseOptions, from_response, payload_problems, to_request};
use chatmd::diagnostic::{Colors, Diagnostics, render, sanitize, sanitize_line};
use chatmd::json::write::{self, ObjectWriter};
use chatmd::json::{Json, JsonError, Object, StringArena};
use chatmd::resolve::Resolver;
use chatmd::resources::NoFiles;
use chatmd::responses::{self, Failure};
use chatmd::source::{Sources, Span};
use indicatif::ProgressBar;

use super::from_response::report_completion;
use crate::cli::append::{Append, require_reply};
use crate::cli::args::{BatchArgs, BatchRequestsArgs, BatchResultsArgs, Common, default_model};
use crate::cli::error::{CliError, ExitStatus};
use crate::cli::hints::Flags;
use crate::cli::input::Input;
use crate::cli::report::{add, message};

/// How many documents are in memory at once.
const WINDOW: usize = 256;

/// Why one document or line gives nothing: what is told about it, and the exit code for it.
struct Bad {
    message: String,
    exit: ExitStatus,
}

pub(crate) fn requests(args: &BatchRequestsArgs, common: &Common) -> anyhow::Result<ExitStatus> {
    if args.paths.iter().any(|path| path == Path::new("-")) {
        return filter(&args.batch, |id, object| {
            let document = member(object, "document")?.string().map_err(|error| malformed(&error))?;
            let input = Input { name: id.to_owned(), path: None, bytes: document.into_owned().into_bytes() };
            let (request, warnings) = request_of(input, args, common)?;
            message(&warnings);
            Ok(("request", request))
        });
    }
    let progress = progress(args.paths.len());
    let mut first_bad = ExitStatus::Done;
    let mut out = io::stdout().lock();
    for window in args.paths.chunks(WINDOW) {
        for (path, line) in window.iter().zip(in_parallel(window, |path| batch_line(path, args, common))) {
            progress.inc(1);
            match line {
                Ok((line, warnings)) => {
                    progress.suspend(|| message(&warnings));
                    out.write_all(line.as_bytes()).context("cannot write standard output")?;
                }
                Err(bad) => {
                    progress.suspend(|| report_failure(&path.display().to_string(), &bad));
                    if !args.batch.keep_going {
                        return Ok(bad.exit);
                    }
                    first_bad = if first_bad == ExitStatus::Done { bad.exit } else { first_bad };
                }
            }
        }
    }
    out.flush().context("cannot write standard output")?;
    Ok(first_bad)
}

pub(crate) fn results(args: &BatchResultsArgs, common: &Common) -> anyhow::Result<ExitStatus> {
    if args.file == Path::new("-") {
        return filter(&args.batch, |_, object| {
            let response = member(object, "response")?;
            let mut json = String::new();
            let (document, _) = document_of(response.text(), args)?;
            write::string(&mut json, &document);
            Ok(("document", json))
        });
    }
    let input = Input::file(&args.file)?;
    let not_text =
        |_| CliError { exit: ExitStatus::Malformed, message: format!("{} is not UTF-8", input.name), help: None };
    let text = String::from_utf8(input.bytes).map_err(not_text)?;
    let mut first_bad = ExitStatus::Done;
    for (number, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let exit = match append_result(line, args, common) {
            Ok(exit) => exit,
            Err(bad) => {
                report_failure(&format!("{}:{}", input.name, number + 1), &bad);
                if !args.batch.keep_going {
                    return Ok(bad.exit);
                }
                bad.exit
            }
        };
        first_bad = if first_bad == ExitStatus::Done { exit } else { first_bad };
    }
    Ok(first_bad)
}

/// Appends one line of Batch results to the document that its `custom_id` names; a reply may be incomplete.
fn append_result(line: &str, args: &BatchResultsArgs, common: &Common) -> Result<ExitStatus, Bad> {
    let object = Json::parse(line).and_then(Json::object).map_err(|error| malformed(&error))?;
    let path = member(&object, "custom_id")?.string().map_err(|error| malformed(&error))?;
    let path = PathBuf::from(path.as_ref());
    if !is_allowed(&path, &args.root) {
        let message = format!("{} is not below the current directory; `--root DIR` allows more", path.display());
        return Err(Bad { message: sanitize_line(&message), exit: ExitStatus::Refused });
    }
    let (document, exit) = document_of(line, args)?;
    let bad = |error: anyhow::Error| {
        let exit = error.downcast_ref::<CliError>().map_or(ExitStatus::InputOutput, |stop| stop.exit);
        Bad { message: format!("{error:#}"), exit }
    };
    let whitespace = args.whitespace.into();
    let append = Append { path: &path, whitespace, next_turn: args.reply, creates: false, files: &NoFiles, common };
    append.add(&document, None).map_err(bad).map(|()| exit)
}

/// Whether results may be appended to a file: they come from elsewhere and name what they like.
fn is_allowed(path: &Path, roots: &[PathBuf]) -> bool {
    // What is not there is judged by its directory, so that the answer tells nothing of what is elsewhere.
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let Ok(path) = path.canonicalize().or_else(|_| parent.canonicalize()) else { return false };
    let here = std::env::current_dir().ok();
    let roots = here.iter().chain(roots).filter_map(|root| root.canonicalize().ok());
    roots.into_iter().any(|root| path.starts_with(root))
}

/// A line of the batch, and the warnings of its document.
fn batch_line(path: &Path, args: &BatchRequestsArgs, common: &Common) -> Result<(String, String), Bad> {
    let input = Input::file(path).map_err(|error| {
        let exit = error.downcast_ref::<CliError>().map_or(ExitStatus::InputOutput, |stop| stop.exit);
        Bad { message: format!("{error:#}"), exit }
    })?;
    let (body, warnings) = request_of(input, args, common)?;
    let mut line = String::new();
    let mut object = ObjectWriter::new(&mut line);
    object.text("custom_id", &path.display().to_string());
    object.text("method", "POST");
    object.text("url", &args.url);
    object.key("body").push_str(&body);
    object.end();
    line.push('\n');
    Ok((line, warnings))
}

/// The request of one document, and its warnings.
fn request_of(input: Input, args: &BatchRequestsArgs, common: &Common) -> Result<(String, String), Bad> {
    let directory = args
        .files
        .directory(input.path.as_deref())
        .map_err(|error| Bad { message: error.to_string(), exit: ExitStatus::InputOutput })?;
    let (sources, strings) = (Sources::new(), StringArena::default());
    let resolver = Resolver::new(&sources, &directory);
    let context = Context::new(&resolver, &strings);
    let mut diagnostics = Diagnostics::new();
    let source = add(input, &sources, &mut diagnostics);
    let document = context.read(source, args.whitespace.into(), args.files.limits(), &mut diagnostics);
    let default_model = default_model();
    let options = RequestOptions {
        model: args.model.as_deref(),
        default_model: default_model.as_deref(),
        ..RequestOptions::default()
    };
    let request = to_request(&document, &context, &options, Span::new(source, 0..0), &mut diagnostics);
    diagnostics.sort(&sources);
    let shown = render(&diagnostics, &sources, Colors::None, &Flags);
    match diagnostics.iter().find(|diagnostic| common.strict || diagnostic.is_error()) {
        None => Ok((request, shown)),
        Some(first) => Err(Bad { message: shown, exit: first.rule().kind.into() }),
    }
}

/// The document of one response, with Batch lines taken for what is in them, and how the response ends.
fn document_of(response: &str, args: &BatchResultsArgs) -> Result<(String, ExitStatus), Bad> {
    let (sources, strings) = (Sources::new(), StringArena::default());
    let source = sources.add("<response>", response.to_owned(), None);
    let reply = responses::read(&sources.get(source).text, &strings);
    let diagnostics = payload_problems(&reply, &sources, source);
    match reply {
        Ok(reply) => {
            if args.file != Path::new("-") {
                let refused = |error: CliError| Bad { message: error.to_string(), exit: error.exit };
                require_reply(&reply).map_err(refused)?;
            }
            let options = ResponseOptions { whitespace: args.whitespace.into(), ..ResponseOptions::default() };
            let document = from_response(&reply, options, source).map_err(|error| Bad {
                message: format!("{} does not read back as it came: this is a bug", error.what),
                exit: ExitStatus::SelfCheck,
            })?;
            message(&render(&diagnostics, &sources, Colors::None, &Flags));
            Ok((document, report_completion(&reply)))
        }
        Err(Failure::Api(error)) => Err(Bad { message: sanitize_line(&error.to_string()), exit: ExitStatus::ApiError }),
        Err(Failure::Malformed(_) | Failure::Foreign(_)) => {
            Err(Bad { message: render(&diagnostics, &sources, Colors::None, &Flags), exit: ExitStatus::Malformed })
        }
    }
}

/// Reads JSON lines with an `id` and writes a line for each, one at a time.
fn filter(
    args: &BatchArgs,
    convert: impl Fn(&str, &Object<'_>) -> Result<(&'static str, String), Bad>,
) -> anyhow::Result<ExitStatus> {
    let mut first_bad = ExitStatus::Done;
    let mut out = io::stdout().lock();
    for (number, line) in io::stdin().lock().lines().enumerate() {
        let line = line.context("cannot read standard input")?;
        if line.trim().is_empty() {
            continue;
        }
        let converted =
            Json::parse(&line).and_then(Json::object).map_err(|error| malformed(&error)).and_then(|object| {
                let id = member(&object, "id")?;
                let (key, json) = convert(&id.string().unwrap_or_else(|_| id.compact()), &object)?;
                let mut written = String::new();
                let mut object = ObjectWriter::new(&mut written);
                object.json("id", id);
                object.key(key).push_str(&json);
                object.end();
                written.push('\n');
                Ok(written)
            });
        match converted {
            Ok(written) => out.write_all(written.as_bytes()).context("cannot write standard output")?,
            Err(bad) => {
                report_failure(&format!("line {}", number + 1), &bad);
                if !args.keep_going {
                    return Ok(bad.exit);
                }
                first_bad = if first_bad == ExitStatus::Done { bad.exit } else { first_bad };
            }
        }
    }
    out.flush().context("cannot write standard output")?;
    Ok(first_bad)
}

fn member<'j>(object: &Object<'j>, key: &str) -> Result<Json<'j>, Bad> {
    object.get(key).ok_or_else(|| Bad { message: format!("`{key}` is missing"), exit: ExitStatus::Malformed })
}

fn malformed(error: &JsonError) -> Bad {
    Bad { message: error.to_string(), exit: ExitStatus::Malformed }
}

fn report_failure(name: &str, bad: &Bad) {
    message(&format!("{}: {}\n", sanitize_line(name), sanitize(bad.message.trim_end())));
}

/// A progress bar, where somebody watches.
fn progress(length: usize) -> ProgressBar {
    if io::stderr().is_terminal() { ProgressBar::new(length as u64) } else { ProgressBar::hidden() }
}

/// The results of `convert` for every path, in order, worked out on all cores.
fn in_parallel<T: Send>(paths: &[PathBuf], convert: impl Fn(&Path) -> T + Sync) -> Vec<T> {
    let next = AtomicUsize::new(0);
    let done: Mutex<Vec<(usize, T)>> = Mutex::new(Vec::with_capacity(paths.len()));
    let workers = thread::available_parallelism().map_or(1, usize::from).min(paths.len());
    thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                while let Some((index, path)) =
                    Some(next.fetch_add(1, Ordering::Relaxed)).and_then(|index| Some((index, paths.get(index)?)))
                {
                    let result = convert(path);
                    done.lock().unwrap_or_else(PoisonError::into_inner).push((index, result));
                }
            });
        }
    });
    let mut done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    done.sort_by_key(|(index, _)| *index);
    done.into_iter().map(|(_, result)| result).collect()
}
