//! `chatmd send`: a whole turn. Converts the document, sends it, shows the answer and appends it.

use std::fmt::Write;
use std::path::Path;
use std::time::Instant;

use crate::diagnostic::sanitize_short;
use crate::sanitize::sanitize;
use crate::{Call, Envelope, Input, Reply, RequestOptions, ResponseOptions, SessionOptions, Turn};

use super::media;
use crate::cli::args::{Common, SendArgs, TurnArgs};
use crate::cli::display::{AnswerTo, Show};
use crate::cli::error::{CliError, ExitStatus};
use crate::cli::input::{Received, read_file, require_file};
use crate::cli::lock::require_regular;
use crate::cli::output;
use crate::cli::paths::{quoted, shown};
use crate::cli::receive::{ReplySettings, append_with, convert};
use crate::cli::report::{failed, report, without_hidden};
use crate::cli::send::Transport;
use crate::cli::summary;

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
    let Some(request) = Request::new(document.clone(), Some(file), args, common)? else {
        return Ok(ExitStatus::Success);
    };
    // Refused before anything is sent.
    let settings = settings(Some(file), args, common)?;
    let start = Instant::now();
    let ended = append_with(file, Some(&document.bytes), &settings, || request.send(args))?;
    if let Some(reply) = ended.reply.filter(|_| !args.quiet) {
        let elapsed = start.elapsed();
        summary::report_appended(&reply, Some(file), &args.media);
        let directory = args.files.directory(document.path.as_deref())?;
        let converter = args.files.converter(&directory, args.whitespace);
        if let Ok(calls) = converter.calls(read_file(file)?) {
            summary::report_waiting(&calls.value, file);
        }
        summary::report_usage(&reply, elapsed);
    }
    Ok(ended.exit)
}

/// Sends a document that is in no file. Returns the reply.
pub(crate) fn send_text(document: Input, args: &TurnArgs, common: &Common) -> anyhow::Result<Option<Reply>> {
    let Some(request) = Request::new(document, None, args, common)? else { return Ok(None) };
    let start = Instant::now();
    let reply = convert(request.send(args)?, &settings(None, args, common)?)?;
    if !args.quiet {
        summary::report_usage(&reply, start.elapsed());
    }
    Ok(Some(reply))
}

/// A request, and how it is sent.
struct Request {
    transport: Transport,
    body: String,
}

impl Request {
    /// The request of a document, if it can be sent. With `--dry-run`, prints what would be run instead.
    fn new(document: Input, file: Option<&Path>, args: &TurnArgs, common: &Common) -> anyhow::Result<Option<Self>> {
        let transport = Transport::new(args)?;
        let body = request_body(document, file, args, common)?;
        if args.dry_run {
            let description = transport.describe(&body, &name(file));
            output::print(&sanitize(&without_hidden(&description)))?;
            return Ok(None);
        }
        Ok(Some(Self { transport, body }))
    }

    fn send(&self, args: &TurnArgs) -> anyhow::Result<Received> {
        let show = Show { answer: AnswerTo::Stdout, is_quiet: args.quiet };
        self.transport.send(&self.body, show).map(Received::Input)
    }
}

/// The JSON of the request, if the document can be sent.
fn request_body(document: Input, file: Option<&Path>, args: &TurnArgs, common: &Common) -> anyhow::Result<String> {
    let directory = args.files.directory(document.path.as_deref())?;
    let programs = args.programs.commands(&args.files, &directory)?;
    let converter = args.files.converter(&directory, args.whitespace).programs(&programs);
    let options = RequestOptions { stream: !args.no_stream, ..args.request.options()? };
    // What would be run does not depend on the next turn.
    let turn =
        converter.turn(document, &options, args.continues || args.dry_run).map_err(|error| failed(error, common))?;
    match turn {
        Turn::Ready(request) => {
            report(&request.warnings, common)?;
            Ok(request.value)
        }
        Turn::Waiting(calls) => Err(waiting(&calls, file).into()),
        Turn::Answered => Err(answered(file).into()),
        Turn::Empty => {
            let message = format!("{} has no message to send", name(file));
            Err(CliError::new(ExitStatus::Malformed, message).with_help("write one in `<user>` … `</user>`").into())
        }
    }
}

/// The error for a document that ends with an answer.
fn answered(file: Option<&Path>) -> CliError {
    let message = format!("{} ends with a complete answer, so nothing was sent", name(file));
    let document = file.map_or_else(|| "DOC".to_owned(), quoted);
    CliError::new(ExitStatus::CheckFailed, message).with_help(format!(
        "`chatmd ask -f {document} TEXT` adds a message, and `--continue` lets the model continue the answer"
    ))
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

/// How the answer is converted and appended.
fn settings<'a>(file: Option<&'a Path>, args: &'a TurnArgs, common: &'a Common) -> anyhow::Result<ReplySettings<'a>> {
    Ok(ReplySettings {
        options: ResponseOptions {
            envelope: args.envelope.or(Envelope::Usage),
            drop_nulls: args.drop_nulls,
            media: media::directory(&args.media, file, &args.files)?,
            session: SessionOptions::default(),
            ..ResponseOptions::default()
        },
        next_turn: args.reply,
        any: false,
        is_in_file: false,
        media: &args.media,
        request_of: file,
        shape: &args.request.shape,
        whitespace: args.whitespace.into(),
        files: &args.files,
        common,
    })
}
