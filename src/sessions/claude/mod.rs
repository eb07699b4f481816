//! Claude Code sessions: a tree of lines. One path in it is the conversation.

mod blocks;
mod select;
mod trunk;

use std::collections::HashMap;
use std::ops::Range;

use crate::error::Error;
use crate::json::{Json, Object};
use crate::sessions::SessionOptions;
use crate::sessions::text::Texts;
use crate::sessions::writer::Writer;

/// Reads the lines of a session.
pub(super) struct Claude {
    options: SessionOptions,
    lines: Vec<Line>,
    ids: HashMap<String, Id>,
    /// The first line of each uuid.
    first: HashMap<Id, usize>,
    /// The members of the comment about the session.
    about: Vec<(&'static str, String)>,
}

/// A uuid, a message id or a call id. Equal texts have equal ids.
type Id = u32;

/// The data that is kept about a line after it was written.
#[derive(Debug, Default)]
struct Line {
    uuid: Option<Id>,
    parent: Option<Id>,
    /// The `message.id` that the lines of one turn share.
    message: Option<Id>,
    /// The calls in it.
    calls: Vec<Id>,
    /// The calls whose results are in it.
    results: Vec<Id>,
    role: LineRole,
    /// Its number in the session, from 1.
    number: usize,
    /// Its text in the document.
    range: Range<usize>,
    items: usize,
}

/// The role of a line in the conversation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum LineRole {
    /// It is written.
    Message,
    /// The conversation was compacted here.
    Boundary,
    /// Other lines only connect messages.
    #[default]
    Other,
}

impl Claude {
    pub(super) fn new(options: SessionOptions) -> Self {
        Self { options, lines: Vec::new(), ids: HashMap::new(), first: HashMap::new(), about: Vec::new() }
    }

    pub(super) fn line<'j>(
        &mut self,
        object: &Object<'j>,
        _: Json<'j>,
        texts: &'j Texts,
        writer: &mut Writer<'_>,
    ) -> Result<(), Error> {
        let kind = object.get_str("type").unwrap_or_default();
        let [uuid, parent] = ["uuid", "parentUuid"].map(|key| object.get_str(key).map(|text| self.id(&text)));
        let (start, items) = (writer.text.len(), writer.items);
        let mut line = Line { uuid, parent, number: writer.line, range: start..start, ..Line::default() };
        let message = object.get("message").and_then(|message| message.object().ok());
        let is_message = kind == "user" || kind == "assistant";
        match message.filter(|_| is_message) {
            _ if is_true(object, "isSidechain") => writer.leave_out("sidechain line"),
            _ if is_true(object, "isMeta") => writer.leave_out("meta line"),
            Some(message) => {
                line.role = LineRole::Message;
                self.about(object, &message, &kind);
                let id = message.get_str("id").filter(|id| kind == "assistant" && !id.is_empty());
                line.message = id.map(|text| self.id(&text));
                self.message(&message, &kind, &mut line, texts, writer)?;
            }
            None => {
                if object.get_str("subtype").is_some_and(|subtype| subtype == "compact_boundary") {
                    line.role = LineRole::Boundary;
                }
                writer.leave_out(&format!("{kind} line"));
            }
        }
        line.range.end = writer.text.len();
        line.items = writer.items - items;
        self.push(line, writer);
        Ok(())
    }

    /// Adds a line, unless it repeats an earlier one.
    fn push(&mut self, line: Line, writer: &mut Writer<'_>) {
        if let Some(uuid) = line.uuid {
            let first = *self.first.entry(uuid).or_insert(self.lines.len());
            let is_same = |earlier: &Line| writer.text[earlier.range.clone()] == writer.text[line.range.clone()];
            if line.role == LineRole::Message && self.lines.get(first).is_some_and(is_same) {
                writer.truncate(line.range.start);
                writer.items -= line.items;
                writer.leave_out("repeated line");
                return;
            }
        }
        self.lines.push(line);
    }

    /// Keeps the metadata of the session from its first lines.
    fn about(&mut self, line: &Object<'_>, message: &Object<'_>, kind: &str) {
        let members = [
            ("id", line.get_str("sessionId")),
            ("started", line.get_str("timestamp")),
            ("cwd", line.get_str("cwd")),
            ("version", line.get_str("version")),
            ("branch", line.get_str("gitBranch")),
            ("model", message.get_str("model").filter(|_| kind == "assistant")),
        ];
        for (key, value) in members {
            if let (Some(value), false) = (value, self.about.iter().any(|(known, _)| *known == key)) {
                self.about.push((key, value.into_owned()));
            }
        }
    }

    fn id(&mut self, text: &str) -> Id {
        if let Some(id) = self.ids.get(text) {
            return *id;
        }
        let id = Id::try_from(self.ids.len()).unwrap_or(Id::MAX);
        self.ids.insert(text.to_owned(), id);
        id
    }

    /// Removes lines that do not belong to the conversation, and writes the comment about the session.
    pub(super) fn finish(self, writer: &mut Writer<'_>) {
        select::select(&self.lines, self.options, writer);
        if self.about.is_empty() {
            return;
        }
        let start = writer.text.len();
        writer.line = self.lines.iter().find(|line| line.role == LineRole::Message).map_or(1, |line| line.number);
        writer.about("Claude Code session", &self.about);
        writer.move_to_front(start);
    }
}

fn is_true(object: &Object<'_>, key: &str) -> bool {
    object.get(key).is_some_and(|value| value.raw() == "true")
}
