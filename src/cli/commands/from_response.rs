//! `chatmd from-response`: a response, stream, request or list of items to a document.

use std::path::Path;

use crate::responses::{self, StreamDecoder};
use crate::{Converter, Error, Finding, InputKind, Reply, ResponseOptions, SessionOptions};

use super::locate::show_api_error;
use super::media;
use crate::cli::append::{Append, ReportedProblems, Rescue, Retry, require_reply};
use crate::cli::args::{Common, FromResponseArgs};
use crate::cli::error::{CliError, ExitStatus, Reported};
use crate::cli::follow;
use crate::cli::input::{self, Received};
use crate::cli::interrupt::{exit_status, finish_on_interrupt};
use crate::cli::output;
use crate::cli::paths::{quoted, resolve};
use crate::cli::report::{Outcome, failed, report, report_completion, report_omitted};

pub(crate) fn run(args: &FromResponseArgs, common: &Common) -> anyhow::Result<ExitStatus> {
    require_useful_flags(args)?;
    output::require_other_file(&args.output, &args.input)?;
    if let Some(path) = &args.append {
        return append_with(path, None, args, common, || receive(args));
    }
    let reply = convert(receive(args)?, args, args.reply, common)?;
    media::write(&args.media, &reply.media)?;
    output::write(&args.output, &reply.text)?;
    Ok(report_completion(&reply, Outcome::Converted))
}

