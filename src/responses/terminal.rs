//! Matches the `output` of a stream's terminal events with the items of earlier events.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet, VecDeque};

use super::build::Texts;
use super::version::{VisibleText, is_compatible, without_spaces};
use crate::json::Json;

/// How many terminal items of its type an item is compared with.
const MAX_COMPARED: usize = 8;

/// The keys that identify an item.
#[derive(Debug, Clone)]
pub(super) struct ItemKey<'j> {
    pub(super) kind: Cow<'j, str>,
    pub(super) id: Option<Cow<'j, str>>,
    call_id: Option<Cow<'j, str>>,
}

impl<'j> ItemKey<'j> {
    pub(super) fn of(item: Json<'j>) -> Self {
        let [kind, id, call_id] = item.pick(["type", "id", "call_id"]).unwrap_or_default();
        let string = |json: Option<Json<'j>>| json?.as_str().ok();
        let is_there = |id: &Cow<'j, str>| !id.is_empty();
        Self {
            kind: string(kind).unwrap_or_default(),
            id: string(id).filter(is_there),
            call_id: string(call_id).filter(is_there),
        }
    }
}

impl ItemKey<'_> {
    /// Whether both are of one type, and neither names another call.
    pub(super) fn is_same_call(&self, other: &Self) -> bool {
        let is_same = |one: &Option<_>, other: &Option<_>| one.is_none() || other.is_none() || one == other;
        self.kind == other.kind && is_same(&self.call_id, &other.call_id)
    }
}

/// An item of the terminal event that is the same as an earlier one.
pub(super) struct Match {
    pub(super) at: usize,
    /// Only the type and the text suggest it.
    pub(super) is_guess: bool,
}

/// The items of the terminal events. Each can be matched once.
pub(super) struct TerminalOutput<'j> {
    /// The versions of each item. There is more than one only if there are several terminal events.
    items: Vec<Vec<Json<'j>>>,
    is_taken: Vec<bool>,
    visible: Vec<Option<VisibleText>>,
    by_id: HashMap<Cow<'j, str>, VecDeque<usize>>,
    by_call: HashMap<(Cow<'j, str>, Cow<'j, str>), VecDeque<usize>>,
    /// The unmatched items of each type.
    by_kind: HashMap<Cow<'j, str>, VecDeque<usize>>,
}

impl<'j> TerminalOutput<'j> {
    /// The items of each terminal event. An item that an earlier one has too, by its id, is another version of it.
    pub(super) fn new(outputs: Vec<Vec<Json<'j>>>) -> Self {
        let mut items: Vec<Vec<Json<'j>>> = Vec::new();
        let mut by_id: HashMap<Cow<'j, str>, VecDeque<usize>> = HashMap::new();
        let mut by_call = HashMap::new();
        let mut seen: HashSet<&'j str> = HashSet::new();
        for output in outputs {
            let earlier = items.len();
            let known = std::mem::take(&mut seen);
            for item in output {
                seen.insert(item.raw());
                let key = ItemKey::of(item);
                let queue = key.id.as_ref().and_then(|id| by_id.get(id)).and_then(VecDeque::front);
                match queue.filter(|at| **at < earlier) {
                    Some(at) => items[*at].push(item),
                    None if known.contains(item.raw()) => {}
                    None => {
                        let at = items.len();
                        items.push(vec![item]);
                        if let Some(id) = key.id {
                            by_id.entry(id).or_default().push_back(at);
                        }
                        if let Some(call_id) = key.call_id {
                            by_call.entry((key.kind, call_id)).or_insert_with(VecDeque::new).push_back(at);
                        }
                    }
                }
            }
            seen.extend(known);
        }
        let visible = items.iter().map(|_| None).collect();
        Self { is_taken: vec![false; items.len()], items, visible, by_id, by_call, by_kind: HashMap::new() }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// The versions of an item.
    pub(super) fn versions(&self, at: usize) -> &[Json<'j>] {
        &self.items[at]
    }

    /// The unmatched items with their indexes.
    pub(super) fn untaken(&self) -> impl Iterator<Item = (usize, &[Json<'j>])> {
        self.items.iter().enumerate().filter(|(at, _)| !self.is_taken[*at]).map(|(at, item)| (at, item.as_slice()))
    }

    pub(super) fn take_by_id(&mut self, id: &str) -> Option<Match> {
        let at = take_first(self.by_id.get_mut(id), &mut self.is_taken)?;
        Some(Match { at, is_guess: false })
    }

    pub(super) fn take_by_call(&mut self, key: &ItemKey<'j>) -> Option<Match> {
        let call = (key.kind.clone(), key.call_id.clone()?);
        let at = take_first(self.by_call.get_mut(&call), &mut self.is_taken)?;
        Some(Match { at, is_guess: false })
    }

    /// Sorts the items that no id identifies by their types.
    pub(super) fn index_kinds(&mut self) {
        let untaken = self.items.iter().enumerate().filter(|(at, _)| !self.is_taken[*at]);
        for (at, item) in untaken {
            if let Some(item) = item.first() {
                self.by_kind.entry(ItemKey::of(*item).kind).or_default().push_back(at);
            }
        }
    }

    /// One of the next items of the same type, if it can be a version of this one. One with the same text comes first.
    pub(super) fn take_compatible(&mut self, kind: &str, item: Json<'_>) -> Option<Match> {
        let mut visible = None;
        self.take_near(kind, |terminal, terminal_text| {
            let visible = visible.get_or_insert_with(|| VisibleText::of(item));
            match is_compatible(item, visible, terminal, terminal_text) {
                true if visible.is_equal(terminal_text) => Likeness::Same,
                true => Likeness::Possible,
                false => Likeness::Other,
            }
        })
    }

    /// One of the next items of this type, if it contains the text received for an unfinished item.
    pub(super) fn take_containing(&mut self, kind: &str, texts: &Texts<'_>) -> Option<Match> {
        let mut words: Option<Vec<String>> = None;
        self.take_near(kind, |_, visible| {
            let words = words.get_or_insert_with(|| texts.values().map(|text| without_spaces(text)).collect());
            if words.iter().all(|text| visible.contains(text)) { Likeness::Same } else { Likeness::Other }
        })
    }

    fn take_near(
        &mut self,
        kind: &str,
        mut compare: impl FnMut(Json<'j>, &mut VisibleText) -> Likeness,
    ) -> Option<Match> {
        let queue = self.by_kind.get_mut(kind)?;
        let mut possible = None;
        let mut same = None;
        for (place, at) in queue.iter().take(MAX_COMPARED).enumerate() {
            let item = self.items[*at].first().copied().unwrap_or(Json::NULL);
            match compare(item, self.visible[*at].get_or_insert_with(|| VisibleText::of(item))) {
                Likeness::Same => {
                    same = Some(place);
                    break;
                }
                Likeness::Possible => possible = possible.or(Some(place)),
                Likeness::Other => {}
            }
        }
        let at = queue.remove(same.or(possible)?)?;
        self.is_taken[at] = true;
        Some(Match { at, is_guess: true })
    }
}

/// Whether two items are versions of one.
enum Likeness {
    Same,
    Possible,
    Other,
}

fn take_first(queue: Option<&mut VecDeque<usize>>, is_taken: &mut [bool]) -> Option<usize> {
    let queue = queue?;
    while let Some(at) = queue.pop_front() {
        if !std::mem::replace(&mut is_taken[at], true) {
            return Some(at);
        }
    }
    None
}
