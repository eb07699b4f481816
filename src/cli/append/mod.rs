//! `--append`: adds a reply to the end of its document without losing either.

mod join;
mod save;
mod tail;

use std::fs::OpenOptions;
use std::io::ErrorKind;
use std::path::Path;

use chatmd::convert::Context;
use chatmd::diagnostic::{Diagnostics, sanitize_line};
use chatmd::document::{Document, line_ending, lower};
use chatmd::json::StringArena;
use chatmd::resolve::Resolver;
use chatmd::resources::Resources;
use chatmd::responses::{Item, Payload};
use chatmd::source::{SourceId, Sources};
use chatmd::syntax;
use chatmd::syntax::write::{LineEnding, Whitespace};

use crate::cli::args::Common;
use crate::cli::error::{CliError, ExitStatus};
use crate::cli::input::Input;
use crate::cli::lock::{Lock, require_regular};
use crate::cli::output::write_error;
use crate::cli::paths::resolve;
use crate::cli::replace::{create, replace};
use crate::cli::report::{add, note, report, warning};

pub(crate) use join::placeholder_after;
pub(crate) use save::Rescue;

/// A document to which replies are added.
pub(crate) struct Append<'a> {
    pub(crate) path: &'a Path,
    pub(crate) whitespace: Whitespace,
    /// Whether to add an empty `<user>` for the next turn, unless there is one.
    pub(crate) next_turn: bool,
    /// Whether to create the document if it is missing.
    pub(crate) creates: bool,
    /// The files that the document may read.
    pub(crate) files: &'a dyn Resources,
    pub(crate) common: &'a Common,
}

/// The text of a document whose errors were already reported.
pub(crate) struct ReportedText(String);

/// A parsed document and its line ending.
struct Parsed<'s> {
    source: SourceId,
    document: Document<'s>,
    line_ending: LineEnding,
}

/// Returns an error unless the payload is a reply: not a request body, and without messages of other roles.
pub(crate) fn require_reply(payload: &Payload<'_>) -> Result<(), CliError> {
    let other = payload.items.iter().enumerate().find_map(|(index, item)| match item {
        Item::Message(message) if message.role != "assistant" => Some((index, &message.role)),
        Item::Message(_) | Item::ToolCall(_) | Item::ToolResponse(_) | Item::Reasoning(_) | Item::Other(_) => None,
    });
    let message = match (&payload.request, other) {
        (Some(_), _) => "this is a request body; only replies are appended".to_owned(),
        (None, Some((index, role))) => {
            format!("item {index} is a message with the role `{}`; only replies are appended", sanitize_line(role))
        }
        (None, None) => return Ok(()),
    };
    Err(CliError::new(ExitStatus::Malformed, message).with_help("use `--any` to append it anyway"))
}

