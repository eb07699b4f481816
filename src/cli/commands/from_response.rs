//! `chatmd from-response`: response, stream, request or items to document.

use anstream::eprintln;
use chatmd::convert::{OutputStyle, ResponseOptions, RoundTripError, from_response, payload_problems};
use chatmd::diagnostic::{Diagnostics, Problem, sanitize_line};
use chatmd::json::StringArena;
use chatmd::responses::{self, Completion, Failure, Foreign, Payload, foreign_bytes, without_partial_character};
use chatmd::source::{SourceId, Sources, Span};

use super::locate::show;
use super::media;
use crate::cli::append::{Appending, placeholder_behind};
use crate::cli::args::{Common, FromResponseArgs};
use crate::cli::error::{CliError, ExitStatus};
use crate::cli::follow;
use crate::cli::input::Input;
use crate::cli::output;
use crate::cli::report::{add, report};

pub(crate) fn run(args: &FromResponseArgs, common: &Common) -> anyhow::Result<ExitStatus> {
    let input = if args.follow { follow::read()? } else { Input::read(&args.input, "from-response")? };
    let (sources, strings) = (Sources::new(), StringArena::default());
    let mut diagnostics = Diagnostics::new();
    let source = add_payload(input, &sources, &mut diagnostics);
    if let Err(exit) = report(&mut diagnostics, &sources, common) {
        return Ok(exit);
    }
    let reply = responses::read(&sources.get(source).text, &strings);
    diagnostics.append(payload_problems(&reply, &sources, source));
    if let Err(exit) = report(&mut diagnostics, &sources, common) {
        return Ok(exit);
    }
    let reply = match reply {
        Ok(reply) => reply,
        Err(Failure::Api(error)) => {
            if let (Some(document), Some(param)) = (&args.document, &error.param)
                && show(document, param, &error.to_string(), args, common).unwrap_or_else(|error| {
                    // The API's own words matter more.
                    eprintln!("warning: {error:#}");
                    false
                })
            {
                return Ok(ExitStatus::ApiError);
            }
            return Err(CliError {
                exit: ExitStatus::ApiError,
                message: sanitize_line(&error.to_string()),
                help: None,
            }
            .into());
        }
        Err(Failure::Malformed(_) | Failure::Foreign(_)) => return Ok(ExitStatus::Malformed),
    };
    let whitespace = args.whitespace.into();
    let media = media::store(args)?;
    let style = match (args.tool_output, &media) {
        (Some(style), _) => style.into(),
        (None, Some(_)) => OutputStyle::Items,
        (None, None) => OutputStyle::Json,
    };
    let document = from_response(
        &reply,
        ResponseOptions { style, whitespace, envelope: args.envelope, media: media.as_ref() },
        source,
    );
    let document = document.map_err(|RoundTripError { what }| CliError {
        exit: ExitStatus::SelfCheck,
        message: format!("{what} does not read back as it came: this is a bug, and nothing is written"),
        help: Some("please report it, with the input if you can share it".to_owned()),
    })?;
    let appending = match args.append.as_deref().map(|path| Appending::open(path, whitespace, common)).transpose()? {
        Some(Err(exit)) => return Ok(exit),
        Some(Ok(appending)) => Some(appending),
        None => None,
    };
    if let Some(media) = media {
        media::write(&args.media, media)?;
    }
    if let Some(appending) = appending {
        appending.add(&document, args.reply)?;
    } else {
        let placeholder = if args.reply { placeholder_behind(&document, whitespace) } else { String::new() };
        output::write(&args.output, &(document + &placeholder))?;
    }
    Ok(report_completion(&reply))
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
    eprintln!("warning: {}", sanitize_line(&why));
    if !payload.items.is_empty() {
        eprintln!("  = note: what has arrived was converted");
    }
    ExitStatus::Incomplete
}

/// Adds what was read to the sources. A cut may leave half a character at the end; other bytes that are not text are
/// reported, by the name of what they are.
pub(crate) fn add_payload(mut input: Input, sources: &Sources, diagnostics: &mut Diagnostics) -> SourceId {
    let foreign = foreign_bytes(&input.bytes);
    without_partial_character(&mut input.bytes);
    let source = add(input, sources, diagnostics);
    if let Some(Foreign { what, help }) = foreign.filter(|_| diagnostics.has_errors()) {
        *diagnostics = Diagnostics::new();
        diagnostics.report(Problem::ForeignInput { what, help }, Span::new(source, 0..0));
    }
    source
}
