//! `chatmd from-response`: response, stream, request or items to document.

use std::path::Path;

use chatmd::convert::{OutputStyle, ResponseOptions, RoundTripError, from_response, payload_problems};
use chatmd::diagnostic::{Diagnostics, Problem, sanitize_line};
use chatmd::json::StringArena;
use chatmd::resources::{MediaStore, NoFiles, Resources};
use chatmd::responses::{self, Completion, Failure, Foreign, Payload, foreign_bytes, without_partial_character};
use chatmd::source::{SourceId, Sources, Span};

use super::locate::show;
use super::media;
use crate::cli::append::{Append, Reported, Rescue, placeholder_after, require_reply};
use crate::cli::args::{Common, FromResponseArgs};
use crate::cli::error::{CliError, ExitStatus};
use crate::cli::follow;
use crate::cli::input::{Input, place_of};
use crate::cli::output;
use crate::cli::report::{add, note, report, warning};

pub(crate) fn run(args: &FromResponseArgs, common: &Common) -> anyhow::Result<ExitStatus> {
    if let Some(path) = &args.append {
        return append(path, args, common);
    }
    let (sources, strings) = (Sources::new(), StringArena::default());
    let (source, reply) = match read(read_input(args)?, &sources, &strings, args, common)? {
        Ok(read) => read,
        Err(exit) => return Ok(exit),
    };
    let (document, media) = convert(&reply, source, args)?;
    if let Some(media) = media {
        media::write(&args.media, media)?;
    }
    let placeholder = if args.reply { placeholder_after(&document, args.whitespace.into()) } else { String::new() };
    output::write(&args.output, &(document + &placeholder))?;
    Ok(report_completion(&reply))
}

/// A reply that was not appended: the exit code, and what has to be saved.
struct Unappended {
    exit: ExitStatus,
    rescue: Rescue,
}

/// Reads the input to its end and adds the reply to a document. If that fails, the reply is saved beside it.
fn append(path: &Path, args: &FromResponseArgs, common: &Common) -> anyhow::Result<ExitStatus> {
    if path == Path::new("-") {
        let message = "--append needs a file: standard input is where the reply comes from".to_owned();
        return Err(CliError { exit: ExitStatus::Usage, message, help: None }.into());
    }
    let directory = args.files.directory(Some(&place_of(path)));
    let files: &dyn Resources = directory.as_ref().map_or(&NoFiles, |directory| directory);
    let whitespace = args.whitespace.into();
    let append = Append { path, whitespace, next_turn: args.reply, creates: true, files, common };
    let reported = append.check();
    let input = read_input(args)?;
    let raw = input.bytes.clone();
    Ok(append_input(input, &append, reported.as_ref(), args).unwrap_or_else(|Unappended { exit, rescue }| {
        rescue.save(&raw, path, whitespace);
        exit
    }))
}

/// Converts what was received and appends it; why that fails is reported.
fn append_input(
    input: Input,
    append: &Append<'_>,
    reported: Option<&Reported>,
    args: &FromResponseArgs,
) -> Result<ExitStatus, Unappended> {
    let failed = |error: anyhow::Error, rescue| Unappended { exit: CliError::report(&error), rescue };
    let flags = if args.any { " --any" } else { "" };
    let as_it_came = || Rescue::Input(flags);
    let if_malformed = if may_be_reply(&input.bytes) { as_it_came() } else { Rescue::Nothing };
    let (sources, strings) = (Sources::new(), StringArena::default());
    let read = read(input, &sources, &strings, args, append.common);
    let (source, reply) = read.unwrap_or_else(|error| Err(CliError::report(&error))).map_err(|exit| Unappended {
        exit,
        rescue: if exit == ExitStatus::ApiError { Rescue::Nothing } else { if_malformed },
    })?;
    if !args.any {
        let refused = if reply.request.is_some() { Rescue::Nothing } else { Rescue::Input(" --any") };
        require_reply(&reply).map_err(|error| failed(error.into(), refused))?;
    }
    let (document, media) = convert(&reply, source, args).map_err(|error| failed(error, as_it_came()))?;
    if let Some(media) = media {
        media::write(&args.media, media).map_err(|error| failed(error, as_it_came()))?;
    }
    append.add(&document, reported).map_err(|error| {
        // The command that appends a saved document appends its items, and not the fields of a request.
        let is_request = reply.request.is_some();
        failed(error, if is_request { as_it_came() } else { Rescue::Document(document, flags) })
    })?;
    Ok(report_completion(&reply))
}

