//! Collects stream events into items.

use std::borrow::Cow;
use std::collections::HashMap;

use super::event::{StreamEvent, Target, TextKind, TextPosition, part_text};
use super::event_text::EventText;
use super::payload::{ApiError, Completion, Warning, completion_of, present};
use super::streamed_item::{StreamedItem, StreamedText};
use super::terminal::{ItemKey, TerminalOutput};
use super::unite::unite;
use super::version::VisibleText;
use crate::json::{Json, JsonError, Kind, Object, StringArena};

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
    /// The status and the response of each terminal event.
    ends: Vec<(Cow<'j, str>, Option<Json<'j>>)>,
    error: Option<ApiError>,
    warnings: Vec<Warning>,
    /// An event of it could not be read.
    pub(super) is_damaged: bool,
}

/// A response that is assembled.
pub(super) struct Assembled<'j> {
    pub(super) items: Vec<Json<'j>>,
    pub(super) completion: Completion,
    /// The response of the terminal event, without its `output`.
    pub(super) envelope: Option<Object<'j>>,
    pub(super) warnings: Vec<Warning>,
}

impl<'j> StreamedResponse<'j> {
    /// Whether anything is known of it.
    pub(super) fn has_begun(&self) -> bool {
        !self.items.is_empty() || !self.ends.is_empty() || self.error.is_some()
    }

    /// Takes the next event.
    pub(super) fn take(&mut self, event: StreamEvent<'j>) {
        match event {
            StreamEvent::Added(target, item) => self.begin(&target, item),
            StreamEvent::Done(target, item) => self.finish(&target, item),
            StreamEvent::Delta(target, place, delta) => self.take_delta(&target, place, &delta),
            StreamEvent::Text(target, place, text) => {
                self.take_text(&target, place, text);
            }
            StreamEvent::PartDone(target, place, text, part) => {
                let slot = self.take_text(&target, place, text);
                self.items[slot].done_parts.insert(place, part);
            }
            StreamEvent::Part(target, part, json) => self.take_part(&target, part, json),
            StreamEvent::End(status, response) => self.ends.push((status, response)),
            StreamEvent::Error(error) => {
                self.error.get_or_insert_with(|| ApiError::decode(error));
            }
            StreamEvent::Created | StreamEvent::Other => {}
        }
    }

    /// Takes more of a text. Nothing of the event is kept, so it need not live longer than this call.
    pub(super) fn take_delta(&mut self, target: &Target<'_>, place: TextPosition, delta: &EventText<'_>) {
        let slot = self.slot(target, place.kind);
        let item = &mut self.items[slot];
        let is_named = target.index.is_some() || target.id.is_some() && target.id.as_deref() == item.id.as_deref();
        let is_done = !item.done.is_empty();
        let lost = item.texts.entry(place).or_default().push(delta, is_named, is_done);
        self.warn_of_half(lost);
    }

    /// Takes all of a text. If the same place has another one, both are kept. Returns the item that it belongs to.
    fn take_text(&mut self, target: &Target<'_>, place: TextPosition, piece: EventText<'j>) -> usize {
        let offset = piece.offset;
        let (text, lost) = piece.into_text();
        let mut slot = self.slot(target, place.kind);
        let known = self.items[slot].texts.entry(place).or_default();
        let fits = known.fits_whole(&text);
        if !fits
            && target.index.is_none()
            && target.id.is_some()
            && target.id.as_deref() != self.items[slot].id.as_deref()
        {
            // The id shows that this is a different item.
            slot = self.open(None);
            self.items[slot].id = target.id.as_deref().map(str::to_owned);
            self.by_id.extend(target.id.as_deref().map(|id| (id.to_owned(), slot)));
        }
        self.items[slot].texts.entry(place).or_default().take_whole(text, fits, offset);
        self.warn_of_half(lost);
        slot
    }

