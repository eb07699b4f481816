//! Settles what a streamed item is in the end, so that no text that arrived is lost.
//!
//! The best version is used ([`Version::is_better_than`]). If no event has the item as a whole, the item is built from what it began
//! with, its parts and its texts, and its status is `incomplete`. A text of another version replaces a text that is only a part of
//! it. Any other text that the item lacks becomes an item of its own, with a warning.

use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, HashSet};

use super::event::{OUTPUT_TEXT, part_text};
use super::streamed_item::StreamedItem;
use super::version::{Text, Version, contains};
use crate::json::{Json, JsonError, StringArena};
use crate::stream::{Place, Put, TextStep, with_texts};

/// A part of a type that is not known.
const OTHER_PART: &[TextStep] = &[TextStep::Key("content"), TextStep::Element("other")];

/// What the items of a response are in the end.
#[derive(Default)]
pub(super) struct Settled<'j> {
    /// The items, and items for texts that they lack.
    pub(super) items: Vec<Json<'j>>,
    /// One of them had to be built from what arrived of it.
    pub(super) is_unfinished: bool,
    /// Another version has members that are left out.
    pub(super) is_partial: bool,
    pub(super) warnings: Vec<JsonError>,
}

impl<'j> Settled<'j> {
    /// Settles an item.
    pub(super) fn add(&mut self, item: &StreamedItem<'j>, strings: &'j StringArena) {
        let best =
            item.versions.iter().reduce(|best, version| if version.is_better_than(best) { version } else { best });
        let Some(best) = best else { return };
        if !best.is_whole() && best.key.kind == "reasoning" && !best.has_text() && item.parts.is_empty() {
            // Reasoning without any text yet is not worth keeping.
            return;
        }
        let kind = &best.key.kind;
        let json = if best.is_whole() { best.json } else { item.added.or(item.versions[0].json) };
        let first_text = || best.texts.values().map(|text| text.offset).min();
        let offset = json.map(Json::offset).or_else(first_text).unwrap_or_default();
        let base = json.unwrap_or_else(|| skeleton(kind, item.first_id.as_deref(), strings));
        let mut others: Vec<_> = item.versions.iter().filter(|version| !std::ptr::eq(*version, best)).collect();
        others.sort_by_key(|version| Reverse(version.text_length()));
        let mut built = Built::new(best);
        let (mut extra_items, mut known) = (Vec::new(), HashSet::new());
        for other in &others {
            let mut missing_texts: BTreeMap<Place, Put<'_, 'j>> = BTreeMap::new();
            for (place, text) in other.texts.iter().filter(|(_, text)| !text.value.is_empty()) {
                if built.has(*place, text) || built.put(*place, text) || !known.insert((*place, &text.value)) {
                    continue;
                }
                self.warn("the finished item lacks this text, which becomes an item of its own", text.offset);
                missing_texts.insert(*place, Put::Text(Cow::Borrowed(&text.value)));
            }
            extra_items.extend((!missing_texts.is_empty()).then_some(missing_texts));
        }
        self.is_unfinished |= !best.is_whole() || !extra_items.is_empty();
        self.items.push(at(built.finish(base, item, strings), offset, strings));
        for missing_texts in extra_items {
            let base = unfinished(skeleton(kind, None, strings), strings);
            self.items.push(at(with_texts(base, &missing_texts, &|_, _| {}, strings), offset, strings));
        }
        let lacks =
            |other: &&&Version<'j>| other.is_whole() && other.json != best.json && !other.has_only_strings_of(best);
        for other in others.iter().filter(lacks) {
            self.warn("another event has more of this item, which is left out", other.json.map_or(0, Json::offset));
            self.is_partial = true;
        }
    }

    fn warn(&mut self, message: &'static str, offset: usize) {
        self.warnings.push(JsonError::new(message, offset));
    }
}

/// The texts of an item that is being settled.
struct Built<'t, 'j> {
    texts: BTreeMap<Place, &'t Text<'j>>,
    changed: BTreeSet<Place>,
    /// All texts without whitespace.
    visible: Option<String>,
    /// An event has the item as a whole.
    is_whole: bool,
}

