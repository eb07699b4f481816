//! `chatmd from-response`: response, stream, request or items to document.

use anstream::eprintln;
use chatmd::convert::{FromOptions, NotProven, OutputStyle, from_response, reply_problems};
use chatmd::diagnostic::{Diagnostics, redacted};
use chatmd::source::Sources;
use chatmd::wire::{self, Ending, Failure, Texts};

use super::locate::show;
use super::media;
use crate::append::{Appending, placeholder_behind};
use crate::cli::{Common, FromResponseArgs};
use crate::exit::{Exit, Stop};
use crate::follow;
use crate::input::Input;
use crate::output;
use crate::report::{add, report};

pub(crate) fn run(args: &FromResponseArgs, common: &Common) -> anyhow::Result<Exit> {
    let input = if args.follow { follow::read()? } else { Input::read(&args.input, "from-response")? };
    let (sources, texts) = (Sources::new(), Texts::default());
    let mut found = Diagnostics::new();
    let source = add(without_cut_character(input), &sources, &mut found);
    if let Err(exit) = report(&mut found, &sources, common) {
        return Ok(exit);
    }
    let reply = wire::read(&sources.get(source).text, &texts);
    found.append(reply_problems(&reply, &sources, source));
    if let Err(exit) = report(&mut found, &sources, common) {
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
                return Ok(Exit::ApiError);
            }
            return Err(Stop { exit: Exit::ApiError, message: redacted(&error.to_string()), help: None }.into());
        }
        Err(Failure::Malformed(_)) => return Ok(Exit::Malformed),
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
        FromOptions { style, whitespace, envelope: args.envelope, media: media.as_ref() },
        source,
    );
    let document = document.map_err(|NotProven { what }| Stop {
        exit: Exit::SelfCheck,
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
    Ok(tell_ending(&reply.ending))
}

/// What an incomplete reply says on stderr, and the exit code for it.
pub(crate) fn tell_ending(ending: &Ending<'_>) -> Exit {
    let why = match ending {
        Ending::Whole => return Exit::Done,
        Ending::Incomplete(reason) => format!("the response is incomplete ({reason})"),
        Ending::Cancelled => "the response was cancelled".to_owned(),
        Ending::Cut => "the stream ends before the response does".to_owned(),
    };
    eprintln!("warning: {why}; what is complete was converted");
    Exit::Incomplete
}

/// A stream may be cut anywhere, also inside a character: then it ends before that.
fn without_cut_character(mut input: Input) -> Input {
    if let Err(error) = std::str::from_utf8(&input.bytes)
        && error.error_len().is_none()
        && let Ok(text) = std::str::from_utf8(&input.bytes[..error.valid_up_to()])
        && wire::is_stream(text)
    {
        input.bytes.truncate(error.valid_up_to());
    }
    input
}
