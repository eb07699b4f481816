//! The versions of an item that a stream has: in its `done` events, and in the `output` of the terminal events.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashSet};

use super::event::item_texts;
use crate::json::Json;
use crate::stream::{EventText, Place, without_spaces};

/// Members that differ between versions of one item.
const LABELS: [&str; 4] = ["id", "status", "call_id", "encrypted_content"];

/// How many times the size of an item its text may be searched.
const MAX_SEARCHES: usize = 32;
/// Items have at least the searches of an item of this size.
const SMALL_ITEM: usize = 4096;

/// How many bytes of an item may still be searched, so that the work stays linear. After that, nothing is found.
#[derive(Debug)]
pub(super) struct Searches(usize);

impl Searches {
    /// The searches in an item of `size` bytes.
    pub(super) fn of(size: usize) -> Self {
        Self(MAX_SEARCHES * (size + SMALL_ITEM))
    }

    /// The item has got `size` bytes more.
    pub(super) fn add(&mut self, size: usize) {
        self.0 += MAX_SEARCHES * size;
    }

    /// Takes the cost of a search. Returns whether the search is allowed.
    pub(super) fn spend(&mut self, cost: usize) -> bool {
        let rest = self.0.checked_sub(cost);
        self.0 = rest.unwrap_or_default();
        rest.is_some()
    }

    /// Whether a text contains another one.
    pub(super) fn find(&mut self, text: &str, other: &str) -> bool {
        if other.len() >= text.len() {
            return text == other;
        }
        text.starts_with(other) || text.ends_with(other) || self.spend(text.len()) && text.contains(other)
    }
}

/// One version of an item.
#[derive(Debug, Clone)]
pub(super) struct Version<'j> {
    pub(super) json: Json<'j>,
    pub(super) key: ItemKey<'j>,
    /// From a `done` event.
    pub(super) is_done: bool,
    /// The end of the stream cuts the item.
    pub(super) is_cut: bool,
    pub(super) texts: BTreeMap<Place, (Cow<'j, str>, usize)>,
}

/// What identifies an item.
#[derive(Debug, Clone, Default)]
pub(super) struct ItemKey<'j> {
    pub(super) kind: Cow<'j, str>,
    pub(super) id: Option<Cow<'j, str>>,
    pub(super) call_id: Option<Cow<'j, str>>,
}

impl<'j> ItemKey<'j> {
    pub(super) fn of(item: Json<'j>) -> Self {
        let [kind, id, call_id] = item.pick(["type", "id", "call_id"]).unwrap_or_default();
        let string = |json: Option<Json<'j>>| json?.as_str().ok().filter(|text| !text.is_empty());
        Self { kind: string(kind).unwrap_or_default(), id: string(id), call_id: string(call_id) }
    }

    /// Whether both are of one type, and neither names another call.
    pub(super) fn is_same_call(&self, other: &ItemKey<'_>) -> bool {
        let is_same = self.call_id.is_none() || other.call_id.is_none() || self.call_id == other.call_id;
        self.kind == other.kind && is_same
    }
}

impl<'j> Version<'j> {
    pub(super) fn new(json: Json<'j>, is_done: bool, is_cut: bool) -> Self {
        let text = |(place, text): (Place, EventText<'j>)| {
            let offset = text.offset;
            (place, (text.into_text().0, offset))
        };
        let texts = item_texts(json).into_iter().map(text).collect();
        Self { json, key: ItemKey::of(json), is_done, is_cut, texts }
    }

    /// Whether it can be an item: if it is cut, only its text counts.
    pub(super) fn is_readable(&self) -> bool {
        !self.is_cut || self.texts.values().any(|(text, _)| !text.is_empty())
    }

    /// All its text, without whitespace, which servers add and remove.
    pub(super) fn visible(&self) -> String {
        self.texts.values().map(|(text, _)| without_spaces(text)).collect()
    }

    fn text_length(&self) -> usize {
        self.texts.values().map(|(text, _)| text.chars().count()).sum()
    }

    /// Every other string of the item.
    fn others(&self) -> impl Iterator<Item = Cow<'j, str>> {
        let texts: HashSet<usize> = self.texts.values().map(|(_, offset)| *offset).collect();
        let is_other =
            move |(key, string): &(&str, Json<'j>)| !LABELS.contains(key) && !texts.contains(&string.offset());
        self.json.strings().filter(is_other).filter_map(|(_, string)| string.as_str_lossy())
    }

    /// Every string of the item that is not a text.
    pub(super) fn other_strings(&self) -> HashSet<Cow<'j, str>> {
        self.others().collect()
    }

    /// Whether all its strings that are not texts are among the `known` ones.
    pub(super) fn has_only(&self, known: &HashSet<Cow<'_, str>>) -> bool {
        self.others().all(|string| string.is_empty() || known.contains(&string))
    }

    /// Whether both can be versions of one item: the text of one is in the `visible` text of the other, and so are the
    /// other strings. Of two calls with different ids, the texts must be equal.
    pub(super) fn is_compatible(&self, other: &Self, visible: &str, searches: &mut Searches) -> bool {
        if self.json == other.json {
            return true;
        }
        let own = self.visible();
        let is_contained = own == visible
            || self.key.is_same_call(&other.key) && (own.contains(visible) || searches.find(visible, &own));
        let has_no_more = || other.has_only(&self.other_strings()) || self.has_only(&other.other_strings());
        let is_same = self.key.kind == other.key.kind && is_contained;
        is_same && searches.spend(other.json.raw().len()) && has_no_more()
    }
}

/// The version that is used: the one with the most text, else the one with more other strings, else the last `done`
/// version, else the first terminal version.
pub(super) fn choose<'v, 'j>(versions: &'v [Version<'j>]) -> Option<&'v Version<'j>> {
    let mut whole = versions.iter().filter(|version| !version.is_cut);
    let size = |version: &Version<'j>| {
        let others = version.others().map(|string| string.len()).sum::<usize>();
        (version.text_length(), others)
    };
    let mut best = whole.next()?;
    let mut best_size = size(best);
    for version in whole.filter(|version| version.json != best.json) {
        let size = size(version);
        if size > best_size || size == best_size && version.is_done {
            (best, best_size) = (version, size);
        }
    }
    Some(best)
}

#[cfg(test)]
#[path = "../../tests/unit/responses_version.rs"]
mod tests;
