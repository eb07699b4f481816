//! The received data of one item of a stream.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::event::{TextKind, TextPosition, part_text};
use super::event_text::{DeltaBuffer, EventText};
use super::terminal::ItemKey;
use super::version::{MAX_SEARCHES, VisibleText, without_spaces};
use crate::json::{Json, JsonError};

/// The received data of one item.
#[derive(Debug)]
pub(super) struct StreamedItem<'j> {
    pub(super) index: u64,
    pub(super) id: Option<String>,
    /// Its type, if an event had it.
    pub(super) kind: Option<Cow<'j, str>>,
    pub(super) added: Option<Json<'j>>,
    /// Its `done` versions, and the keys of the first one.
    pub(super) done: Vec<Json<'j>>,
    pub(super) done_key: Option<ItemKey<'j>>,
    pub(super) texts: BTreeMap<TextPosition, StreamedText<'j>>,
    /// Parts of unknown types.
    pub(super) parts: BTreeMap<u64, Json<'j>>,
    /// Parts with a text that are done.
    pub(super) done_parts: BTreeMap<TextPosition, Json<'j>>,
    /// Events of another id were taken for it, because they have no index.
    pub(super) is_mixed: bool,
    /// An earlier item with the same id, which was done when this one began.
    pub(super) repeated: Option<usize>,
}

/// A text received in pieces, and in full if a `.done` event had it.
#[derive(Debug, Default)]
pub(super) struct StreamedText<'j> {
    /// Its text in the `added` event of its item or part.
    start: Cow<'j, str>,
    deltas: DeltaBuffer,
    /// Pieces that came after all of the text. They repeat others, or continue the text.
    late: DeltaBuffer,
    whole: Cow<'j, str>,
    /// Its offset, and the offset of its first piece.
    pub(super) offset: usize,
    pub(super) deltas_at: usize,
    /// A piece may belong to another item: its event names none.
    pub(super) is_mixed: bool,
    searches: u8,
}

impl<'j> StreamedText<'j> {
    /// Takes more of the text, whose event names its item or does not, before or after the item is done. Returns what is
    /// wrong with it.
    pub(super) fn push(&mut self, piece: &EventText<'_>, is_named: bool, is_done: bool) -> Option<JsonError> {
        self.offset = if self.offset == 0 { piece.offset } else { self.offset };
        self.deltas_at = if self.deltas.is_empty() { piece.offset } else { self.deltas_at };
        self.is_mixed |= !is_named;
        if is_done || !self.whole.is_empty() { self.late.push(piece) } else { self.deltas.push(piece) }
    }

    /// Ends the text. Returns what is wrong with it.
    pub(super) fn end(&mut self) -> impl Iterator<Item = JsonError> + use<> {
        let halves = [self.deltas.end(), self.late.end()];
        let late = std::mem::take(&mut self.late);
        let known = if self.whole.is_empty() { &*self.deltas } else { &*self.whole };
        if !repeats(&without_spaces(&late), &without_spaces(known)) {
            self.deltas.append(&late);
        }
        halves.into_iter().flatten()
    }

    /// Whether `text` is consistent with the full text received so far.
    pub(super) fn fits_whole(&mut self, text: &str) -> bool {
        if self.whole.is_empty() || text.starts_with(self.whole.as_ref()) || self.whole.starts_with(text) {
            return true;
        }
        if self.searches == MAX_SEARCHES {
            return false;
        }
        self.searches += 1;
        let (known, text) = (without_spaces(&self.whole), without_spaces(text));
        known.contains(&text) || text.contains(&known)
    }

    /// Takes the full text: keeps the longer one if both fit, otherwise both.
    pub(super) fn take_whole(&mut self, text: Cow<'j, str>, fits: bool, offset: usize) {
        if !fits {
            self.whole.to_mut().push_str(&text);
        } else if text.len() >= self.whole.len() {
            self.whole = text;
            self.offset = offset;
        }
    }

    /// Takes what the text begins with.
    pub(super) fn begin(&mut self, start: Cow<'j, str>, offset: usize) {
        // Some servers begin arguments with an empty object, and then send all of them.
        if start != "{}" && start.len() > self.start.len() {
            self.start = start;
            self.offset = offset;
        }
    }

    pub(super) fn start(&self) -> &str {
        &self.start
    }

    /// Its pieces.
    pub(super) fn deltas(&self) -> &str {
        &self.deltas
    }

    /// All of it, if an event had that.
    pub(super) fn whole(&self) -> Option<&str> {
        (!self.whole.is_empty()).then_some(&self.whole)
    }

    /// Whether all of the text has every piece: some may be missing, or all of them repeated.
    pub(super) fn explains_deltas(&self) -> bool {
        self.deltas.is_part_of(&self.whole) || repeats(&self.deltas, &self.whole)
    }

    /// The text received after its start.
    pub(super) fn arrived(&self) -> Cow<'_, str> {
        self.joined("")
    }

    /// All that arrived.
    pub(super) fn all(&self) -> Cow<'_, str> {
        let start = if self.deltas.starts_with(self.start.as_ref()) { "" } else { &self.start };
        self.joined(start)
    }

    /// The full text if it contains what was received before it, the other way round, or otherwise both.
    fn joined(&self, start: &str) -> Cow<'_, str> {
        let pieces =
            if start.is_empty() { Cow::Borrowed(&*self.deltas) } else { [start, &self.deltas].concat().into() };
        let whole = self.whole.as_ref();
        if whole.is_empty() || pieces == whole {
            return pieces;
        }
        let (short_pieces, short_whole) = (without_spaces(&pieces), without_spaces(whole));
        if short_whole.contains(&short_pieces) || whole.contains(start) && self.deltas.is_part_of(whole) {
            Cow::Borrowed(whole)
        } else if short_pieces.contains(&short_whole) {
            pieces
        } else {
            [pieces.as_ref(), whole].concat().into()
        }
    }
}

