//! The received data of one item of a stream.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::event::{TextRow, item_texts};
use super::version::{ItemKey, Source, Text, Version};
use crate::json::{Json, JsonError};
use crate::stream::{EventText, Place, TextPieces};

/// The received data of one item.
#[derive(Debug, Default)]
pub(super) struct StreamedItem<'j> {
    pub(super) index: u64,
    /// The id that an event had first.
    pub(super) first_id: Option<String>,
    /// Its type and its ids, as an event of the item had them last.
    key: Option<ItemKey<'j>>,
    /// Its type as its texts suggest it.
    guessed_kind: &'static str,
    pub(super) added: Option<Json<'j>>,
    /// The versions that events have as a whole. At the end, also those of its texts; then there is at least one.
    pub(super) versions: Vec<Version<'j>>,
    /// Its texts. A stream that is resumed sends them again.
    transmissions: Vec<BTreeMap<Place, StreamedText<'j>>>,
    /// Parts of known types that are complete, and all others.
    pub(super) parts: BTreeMap<u64, Json<'j>>,
}

/// A text received in pieces, and in full if a `.done` event had it.
#[derive(Debug, Default)]
pub(super) struct StreamedText<'j> {
    /// Its text in the `added` event of its item or part.
    start: Cow<'j, str>,
    pub(super) pieces: TextPieces,
    /// All of it. If events contradict each other there are several.
    wholes: Vec<Cow<'j, str>>,
    /// The offset of its first event.
    offset: usize,
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
}

impl<'j> StreamedItem<'j> {
    pub(super) fn new(index: u64) -> Self {
        Self { index, ..Self::default() }
    }

    /// Takes the item as it was added. If it has begun before, its texts come again.
    pub(super) fn begin(&mut self, item: Json<'j>) {
        if self.is_done() || self.transmissions.last().is_some_and(|texts| !texts.is_empty()) {
            self.transmissions.push(BTreeMap::new());
        }
        for (place, text) in item_texts(item).into_iter().filter(|(_, text)| !text.is_empty()) {
            self.start_text(place, text);
        }
        self.added = Some(item);
        self.key = Some(ItemKey::of(item));
    }

    /// Takes what a text begins with.
    pub(super) fn start_text(&mut self, place: Place, text: EventText<'j>) {
        let known = self.text_at(place).at(text.offset);
        if text.len() > known.start.len() {
            known.start = text.into_text().0;
        }
    }

    /// Takes a version that an event has as a whole.
    pub(super) fn finish(&mut self, version: Version<'j>) {
        self.key = Some(version.key.clone());
        self.versions.push(version);
    }

    /// The text of a kind at an index.
    pub(super) fn text(&mut self, row: &'static TextRow, index: u64, offset: usize) -> &mut StreamedText<'j> {
        if self.guessed_kind.is_empty() {
            self.guessed_kind = row.item;
        }
        self.text_at(Place { index, path: row.path }).at(offset)
    }

    /// The text at a place, of those that are arriving.
    fn text_at(&mut self, place: Place) -> &mut StreamedText<'j> {
        if self.transmissions.is_empty() {
            self.transmissions.push(BTreeMap::new());
        }
        let last = self.transmissions.len() - 1;
        self.transmissions[last].entry(place).or_default()
    }

    /// Takes the end of the stream: its texts become versions. Returns what is wrong with the texts.
    pub(super) fn end(&mut self) -> Vec<JsonError> {
        let mut errors = Vec::new();
        let first_id = || self.first_id.clone().map(Cow::Owned);
        let key = self.key.clone().unwrap_or_default();
        let key = ItemKey { kind: Cow::Owned(self.kind().to_owned()), id: key.id.or_else(first_id), ..key };
        let version = || Version::of_texts(self.added, key.clone(), Source::Pieces);
        for texts in std::mem::take(&mut self.transmissions) {
            let mut of_texts = vec![version()];
            for (place, StreamedText { start, mut pieces, wholes, offset }) in texts {
                errors.extend(pieces.end());
                of_texts[0].texts.insert(place, Text::of_pieces(&start, pieces, offset));
                for (at, whole) in (1..).zip(wholes) {
                    if of_texts.len() == at {
                        of_texts.push(version());
                    }
                    of_texts[at].texts.insert(place, Text::new(whole, offset));
                }
            }
            self.versions.extend(of_texts.into_iter().filter(Version::has_text));
        }
        if self.versions.is_empty() {
            self.versions.push(version());
        }
        let id = &mut self.versions[0].key.id;
        *id = id.take().or_else(|| self.first_id.clone().map(Cow::Owned));
        errors
    }

    pub(super) fn is_done(&self) -> bool {
        self.versions.iter().any(|version| version.source == Source::Done)
    }

    fn kind(&self) -> &str {
        let known = self.key.as_ref().map_or(self.guessed_kind, |key| &key.kind);
        if known.is_empty() { "message" } else { known }
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
        let known = self.key.as_ref().map_or(self.guessed_kind, |key| &key.kind);
        known == row.item || self.key.is_none() && known.is_empty()
    }
}
