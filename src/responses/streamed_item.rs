//! What has arrived of one item of a stream.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::event::{Place, TextKind};
use super::terminal::{text_length, without_spaces};
use crate::json::Json;

/// What has arrived of one item.
#[derive(Debug)]
pub(super) struct StreamedItem<'j> {
    pub(super) index: u64,
    pub(super) id: Option<String>,
    /// Its type, if an event had it.
    pub(super) kind: Option<Cow<'j, str>>,
    pub(super) added: Option<Json<'j>>,
    pub(super) done: Option<Json<'j>>,
    pub(super) texts: BTreeMap<Place, StreamedText<'j>>,
}

/// A text in pieces, and whole if that came too.
#[derive(Debug, Default)]
pub(super) struct StreamedText<'j> {
    pub(super) deltas: String,
    pub(super) whole: Cow<'j, str>,
}

impl StreamedText<'_> {
    /// The longer of both versions if it says the other one too, else both.
    pub(super) fn all(&self) -> Cow<'_, str> {
        let (deltas, whole) = (without_spaces(&self.deltas), without_spaces(&self.whole));
        if whole.contains(&deltas) {
            Cow::Borrowed(&self.whole)
        } else if deltas.contains(&whole) {
            Cow::Borrowed(&self.deltas)
        } else {
            Cow::Owned([self.deltas.as_str(), &self.whole].concat())
        }
    }
}

impl StreamedItem<'_> {
    pub(super) fn new(index: u64) -> Self {
        Self { index, id: None, kind: None, added: None, done: None, texts: BTreeMap::new() }
    }

    /// All that arrived of each text.
    pub(super) fn texts(&self) -> BTreeMap<Place, Cow<'_, str>> {
        let text = |(place, text): (&Place, _)| (*place, StreamedText::all(text));
        self.texts.iter().map(text).filter(|(_, text)| !text.is_empty()).collect()
    }

    /// Whether an item of this type can be this one.
    pub(super) fn fits(&self, kind: &str) -> bool {
        match &self.kind {
            Some(known) => known == kind,
            // All its texts are of one kind of item, so the first tells.
            None => self.texts.keys().next().is_none_or(|place| place.kind.belongs_to(kind)),
        }
    }

    /// Whether a text of this kind can belong to it.
    pub(super) fn takes(&self, kind: TextKind) -> bool {
        match &self.kind {
            Some(known) => kind.belongs_to(known),
            None => self.texts.keys().next().is_none_or(|place| place.kind.belongs_to(kind.item_type())),
        }
    }

    /// Its type, as far as it is known. An item without any text counts as a message.
    pub(super) fn item_type(&self) -> &str {
        let by_text = || self.texts.keys().next().map_or("message", |place| place.kind.item_type());
        self.kind.as_deref().unwrap_or_else(by_text)
    }

    /// Whether it is reasoning that has no text yet.
    pub(super) fn says_nothing(&self) -> bool {
        self.kind.as_deref() == Some("reasoning")
            && self.texts().is_empty()
            && self.added.is_none_or(|added| text_length(added) == 0)
    }
}

impl TextKind {
    /// The type of an item that holds such a text.
    pub(super) fn item_type(self) -> &'static str {
        match self {
            TextKind::Output | TextKind::Refusal => "message",
            TextKind::Summary | TextKind::Reasoning => "reasoning",
            TextKind::Arguments => "function_call",
            TextKind::Input => "custom_tool_call",
            TextKind::Code => "code_interpreter_call",
        }
    }

    pub(super) fn belongs_to(self, item_type: &str) -> bool {
        self.item_type() == item_type || self == TextKind::Arguments && item_type == "mcp_call"
    }
}
