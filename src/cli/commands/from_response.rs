//! `chatmd from-response`: a response, stream, request or list of items to a document.

use std::path::Path;

use chatmd::convert::{ResponseOptions, RoundTripError, from_response, payload_problems};
use chatmd::diagnostic::{Diagnostics, Problem, sanitize_line};
use chatmd::json::StringArena;
use chatmd::resources::{MediaStore, NoFiles, Resources};
use chatmd::responses::{self, Completion, Failure, Foreign, Payload, foreign_bytes, without_partial_character};
use chatmd::source::{SourceId, Sources, Span};

use super::locate::show_api_error;
use super::media;
use crate::cli::append::{Append, ReportedText, Rescue, placeholder_after, require_reply};
use crate::cli::args::{Common, FromResponseArgs};
use crate::cli::error::{CliError, ExitStatus};
use crate::cli::follow;
use crate::cli::input::Input;
use crate::cli::output;
use crate::cli::paths::resolve;
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

/// The exit code of a failed append, and what to save.
struct AppendFailure {
    exit: ExitStatus,
    rescue: Rescue,
}

/// Reads the whole input and appends the reply to a document. If that fails, saves the reply next to it.
fn append(path: &Path, args: &FromResponseArgs, common: &Common) -> anyhow::Result<ExitStatus> {
    if path == Path::new("-") {
        return Err(CliError::new(ExitStatus::Usage, "--append needs a file, not standard input").into());
    }
    let directory = args.files.directory(Some(&resolve(path)));
    let files: &dyn Resources = directory.as_ref().map_or(&NoFiles, |directory| directory);
    let whitespace = args.whitespace.into();
    let append = Append { path, whitespace, next_turn: args.reply, creates: true, files, common };
    let reported = append.check();
    let input = read_input(args)?;
    let raw = input.bytes.clone();
    Ok(append_input(input, &append, reported.as_ref(), args).unwrap_or_else(|AppendFailure { exit, rescue }| {
        rescue.save(&raw, path, whitespace);
        exit
    }))
}

/// Converts the input and appends it. A failure is reported.
fn append_input(
    input: Input,
    append: &Append<'_>,
    reported: Option<&ReportedText>,
    args: &FromResponseArgs,
) -> Result<ExitStatus, AppendFailure> {
    let failed = |error: anyhow::Error, rescue| AppendFailure { exit: CliError::report(&error), rescue };
    let flags = if args.any { " --any" } else { "" };
    let save_input = || Rescue::Input(flags);
    let if_malformed = if may_be_reply(&input.bytes) { save_input() } else { Rescue::Nothing };
    let (sources, strings) = (Sources::new(), StringArena::default());
    let read = read(input, &sources, &strings, args, append.common);
    let (source, reply) = read.unwrap_or_else(|error| Err(CliError::report(&error))).map_err(|exit| AppendFailure {
        exit,
        rescue: if exit == ExitStatus::ApiError { Rescue::Nothing } else { if_malformed },
    })?;
    if !args.any {
        let if_refused = if reply.request.is_some() { Rescue::Nothing } else { Rescue::Input(" --any") };
        require_reply(&reply).map_err(|error| failed(error.into(), if_refused))?;
    }
    let (document, media) = convert(&reply, source, args).map_err(|error| failed(error, save_input()))?;
    if let Some(media) = media {
        media::write(&args.media, media).map_err(|error| failed(error, save_input()))?;
    }
    append.add(&document, reported).map_err(|error| {
        // The command that appends a saved document appends only its items, not the fields of a request.
        let is_request = reply.request.is_some();
        failed(error.into(), if is_request { save_input() } else { Rescue::Document(document, flags) })
    })?;
    Ok(report_completion(&reply))
}

fn read_input(args: &FromResponseArgs) -> anyhow::Result<Input> {
    if args.follow { follow::read() } else { Input::read(&args.input, "from-response") }
}

/// Decodes the input. Errors in it, and errors of the API, are reported.
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
        Err(Failure::Api(error)) if show_api_error(&error, args, common) => Ok(Err(ExitStatus::ApiError)),
        Err(Failure::Api(error)) => Err(CliError::new(ExitStatus::ApiError, sanitize_line(&error.to_string())).into()),
        Err(Failure::Malformed(_) | Failure::Foreign(_)) => Ok(Err(ExitStatus::Malformed)),
    }
}

/// The reply as the text of a document, and the media files that it refers to.
fn convert(
    reply: &Payload<'_>,
    source: SourceId,
    args: &FromResponseArgs,
) -> anyhow::Result<(String, Option<MediaStore>)> {
    let media = media::store(args)?;
    let (style, whitespace) = (args.tool_output.into(), args.whitespace.into());
    let options = ResponseOptions { style, whitespace, envelope: args.envelope, media: media.as_ref() };
    let document = from_response(reply, options, source).map_err(|error| round_trip_error(&error))?;
    Ok((document, media))
}

/// The error for a document that does not read back as the reply.
pub(crate) fn round_trip_error(RoundTripError { what }: &RoundTripError) -> CliError {
    let message = format!("{what} does not read back correctly; this is a bug in chatmd, nothing was written");
    CliError::new(ExitStatus::SelfCheck, message).with_help("please report it, with the input if you can share it")
}

/// Reports why a reply is not complete, and returns the exit code.
pub(crate) fn report_completion(payload: &Payload<'_>) -> ExitStatus {
    let reason = match &payload.completion {
        Completion::Complete => return ExitStatus::Success,
        Completion::Incomplete(None) => "the response is incomplete".to_owned(),
        Completion::Incomplete(Some(detail)) => format!("the response is incomplete ({detail})"),
        Completion::Cancelled => "the response was cancelled".to_owned(),
        Completion::Truncated => "the stream ended before the response did".to_owned(),
        Completion::Unfinished => "an item of the response was never finished".to_owned(),
        Completion::Damaged => "an event of the stream could not be read".to_owned(),
        Completion::Pending(status) => format!("the response is not ready ({status}): fetch it again later"),
        Completion::Failed(error) => error.to_string(),
    };
    // The API may quote a key or an image in its message.
    warning(&sanitize_line(&reason));
    if !payload.items.is_empty() {
        note("whatever has arrived was converted");
    }
    ExitStatus::Incomplete
}

/// Whether bytes that could not be decoded may still be a reply: JSON, a stream, or compressed data.
fn may_be_reply(bytes: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(bytes) else { return true };
    let text = text.trim_start_matches('\u{feff}').trim_start();
    text.starts_with(['{', '[']) || responses::is_stream(text)
}

/// Adds the input to the sources. Half a character at the end is removed, because a stream may be cut anywhere; other
/// bytes that are not UTF-8 are reported, with the name of their format if it is known.
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
