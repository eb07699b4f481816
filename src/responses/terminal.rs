//! Matches the `output` of a stream's terminal event with the items of earlier events.

use std::borrow::Cow;
use std::collections::{HashMap, VecDeque};

use super::build::Texts;
use crate::json::Json;

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

/// An item of the terminal event that is the same as an earlier one.
pub(super) struct Match {
    pub(super) at: usize,
    /// Only the type suggests it.
    pub(super) is_guess: bool,
}

/// The items of the terminal event. Each can be matched once.
pub(super) struct TerminalOutput<'j> {
    items: Vec<Json<'j>>,
    is_taken: Vec<bool>,
    by_id: HashMap<Cow<'j, str>, VecDeque<usize>>,
    by_call: HashMap<(Cow<'j, str>, Cow<'j, str>), VecDeque<usize>>,
    by_kind: HashMap<Cow<'j, str>, VecDeque<usize>>,
}

impl<'j> TerminalOutput<'j> {
    pub(super) fn new(items: Vec<Json<'j>>) -> Self {
        let (mut by_id, mut by_call, mut by_kind) = (HashMap::new(), HashMap::new(), HashMap::new());
        for (at, item) in items.iter().enumerate() {
            let key = ItemKey::of(*item);
            if let Some(id) = key.id {
                by_id.entry(id).or_insert_with(VecDeque::new).push_back(at);
            }
            if let Some(call_id) = key.call_id {
                by_call.entry((key.kind.clone(), call_id)).or_insert_with(VecDeque::new).push_back(at);
            }
            by_kind.entry(key.kind).or_insert_with(VecDeque::new).push_back(at);
        }
        Self { is_taken: vec![false; items.len()], items, by_id, by_call, by_kind }
    }

    pub(super) fn items(&self) -> &[Json<'j>] {
        &self.items
    }

    /// The unmatched items with their indexes.
    pub(super) fn untaken(&self) -> impl Iterator<Item = (usize, Json<'j>)> {
        self.items.iter().copied().enumerate().filter(|(at, _)| !self.is_taken[*at])
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

    /// The next item of the same type.
    pub(super) fn take_by_kind(&mut self, key: &ItemKey<'j>) -> Option<Match> {
        let at = take_first(self.by_kind.get_mut(&key.kind), &mut self.is_taken)?;
        Some(Match { at, is_guess: true })
    }

    /// The next item of this type, if it says what arrived of an item that was never done.
    pub(super) fn take_next(&mut self, kind: &str, texts: &Texts<'_>) -> Option<Match> {
        let queue = self.by_kind.get_mut(kind)?;
        while queue.front().is_some_and(|at| self.is_taken[*at]) {
            queue.pop_front();
        }
        let at = *queue.front()?;
        says_all(self.items[at], texts).then(|| {
            self.is_taken[at] = true;
            Match { at, is_guess: true }
        })
    }
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

/// Whether an item says all of these texts.
pub(super) fn says_all(item: Json<'_>, texts: &Texts<'_>) -> bool {
    let own = without_spaces(&item_texts(item).concat());
    texts.values().all(|text| own.contains(&without_spaces(text)))
}

/// How many characters people can read in an item.
pub(super) fn text_length(item: Json<'_>) -> usize {
    item_texts(item).iter().map(|text| text.chars().count()).sum()
}

/// What people can read in an item: its arguments, its input or its code, and the texts of its parts.
fn item_texts(item: Json<'_>) -> Vec<Cow<'_, str>> {
    let members = item.object().unwrap_or_default();
    let mut texts: Vec<_> = ["arguments", "input", "code"].iter().filter_map(|key| members.get_str(key)).collect();
    let parts = ["content", "summary"].iter().filter_map(|key| members.get(key)?.array().ok()).flatten();
    for part in parts.filter_map(|part| part.object().ok()) {
        texts.extend(["text", "refusal"].iter().filter_map(|key| part.get_str(key)));
    }
    texts
}

/// A text without its whitespace, which servers add and remove.
pub(super) fn without_spaces(text: &str) -> String {
    text.split_whitespace().collect()
}