impl<'t, 'j> Built<'t, 'j> {
    fn new(best: &'t Version<'j>) -> Self {
        let texts: BTreeMap<_, _> = best.texts.iter().map(|(place, text)| (*place, text)).collect();
        let is_whole = best.is_whole();
        let changed = texts.iter().filter(|(_, text)| !is_whole && !text.value.is_empty()).map(|(place, _)| *place);
        Self { changed: changed.collect(), texts, visible: None, is_whole }
    }

    /// Whether the item has a text of another version.
    fn has(&mut self, place: Place, text: &Text<'_>) -> bool {
        if self.texts.get(&place).is_some_and(|known| known.has(text)) {
            return true;
        }
        // An item that is not finished may have the same text in several parts.
        self.is_whole && {
            let texts = self.texts.values();
            let visible = self.visible.get_or_insert_with(|| texts.map(|text| text.visible()).collect());
            contains(visible, text.visible())
        }
    }

    /// Puts a text of another version into the item, if the item has only a part of it. Returns whether it does.
    fn put(&mut self, place: Place, text: &'t Text<'j>) -> bool {
        let has_less = match self.texts.get(&place) {
            Some(known) => known.value == "{}" || text.has(known),
            None => !self.is_whole || self.texts.values().all(|text| text.value.is_empty()),
        };
        if has_less {
            self.texts.insert(place, text);
            self.changed.insert(place);
            self.visible.iter_mut().for_each(|visible| visible.push_str(text.visible()));
        }
        has_less
    }

    /// The item with its texts, and with the parts that are complete.
    fn finish(self, base: Json<'j>, item: &StreamedItem<'j>, strings: &'j StringArena) -> Json<'j> {
        let base = if self.is_whole { base } else { unfinished(base, strings) };
        let mut put: BTreeMap<Place, Put<'_, 'j>> = BTreeMap::new();
        for (index, part) in item.parts.iter().filter(|_| !self.is_whole) {
            match part_text(*part) {
                None => drop(put.insert(Place { index: *index, path: OTHER_PART }, Put::Part(*part))),
                Some((row, text)) => {
                    let place = Place { index: *index, path: row.path };
                    if self.texts.get(&place).is_some_and(|known| known.value == *text) {
                        put.insert(Place { path: &row.path[..2], ..place }, Put::Part(*part));
                    }
                }
            }
        }
        for place in self.changed {
            let whole_part = Place { path: place.path.get(..2).unwrap_or_default(), ..place };
            if !put.contains_key(&whole_part)
                && let Some(text) = self.texts.get(&place)
            {
                put.insert(place, Put::Text(Cow::Borrowed(&text.value)));
            }
        }
        // Only an item that has an id has annotations.
        let has_id = base.pick(["id"]).is_ok_and(|[id]| id.is_some());
        with_texts(
            base,
            &put,
            &|part_type, part| {
                if has_id && matches!(OUTPUT_TEXT, [_, TextStep::Element(known), _] if *known == part_type) {
                    part.json("annotations", Json::EMPTY_ARRAY);
                }
            },
            strings,
        )
    }
}

/// An item that was built, with the place of the event that it comes from.
fn at<'j>(item: Json<'j>, offset: usize, strings: &'j StringArena) -> Json<'j> {
    if item.offset() == offset { item } else { Json::parse_at(item.raw(), offset, strings).unwrap_or(item) }
}

/// A minimal item of a type.
fn skeleton<'j>(kind: &str, id: Option<&str>, strings: &'j StringArena) -> Json<'j> {
    strings.write_object(|item| {
        item.text("type", kind);
        if let Some(id) = id {
            item.text("id", id);
        }
        match kind {
            "message" => {
                item.text("role", "assistant");
                item.json("content", Json::EMPTY_ARRAY);
            }
            "reasoning" => item.json("summary", Json::EMPTY_ARRAY),
            _ => {}
        }
    })
}

/// An item that never got a `done` event.
fn unfinished<'j>(item: Json<'j>, strings: &'j StringArena) -> Json<'j> {
    let mut members = item.object().unwrap_or_default();
    members.replace("status", strings.string("incomplete"));
    strings.object(&members)
}
