//! Assembles the items of a response from its events. No text that arrived is dropped.
//!
//! An item has up to three versions: from its `added` event, from its `done` event, and from the `output` of the terminal
//! event. The `done` version counts, unless the terminal one has more text. Texts that arrived in pieces are merged into
//! that version only if it has less text. An item without a `done` or terminal version is built from its pieces. The
//! order is that of the terminal event if it has all items that are done, otherwise that of `output_index`.

use std::borrow::Cow;
use std::collections::HashMap;

use super::build::{Texts, build, merge};
use super::event::{Place, StreamEvent, Target};
use super::payload::{ApiError, Completion, completion_of, present};
use super::streamed_item::{StreamedItem, StreamedText};
use super::terminal::{ItemKey, Match, TerminalOutput, says_all, text_length};
use crate::json::{Json, Kind, Object, StringArena};

/// What is known of one response of a stream.
#[derive(Debug, Default)]
pub(super) struct StreamedResponse<'j> {
    /// The items, in the order in which they were first named.
    items: Vec<StreamedItem<'j>>,
    by_index: HashMap<u64, usize>,
    by_id: HashMap<String, usize>,
    /// Items that have begun; those that are done since are removed when they are met.
    open: Vec<usize>,
    next_index: u64,
    /// What the terminal event says: the status, and the response.
    end: Option<(Cow<'j, str>, Option<Json<'j>>)>,
    error: Option<ApiError>,
    /// An event of it could not be read.
    pub(super) is_damaged: bool,
}

/// A response that is assembled.
pub(super) struct Assembled<'j> {
    pub(super) items: Vec<Json<'j>>,
    pub(super) completion: Completion,
    /// The response of the terminal event, without its `output`.
    pub(super) envelope: Option<Object<'j>>,
}

impl<'j> StreamedResponse<'j> {
    /// Whether anything is known of it.
    pub(super) fn has_begun(&self) -> bool {
        !self.items.is_empty() || self.end.is_some() || self.error.is_some()
    }

    /// Takes the next event.
    pub(super) fn take(&mut self, event: StreamEvent<'j>) {
        match event {
            StreamEvent::Added(target, item) => self.begin(&target, item),
            StreamEvent::Done(target, item) => self.finish(&target, item),
            StreamEvent::Delta(target, place, delta) => self.take_delta(&target, place, &delta),
            StreamEvent::Text(target, place, text) => {
                let known = self.text(&target, place);
                if text.len() >= known.whole.len() {
                    known.whole = text;
                }
            }
            StreamEvent::End(status, response) => {
                self.end.get_or_insert((status, response));
            }
            StreamEvent::Error(error) => {
                self.error.get_or_insert_with(|| ApiError::decode(error));
            }
            StreamEvent::Created | StreamEvent::Other => {}
        }
    }

    /// Takes more of a text. Nothing of the event is kept, so it need not live longer than this call.
    pub(super) fn take_delta(&mut self, target: &Target<'_>, place: Place, delta: &str) {
        self.text(target, place).deltas.push_str(delta);
    }