    /// Takes a part as it was added, or one of an unknown type.
    fn take_part(&mut self, target: &Target<'_>, part: u64, json: Json<'j>) {
        match part_text(json) {
            Ok(Some((_, piece))) if piece.is_empty() => {}
            Ok(Some((kind, piece))) => {
                let slot = self.slot(target, kind);
                self.items[slot].begin_text(TextPosition { part, kind }, piece);
            }
            Ok(None) | Err(_) => {
                let slot = self.known(target).unwrap_or_else(|| self.slot(target, TextKind::Output));
                self.items[slot].parts.insert(part, json);
            }
        }
    }

    /// Half a surrogate pair was replaced, because its other half never came.
    fn warn_of_half(&mut self, lost: Option<JsonError>) {
        self.is_damaged |= lost.is_some();
        self.warnings.extend(lost.map(Warning::DroppedText));
    }

    fn begin(&mut self, target: &Target<'j>, item: Json<'j>) {
        let kind = ItemKey::of(item).kind;
        let known = self.known(target);
        // A second `added` event with another id is for another item, whatever its index.
        let has_other_id = |known: &StreamedItem<'j>| match (known.added.and(known.id.as_ref()), &target.id) {
            (Some(known), Some(id)) => known != id.as_ref(),
            (_, _) => false,
        };
        let is_same = |known: &StreamedItem<'j>| known.done.is_empty() && known.fits(&kind) && !has_other_id(known);
        let slot = match known.filter(|slot| is_same(&self.items[*slot])) {
            Some(slot) => slot,
            None => self.open(target.index),
        };
        // A resumed stream sends finished items again. Whether this is one of them is known only at its end.
        let id = target.id.as_deref().filter(|id| !id.is_empty());
        let repeated = known.filter(|known| *known != slot && id.is_some() && self.items[*known].id.as_deref() == id);
        if let (Some(repeated), Some(id)) = (repeated, id) {
            self.items[slot].repeated = Some(self.items[repeated].repeated.unwrap_or(repeated));
            self.by_id.insert(id.to_owned(), slot);
        }
        self.note_id(target.id.as_deref(), slot);
        self.items[slot].begin(item, kind);
    }

    /// Removes items that repeat an earlier one. Their `done` versions are added to it.
    fn remove_repeated(&mut self) {
        // One item may be repeated many times.
        let mut texts: HashMap<usize, VisibleText> = HashMap::new();
        let is_repeated = |item: &StreamedItem<'j>| {
            let Some((slot, original)) = item.repeated.map(|slot| (slot, &self.items[slot])) else { return false };
            let Some(done) = original.done.first() else { return false };
            item.repeats(original, texts.entry(slot).or_insert_with(|| VisibleText::of(*done)))
        };
        let repeated: Vec<bool> = self.items.iter().map(is_repeated).collect();
        for slot in (0..self.items.len()).filter(|slot| repeated[*slot]) {
            let done = std::mem::take(&mut self.items[slot].done);
            if let Some(original) = self.items[slot].repeated {
                self.items[original].done.extend(done);
            }
        }
        let mut repeated = repeated.into_iter();
        self.items.retain(|_| !repeated.next().unwrap_or_default());
    }

    fn finish(&mut self, target: &Target<'j>, item: Json<'j>) {
        let key = ItemKey::of(item);
        let known = self.known(target);
        let last_open = self.last_open().filter(|slot| target.index.is_none() && self.items[*slot].fits(&key.kind));
        self.note_mixed(last_open.filter(|_| known.is_none()), target);
        let slot = match known.or(last_open) {
            Some(slot) if self.items[slot].done.is_empty() && self.items[slot].fits(&key.kind) => slot,
            Some(slot) if self.items[slot].is_done_as(&key, item) => {
                self.items[slot].done.push(item);
                return;
            }
            Some(_) | None => self.open(target.index),
        };
        self.note_id(target.id.as_deref(), slot);
        self.items[slot].done.push(item);
        self.items[slot].kind = Some(key.kind.clone());
        self.items[slot].done_key = Some(key);
    }

    /// The item that a text of this kind belongs to.
    fn slot(&mut self, target: &Target<'_>, kind: TextKind) -> usize {
        let last_open = self.last_open().filter(|_| target.index.is_none());
        let known = self.known(target);
        let slot = match known.or(last_open).filter(|slot| self.items[*slot].takes(kind)) {
            Some(slot) => {
                self.note_mixed(Some(slot).filter(|_| known.is_none()), target);
                slot
            }
            None => self.open(target.index),
        };
        self.note_id(target.id.as_deref(), slot);
        slot
    }

    /// Notes that an event without an index may belong to another item, as its id differs.
    fn note_mixed(&mut self, slot: Option<usize>, target: &Target<'_>) {
        let Some(item) = slot.map(|slot| &mut self.items[slot]) else { return };
        item.is_mixed |= item.id.is_some() && item.id.as_deref() != target.id.as_deref();
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
        while self.open.last().is_some_and(|slot| !self.items[*slot].done.is_empty()) {
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
        let texts = self.items.iter_mut().flat_map(|item| item.texts.values_mut());
        let halves: Vec<JsonError> = texts.flat_map(StreamedText::end).collect();
        for half in halves {
            self.warn_of_half(Some(half));
        }
        self.remove_repeated();
        let ends = std::mem::take(&mut self.ends);
        let mut ends: Vec<_> = ends
            .into_iter()
            .map(|(status, response)| (status, response.and_then(|response| response.object().ok())))
            .collect();
        let outputs = ends.iter_mut().filter_map(|(_, response)| response.as_mut()?.take("output"));
        let outputs = outputs.map(|output| self.output(output)).collect();
        // If there are several terminal events, use the first that is not a success.
        let counting = ends.iter().position(|(status, _)| status != "completed").unwrap_or_default();
        let (status, envelope) = match ends.into_iter().nth(counting) {
            Some((status, envelope)) => (Some(status), envelope),
            None => (None, None),
        };
        let united = unite(&self.items, TerminalOutput::new(outputs), strings);
        self.warnings.extend(united.warnings);
        let completion = self.completion(status.as_deref(), envelope.as_ref(), united.is_unfinished);
        Assembled { items: united.items, completion, envelope, warnings: self.warnings }
    }

    /// The items of a terminal event. Anything else in its `output` is reported.
    fn output(&mut self, output: Json<'j>) -> Vec<Json<'j>> {
        if output.kind() == Kind::Null {
            return Vec::new();
        }
        let items = output.array().unwrap_or_else(|error| {
            self.warn_of_output(error);
            Vec::new()
        });
        let mut objects = Vec::with_capacity(items.len());
        for (index, item) in items.into_iter().enumerate() {
            match item.kind() {
                Kind::Object => objects.push(item),
                kind => {
                    let error = item.malformed(format!("expected an object, found {kind}"));
                    self.warn_of_output(error.within_index(index));
                }
            }
        }
        objects
    }

    fn warn_of_output(&mut self, error: JsonError) {
        self.is_damaged = true;
        self.warnings.push(Warning::MalformedEvent(error.within("output")));
    }

    /// How the response ended.
    fn completion(&mut self, status: Option<&str>, envelope: Option<&Object<'j>>, is_unfinished: bool) -> Completion {
        let by_status = envelope.map_or(Completion::Complete, |response| {
            let status = response.get_str("status").or_else(|| status.map(Cow::Borrowed));
            completion_of(status.as_deref(), response)
        });
        match (self.error.take(), status) {
            (Some(error), _) => Completion::Failed(error),
            (None, Some("failed")) => {
                let error = envelope.and_then(|response| present(response, "error"));
                Completion::Failed(error.map(ApiError::decode).unwrap_or_default())
            }
            (None, None) => Completion::Truncated,
            (None, Some(_)) if by_status != Completion::Complete => by_status,
            (None, Some("incomplete")) => Completion::Incomplete(None),
            (None, Some("cancelled")) => Completion::Cancelled,
            (None, Some(_)) if self.is_damaged => Completion::Damaged,
            (None, Some(_)) if is_unfinished => Completion::Unfinished,
            (None, Some(_)) => Completion::Complete,
        }
    }
}
