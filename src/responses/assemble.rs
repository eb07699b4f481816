//! Collects stream events into items.

use std::collections::HashMap;

use super::event::{StreamEvent, Target, TextRow, part_text};
use super::payload::{Payload, Warning, completion_of};
use super::settle::Settled;
use super::streamed_item::StreamedItem;
use super::terminal::match_items;
use super::version::{ItemKey, Source, Version};
use crate::json::{Json, JsonError, Kind, Object, StringArena};
use crate::outcome::{ApiError, Completion};
use crate::stream::{Event, EventText, Place};

/// The received data of one response of a stream.
#[derive(Debug, Default)]
pub(super) struct StreamedResponse<'j> {
    /// The items, in the order in which they were first named.
    items: Vec<StreamedItem<'j>>,
    by_index: HashMap<u64, usize>,
    by_id: HashMap<String, usize>,
    /// Open items. Finished items are removed lazily.
    open: Vec<usize>,
    next_index: u64,
    /// The status and the other members of the response of each terminal event.
    ends: Vec<(String, Option<Object<'j>>)>,
    /// The items of each terminal event.
    outputs: Vec<Vec<Version<'j>>>,
    error: Option<ApiError>,
    pub(super) warnings: Vec<JsonError>,
    /// An event of it could not be read.
    pub(super) is_damaged: bool,
}

impl<'j> StreamedResponse<'j> {
    /// Whether anything is known of it.
    pub(super) fn has_begun(&self) -> bool {
        !self.items.is_empty() || !self.ends.is_empty() || self.error.is_some()
    }

    /// Takes the next event, which was read from `source`.
    pub(super) fn take(&mut self, event: StreamEvent<'_, 'j>, source: &Event<'_, 'j>) {
        match event {
            StreamEvent::Created(items) | StreamEvent::Progress(items) => {
                for (index, item) in (0..).zip(items) {
                    self.begin(&Target { index: Some(index), id: None }, item);
                }
            }
            StreamEvent::Added(target, item) if !source.cuts(item) => self.begin(&target, item),
            StreamEvent::Added(target, item) | StreamEvent::Done(target, item) => {
                let from = if source.cuts(item) { Source::Cut } else { Source::Done };
                self.finish(&target, Version::new(item, from));
            }
            StreamEvent::Delta(target, row, index, delta) => {
                let slot = self.slot(&target, row);
                let text = self.items[slot].text(row, index, delta.offset);
                let lost = text.pieces.push(&delta);
                self.warn_of_half(lost);
            }
            StreamEvent::Text(target, row, index, text) => self.take_text(&target, row, index, text),
            StreamEvent::Part(target, index, part, is_done) => {
                self.take_part(&target, index, part, is_done && !source.cuts(part));
            }
            StreamEvent::End(status, response) => self.end(status, response, source),
            StreamEvent::Error(error) => {
                self.error.get_or_insert_with(|| ApiError::decode(error));
            }
            StreamEvent::Other => {}
        }
    }

    fn take_text(&mut self, target: &Target<'_>, row: &'static TextRow, index: u64, text: EventText<'j>) {
        let mut slot = self.slot(target, row);
        let has_other_id = target.index.is_none()
            && target.id.is_some()
            && target.id.as_deref() != self.items[slot].first_id.as_deref();
        if has_other_id && !self.items[slot].text(row, index, text.offset).fits(&text) {
            // The id shows that the text belongs to another item.
            slot = self.open(target);
            self.note_id(target.id.as_deref(), slot);
        }
        let lost = self.items[slot].text(row, index, text.offset).take_whole(text);
        self.warn_of_half(lost);
    }

    fn take_part(&mut self, target: &Target<'_>, index: u64, part: Json<'j>, is_done: bool) {
        let Some((row, text)) = part_text(part) else {
            let known = self.find(target, target.id.as_deref(), |_| true);
            let slot = known.unwrap_or_else(|| self.open(target));
            self.items[slot].parts.insert(index, part);
            return;
        };
        if is_done {
            let slot = self.slot(target, row);
            self.items[slot].parts.insert(index, part);
            self.take_text(target, row, index, text);
        } else if !text.is_empty() {
            let slot = self.slot(target, row);
            let place = Place { index, path: row.path };
            self.items[slot].start_text(place, text);
        }
    }

    /// Half a surrogate pair was replaced, because its other half never came.
    fn warn_of_half(&mut self, lost: Option<JsonError>) {
        self.is_damaged |= lost.is_some();
        self.warnings.extend(lost);
    }

