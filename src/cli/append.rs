//! `--append`: a reply behind the document it answers, safely.

use std::path::Path;

use chatmd::diagnostic::Diagnostics;
use chatmd::document::{Block, Document, lower};
use chatmd::source::{SourceId, Sources};
use chatmd::syntax::write::Whitespace;
use chatmd::syntax::{self, is_whitespace};

use crate::cli::args::Common;
use crate::cli::error::{CliError, ExitStatus};
use crate::cli::input::Input;
use crate::cli::lock::Lock;
use crate::cli::output::{replace, unwritable};
use crate::cli::report::{add, report};

/// A document that is locked and parses, so that a reply can be added.
pub(crate) struct Appending<'p> {
    path: &'p Path,
    text: String,
    whitespace: Whitespace,
    /// Held until the new document is in its place.
    _lock: Lock,
}

impl<'p> Appending<'p> {
    /// Locks a document against others who append, and reads it; what is wrong with it is reported.
    pub(crate) fn open(
        path: &'p Path,
        whitespace: Whitespace,
        common: &Common,
    ) -> anyhow::Result<Result<Self, ExitStatus>> {
        let lock = Lock::take(path)?;
        let sources = Sources::new();
        let mut diagnostics = Diagnostics::new();
        let source = add(Input::file(path)?, &sources, &mut diagnostics);
        if !diagnostics.has_errors() {
            read(&sources, source, whitespace, &mut diagnostics);
        }
        let text = sources.get(source).text.clone();
        Ok(report(&mut diagnostics.errors(), &sources, common).map(|()| Self { path, text, whitespace, _lock: lock }))
    }

    /// Adds a reply to the end: read back before it is written, and atomic.
    pub(crate) fn add(self, reply: &str, next_turn: bool) -> anyhow::Result<()> {
        let sources = Sources::new();
        let source = sources.add("", self.text, None);
        let old = read(&sources, source, self.whitespace, &mut Diagnostics::new());
        let text = joined(&sources.get(source).text, &old, reply, next_turn, self.whitespace);
        if !is_joined(&old, reply, &text, self.whitespace) {
            let path = self.path.display();
            let message =
                format!("{path} with the reply does not read back as both: this is a bug, and nothing is written");
            return Err(CliError { exit: ExitStatus::SelfCheck, message, help: None }.into());
        }
        Ok(replace(self.path, text.as_bytes()).map_err(|error| unwritable(self.path, &error))?)
    }
}

fn read<'s>(
    sources: &'s Sources,
    source: SourceId,
    whitespace: Whitespace,
    diagnostics: &mut Diagnostics,
) -> Document<'s> {
    lower(&syntax::parse(sources, source, diagnostics), whitespace, diagnostics)
}

/// The empty message that waits for the next turn.
fn placeholder(whitespace: Whitespace) -> &'static str {
    match whitespace {
        Whitespace::Layout => "<user>\n\n</user>\n",
        Whitespace::Verbatim => "<user></user>\n",
    }
}

/// What is added behind a document that is not appended to, for the next turn.
pub(crate) fn placeholder_behind(document: &str, whitespace: Whitespace) -> String {
    let gap = if document.is_empty() { "" } else { "\n" };
    [gap, placeholder(whitespace)].concat()
}

/// The document with the reply behind it, one blank line between. An empty `<user>` at the end stays at the end.
fn joined(old: &str, document: &Document<'_>, reply: &str, next_turn: bool, whitespace: Whitespace) -> String {
    let (before, waiting) = match waiting(document) {
        Some(start) => old.split_at(start),
        None => (old, if next_turn { placeholder(whitespace) } else { "" }),
    };
    let parts = [before, reply, waiting].map(|part| part.trim_end_matches(is_whitespace));
    let parts: Vec<&str> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    if parts.is_empty() { String::new() } else { parts.join("\n\n") + "\n" }
}

/// Where the empty `<user>` at the end of a document starts.
fn waiting(document: &Document<'_>) -> Option<usize> {
    match document.blocks.last() {
        Some(last) if matches!(&last.value, Block::Message(message) if is_waiting(message)) => Some(last.span.start),
        _ => None,
    }
}

fn is_waiting(message: &chatmd::document::Message<'_>) -> bool {
    message.role == chatmd::document::Role::User && message.body.is_empty() && message.fields.is_none()
}

/// Whether a text reads as the old document, the reply, and perhaps a message that waits.
fn is_joined(old: &Document<'_>, reply: &str, text: &str, whitespace: Whitespace) -> bool {
    let sources = Sources::new();
    let mut diagnostics = Diagnostics::new();
    let reply = read(&sources, sources.add("", reply.to_owned(), None), whitespace, &mut diagnostics);
    let new = read(&sources, sources.add("", text.to_owned(), None), whitespace, &mut diagnostics);
    let mut expected: Vec<&Block<'_>> = old.blocks.iter().map(|block| &block.value).collect();
    let waiting = waiting(old).and_then(|_| expected.pop());
    expected.extend(reply.blocks.iter().map(|block| &block.value));
    let mut got: Vec<&Block<'_>> = new.blocks.iter().map(|block| &block.value).collect();
    if got.len() > expected.len() {
        let last = got.pop();
        let is_expected = match (waiting, last) {
            (Some(waiting), Some(last)) => waiting == last,
            (None, Some(Block::Message(message))) => is_waiting(message),
            _ => false,
        };
        if !is_expected {
            return false;
        }
    }
    !diagnostics.has_errors() && got == expected
}