/// Returns an error for a flag that would do nothing.
fn require_useful_flags(args: &FromResponseArgs) -> Result<(), CliError> {
    let useless = |message: &str, help: &str| Err(CliError::new(ExitStatus::Usage, message).with_help(help));
    if let Some(document) = &args.document {
        input::require_file(document, "`--for`")?;
    }
    if args.follow && args.input.file.as_deref().is_some_and(|file| file != Path::new("-")) {
        return useless(
            "`--follow` shows a stream from standard input, and there is a FILE",
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

/// The error of a failed append, and the reply to save.
struct AppendFailure {
    error: anyhow::Error,
    rescue: Rescue,
    /// Whether it is appended only with `--any`.
    needs_any: bool,
}

/// Gets the input from `receive` and appends the reply to a document. If that fails, saves the reply next to it.
///
/// `sent` is the document that the reply answers, if that is known.
pub(crate) fn append_with(
    path: &Path,
    sent: Option<&[u8]>,
    args: &FromResponseArgs,
    common: &Common,
    receive: impl FnOnce() -> anyhow::Result<Received>,
) -> anyhow::Result<ExitStatus> {
    input::require_file(path, "`--append`")?;
    let directory = args.files.directory(Some(&resolve(path)))?;
    let converter = args.files.converter(&directory, args.whitespace);
    let append = Append { path, converter, next_turn: args.reply, creates: true, sent, common };
    // A reply in a file is there already, so nothing can be fixed before it arrives.
    let is_there = is_in_file(args);
    let reported = if is_there { None } else { append.check() };
    let received = receive()?;
    // An interrupt must not lose the reply. It has only ended the input if that was waited for.
    finish_on_interrupt();
    let raw = match &received {
        Received::Input(response) if !is_there => Some(response.bytes.clone()),
        Received::Input(_) | Received::Session { .. } => None,
    };
    let exit = append_input(received, &append, reported.as_ref(), args).unwrap_or_else(|failure| {
        let AppendFailure { error, rescue, needs_any } = failure;
        let exit = CliError::report(&error);
        let rescue = match (rescue, &raw) {
            (Rescue::Unread, Some(bytes)) => unread(bytes),
            (rescue, _) => rescue,
        };
        rescue.save(raw.as_deref(), path, &retry(args, needs_any));
        exit
    });
    Ok(exit_status().unwrap_or(exit))
}

/// Converts the input and appends it.
fn append_input(
    received: Received,
    append: &Append<'_>,
    reported: Option<&ReportedProblems>,
    args: &FromResponseArgs,
) -> Result<ExitStatus, AppendFailure> {
    let failed = |error: anyhow::Error, rescue| AppendFailure { error, rescue, needs_any: false };
    let if_malformed = match &received {
        Received::Input(response) if may_be_reply(&response.bytes) => Rescue::Unread,
        Received::Input(_) | Received::Session { .. } => Rescue::Nothing,
    };
    let reply = convert(received, args, false, append.common).map_err(|error| {
        let is_exit = |exit| matches!(error.downcast_ref(), Some(CliError { exit: found, .. }) if *found == exit);
        let is_api_error =
            is_exit(ExitStatus::ApiError) || matches!(error.downcast_ref(), Some(Reported(ExitStatus::ApiError)));
        let rescue = if is_api_error {
            Rescue::Nothing
        } else if is_exit(ExitStatus::SelfCheck) {
            Rescue::Unread
        } else {
            if_malformed
        };
        failed(error, rescue)
    })?;
    let is_request = reply.input_kind == InputKind::Request;
    if !args.any {
        let if_refused =
            if is_request || reply.input_kind == InputKind::Session { Rescue::Nothing } else { Rescue::Input };
        require_reply(&reply).map_err(|error| AppendFailure {
            error: error.into(),
            rescue: if_refused,
            needs_any: true,
        })?;
    }
    media::write(&args.media, &reply.media).map_err(|error| failed(error, Rescue::Input))?;
    // An event that cannot be read may hold text too.
    let is_lost = |finding: Finding<'_>| matches!(finding.name(), "malformed-event" | "dropped-text");
    let is_damaged = reply.warnings.iter().any(is_lost);
    let outcome = append.add(&reply.text, reported).map_err(|error| {
        // The command that appends a saved document appends only its items, not the fields of a request.
        let rescue = if is_request || is_damaged { Rescue::Input } else { Rescue::Document(reply.text.clone()) };
        failed(error.into(), rescue)
    })?;
    let rescue = match outcome {
        Outcome::AppendedTo(_) if reply.has_items => Rescue::Partial,
        Outcome::AppendedTo(_) | Outcome::Skipped | Outcome::Converted => Rescue::Unread,
    };
    let exit = report_completion(&reply, outcome);
    if is_damaged {
        return Err(failed(Reported(exit).into(), rescue));
    }
    Ok(exit)
}

fn receive(args: &FromResponseArgs) -> anyhow::Result<Received> {
    let received = if args.follow {
        follow::read(args.max_stream_bytes).map(Received::Input)?
    } else if args.append.is_some() && !is_in_file(args) {
        input::receive_until_interrupt(&args.input, "from-response")?
    } else {
        input::receive(&args.input, "from-response")?
    };
    match (&received, exit_status()) {
        (Received::Input(input), Some(exit)) if input.bytes.is_empty() => Err(Reported(exit).into()),
        (Received::Input(_) | Received::Session { .. }, _) => Ok(received),
    }
}

/// Whether the input is in a file, where it stays.
fn is_in_file(args: &FromResponseArgs) -> bool {
    args.input.file.as_deref().is_some_and(Path::is_file)
}

/// Converts the input.
pub(crate) fn convert(
    received: Received,
    args: &FromResponseArgs,
    next_turn: bool,
    common: &Common,
) -> anyhow::Result<Reply> {
    convert_with(args, next_turn, common, |converter, options| match received {
        Received::Input(response) => converter.from_response(response, options),
        Received::Session { format, mut reader, name, .. } => {
            converter.from_session(&mut reader, format, &name, options)
        }
    })
}

/// Converts the input. Its problems are reported, and errors of the API at their place in the document.
fn convert_with(
    args: &FromResponseArgs,
    next_turn: bool,
    common: &Common,
    conversion: impl FnOnce(Converter<'_>, &ResponseOptions) -> Result<Reply, Error>,
) -> anyhow::Result<Reply> {
    let (media, tool_output) = (media::directory(args)?, args.tool_output.into());
    let session = SessionOptions { view: args.view.into(), branches: args.branches };
    let options = ResponseOptions {
        tool_output,
        envelope: args.envelope,
        next_turn,
        drop_nulls: args.drop_nulls,
        media,
        session,
    };
    let converter = Converter::new().whitespace(args.whitespace.into());
    let reply = conversion(converter, &options).map_err(|error| match error {
        Error::Api(error) if show_api_error(&error, args, common) => Reported(ExitStatus::ApiError).into(),
        error => failed(error, common),
    })?;
    report(&reply.warnings, common)?;
    report_omitted(&reply);
    Ok(reply)
}

/// The flags that append the saved reply as these arguments would.
fn retry(args: &FromResponseArgs, needs_any: bool) -> Retry {
    let mut flags = String::new();
    let given = [
        (args.any || needs_any, " --any"),
        (args.reply, " --reply"),
        (args.envelope, " --envelope"),
        (args.drop_nulls, " --drop-nulls"),
    ];
    flags.extend(given.into_iter().filter_map(|(is_given, flag)| is_given.then_some(flag)));
    if args.media != Path::new("inline") {
        flags.extend([" --media ", &quoted(&args.media)]);
    }
    let roots = args.files.root.iter().flat_map(|root| [" --root ".to_owned(), quoted(root)]).collect();
    Retry { whitespace: args.whitespace.into(), flags, roots }
}

/// What to save of input that could not be converted, but may be a reply.
fn unread(bytes: &[u8]) -> Rescue {
    let converted = || Converter::new().from_response(bytes.to_owned(), &ResponseOptions::default());
    let is_foreign = |finding: Finding<'_>| finding.name() == "foreign-input";
    if bytes.starts_with(b"\x1f\x8b") {
        Rescue::Packed("gunzip")
    } else if bytes.starts_with(b"\x28\xb5\x2f\xfd") {
        Rescue::Packed("zstd -d")
    } else if bytes.starts_with(b"HTTP/") {
        // Without the headers, the rest may be a reply.
        Rescue::Unread
    } else {
        match converted() {
            Err(Error::Problems(problems)) if problems.iter().any(is_foreign) => Rescue::Foreign,
            Ok(_) | Err(_) => Rescue::Unread,
        }
    }
}

/// Whether bytes that could not be decoded may still be a reply: JSON, compressed data, or a stream, perhaps with other
/// text before it.
fn may_be_reply(bytes: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(bytes) else { return true };
    let text = text.trim_start_matches('\u{feff}').trim_start();
    text.starts_with(['{', '[']) || responses::is_stream(text) || StreamDecoder::default().next(bytes, true).is_some()
}