    fn begin(&mut self, target: &Target<'j>, item: Json<'j>) {
        let kind = ItemKey::of(item).kind;
        let known = self.known(target);
        // A second `added` event with another id is for another item, whatever its index.
        let has_other_id = |known: &StreamedItem<'j>| match (known.added.and(known.id.as_ref()), &target.id) {
            (Some(known), Some(id)) => known != id.as_ref(),
            (_, _) => false,
        };
        let is_same = |known: &StreamedItem<'j>| known.done.is_none() && known.fits(&kind) && !has_other_id(known);
        let slot = match known.filter(|slot| is_same(&self.items[*slot])) {
            Some(slot) => slot,
            None => self.open(target.index),
        };
        self.note_id(target.id.as_deref(), slot);
        self.items[slot].added = Some(item);
        self.items[slot].kind = Some(kind);
    }

    fn finish(&mut self, target: &Target<'j>, item: Json<'j>) {
        let key = ItemKey::of(item);
        let known = self.known(target);
        let last_open = self.last_open().filter(|slot| target.index.is_none() && self.items[*slot].fits(&key.kind));
        let known = known.or(last_open);
        let slot = match known {
            Some(slot) => match self.items[slot].done {
                None if self.items[slot].fits(&key.kind) => slot,
                Some(done) if is_same_item(done, item) => {
                    if text_length(item) >= text_length(done) {
                        self.items[slot].done = Some(item);
                    }
                    return;
                }
                None | Some(_) => self.open(target.index),
            },
            None => self.open(target.index),
        };
        self.note_id(target.id.as_deref(), slot);
        self.items[slot].done = Some(item);
        self.items[slot].kind = Some(key.kind);
    }

    fn text(&mut self, target: &Target<'_>, place: Place) -> &mut StreamedText<'j> {
        let last_open = self.last_open().filter(|_| target.index.is_none());
        let known = self.known(target).or(last_open);
        let slot = match known.filter(|slot| self.items[*slot].takes(place.kind)) {
            Some(slot) => slot,
            None => self.open(target.index),
        };
        self.note_id(target.id.as_deref(), slot);
        self.items[slot].texts.entry(place).or_default()
    }

    /// The item that an event names by its index, else by its id.
    fn known(&self, target: &Target<'_>) -> Option<usize> {
        match (target.index, &target.id) {
            (Some(index), _) => self.by_index.get(&index).copied(),
            (None, Some(id)) => self.by_id.get(id.as_ref()).copied(),
            (None, None) => None,
        }
    }

    /// The last item that began and is not done.
    fn last_open(&mut self) -> Option<usize> {
        while self.open.last().is_some_and(|slot| self.items[*slot].done.is_some()) {
            self.open.pop();
        }
        self.open.last().copied()
    }

    /// A new item.
    fn open(&mut self, index: Option<u64>) -> usize {
        let index = index.unwrap_or(self.next_index);
        let slot = self.items.len();
        self.items.push(StreamedItem::new(index));
        self.by_index.insert(index, slot);
        self.next_index = self.next_index.max(index.saturating_add(1));
        self.open.push(slot);
        slot
    }

    fn note_id(&mut self, id: Option<&str>, slot: usize) {
        let Some(id) = id.filter(|id| self.items[slot].id.as_deref() != Some(id)) else { return };
        self.items[slot].id.get_or_insert_with(|| id.to_owned());
        if !self.by_id.contains_key(id) {
            self.by_id.insert(id.to_owned(), slot);
        }
    }

    /// Assembles the items of all events.
    pub(super) fn assemble(mut self, strings: &'j StringArena) -> Assembled<'j> {
        let (status, response) = self.end.take().map_or((None, None), |(status, response)| (Some(status), response));
        let mut envelope = response.and_then(|response| response.object().ok());
        let output = envelope.as_mut().and_then(|response| response.take("output"));
        let output = output.and_then(|output| output.array().ok()).unwrap_or_default();
        let output = output.into_iter().filter(|item| item.kind() == Kind::Object).collect();
        let (items, is_unfinished) = self.items_with(TerminalOutput::new(output), strings);
        let by_status = envelope.as_ref().map_or(Completion::Complete, |response| {
            let status = response.get_str("status").or_else(|| status.clone());
            completion_of(status.as_deref(), response)
        });
        let completion = match (self.error, status.as_deref()) {
            (Some(error), _) => Completion::Failed(error),
            (None, Some("failed")) => {
                let error = envelope.as_ref().and_then(|response| present(response, "error"));
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
        Assembled { items, completion, envelope }
    }

    /// The item of the terminal event that each item is: by id, then by type, items that are done first.
    fn match_with(&self, output: &mut TerminalOutput<'j>) -> Vec<Option<Match>> {
        let mut in_order: Vec<usize> = (0..self.items.len()).collect();
        in_order.sort_by_key(|slot| self.items[*slot].index);
        let done: Vec<Option<ItemKey<'j>>> = self.items.iter().map(|item| item.done.map(ItemKey::of)).collect();
        let id = |slot: usize| done[slot].as_ref().and_then(|key| key.id.as_deref()).or(self.items[slot].id.as_deref());
        let mut matched: Vec<Option<Match>> = (0..self.items.len()).map(|slot| output.take_by_id(id(slot)?)).collect();
        for take in [TerminalOutput::take_by_call, TerminalOutput::take_by_kind] {
            for slot in &in_order {
                if let (None, Some(key)) = (&matched[*slot], &done[*slot]) {
                    matched[*slot] = take(output, key);
                }
            }
        }
        for (slot, item) in self.items.iter().enumerate().filter(|(_, item)| item.done.is_none()) {
            let texts = item.texts();
            let texts: Texts<'_> = texts.iter().map(|(place, text)| (*place, text.as_ref())).collect();
            matched[slot] = matched[slot].take().or_else(|| output.take_next(item.item_type(), &texts));
        }
        matched
    }

    /// The items in order, and whether one of them had to be built from what arrived of it.
    fn items_with(&self, mut output: TerminalOutput<'j>, strings: &'j StringArena) -> (Vec<Json<'j>>, bool) {
        let matched = self.match_with(&mut output);
        let is_matched =
            |(item, matched): (&StreamedItem<'j>, &Option<Match>)| item.done.is_none() || matched.is_some();
        let in_terminal_order = !output.items().is_empty() && self.items.iter().zip(&matched).all(is_matched);
        let mut placed: Vec<(u64, Json<'j>)> = Vec::new();
        let mut leftovers: Vec<(u64, Json<'j>)> = Vec::new();
        let mut is_unfinished = false;
        for (item, matched) in self.items.iter().zip(&matched) {
            let terminal = matched.as_ref().map(|matched| output.items()[matched.at]);
            let version = match (item.done, terminal) {
                (Some(done), Some(terminal)) if text_length(done) < text_length(terminal) => Some(terminal),
                (Some(done), _) => Some(done),
                (None, terminal) => terminal,
            };
            let position = match matched {
                Some(matched) if in_terminal_order || item.done.is_none() => matched.at as u64,
                Some(_) | None => item.index,
            };
            let texts = item.texts();
            let texts: Texts<'_> = texts.iter().map(|(place, text)| (*place, text.as_ref())).collect();
            let Some(version) = version else {
                // Reasoning without any text yet is not worth keeping.
                if !item.says_nothing() {
                    is_unfinished = true;
                    leftovers.push((position, build(item.added, item.id.as_deref(), &texts, strings)));
                }
                continue;
            };
            let arrived: usize = texts.values().map(|text| text.chars().count()).sum();
            let is_guess = matched.as_ref().is_some_and(|matched| matched.is_guess) && terminal == Some(version);
            let says_less = arrived > 0 && arrived > text_length(version) || is_guess && !says_all(version, &texts);
            let (version, rest) = if says_less { merge(version, &texts, strings) } else { (version, Texts::new()) };
            placed.push((position, version));
            if !rest.is_empty() {
                is_unfinished = true;
                leftovers.push((position, build(None, None, &rest, strings)));
            }
        }
        placed.extend(output.untaken().map(|(at, item)| (at as u64, item)));
        placed.append(&mut leftovers);
        placed.sort_by_key(|(position, _)| *position);
        (placed.into_iter().map(|(_, item)| item).collect(), is_unfinished)
    }
}

/// Whether two `done` events are for the same item: they have the same id, or are equal if an id is missing.
fn is_same_item(earlier: Json<'_>, later: Json<'_>) -> bool {
    let (a, b) = (ItemKey::of(earlier), ItemKey::of(later));
    match (a.id, b.id) {
        (Some(a), Some(b)) => a == b,
        _ => earlier == later,
    }
}
