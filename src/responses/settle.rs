//! Settles what a streamed item is in the end, so that no text that arrived is lost.
//!
//! [`choose`] selects a whole version: the version with the most text. Without a whole version, the item is built from its
//! `added` event and its texts, and its status is `incomplete`. A text that arrived replaces a text of the item that is
//! only a part of it. Any other text that the item lacks becomes an item of its own, with a warning.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashSet};

use super::event::{OUTPUT_TEXT, part_text};
use super::streamed_item::StreamedItem;
use super::version::{Searches, Version, choose};
use crate::json::{Json, JsonError, StringArena};
use crate::stream::{Place, Put, TextPieces, TextStep, with_texts, without_spaces};

/// A part of a type that is not known.
const OTHER_PART: &[TextStep] = &[TextStep::Key("content"), TextStep::Element("other")];

/// What an item is in the end.
#[derive(Default)]
pub(super) struct Settled<'j> {
    /// The item, and items for texts that it lacks.
    pub(super) items: Vec<Json<'j>>,
    /// One of them had to be built from what arrived of it.
    pub(super) is_unfinished: bool,
    /// Another version has members that are left out.
    pub(super) is_partial: bool,
    pub(super) warnings: Vec<JsonError>,
}

/// A text that arrived.
struct Arrived<'t> {
    text: Cow<'t, str>,
    /// Its start and its pieces, if it came in pieces.
    pieces: Option<(&'t str, &'t TextPieces)>,
    offset: usize,
}

/// Settles an item.
pub(super) fn settle<'j>(item: &StreamedItem<'j>, strings: &'j StringArena) -> Settled<'j> {
    let chosen = choose(&item.versions);
    let mut sources = sources(item, chosen);
    if chosen.is_none() && item.kind() == "reasoning" && sources.is_empty() && !has_parts(item) {
        // Reasoning without any text yet is not worth keeping.
        return Settled::default();
    }
    sources.sort_by_key(|source| std::cmp::Reverse(source.values().map(|arrived| arrived.text.len()).sum::<usize>()));
    let base = chosen.map(|version| version.json).or(item.added);
    let base = base.or_else(|| Some(item.versions.first()?.json));
    let first_text = sources.iter().flat_map(|source| source.values()).map(|arrived| arrived.offset).min();
    let offset = base.map(Json::offset).or(first_text).unwrap_or_default();
    let base = base.unwrap_or_else(|| skeleton(item.kind(), item.first_id.as_deref(), strings));
    let mut built = Built::new(base, chosen.is_some());
    let mut settled = Settled { is_unfinished: chosen.is_none(), ..Settled::default() };
    let (mut extra_items, mut known) = (Vec::new(), HashSet::new());
    for source in &sources {
        let mut missing_texts: BTreeMap<Place, Put<'_, 'j>> = BTreeMap::new();
        for (place, arrived) in source.iter().filter(|(_, arrived)| !arrived.text.is_empty()) {
            if built.has(place, arrived) || built.put(*place, arrived) || !known.insert((*place, &arrived.text)) {
                continue;
            }
            let message = "the finished item lacks this text, which becomes an item of its own";
            settled.warnings.push(JsonError::new(message, arrived.offset));
            missing_texts.insert(*place, Put::Text(Cow::Borrowed(&arrived.text)));
        }
        extra_items.extend((!missing_texts.is_empty()).then_some(missing_texts));
    }
    settled.items.push(at(built.finish(base, item, strings), offset, strings));
    for missing_texts in extra_items {
        let base = unfinished(skeleton(item.kind(), None, strings), strings);
        settled.items.push(at(with_texts(base, &missing_texts, &|_, _| {}, strings), offset, strings));
        settled.is_unfinished = true;
    }
    let known = chosen.map(Version::other_strings);
    let lacks = |other: &&Version<'j>| known.as_ref().is_some_and(|known| !other.is_cut && !other.has_only(known));
    for other in item.versions.iter().filter(|version| version.json != base).filter(lacks) {
        let message = "another event has more of this item, which is left out";
        settled.warnings.push(JsonError::new(message, other.json.offset()));
        settled.is_partial = true;
    }
    settled
}

fn has_parts(item: &StreamedItem<'_>) -> bool {
    item.transmissions.iter().any(|transmission| !transmission.parts.is_empty())
}