    /// An item begins. A stream that is resumed sends an item with the same id again.
    fn begin(&mut self, target: &Target<'_>, item: Json<'j>) {
        let key = ItemKey::of(item);
        let by_id = key.id.as_ref().and_then(|id| self.by_id.get(id.as_ref())).copied();
        let again = by_id.filter(|slot| self.items[*slot].fits(&key));
        let has_other_id =
            |known: &StreamedItem<'j>| known.added.is_some() && key.id.is_some() && known.first_id.is_some();
        let is_same = |known: &StreamedItem<'j>| !known.is_done() && known.fits(&key) && !has_other_id(known);
        // An item without an index is a new one.
        let place = Target { index: target.index.or(Some(self.next_index)), id: None };
        let known = again.or_else(|| self.find(&place, target.id.as_deref(), is_same));
        let slot = known.unwrap_or_else(|| self.open(&place));
        self.by_index.extend(target.index.map(|index| (index, slot)));
        self.note_id(key.id.as_deref(), slot);
        self.items[slot].begin(item);
    }

    /// An item is finished, perhaps again.
    fn finish(&mut self, target: &Target<'_>, version: Version<'j>) {
        let id = version.key.id.as_deref().or(target.id.as_deref());
        let is_again = |done: &Version<'j>| match (&done.key.id, &version.key.id) {
            (Some(known), Some(id)) => known == id,
            (_, _) => done.json == version.json,
        };
        let known = self.find(target, id, |item| {
            item.fits(&version.key) && (!item.is_done() || item.versions.iter().any(is_again))
        });
        if known.is_none() && !version.is_whole() && !version.has_text() {
            return;
        }
        let slot = known.unwrap_or_else(|| self.open(target));
        self.note_id(version.key.id.as_deref(), slot);
        self.items[slot].finish(version);
    }

    /// The response ends. An event that is cut does not end it, but may have items.
    fn end(&mut self, status: String, response: Option<Json<'j>>, source: &Event<'_, 'j>) {
        let mut response = response.and_then(|response| response.object().ok());
        let output = response.as_mut().and_then(|response| response.take("output"));
        if let Some(output) = output.filter(|output| output.kind() != Kind::Null) {
            let from = |item| if source.cuts(item) { Source::Cut } else { Source::Terminal };
            let items = self.output(output).into_iter();
            self.outputs.push(items.map(|item| Version::new(item, from(item))).collect());
        }
        if !source.is_cut() {
            self.ends.push((status, response));
        }
    }

    /// The item that a text belongs to.
    fn slot(&mut self, target: &Target<'_>, row: &TextRow) -> usize {
        let known = self.find(target, target.id.as_deref(), |item| item.takes_text(row));
        let slot = known.unwrap_or_else(|| self.open(target));
        self.note_id(target.id.as_deref(), slot);
        slot
    }

    /// The item that an event names by its index, else by its id, else the last open one if the event has no index.
    fn find(
        &mut self,
        target: &Target<'_>,
        id: Option<&str>,
        can_be: impl Fn(&StreamedItem<'j>) -> bool,
    ) -> Option<usize> {
        let last_open = if target.index.is_none() { self.last_open() } else { None };
        let can_be = |slot: &usize| can_be(&self.items[*slot]);
        let by_index = target.index.and_then(|index| self.by_index.get(&index)).copied().filter(can_be);
        let by_id = || id.and_then(|id| self.by_id.get(id)).copied().filter(can_be);
        by_index.or_else(by_id).or_else(|| last_open.filter(can_be))
    }

    /// The last item that began and is not done.
    fn last_open(&mut self) -> Option<usize> {
        while self.open.last().is_some_and(|slot| self.items[*slot].is_done()) {
            self.open.pop();
        }
        self.open.last().copied()
    }

    /// A new item.
    fn open(&mut self, target: &Target<'_>) -> usize {
        let index = target.index.unwrap_or(self.next_index);
        let slot = self.items.len();
        self.items.push(StreamedItem::new(index));
        self.by_index.insert(index, slot);
        self.next_index = self.next_index.max(index.saturating_add(1));
        self.open.push(slot);
        slot
    }

    fn note_id(&mut self, id: Option<&str>, slot: usize) {
        let Some(id) = id.filter(|id| self.items[slot].first_id.as_deref() != Some(id)) else { return };
        if !self.by_id.contains_key(id) {
            self.by_id.insert(id.to_owned(), slot);
        }
        self.items[slot].first_id.get_or_insert_with(|| id.to_owned());
    }

    /// Adds the items of all events to a payload.
    ///
    /// The order is that of the terminal event if it has all items that are done, otherwise that of `output_index`.
    pub(super) fn add_to(mut self, payload: &mut Payload<'j>, strings: &'j StringArena) {
        for slot in 0..self.items.len() {
            let halves = self.items[slot].end();
            self.is_damaged |= !halves.is_empty();
            self.warnings.extend(halves);
        }
        let terminal = self.add_terminal_items();
        let is_matched = |(item, at): (&StreamedItem<'j>, &Option<u64>)| !item.is_done() || at.is_some();
        let in_terminal_order = self.items.iter().zip(&terminal).all(is_matched);
        for (item, at) in self.items.iter_mut().zip(terminal) {
            item.index = at.filter(|_| in_terminal_order || !item.is_done()).unwrap_or(item.index);
        }
        self.items.sort_by_key(|item| (item.index, !item.versions.iter().any(Version::is_whole)));
        let mut settled = Settled::default();
        self.items.iter().for_each(|item| settled.add(item, strings));
        let (completion, envelope) = self.completion(settled.is_unfinished);
        payload.is_partial |= settled.is_partial;
        payload.warnings.extend(self.warnings.into_iter().chain(settled.warnings).map(Warning::MalformedEvent));
        payload.add_response(settled.items, envelope, completion);
    }

    /// Adds the items of the terminal events, of which each is a version of an earlier item or a new item. Returns the place of
    /// each item among them.
    fn add_terminal_items(&mut self) -> Vec<Option<u64>> {
        let (mut places, mut next) = (vec![None; self.items.len()], 0);
        for output in std::mem::take(&mut self.outputs) {
            for (matched, version) in match_items(&self.items, &output).into_iter().zip(output) {
                match matched {
                    Some(slot) => {
                        places[slot].get_or_insert(next);
                        self.items[slot].versions.push(version);
                    }
                    None if version.is_whole() || version.has_text() => {
                        places.push(Some(next));
                        self.items.push(StreamedItem::new(next));
                        self.items[places.len() - 1].finish(version);
                    }
                    None => {}
                }
                next += 1;
            }
        }
        places
    }

    /// The items of a terminal event. Anything else in its `output` is reported.
    fn output(&mut self, output: Json<'j>) -> Vec<Json<'j>> {
        let elements = output.array().unwrap_or_else(|error| {
            self.warn_of_output(error);
            Vec::new()
        });
        let mut items = Vec::with_capacity(elements.len());
        for (index, item) in elements.into_iter().enumerate() {
            match item.kind() {
                Kind::Object => items.push(item),
                kind => {
                    let error = item.malformed(format!("expected an object, found {kind}"));
                    self.warn_of_output(error.within_index(index));
                }
            }
        }
        items
    }

    fn warn_of_output(&mut self, error: JsonError) {
        self.is_damaged = true;
        self.warnings.push(error.within("output"));
    }

    /// How the response ended, and the response. If there are several terminal events, the first that is not a success
    /// counts.
    fn completion(&mut self, is_unfinished: bool) -> (Completion, Option<Object<'j>>) {
        let counting = self.ends.iter().position(|(status, _)| status != "completed").unwrap_or_default();
        let end = (!self.ends.is_empty()).then(|| self.ends.swap_remove(counting));
        let (status, envelope) = end.unzip();
        let envelope = envelope.flatten();
        let by_status = envelope.as_ref().map_or(Completion::Complete, |response| {
            let own = response.get_str("status");
            completion_of(own.as_deref().or(status.as_deref()), response)
        });
        let completion = match (self.error.take(), status.as_deref()) {
            (Some(error), _) => Completion::Failed(error),
            (None, Some("failed")) => {
                let error = envelope.as_ref().and_then(|response| response.get_present("error"));
                Completion::Failed(error.map(ApiError::decode).unwrap_or_default())
            }
            (None, None) => Completion::Truncated,
            (None, Some(_)) if by_status != Completion::Complete => by_status,
            (None, Some("incomplete")) => Completion::Incomplete(None),
            (None, Some("cancelled")) => Completion::Cancelled,
            (None, Some(_)) if self.is_damaged => Completion::Damaged,
            (None, Some(_)) if is_unfinished => Completion::Unfinished,
            (None, Some(_)) => Completion::Complete,
        };
        (completion, envelope)
    }
}