/// Whether a text is another one any number of times, and then a part of it.
fn repeats(text: &str, once: &str) -> bool {
    let mut rest = text;
    while let Some(after) = rest.strip_prefix(once).filter(|_| !once.is_empty()) {
        rest = after;
    }
    once.contains(rest)
}

impl<'j> StreamedItem<'j> {
    pub(super) fn new(index: u64) -> Self {
        Self {
            index,
            id: None,
            kind: None,
            added: None,
            done: Vec::new(),
            done_key: None,
            texts: BTreeMap::new(),
            parts: BTreeMap::new(),
            done_parts: BTreeMap::new(),
            is_mixed: false,
            repeated: None,
        }
    }

    /// Takes the item as it was added.
    pub(super) fn begin(&mut self, item: Json<'j>, kind: Cow<'j, str>) {
        for (place, piece) in item_places(item).into_iter().filter(|(place, _)| place.kind.belongs_to(&kind)) {
            self.begin_text(place, piece);
        }
        self.added = Some(item);
        self.kind = Some(kind);
    }

    /// Takes what a text begins with.
    pub(super) fn begin_text(&mut self, place: TextPosition, piece: EventText<'j>) {
        let offset = piece.offset;
        let (text, _) = piece.into_text();
        if !text.is_empty() {
            self.texts.entry(place).or_default().begin(text, offset);
        }
    }

    /// All that arrived of each text.
    pub(super) fn all_texts(&self) -> BTreeMap<TextPosition, Cow<'_, str>> {
        let text = |(place, text): (&TextPosition, _)| (*place, StreamedText::all(text));
        self.texts.iter().map(text).filter(|(_, text)| !text.is_empty()).collect()
    }

    /// Whether it has nothing that an item which is done, and has this text, does not have.
    pub(super) fn repeats(&self, other: &Self, visible: &mut VisibleText) -> bool {
        let has_same_call = |key: &ItemKey<'j>| other.done_key.as_ref().is_some_and(|other| key.is_same_call(other));
        let is_same = |done: &Json<'j>| has_same_call(&ItemKey::of(*done)) && VisibleText::of(*done).is_equal(visible);
        let added = self.added.map(ItemKey::of);
        self.done.iter().all(is_same)
            && added.as_ref().is_none_or(has_same_call)
            && self.texts.values().all(|text| visible.contains(&without_spaces(&text.all())))
    }

    /// Whether another `done` event is for this item: both have the same id, or are equal if an id is missing.
    pub(super) fn is_done_as(&self, key: &ItemKey<'j>, item: Json<'j>) -> bool {
        match (self.done_key.as_ref().and_then(|done| done.id.as_ref()), &key.id) {
            (Some(known), Some(id)) => known == id,
            (_, _) => self.done.first() == Some(&item),
        }
    }

    /// Whether an item of this type can be this one.
    pub(super) fn fits(&self, kind: &str) -> bool {
        match &self.kind {
            Some(known) => known == kind,
            // All its texts are of one kind of item, so the first one decides.
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
    pub(super) fn is_empty_reasoning(&self) -> bool {
        self.kind.as_deref() == Some("reasoning")
            && self.texts.values().all(|text| text.all().is_empty())
            && self.parts.is_empty()
    }
}

/// The texts of an item with their places.
pub(super) fn item_places(item: Json<'_>) -> Vec<(TextPosition, EventText<'_>)> {
    let keys = ["arguments", "input", "code", "content", "summary", "action", "operation"];
    let [arguments, input, code, content, summary, action, operation] = item.pick(keys).unwrap_or_default();
    let diff = operation.and_then(|operation| operation.pick(["diff"]).ok()).and_then(|[diff]| diff);
    let own =
        [(TextKind::Arguments, arguments), (TextKind::Input, input), (TextKind::Code, code), (TextKind::Diff, diff)];
    let own = own.into_iter().filter_map(|(kind, json)| {
        let piece = EventText::read(json, kind.key()).ok()??;
        Some((TextPosition { part: 0, kind }, piece))
    });
    let commands = action.and_then(|action| action.pick(["commands"]).ok()).and_then(|[commands]| commands);
    let commands = (0..).zip(commands.and_then(|commands| commands.array().ok()).unwrap_or_default());
    let commands = commands.filter_map(|(part, json)| {
        let kind = TextKind::Command;
        Some((TextPosition { part, kind }, EventText::read(Some(json), kind.key()).ok()??))
    });
    let parts = [content, summary].into_iter().flatten().filter_map(|list| list.array().ok());
    let parts = parts.flat_map(|parts| (0..).zip(parts)).filter_map(|(part, json)| {
        let (kind, piece) = part_text(json).ok()??;
        Some((TextPosition { part, kind }, piece))
    });
    own.chain(commands).chain(parts).collect()
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
            TextKind::Command => "shell_call",
            TextKind::Diff => "apply_patch_call",
        }
    }

    pub(super) fn belongs_to(self, item_type: &str) -> bool {
        self.item_type() == item_type || self == TextKind::Arguments && item_type == "mcp_call"
    }
}
