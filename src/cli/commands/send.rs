//! `chatmd send`: a whole turn. Converts the document, sends it, shows the answer and appends it.

use std::fmt::Write;
use std::path::Path;

use crate::diagnostic::sanitize_short;
use crate::json::{Json, Object, StringArena};
use crate::sanitize::sanitize;
use crate::{AppendOptions, Call, Converter, Input, Reply, RequestOptions};

use super::from_response::{append_with, convert};
use super::media;
use crate::cli::args::{Common, FromResponseArgs, InputArgs, OutputArgs, SendArgs, SessionView, ToolOutput, TurnArgs};
use crate::cli::error::{CliError, ExitStatus};
use crate::cli::follow::MAX_STREAM_BYTES;
use crate::cli::input::{Received, read_file, require_file};
use crate::cli::lock::require_regular;
use crate::cli::output;
use crate::cli::paths::{quoted, shown};
use crate::cli::report::{failed, report, without_hidden};
use crate::cli::send::Transport;

/// How many calls a message lists, and how much of their names it shows.
const MAX_CALLS: usize = 20;
const MAX_NAME_CHARS: usize = 80;

pub(crate) fn run(args: &SendArgs, common: &Common) -> anyhow::Result<ExitStatus> {
    send_file(&args.file, &args.send, common)
}

/// Sends a document, and appends the answer.
pub(crate) fn send_file(file: &Path, args: &TurnArgs, common: &Common) -> anyhow::Result<ExitStatus> {
    require_file(file, "`send`")?;
    require_regular(file)?;
    let document = read_file(file)?;
    let Some(turn) = Turn::new(document.clone(), Some(file), args, common)? else { return Ok(ExitStatus::Success) };
    let reply_args = reply_args(Some(file), args);
    // Refused before anything is sent.
    media::directory(&reply_args)?;
    append_with(file, Some(&document.bytes), &reply_args, common, || turn.send())
}

/// Sends a document that is in no file. Returns the reply.
pub(crate) fn send_text(document: Input, args: &TurnArgs, common: &Common) -> anyhow::Result<Option<Reply>> {
    let Some(turn) = Turn::new(document, None, args, common)? else { return Ok(None) };
    convert(turn.send()?, &reply_args(None, args), false, common).map(Some)
}

/// A request, and how it is sent.
struct Turn {
    transport: Transport,
    request: String,
}

impl Turn {
    /// The turn of a document, if it can be sent. With `--dry-run`, prints what would be run instead.
    fn new(document: Input, file: Option<&Path>, args: &TurnArgs, common: &Common) -> anyhow::Result<Option<Self>> {
        let transport = Transport::new(args)?;
        let request = request(document, file, args, common)?;
        if args.dry_run {
            let description = transport.describe(&request, &name(file));
            output::print(&sanitize(&without_hidden(&description)))?;
            return Ok(None);
        }
        Ok(Some(Self { transport, request }))
    }

    fn send(&self) -> anyhow::Result<Received> {
        self.transport.send(&self.request).map(Received::Input)
    }
}

/// The request of the document, if it can be sent.
fn request(document: Input, file: Option<&Path>, args: &TurnArgs, common: &Common) -> anyhow::Result<String> {
    let directory = args.files.directory(document.path.as_deref())?;
    let programs = args.programs.commands(&args.files, &directory)?;
    let converter = args.files.converter(&directory, args.whitespace).programs(&programs);
    // Asked first, because answering agents and fetching pages may cost something.
    let mut calls = converter.calls(document.clone()).map_err(|error| failed(error, common))?.value;
    calls.retain(|call| !call.is_async);
    if !calls.is_empty() {
        return Err(waiting(&calls, file).into());
    }
    // What would be run does not depend on the next turn.
    let has_empty_turn = !args.dry_run && ends_with_empty_turn(&converter, document.clone());
    let options = RequestOptions { stream: !args.no_stream, ..args.request.options()? };
    let output = converter.to_request(document, &options).map_err(|error| failed(error, common))?;
    report(&output.warnings, common)?;
    if has_nothing_to_answer(&output.value, has_empty_turn) {
        let message = format!("{} has no message to send", name(file));
        return Err(CliError::new(ExitStatus::Malformed, message)
            .with_help("write one in `<user>` … `</user>`")
            .into());
    }
    Ok(output.value)
}

/// Whether a document ends with an empty `<user>` for the next turn, so that none would be added.
fn ends_with_empty_turn(converter: &Converter<'_>, document: Input) -> bool {
    let appended = converter.append(document, "", &AppendOptions { next_turn: true });
    appended.is_ok_and(|appended| appended.text.is_none())
}

/// Whether a request has nothing to answer: no input, and nothing on the server, or an answer after which the next turn
/// is still empty.
fn has_nothing_to_answer(request: &str, has_empty_turn: bool) -> bool {
    let strings = StringArena::default();
    let request = Json::parse(request, &strings).and_then(Json::object).unwrap_or_default();
    let has_other = ["prompt", "previous_response_id", "conversation"].iter().any(|key| request.get(key).is_some());
    let input = request.get("input").and_then(|input| input.array().ok()).unwrap_or_default();
    match input.last() {
        None => !has_other && request.get("input").is_some_and(Json::is_empty_array),
        Some(last) => has_empty_turn && is_answer(&last.object().unwrap_or_default()),
    }
}

/// Whether an item is what a model answers.
fn is_answer(item: &Object<'_>) -> bool {
    let kind = item.get_str("type").unwrap_or_default();
    item.get_str("role").is_some_and(|role| role == "assistant") || kind == "reasoning" || kind.ends_with("_call")
}

/// The error for calls that wait for their outputs.
fn waiting(calls: &[Call], file: Option<&Path>) -> CliError {
    let name = name(file);
    let message = match calls.len() {
        1 => format!("a tool call of {name} waits for its output, so nothing was sent"),
        count => format!("{count} tool calls of {name} wait for their outputs, so nothing was sent"),
    };
    let document = file.map_or_else(|| "DOC".to_owned(), quoted);
    CliError::new(ExitStatus::CheckFailed, list_calls(&message, calls))
        .with_help(format!("add an output with `chatmd answer {document} CALL_ID`"))
}

/// A message, and a line for each call.
pub(super) fn list_calls(message: &str, calls: &[Call]) -> String {
    let mut list = message.to_owned();
    for call in calls.iter().take(MAX_CALLS) {
        let [id, tool] = [&call.call_id, &call.name].map(|text| sanitize_short(text, MAX_NAME_CHARS));
        let _ = write!(list, "\n  line {}: {id} {tool}", call.line);
    }
    if calls.len() > MAX_CALLS {
        let _ = write!(list, "\n  and {} more", calls.len() - MAX_CALLS);
    }
    list
}

fn name(file: Option<&Path>) -> String {
    file.map_or_else(|| "the message".to_owned(), shown)
}

/// The arguments of `from-response` that append the answer.
fn reply_args(file: Option<&Path>, args: &TurnArgs) -> FromResponseArgs {
    FromResponseArgs {
        input: InputArgs { file: None, stdin_filename: None },
        output: OutputArgs { output: None },
        append: file.map(Path::to_owned),
        any: false,
        document: None,
        shape: args.request.shape.clone(),
        reply: args.reply,
        follow: true,
        max_stream_bytes: MAX_STREAM_BYTES,
        envelope: args.envelope,
        drop_nulls: args.drop_nulls,
        view: SessionView::All,
        branches: false,
        media: args.media.clone(),
        tool_output: ToolOutput::Items,
        whitespace: args.whitespace,
        files: args.files.clone(),
    }
}
