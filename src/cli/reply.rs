//! Converts an input that has arrived, and appends it to a document without losing it.

use std::path::Path;

use crate::cli::append::{Append, Rescue, require_reply};
use crate::cli::args::{ReadArgs, ShapeArgs};
use crate::cli::commands::locate::{show_api_error, show_unused_reasoning};
use crate::cli::commands::media;
use crate::cli::error::{ExitStatus, Failure, Result};
use crate::cli::input::{self, Received};
use crate::cli::interrupt::{exit_status, finish_on_interrupt};
use crate::cli::paths::{resolve, shown};
use crate::cli::report::{help, note, report, report_completion, report_omitted};
use crate::diagnostic::thousands;
use crate::resources::Directory;
use crate::responses::is_payload;
use crate::stream::StreamDecoder;
use crate::{Completion, Converter, Error, Input, InputKind, Reply, ResponseOptions};

/// With more members of each item that are null, an SDK has written them.
const MANY_NULLS: usize = 2;

/// How an input is converted and appended.
pub(crate) struct ReplySettings<'a> {
    pub(crate) options: ResponseOptions,
    /// Whether a document that gets the reply also gets an empty `<user>`, unless it has one.
    pub(crate) next_turn: bool,
    /// Whether an input is appended that is not a reply.
    pub(crate) any: bool,
    /// Whether the input is in a file, where it stays.
    pub(crate) is_in_file: bool,
    /// The directory of `--media`, or `inline`.
    pub(crate) media: &'a Path,
    /// The files that exist already.
    pub(crate) existing: Directory,
    /// The document that the request was made of.
    pub(crate) request_of: Option<&'a Path>,
    pub(crate) shape: &'a ShapeArgs,
    /// The fields of the request that do not come from the document, each with its origin.
    pub(crate) origins: Vec<(String, &'static str)>,
    pub(crate) read: &'a ReadArgs,
}

/// The document that a reply is added to.
pub(crate) enum Base {
    /// Any document.
    Any,
    /// The document that was sent.
    Sent(Input),
    /// The document that was sent: a document without its last answer. The new answer takes the place of that answer.
    Without { answered: Input, text: String },
}

impl Base {
    /// The document that is sent.
    pub(crate) fn document(&self) -> Input {
        match self {
            Base::Any => Input::from(""),
            Base::Sent(document) => document.clone(),
            Base::Without { answered, text } => Input { bytes: text.clone().into_bytes(), ..answered.clone() },
        }
    }
}

/// How an append ended.
pub(crate) struct Ended {
    pub(crate) exit: ExitStatus,
    /// The reply, if the document has it.
    pub(crate) reply: Option<Reply>,
    /// Whether the document had the reply already.
    pub(crate) is_skipped: bool,
}

/// Gets the input from `receive` and appends the reply to a document. If that fails, saves the reply next to it.
pub(crate) fn append_with(
    path: &Path,
    base: &Base,
    settings: &ReplySettings<'_>,
    receive: impl FnOnce() -> Result<Received>,
) -> Result<Ended> {
    input::require_file(path, "`--append`")?;
    let ReplySettings { next_turn, is_in_file: is_there, .. } = *settings;
    let directory = settings.read.files.directory(Some(&resolve(path)))?;
    let converter = settings.read.converter(&directory);
    let append = Append { path, converter, next_turn, creates: true, base };
    // A reply in a file is there already, so nothing can be fixed before it arrives.
    let reported = if is_there { None } else { append.check() };
    let received = receive()?;
    // An interrupt must not lose the reply. It has only ended the input if that was waited for.
    finish_on_interrupt();
    let raw = match &received {
        Received::Input(response) if !is_there => Some(response.bytes.clone()),
        Received::Input(_) | Received::Session(..) => None,
    };
    let mut rescue = Rescue::Unread;
    let ended = append_input(received, &append, reported.as_deref(), settings, &mut rescue).unwrap_or_else(|error| {
        let exit = error.report();
        let rescue = match (&rescue, &raw) {
            (Rescue::Unread | Rescue::Foreign, Some(bytes)) => unread(bytes, rescue),
            (_, _) => rescue,
        };
        if exit != ExitStatus::ApiError {
            rescue.save(raw.as_deref(), path, settings, matches!(base, Base::Without { .. }));
        }
        Ended { exit, reply: None, is_skipped: false }
    });
    Ok(Ended { exit: exit_status().unwrap_or(ended.exit), ..ended })
}

