//! `--append`: a reply after the document that it answers, safely.

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
use crate::cli::input::{Input, place_of};
use crate::cli::lock::{Lock, require_regular};
use crate::cli::output::unwritable;
use crate::cli::replace::{create, replace};
use crate::cli::report::{add, note, report, warning};

pub(crate) use join::placeholder_after;
pub(crate) use save::Rescue;

/// The document that replies are added to, and how.
pub(crate) struct Append<'a> {
    pub(crate) path: &'a Path,
    pub(crate) whitespace: Whitespace,
    /// Whether an empty `<user>` is added for the next turn, unless there is one.
    pub(crate) next_turn: bool,
    /// Whether the document is created if it is missing.
    pub(crate) creates: bool,
    /// Reads the files that the document names.
    pub(crate) files: &'a dyn Resources,
    pub(crate) common: &'a Common,
}

/// A document as it was when it was reported that it does not parse.
pub(crate) struct Reported(String);

/// A text as a document, and how its lines end.
struct Parsed<'s> {
    source: SourceId,
    document: Document<'s>,
    line_ending: LineEnding,
}

/// Refuses what is not a reply: a request body, or messages that the model did not write.
pub(crate) fn require_reply(payload: &Payload<'_>) -> Result<(), CliError> {
    let other = payload.items.iter().enumerate().find_map(|(index, item)| match item {
        Item::Message(message) if message.role != "assistant" => Some((index, &message.role)),
        Item::Message(_) | Item::ToolCall(_) | Item::ToolResponse(_) | Item::Reasoning(_) | Item::Other(_) => None,
    });
    let message = match (&payload.request, other) {
        (Some(_), _) => "this is a request body, and only replies are appended".to_owned(),
        (None, Some((index, role))) => {
            format!("item {index} is a message of `{}`, and only replies are appended", sanitize_line(role))
        }
        (None, None) => return Ok(()),
    };
    let help = Some("`--any` appends it all the same".to_owned());
    Err(CliError { exit: ExitStatus::Malformed, message, help })
}

impl Append<'_> {
    /// Reports at once what would keep a reply from being added, so that it can be fixed before the reply is there.
    pub(crate) fn check(&self) -> Option<Reported> {
        let has_place = || place_of(self.path).parent().is_some_and(Path::is_dir);
        match require_regular(self.path) {
            Ok(()) => {}
            Err(error) if error.exit == ExitStatus::Missing && has_place() => return None,
            Err(error) => {
                warning(&format!("{error}; the reply cannot be appended unless that changes"));
                return None;
            }
        }
        if let Err(error) = OpenOptions::new().append(true).open(self.path) {
            let error = unwritable(self.path, &error);
            warning(&format!("{error}; the reply cannot be appended unless that changes"));
        }
        let (sources, mut diagnostics) = (Sources::new(), Diagnostics::new());
        let source = add(Input::file(self.path).ok()?, &sources, &mut diagnostics);
        if !diagnostics.has_errors() {
            self.parse(&sources, source, &mut diagnostics);
        }
        report(&mut diagnostics.errors(), &sources, self.common).err()?;
        warning(&format!("{} does not parse; the reply cannot be appended unless that changes", self.path.display()));
        Some(Reported(sources.get(source).text.clone()))
    }

    /// Adds a reply, which is a document's text: read back before it is written, atomic, and not twice in a row.
    pub(crate) fn add(&self, reply: &str, reported: Option<&Reported>) -> anyhow::Result<()> {
        loop {
            // Held until the new document is in its place.
            let lock = match Lock::take(self.path) {
                Ok(lock) => Some(lock),
                Err(error) if error.exit == ExitStatus::Missing && self.creates => None,
                Err(error) => return Err(error.into()),
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
                    // Another run has created it meanwhile: it is locked like any other.
                }
                written => return Ok(written.map_err(|error| unwritable(self.path, &error))?),
            }
        }
    }

    /// Reads the document; if it does not parse, that is reported, unless it has been already.
    fn read<'s>(&self, sources: &'s Sources, reported: Option<&Reported>) -> anyhow::Result<Parsed<'s>> {
        let mut diagnostics = Diagnostics::new();
        let source = add(Input::file(self.path)?, sources, &mut diagnostics);
        if !diagnostics.has_errors() {
            let parsed = self.parse(sources, source, &mut diagnostics);
            if !diagnostics.has_errors() {
                return Ok(parsed);
            }
        }
        if reported.is_none_or(|Reported(text)| *text != sources.get(source).text) {
            let _ = report(&mut diagnostics.errors(), sources, self.common);
        }
        let message = format!("{} does not parse", self.path.display());
        Err(CliError { exit: ExitStatus::Malformed, message, help: None }.into())
    }

    /// The document's text with the reply; `None` if nothing has to be written.
    fn with_reply(&self, sources: &Sources, old: &Parsed<'_>, reply: &str) -> anyhow::Result<Option<String>> {
        let name = self.path.display();
        let mut reply = self.parse_text(sources, reply);
        let strings = StringArena::default();
        let resolver = Resolver::new(sources, self.files);
        let context = Context::new(&resolver, &strings);
        if tail::ends_with(&old.document, &reply.document, &context) {
            note(&format!("{name} already ends with this reply, nothing was appended"));
            reply.document.blocks.clear();
        }
        let repeated = tail::repeated_ids(&old.document, &reply.document);
        if !repeated.is_empty() {
            let message = format!(
                "{name} already has {}, which the reply has too: the API may refuse an id that is there twice",
                repeated.join(", ")
            );
            if self.common.strict {
                return Err(CliError { exit: ExitStatus::Malformed, message, help: None }.into());
            }
            warning(&message);
        }
        let joined = join::Joined::new(&sources.get(old.source).text, old, &reply, self.next_turn, self.whitespace);
        let Some(joined) = joined else { return Ok(None) };
        let (again, mut diagnostics) = (Sources::new(), Diagnostics::new());
        let read = self.parse(&again, again.add("", joined.text.clone(), None), &mut diagnostics);
        if diagnostics.has_errors() || !joined.is_exact(&read.document) {
            let message = format!("{name} with the reply does not read back as both: this is a bug");
            return Err(CliError { exit: ExitStatus::SelfCheck, message, help: None }.into());
        }
        Ok(Some(joined.text))
    }

    fn parse_text<'s>(&self, sources: &'s Sources, text: &str) -> Parsed<'s> {
        // References in it start where those of the document do.
        let source = sources.add_file("<reply>", Some(place_of(self.path)), text.to_owned(), None);
        self.parse(sources, source, &mut Diagnostics::new())
    }

    fn parse<'s>(&self, sources: &'s Sources, source: SourceId, diagnostics: &mut Diagnostics) -> Parsed<'s> {
        let nodes = syntax::parse(sources, source, diagnostics);
        let document = lower(&nodes, self.whitespace, diagnostics);
        Parsed { source, document, line_ending: line_ending(&nodes, self.whitespace) }
    }
}