impl Append<'_> {
    /// Reports everything that would prevent an append, so that it can be fixed before the reply arrives.
    pub(crate) fn check(&self) -> Option<ReportedText> {
        let has_directory = || resolve(self.path).parent().is_some_and(Path::is_dir);
        match require_regular(self.path) {
            Ok(()) => {}
            Err(error) if error.exit == ExitStatus::Missing && has_directory() => return None,
            Err(error) => {
                warning(&format!("{error}; the reply cannot be appended unless this is fixed"));
                return None;
            }
        }
        if let Err(error) = OpenOptions::new().append(true).open(self.path) {
            let error = write_error(self.path, &error);
            warning(&format!("{error}; the reply cannot be appended unless this is fixed"));
        }
        let (sources, mut diagnostics) = (Sources::new(), Diagnostics::new());
        let source = add(Input::file(self.path).ok()?, &sources, &mut diagnostics);
        if !diagnostics.has_errors() {
            self.parse(&sources, source, &mut diagnostics);
        }
        report(&mut diagnostics.errors(), &sources, self.common).err()?;
        warning(&format!("{} does not parse; the reply cannot be appended unless this is fixed", self.path.display()));
        Some(ReportedText(sources.get(source).text.clone()))
    }

    /// Adds a reply, given as the text of a document.
    ///
    /// The result is parsed and compared before it replaces the document atomically. A reply that is already at the
    /// end is not added again.
    pub(crate) fn add(&self, reply: &str, reported: Option<&ReportedText>) -> Result<(), CliError> {
        loop {
            // Held until the new document is written.
            let lock = match Lock::take(self.path) {
                Ok(lock) => Some(lock),
                Err(error) if error.exit == ExitStatus::Missing && self.creates => None,
                Err(error) => return Err(error),
            };
            let sources = Sources::new();
            let old = if lock.is_some() { self.read(&sources, reported)? } else { self.parse_text(&sources, "") };
            let Some(text) = self.with_reply(&sources, &old, reply)? else { return Ok(()) };
            let written = match lock {
                Some(_) => replace(self.path, text.as_bytes()),
                None => create(self.path, text.as_bytes(), None),
            };
            match written {
                Err(error) if lock.is_none() && error.kind() == ErrorKind::AlreadyExists => {
                    // Another run has created it in the meantime: lock it and try again.
                }
                written => return written.map_err(|error| write_error(self.path, &error)),
            }
        }
    }

    /// Reads the document. If it does not parse, reports its errors unless that was done already.
    fn read<'s>(&self, sources: &'s Sources, reported: Option<&ReportedText>) -> Result<Parsed<'s>, CliError> {
        let mut diagnostics = Diagnostics::new();
        let source = add(Input::file(self.path)?, sources, &mut diagnostics);
        if !diagnostics.has_errors() {
            let parsed = self.parse(sources, source, &mut diagnostics);
            if !diagnostics.has_errors() {
                return Ok(parsed);
            }
        }
        if reported.is_none_or(|ReportedText(text)| *text != sources.get(source).text) {
            let _ = report(&mut diagnostics.errors(), sources, self.common);
        }
        Err(CliError::new(ExitStatus::Malformed, format!("{} does not parse", self.path.display())))
    }

    /// The text of the document with the reply; `None` if there is nothing to write.
    fn with_reply(&self, sources: &Sources, old: &Parsed<'_>, reply: &str) -> Result<Option<String>, CliError> {
        let name = self.path.display();
        let mut reply = self.parse_text(sources, reply);
        let strings = StringArena::default();
        let resolver = Resolver::new(sources, self.files);
        let context = Context::new(&resolver, &strings);
        if tail::ends_with(&old.document, &reply.document, &context) {
            note(&format!("{name} already ends with this reply; nothing was appended"));
            reply.document.blocks.clear();
        }
        let repeated = tail::repeated_ids(&old.document, &reply.document);
        if !repeated.is_empty() {
            let message =
                format!("the reply repeats ids of {name}: {}; the API may reject repeated ids", repeated.join(", "));
            if self.common.strict {
                return Err(CliError::new(ExitStatus::Malformed, message));
            }
            warning(&message);
        }
        let joined = join::Joined::new(&sources.get(old.source).text, old, &reply, self.next_turn, self.whitespace);
        let Some(joined) = joined else { return Ok(None) };
        let (again, mut diagnostics) = (Sources::new(), Diagnostics::new());
        let read = self.parse(&again, again.add("", joined.text.clone(), None), &mut diagnostics);
        if diagnostics.has_errors() || !joined.is_exact(&read.document) {
            let message = format!("{name} with the reply does not read back correctly; this is a bug in chatmd");
            return Err(CliError::new(ExitStatus::SelfCheck, message));
        }
        Ok(Some(joined.text))
    }

    fn parse_text<'s>(&self, sources: &'s Sources, text: &str) -> Parsed<'s> {
        // Relative references are resolved like those of the document.
        let source = sources.add_file("<reply>", Some(resolve(self.path)), text.to_owned(), None);
        self.parse(sources, source, &mut Diagnostics::new())
    }

    fn parse<'s>(&self, sources: &'s Sources, source: SourceId, diagnostics: &mut Diagnostics) -> Parsed<'s> {
        let nodes = syntax::parse(sources, source, diagnostics);
        let document = lower(&nodes, self.whitespace, diagnostics);
        Parsed { source, document, line_ending: line_ending(&nodes, self.whitespace) }
    }
}