/// Converts the input and appends it. `rescue` becomes what is to be saved if that fails. The text of a session is not in memory,
/// so it is never saved.
fn append_input(
    received: Received,
    append: &Append<'_>,
    reported: Option<&str>,
    settings: &ReplySettings<'_>,
    rescue: &mut Rescue,
) -> Result<Ended> {
    let result = converted(received, settings);
    if matches!(&result, Err(Error::Problems(problems)) if problems.iter().any(|finding| finding.name() == "foreign-input"))
    {
        *rescue = Rescue::Foreign;
    }
    let reply = reported_reply(result, settings)?;
    let is_request = reply.input_kind == InputKind::Request;
    if !settings.any {
        *rescue = if is_request { Rescue::Nothing } else { Rescue::Refused };
        require_reply(&reply)?;
    }
    if matches!(append.base, Base::Without { .. }) && !has_arrived(&reply) {
        let exit = report_completion(&reply, None);
        note(&format!("{} is unchanged: the new answer has not arrived as a whole", shown(append.path)));
        *rescue = if reply.has_items { Rescue::Document(reply.text) } else { Rescue::Unread };
        return Err(Failure::reported(exit));
    }
    *rescue = Rescue::Input;
    media::write(settings.media, &reply.media)?;
    let is_added = append.add(&reply, reported).inspect_err(|_| {
        // The command that appends a saved document appends only its items, not the fields of a request.
        if !is_request && !reply.is_partial {
            *rescue = Rescue::Document(reply.text.clone());
        }
    })?;
    let done = is_added.then(|| format!("appended to {}", shown(append.path)));
    let exit = report_completion(&reply, done.as_deref());
    if reply.is_partial {
        *rescue = if is_added && reply.has_items { Rescue::Partial } else { Rescue::Unread };
        return Err(Failure::reported(exit));
    }
    Ok(Ended { exit, is_skipped: !is_added, reply: Some(reply) })
}

/// Whether an answer has arrived as a whole, so that it may take the place of another one.
fn has_arrived(reply: &Reply) -> bool {
    let is_whole = match reply.completion {
        Completion::Complete | Completion::Incomplete(_) => true,
        Completion::Cancelled
        | Completion::Truncated
        | Completion::Unfinished
        | Completion::Damaged
        | Completion::Pending(_)
        | Completion::Failed(_) => false,
    };
    is_whole && reply.has_items
}

/// Converts the input. Its problems are reported, and errors of the API at their place in the document.
pub(crate) fn convert(received: Received, settings: &ReplySettings<'_>) -> Result<Reply> {
    reported_reply(converted(received, settings), settings)
}

fn converted(received: Received, settings: &ReplySettings<'_>) -> Result<Reply, Error> {
    let converter = Converter::new().whitespace(settings.read.whitespace.mode).resources(&settings.existing);
    match received {
        Received::Input(response) => converter.from_response(response, &settings.options),
        Received::Session(format, mut opened) => {
            converter.from_session(&mut opened.reader, format, &opened.name, &settings.options)
        }
    }
}

/// Reports the problems of a conversion, and errors of the API at their place in the document.
fn reported_reply(result: Result<Reply, Error>, settings: &ReplySettings<'_>) -> Result<Reply> {
    let reply = result.map_err(|error| match error {
        Error::Api(error) if show_api_error(&error, settings) => Failure::reported(ExitStatus::ApiError),
        error => error.into(),
    })?;
    report(&reply.warnings)?;
    show_unused_reasoning(&reply, settings);
    report_omitted(&reply);
    // An SDK writes null for every field that is not set. The API writes few of them.
    let items: usize = reply.item_types.values().sum();
    if reply.nulls > MANY_NULLS * items.max(1) {
        help(&format!(
            "the items have {} members that are null; `--drop-nulls` leaves them out",
            thousands(reply.nulls)
        ));
    }
    Ok(reply)
}

/// What to save of input that could not be converted. `rescue` is for input that may be a reply: JSON or a stream, perhaps
/// with other text before it.
fn unread(bytes: &[u8], rescue: Rescue) -> Rescue {
    let may_be_reply = |text| is_payload(text) || StreamDecoder::default().next(bytes, true).is_some();
    if bytes.starts_with(b"\x1f\x8b") {
        Rescue::Packed("gunzip")
    } else if bytes.starts_with(b"\x28\xb5\x2f\xfd") {
        Rescue::Packed("zstd -d")
    } else if !std::str::from_utf8(bytes).map_or(true, may_be_reply) {
        Rescue::Nothing
    } else if bytes.starts_with(b"HTTP/") {
        // Without the headers, the rest may be a reply.
        Rescue::Unread
    } else {
        rescue
    }
}
