//! Merges all versions of each streamed item. No text that arrived is dropped without a warning.
//!
//! An item has up to three versions: from its `added` event, from its `done` event, and from the `output` of the terminal
//! event. The `done` version is used, unless the terminal one has more text; members that only the other one has are added. Texts
//! that arrived in pieces are merged into that version only if it has less text. An item without a `done` or terminal
//! version is built from its pieces. The order is that of the terminal event if it has all items that are done, otherwise
//! that of `output_index`.

use std::collections::BTreeMap;

use super::build::{Parts, Texts, build, merge};
use super::missing_texts::MissingTexts;
use super::payload::Warning;
use super::streamed_item::StreamedItem;
use super::terminal::{Match, TerminalOutput};
use super::version::{choose, merge_versions, text_length};
use crate::json::{Json, JsonError, StringArena};

/// The items of a response.
pub(super) struct United<'j> {
    pub(super) items: Vec<Json<'j>>,
    /// One of them had to be built from what arrived of it.
    pub(super) is_unfinished: bool,
    pub(super) warnings: Vec<Warning>,
}

/// Unites the items of earlier events with those of the terminal events.
pub(super) fn unite<'j>(
    items: &[StreamedItem<'j>],
    mut output: TerminalOutput<'j>,
    strings: &'j StringArena,
) -> United<'j> {
    let done: Vec<_> = items.iter().map(|item| choose(&item.done, &[])).collect();
    let matched = match_items(items, &done, &mut output);
    let is_matched = |(item, matched): (&StreamedItem<'j>, &Option<Match>)| item.done.is_empty() || matched.is_some();
    let in_terminal_order = !output.is_empty() && items.iter().zip(&matched).all(is_matched);
    let mut union = Union { strings, placed: Vec::new(), leftovers: Vec::new(), warnings: Vec::new() };
    for ((item, done), matched) in items.iter().zip(done).zip(&matched) {
        let position = match matched {
            Some(matched) if in_terminal_order || item.done.is_empty() => matched.at as u64,
            Some(_) | None => item.index,
        };
        let terminal = matched.as_ref().map_or(&[][..], |matched| output.versions(matched.at));
        let is_guess = matched.as_ref().is_some_and(|matched| matched.is_guess);
        union.add(item, done, terminal, is_guess, position);
    }
    for (at, versions) in output.untaken() {
        if let Some((version, others)) = choose(&[], versions) {
            let version = union.merge(version, &others);
            union.placed.push((at as u64, version));
        }
    }
    let is_unfinished = !union.leftovers.is_empty();
    let mut placed = union.placed;
    placed.append(&mut union.leftovers);
    placed.sort_by_key(|(position, _)| *position);
    United { items: placed.into_iter().map(|(_, item)| item).collect(), is_unfinished, warnings: union.warnings }
}

/// The version of an item that is done, and its other versions.
type Chosen<'j> = Option<(Json<'j>, Vec<Json<'j>>)>;

/// The item of the terminal event that each item is: by id, then by type and text, items that are done first.
fn match_items<'j>(
    items: &[StreamedItem<'j>],
    done: &[Chosen<'j>],
    output: &mut TerminalOutput<'j>,
) -> Vec<Option<Match>> {
    let mut in_order: Vec<usize> = (0..items.len()).collect();
    in_order.sort_by_key(|slot| items[*slot].index);
    let by_id = |item: &StreamedItem<'j>| {
        let done_id = item.done_key.as_ref().and_then(|key| key.id.as_deref());
        // Events of the item may belong to another one, so their id does not identify a version without an id.
        let own_id = item.id.as_deref().filter(|_| item.done.is_empty() || !item.is_mixed);
        output.take_by_id(done_id.or(own_id)?)
    };
    let mut matched: Vec<Option<Match>> = items.iter().map(by_id).collect();
    for slot in &in_order {
        if let (None, Some(key)) = (&matched[*slot], &items[*slot].done_key) {
            matched[*slot] = output.take_by_call(key);
        }
    }
    output.index_kinds();
    for slot in in_order {
        if let (None, Some(key), Some((version, _))) = (&matched[slot], &items[slot].done_key, &done[slot]) {
            matched[slot] = output.take_compatible(&key.kind, *version);
        }
    }
    for (slot, item) in items.iter().enumerate().filter(|(_, item)| item.done.is_empty()) {
        if matched[slot].is_none() {
            let texts = item.all_texts();
            let texts: Texts<'_> = texts.iter().map(|(place, text)| (*place, text.as_ref())).collect();
            matched[slot] = output.take_containing(item.item_type(), &texts);
        }
    }
    matched
}

/// The items so far, with their positions.
struct Union<'j> {
    strings: &'j StringArena,
    placed: Vec<(u64, Json<'j>)>,
    /// Items that were built from what arrived of them.
    leftovers: Vec<(u64, Json<'j>)>,
    warnings: Vec<Warning>,
}

impl<'j> Union<'j> {
    fn add(&mut self, item: &StreamedItem<'j>, done: Chosen<'j>, terminal: &[Json<'j>], is_guess: bool, position: u64) {
        let (done, mut others) = done.unzip();
        let Some((version, more)) = choose(done.as_slice(), terminal) else {
            // Reasoning without any text yet is not worth keeping.
            if !item.is_empty_reasoning() {
                let texts = item.all_texts();
                let texts = texts.iter().map(|(place, text)| (*place, text.as_ref())).collect();
                let parts = Parts { unknown: &item.parts, done: &item.done_parts };
                let built = build(item.added, item.id.as_deref(), &texts, &parts, self.strings);
                self.leftovers.push((position, built));
            }
            return;
        };
        let is_guess = item.is_mixed || is_guess && done != Some(version);
        let mut others = others.take().unwrap_or_default();
        others.extend(more);
        let version = self.merge(version, &others);
        let version = self.add_texts(item, version, is_guess, position);
        self.placed.push((position, version));
    }

    /// A version with the members that only the others have.
    fn merge(&mut self, version: Json<'j>, others: &[Json<'j>]) -> Json<'j> {
        if others.is_empty() {
            return version;
        }
        let (version, contradicting) = merge_versions(version, others, self.strings);
        self.warnings.extend(contradicting.iter().map(|other| dropped(other.offset())));
        version
    }

    /// A version with the texts that arrived in pieces, if it has less text.
    fn add_texts(&mut self, item: &StreamedItem<'j>, version: Json<'j>, is_guess: bool, position: u64) -> Json<'j> {
        if item.texts.is_empty() {
            return version;
        }
        let missing = MissingTexts::new(item, version);
        let arrived: usize = missing.texts.values().map(|text| text.chars().count()).sum();
        let at = |place| item.texts.get(place).map_or(0, |text| text.offset);
        self.warnings.extend(missing.dropped.iter().map(|offset| dropped(*offset)));
        if arrived <= text_length(version) && (!is_guess || missing.places.is_empty()) {
            self.warnings.extend(missing.places.iter().map(|place| dropped(at(place))));
            return version;
        }
        let texts: Texts<'_> = missing.texts.iter().map(|(place, text)| (*place, text.as_ref())).collect();
        let (version, mut rest) = merge(version, &texts, self.strings);
        rest.retain(|place, _| missing.places.contains(place));
        if !rest.is_empty() {
            let parts = Parts { unknown: &BTreeMap::new(), done: &BTreeMap::new() };
            self.leftovers.push((position, build(None, None, &rest, &parts, self.strings)));
        }
        version
    }
}

fn dropped(offset: usize) -> Warning {
    let message = "the same item came with more text, and without this text";
    Warning::DroppedText(JsonError::new(message, offset))
}