fn read_input(args: &FromResponseArgs) -> anyhow::Result<Input> {
    if args.follow { follow::read() } else { Input::read(&args.input, "from-response") }
}

/// Reads what was received; what is wrong with it, or what the API says is wrong, is reported.
fn read<'j>(
    input: Input,
    sources: &'j Sources,
    strings: &'j StringArena,
    args: &FromResponseArgs,
    common: &Common,
) -> anyhow::Result<Result<(SourceId, Payload<'j>), ExitStatus>> {
    let mut diagnostics = Diagnostics::new();
    let source = add_payload(input, sources, &mut diagnostics);
    if let Err(exit) = report(&mut diagnostics, sources, common) {
        return Ok(Err(exit));
    }
    let reply = responses::read(&sources.get(source).text, strings);
    diagnostics.append(payload_problems(&reply, sources, source));
    if let Err(exit) = report(&mut diagnostics, sources, common) {
        return Ok(Err(exit));
    }
    match reply {
        Ok(reply) => Ok(Ok((source, reply))),
        Err(Failure::Api(error)) if show(&error, args, common) => Ok(Err(ExitStatus::ApiError)),
        Err(Failure::Api(error)) => {
            let message = sanitize_line(&error.to_string());
            Err(CliError { exit: ExitStatus::ApiError, message, help: None }.into())
        }
        Err(Failure::Malformed(_) | Failure::Foreign(_)) => Ok(Err(ExitStatus::Malformed)),
    }
}

/// The reply as a document's text, and the files that it refers to.
fn convert(
    reply: &Payload<'_>,
    source: SourceId,
    args: &FromResponseArgs,
) -> anyhow::Result<(String, Option<MediaStore>)> {
    let media = media::store(args)?;
    let style = match (args.tool_output, &media) {
        (Some(style), _) => style.into(),
        (None, Some(_)) => OutputStyle::Items,
        (None, None) => OutputStyle::Json,
    };
    let whitespace = args.whitespace.into();
    let options = ResponseOptions { style, whitespace, envelope: args.envelope, media: media.as_ref() };
    let document = from_response(reply, options, source).map_err(|RoundTripError { what }| CliError {
        exit: ExitStatus::SelfCheck,
        message: format!("{what} does not read back as it came: this is a bug, and nothing is written"),
        help: Some("please report it, with the input if you can share it".to_owned()),
    })?;
    Ok((document, media))
}

/// Says on stderr why a reply is not complete, and gives the exit code for it.
pub(crate) fn report_completion(payload: &Payload<'_>) -> ExitStatus {
    let why = match &payload.completion {
        Completion::Complete => return ExitStatus::Done,
        Completion::Incomplete(None) => "the response is incomplete".to_owned(),
        Completion::Incomplete(Some(reason)) => format!("the response is incomplete ({reason})"),
        Completion::Cancelled => "the response was cancelled".to_owned(),
        Completion::Truncated => "the stream ended before the response did".to_owned(),
        Completion::Unfinished => "an item of the response was never finished".to_owned(),
        Completion::Damaged => "an event of the stream could not be read".to_owned(),
        Completion::Pending(status) => format!("the response is not ready ({status}): fetch it again later"),
        Completion::Failed(error) => error.to_string(),
    };
    warning(&why);
    if !payload.items.is_empty() {
        note("what has arrived was converted");
    }
    ExitStatus::Incomplete
}

/// Whether bytes that could not be read may be a reply all the same: JSON, a stream, or something compressed.
fn may_be_reply(bytes: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(bytes) else { return true };
    let text = text.trim_start_matches('\u{feff}').trim_start();
    text.starts_with(['{', '[']) || responses::is_stream(text)
}

/// Adds what was read to the sources. A cut may leave half a character at the end; other bytes that are not text are
/// reported, by the name of what they are.
fn add_payload(mut input: Input, sources: &Sources, diagnostics: &mut Diagnostics) -> SourceId {
    let foreign = foreign_bytes(&input.bytes);
    without_partial_character(&mut input.bytes);
    let source = add(input, sources, diagnostics);
    if let Some(Foreign { what, help }) = foreign.filter(|_| diagnostics.has_errors()) {
        *diagnostics = Diagnostics::new();
        diagnostics.report(Problem::ForeignInput { what, help }, Span::new(source, 0..0));
    }
    source
}
