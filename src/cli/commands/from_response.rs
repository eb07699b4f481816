//! `chatmd from-response`: response, stream, request or items to document.

use std::path::Path;

use chatmd::convert::{OutputStyle, ResponseOptions, RoundTripError, from_response, payload_problems};
use chatmd::diagnostic::{Diagnostics, sanitize_line};
use chatmd::json::StringArena;
use chatmd::resources::{MediaStore, NoFiles, Resources};
use chatmd::responses::{self, Completion, Failure, Payload};
use chatmd::source::{SourceId, Sources};

use super::locate::show;
use super::media;
use crate::cli::append::{Append, Reported, Rescue, placeholder_after, require_reply};
use crate::cli::args::{Common, FromResponseArgs};
use crate::cli::error::{CliError, ExitStatus};
use crate::cli::follow;
use crate::cli::input::{Input, place_of};
use crate::cli::output;
use crate::cli::report::{add, report, warning};

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
    Ok(report_completion(&reply.completion))
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
    Ok(report_completion(&reply.completion))
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
    let source = add(without_cut_character(input), sources, &mut diagnostics);
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
        Err(Failure::JsonError(_)) => Ok(Err(ExitStatus::JsonError)),
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

/// What an incomplete reply says on stderr, and the exit code for it.
pub(crate) fn report_completion(completion: &Completion<'_>) -> ExitStatus {
    let why = match completion {
        Completion::Whole => return ExitStatus::Done,
        Completion::Incomplete(reason) => format!("the response is incomplete ({reason})"),
        Completion::Cancelled => "the response was cancelled".to_owned(),
        Completion::Cut => "the stream ends before the response does".to_owned(),
    };
    warning(&format!("{why}; what is complete was converted"));
    ExitStatus::Incomplete
}

/// Whether bytes that could not be read may be a reply all the same: JSON, a stream, or something compressed.
fn may_be_reply(bytes: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(bytes) else { return true };
    let text = text.trim_start_matches('\u{feff}').trim_start();
    text.starts_with(['{', '[']) || responses::is_stream(text)
}

/// A stream may be cut anywhere, also inside a character: then it ends before that.
fn without_cut_character(mut input: Input) -> Input {
    if let Err(error) = std::str::from_utf8(&input.bytes)
        && error.error_len().is_none()
        && let Ok(text) = std::str::from_utf8(&input.bytes[..error.valid_up_to()])
        && responses::is_stream(text)
    {
        input.bytes.truncate(error.valid_up_to());
    }
    input
}
