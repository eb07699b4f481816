//! The received data of one item of a stream.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::event::{TextRow, item_texts};
use super::terminal::Terminal;
use super::version::{ItemKey, Version};
use crate::json::{Json, JsonError};
use crate::stream::{EventText, Place, TextPieces, without_spaces};

/// The received data of one item.
#[derive(Debug)]
pub(super) struct StreamedItem<'j> {
    pub(super) index: u64,
    /// The id that an event had first.
    pub(super) first_id: Option<Cow<'j, str>>,
    /// Its type and its ids, as an event of the item had them last.
    pub(super) key: Option<ItemKey<'j>>,
    /// Its type as its texts suggest it.
    pub(super) guessed_kind: &'static str,
    pub(super) added: Option<Json<'j>>,
    /// Its `done` versions.
    pub(super) versions: Vec<Version<'j>>,
    /// Its texts. A stream that is resumed sends them again.
    pub(super) transmissions: Vec<Transmission<'j>>,
}

/// The texts of an item as its events brought them once.
#[derive(Debug, Default)]
pub(super) struct Transmission<'j> {
    pub(super) texts: BTreeMap<Place, StreamedText<'j>>,
    /// Parts that are complete.
    pub(super) parts: BTreeMap<u64, Json<'j>>,
}

/// A text received in pieces, and in full if a `.done` event had it.
#[derive(Debug, Default)]
pub(super) struct StreamedText<'j> {
    /// Its text in the `added` event of its item or part.
    start: Cow<'j, str>,
    pub(super) pieces: TextPieces,
    /// All of it. If events contradict each other there are several.
    pub(super) wholes: Vec<Cow<'j, str>>,
    /// The offset of its first event.
    pub(super) offset: usize,
}

impl<'j> StreamedText<'j> {
    fn at(&mut self, offset: usize) -> &mut Self {
        self.offset = if self.offset == 0 { offset } else { self.offset };
        self
    }

    /// Whether an event can have all of the text, after other events that have it.
    pub(super) fn fits(&self, text: &str) -> bool {
        self.wholes.last().is_none_or(|last| text.starts_with(last.as_ref()) || last.starts_with(text))
    }

    /// Takes all of the text.
    pub(super) fn take_whole(&mut self, text: EventText<'j>) -> Option<JsonError> {
        self.at(text.offset);
        let (text, error) = text.into_text();
        match self.wholes.last_mut() {
            Some(last) if text.starts_with(last.as_ref()) => *last = text,
            Some(last) if last.starts_with(text.as_ref()) => {}
            Some(_) | None => self.wholes.push(text),
        }
        error
    }

    /// Its pieces, after its start unless they repeat it. Some servers begin arguments with an empty object, and then send
    /// all of them.
    pub(super) fn joined(&self) -> Cow<'_, str> {
        let is_repeated = self.pieces.starts_with(self.start.as_ref()) || self.start == "{}" && !self.pieces.is_empty();
        if is_repeated { Cow::Borrowed(&self.pieces) } else { [&self.start, &*self.pieces].concat().into() }
    }

    pub(super) fn start(&self) -> &str {
        &self.start
    }
}

impl<'j> StreamedItem<'j> {
    pub(super) fn new(index: u64) -> Self {
        let transmissions = vec![Transmission::default()];
        Self { index, first_id: None, key: None, guessed_kind: "", added: None, versions: Vec::new(), transmissions }
    }

    /// Takes the item as it was added. If it has begun before, its texts come again.
    pub(super) fn begin(&mut self, item: Json<'j>) {
        if self.is_done() || self.transmissions.last().is_some_and(|transmission| !transmission.texts.is_empty()) {
            self.transmissions.push(Transmission::default());
        }
        for (place, text) in item_texts(item).into_iter().filter(|(_, text)| !text.is_empty()) {
            self.start_text(place, text);
        }
        self.added = Some(item);
        self.key = Some(ItemKey::of(item));
    }

    /// Takes what a text begins with.
    pub(super) fn start_text(&mut self, place: Place, text: EventText<'j>) {
        let known = self.current_transmission().texts.entry(place).or_default().at(text.offset);
        if text.len() > known.start.len() {
            known.start = text.into_text().0;
        }
    }

    /// Takes a whole version.
    pub(super) fn finish(&mut self, version: Version<'j>) {
        self.key = Some(version.key.clone());
        self.versions.push(version);
    }

    /// The text of a kind at an index.
    pub(super) fn text(&mut self, row: &'static TextRow, index: u64, offset: usize) -> &mut StreamedText<'j> {
        if self.guessed_kind.is_empty() {
            self.guessed_kind = row.item;
        }
        self.current_transmission().texts.entry(Place { index, path: row.path }).or_default().at(offset)
    }

    /// The texts that are arriving. Texts after a `done` event repeat others, or are more than the item has.
    pub(super) fn current_transmission(&mut self) -> &mut Transmission<'j> {
        let last = self.transmissions.len() - 1;
        &mut self.transmissions[last]
    }

    pub(super) fn is_done(&self) -> bool {
        self.versions.iter().any(|version| !version.is_cut)
    }

    pub(super) fn kind(&self) -> &str {
        let known = self.key.as_ref().map_or(self.guessed_kind, |key| &key.kind);
        if known.is_empty() { "message" } else { known }
    }

    /// Its id: that of its finished version, else the first.
    pub(super) fn id(&self) -> Option<Cow<'j, str>> {
        self.versions.first().and_then(|version| version.key.id.clone()).or_else(|| self.first_id.clone())
    }

    /// Its type and the id of its call.
    pub(super) fn call(&self) -> Option<(Cow<'j, str>, Cow<'j, str>)> {
        self.key.as_ref().and_then(|key| Some((key.kind.clone(), key.call_id.clone()?)))
    }

    /// Whether an item of this type and call can be this one.
    pub(super) fn fits(&self, key: &ItemKey<'_>) -> bool {
        match &self.key {
            Some(known) => known.is_same_call(key),
            None => self.guessed_kind.is_empty() || self.guessed_kind == key.kind,
        }
    }

    /// Whether a text of this kind can belong to it.
    pub(super) fn takes_text(&self, row: &TextRow) -> bool {
        match &self.key {
            Some(known) => known.kind == row.item,
            None => self.guessed_kind.is_empty() || self.guessed_kind == row.item,
        }
    }

    /// Whether a terminal item has exactly its text.
    pub(super) fn is_equal(&self, terminal: &mut Terminal<'_, 'j>) -> bool {
        self.can_be(terminal) && self.versions.first().is_none_or(|done| done.visible() == terminal.visible)
    }

    /// Whether a terminal item can be a version of this one. If the item is not finished, its text must be there.
    pub(super) fn can_be(&self, terminal: &mut Terminal<'_, 'j>) -> bool {
        let Terminal { version, visible, searches } = terminal;
        if let Some(own) = self.versions.first() {
            return own.is_compatible(version, visible, searches);
        }
        let mut texts = self.transmissions.iter().flat_map(|transmission| transmission.texts.values());
        texts.all(|text| searches.find(visible, &without_spaces(&text.joined())))
    }
}