/// The texts of everything that the chosen version may lack: other versions, pieces and whole texts.
fn sources<'t>(item: &'t StreamedItem<'_>, chosen: Option<&Version<'_>>) -> Vec<BTreeMap<Place, Arrived<'t>>> {
    let is_other = |version: &&Version<'_>| chosen.is_none_or(|chosen| chosen.json != version.json);
    let of_version = |version: &'t Version<'_>| {
        let arrived = |(text, offset): &'t (Cow<'_, str>, usize)| Arrived {
            text: Cow::Borrowed(text),
            pieces: None,
            offset: *offset,
        };
        version.texts.iter().map(|(place, text)| (*place, arrived(text))).collect()
    };
    let mut sources: Vec<BTreeMap<Place, Arrived<'t>>> =
        item.versions.iter().filter(is_other).map(of_version).collect();
    for transmission in &item.transmissions {
        let mut pieces = BTreeMap::new();
        let mut wholes: Vec<BTreeMap<Place, Arrived<'t>>> = Vec::new();
        for (place, text) in &transmission.texts {
            let arrived = |whole: Cow<'t, str>, pieces| Arrived { text: whole, pieces, offset: text.offset };
            pieces.insert(*place, arrived(text.joined(), Some((text.start(), &text.pieces))));
            for (at, whole) in text.wholes.iter().enumerate() {
                if wholes.len() == at {
                    wholes.push(BTreeMap::new());
                }
                wholes[at].insert(*place, arrived(Cow::Borrowed(whole), None));
            }
        }
        sources.push(pieces);
        sources.extend(wholes);
    }
    sources.retain(|source| source.values().any(|arrived| !arrived.text.is_empty()));
    sources
}

/// The texts of an item that is being settled.
struct Built<'t> {
    texts: BTreeMap<Place, Cow<'t, str>>,
    changed: BTreeSet<Place>,
    /// All texts without whitespace.
    visible: Option<String>,
    /// The item is finished.
    is_whole: bool,
    searches: Searches,
}

impl<'t> Built<'t> {
    fn new(base: Json<'t>, is_whole: bool) -> Self {
        let texts: BTreeMap<_, _> =
            Version::new(base, false, false).texts.into_iter().map(|(place, (text, _))| (place, text)).collect();
        let size: usize = texts.values().map(|text| text.len()).sum();
        Self { texts, changed: BTreeSet::new(), visible: None, is_whole, searches: Searches::of(size) }
    }

    /// Whether the item has a text that arrived.
    fn has(&mut self, place: &Place, arrived: &Arrived<'_>) -> bool {
        let known = self.texts.get(place).map_or("", |text| text.as_ref());
        if self.searches.find(known, &arrived.text) {
            return true;
        }
        if arrived.pieces.is_some_and(|(start, pieces)| known.contains(start) && pieces.are_in(known)) {
            return true;
        }
        // An item that is not finished may have the same text in several parts.
        self.is_whole && {
            let texts = self.texts.values();
            let visible = self.visible.get_or_insert_with(|| texts.map(|text| without_spaces(text)).collect());
            self.searches.find(visible, &without_spaces(&arrived.text))
        }
    }

    /// Puts a text that arrived into the item, if the item has only a part of it. Returns whether it does.
    fn put(&mut self, place: Place, arrived: &'t Arrived<'_>) -> bool {
        let has_less = match self.texts.get(&place) {
            Some(known) => {
                known == "{}"
                    || self.searches.find(&arrived.text, known)
                    || self.searches.spend(known.len())
                        && self.searches.find(&without_spaces(&arrived.text), &without_spaces(known))
            }
            None => !self.is_whole || self.texts.values().all(|text| text.is_empty()),
        };
        if has_less {
            self.texts.insert(place, Cow::Borrowed(&arrived.text));
            self.changed.insert(place);
            self.visible.iter_mut().for_each(|visible| visible.push_str(&without_spaces(&arrived.text)));
            self.searches.add(arrived.text.len());
        }
        has_less
    }

    /// The item with its texts, and with the parts that are complete.
    fn finish<'j>(self, base: Json<'j>, item: &StreamedItem<'j>, strings: &'j StringArena) -> Json<'j> {
        let base = if self.is_whole { base } else { unfinished(base, strings) };
        let parts = item.transmissions.last().filter(|_| !self.is_whole).map(|transmission| &transmission.parts);
        let mut put: BTreeMap<Place, Put<'_, 'j>> = BTreeMap::new();
        for (index, part) in parts.into_iter().flatten() {
            match part_text(*part) {
                None => drop(put.insert(Place { index: *index, path: OTHER_PART }, Put::Part(*part))),
                Some((row, text)) => {
                    let place = Place { index: *index, path: row.path };
                    if self.texts.get(&place).is_some_and(|known| **known == *text) {
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
                put.insert(place, Put::Text(text.clone()));
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
