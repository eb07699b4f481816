//! `chatmd from-response`: response, stream, request or items to document.

use chatmd::convert::{OutputStyle, ResponseOptions, RoundTripError, from_response, payload_problems};
use chatmd::diagnostic::{Diagnostics, sanitize_line};
use chatmd::json::StringArena;
use chatmd::responses::{self, Completion, Failure};
use chatmd::source::Sources;

use super::locate::show;
use super::media;
use crate::cli::append::{Appending, placeholder_behind};
use crate::cli::args::{Common, FromResponseArgs};
use crate::cli::error::{CliError, ExitStatus};
use crate::cli::follow;
use crate::cli::input::Input;
use crate::cli::output;
use crate::cli::report::{add, report, warning};

pub(crate) fn run(args: &FromResponseArgs, common: &Common) -> anyhow::Result<ExitStatus> {
    let input = if args.follow { follow::read()? } else { Input::read(&args.input, "from-response")? };
    let (sources, strings) = (Sources::new(), StringArena::default());
    let mut diagnostics = Diagnostics::new();
    let source = add(without_cut_character(input), &sources, &mut diagnostics);
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
                    warning(&format!("{error:#}"));
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
        Err(Failure::JsonError(_)) => return Ok(ExitStatus::JsonError),
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
    Ok(report_completion(&reply.completion))
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
