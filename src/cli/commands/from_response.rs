//! `chatmd from-response`: a response, stream, request or list of items to a document.

use std::path::Path;

use super::media;
use crate::cli::args::FromResponseArgs;
use crate::cli::error::{ExitStatus, Failure, Result};
use crate::cli::follow;
use crate::cli::input::{self, Received};
use crate::cli::interrupt::exit_status;
use crate::cli::output;
use crate::cli::paths::quoted;
use crate::cli::reply::{Base, ReplySettings, append_with, convert};
use crate::cli::report::report_completion;
use crate::{Envelope, ReadOptions, ResponseOptions, SessionOptions};

pub(crate) fn run(args: &FromResponseArgs) -> Result<ExitStatus> {
    require_useful_flags(args)?;
    output::require_other_file(&args.output, &args.source.input)?;
    let settings = settings(args)?;
    if let Some(path) = &args.append {
        return Ok(append_with(path, &Base::Any, &settings, || receive(args))?.exit);
    }
    let reply = convert(receive(args)?, &settings)?;
    if let Some(out) = output::file(&args.output).filter(|_| !args.force) {
        let help = format!("`--append {}` adds the input to it; `--force` replaces it", quoted(out));
        output::require_same(out, reply.text.as_bytes()).map_err(|error| error.with_help(help))?;
    }
    media::write(&args.reply.media, &reply.media)?;
    output::write(&args.output, &reply.text)?;
    Ok(report_completion(&reply, Some("converted")))
}

/// How the arguments say that the input is converted.
fn settings(args: &FromResponseArgs) -> Result<ReplySettings<'_>> {
    let document = args.append.as_deref().or_else(|| output::file(&args.output));
    let is_appended = args.append.is_some();
    let (media, existing) = media::directory(&args.reply.media, document, &args.source.read.files)?;
    Ok(ReplySettings {
        options: ResponseOptions {
            read: ReadOptions { api: args.shape.api.api, choice: args.choice },
            tool_output: args.tool_output,
            envelope: args.reply.append.envelope_or(if is_appended { Envelope::Usage } else { Envelope::None }),
            next_turn: args.reply.append.next && !is_appended,
            drop_nulls: args.reply.drop_nulls,
            media,
            session: SessionOptions { view: args.view, branches: args.branches },
        },
        next_turn: args.reply.append.next,
        any: args.any,
        is_in_file: is_in_file(args),
        media: &args.reply.media,
        existing,
        // The document that gets the reply may not exist yet.
        request_of: args.document.as_deref().or(args.append.as_deref().filter(|path| path.exists())),
        shape: &args.shape,
        origins: Vec::new(),
        read: &args.source.read,
    })
}

/// Returns an error for a flag that would do nothing.
fn require_useful_flags(args: &FromResponseArgs) -> Result<()> {
    let useless = |message: &str, help: &str| Err(Failure::new(ExitStatus::Usage, message).with_help(help));
    if let Some(document) = &args.document {
        input::require_file(document, "`--for`")?;
    }
    if args.follow && args.source.input.file.as_deref().is_some_and(|file| file != Path::new("-")) {
        return useless(
            "`--follow` shows a stream from standard input, and a FILE is given",
            "leave out `--follow`, or pipe the stream in",
        );
    }
    let has_document = args.append.is_some() || args.document.is_some();
    if !has_document && (args.shape.instructions || args.shape.stateless) {
        return useless(
            "`--instructions` and `--stateless` describe how the request was made, and do nothing without its document",
            "name the document with `--append DOC` or `--for DOC`",
        );
    }
    Ok(())
}

fn receive(args: &FromResponseArgs) -> Result<Received> {
    let limits = args.source.read.session_limits(&args.source.session);
    let received = if args.follow {
        follow::read(args.max_stream_bytes).map(Received::Input)?
    } else {
        let until_interrupt = args.append.is_some() && !is_in_file(args);
        input::receive(&args.source.input, limits, "from-response", until_interrupt)?
    };
    match (&received, exit_status()) {
        (Received::Input(input), Some(exit)) if input.bytes.is_empty() => Err(Failure::reported(exit)),
        (Received::Input(_) | Received::Session(..), _) => Ok(received),
    }
}

/// Whether the input is in a file, where it stays.
fn is_in_file(args: &FromResponseArgs) -> bool {
    args.source.input.file.as_deref().is_some_and(Path::is_file)
}
