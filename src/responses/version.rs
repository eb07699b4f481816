//! The versions of an item that a stream has: in its `done` events, and in the `output` of the terminal events.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashSet};

use super::event::item_texts;
use crate::json::Json;
use crate::stream::{EventText, Place, without_spaces};

/// Members that differ between versions of one item.
const LABELS: [&str; 4] = ["id", "status", "call_id", "encrypted_content"];

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

    /// Whether it has every string of another version that is not a text.
    pub(super) fn has_others_of(&self, other: &Self) -> bool {
        let known: HashSet<Cow<'_, str>> = self.others().collect();
        other.others().all(|string| string.is_empty() || known.contains(&string))
    }

    /// Whether both can be versions of one item: the text of one is in the text of the other, and so are the other
    /// strings. Of two calls with different ids, the texts must be equal.
    pub(super) fn is_compatible(&self, other: &Self) -> bool {
        if self.json == other.json {
            return true;
        }
        let (own, its) = (self.visible(), other.visible());
        let is_contained =
            own == its || self.key.is_same_call(&other.key) && (own.contains(&its) || its.contains(&own));
        self.key.kind == other.key.kind && is_contained && (self.has_others_of(other) || other.has_others_of(self))
    }
}

/// The version that is used: the one with the most text, else the one with more other strings, else the last `done`
/// version, else the first terminal version.
pub(super) fn choose<'v, 'j>(versions: &'v [Version<'j>]) -> Option<&'v Version<'j>> {
    let mut whole = versions.iter().filter(|version| !version.is_cut);
    let mut best = whole.next()?;
    for version in whole.filter(|version| version.json != versions[0].json) {
        let size = |version: &Version<'j>| version.others().map(|string| string.len()).sum::<usize>();
        let order = version.text_length().cmp(&best.text_length()).then_with(|| size(version).cmp(&size(best)));
        if order.is_gt() || order.is_eq() && version.is_done {
            best = version;
        }
    }
    Some(best)
}
