//! Matches the `output` of a stream's terminal events with the items of earlier events.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet, VecDeque};
use std::hash::Hash;

use super::streamed_item::StreamedItem;
use super::version::{ItemKey, Searches, Version};

/// How many terminal items of its type an item is compared with.
const MAX_COMPARED: usize = 8;

/// The items of all terminal events, each with its versions. An item that an earlier event has too, by its id, is another
/// version of it.
pub(super) fn terminal_items<'j>(outputs: Vec<Vec<Version<'j>>>) -> Vec<Vec<Version<'j>>> {
    let mut items: Vec<Vec<Version<'j>>> = Vec::new();
    let mut by_id: HashMap<Cow<'j, str>, usize> = HashMap::new();
    let mut seen: HashSet<&'j str> = HashSet::new();
    for output in outputs {
        let earlier = items.len();
        let known = std::mem::take(&mut seen);
        for version in output {
            seen.insert(version.json.raw());
            let same = version.key.id.as_ref().and_then(|id| by_id.get(id)).filter(|at| **at < earlier);
            if let Some(at) = same {
                items[*at].push(version);
            } else if !known.contains(version.json.raw()) {
                by_id.extend(version.key.id.clone().map(|id| (id, items.len())));
                items.push(vec![version]);
            }
        }
        seen.extend(known);
    }
    items
}

/// The terminal item of each streamed item: by its id, else by its call, else by its type and its text.
pub(super) fn match_items(items: &[StreamedItem<'_>], terminal: &[Vec<Version<'_>>]) -> Vec<Option<usize>> {
    let mut order: Vec<usize> = (0..items.len()).collect();
    order.sort_by_key(|slot| (!items[*slot].is_done(), items[*slot].index));
    let (is_taken, matched) = (vec![false; terminal.len()], vec![None; items.len()]);
    let mut search = Matcher { items, terminal, order, is_taken, matched };
    search.by_key(|key| key.id.clone(), StreamedItem::id);
    search.by_key(|key| Some((key.kind.clone(), key.call_id.clone()?)), StreamedItem::call);
    search.by_text();
    search.matched
}

/// A terminal item that is compared with items of earlier events.
pub(super) struct Terminal<'m, 'j> {
    pub(super) version: &'m Version<'j>,
    /// All its text, without whitespace.
    pub(super) visible: String,
    pub(super) searches: Searches,
}

impl<'m, 'j> Terminal<'m, 'j> {
    fn of(version: &'m Version<'j>) -> Self {
        Self { version, visible: version.visible(), searches: Searches::of(version.json.raw().len()) }
    }
}

struct Matcher<'m, 'j> {
    items: &'m [StreamedItem<'j>],
    terminal: &'m [Vec<Version<'j>>],
    /// The items, finished items first.
    order: Vec<usize>,
    is_taken: Vec<bool>,
    matched: Vec<Option<usize>>,
}

impl<'m, 'j> Matcher<'m, 'j> {
    fn by_key<K: Hash + Eq>(
        &mut self,
        terminal_key: impl Fn(&'m ItemKey<'j>) -> Option<K>,
        item_key: impl Fn(&'m StreamedItem<'j>) -> Option<K>,
    ) {
        let mut queues = self.queues(terminal_key);
        for slot in self.order.clone() {
            let queue = item_key(&self.items[slot]).and_then(|key| queues.get_mut(&key));
            if let Some(at) = queue.filter(|_| self.matched[slot].is_none()).and_then(VecDeque::pop_front) {
                self.take(slot, at);
            }
        }
    }

    /// An item with the same text comes before an item that only can be the same.
    fn by_text(&mut self) {
        let mut queues = self.queues(|key| Some(key.kind.as_ref()));
        let mut read: HashMap<usize, Terminal<'m, 'j>> = HashMap::new();
        for slot in self.order.clone() {
            let item = &self.items[slot];
            let Some(queue) = queues.get_mut(item.kind()).filter(|_| self.matched[slot].is_none()) else { continue };
            let terminal = self.terminal;
            let mut find = |is_match: &dyn Fn(&mut Terminal<'m, 'j>) -> bool| {
                let mut near = queue.iter().take(MAX_COMPARED);
                near.position(|at| is_match(read.entry(*at).or_insert_with(|| Terminal::of(&terminal[*at][0]))))
            };
            let same = find(&|terminal| item.is_equal(terminal));
            let place = same.or_else(|| find(&|terminal| item.can_be(terminal)));
            if let Some(at) = place.and_then(|place| queue.remove(place)) {
                self.take(slot, at);
            }
        }
    }

    /// The terminal items that are not matched yet, by a key.
    fn queues<K: Hash + Eq>(&self, key: impl Fn(&'m ItemKey<'j>) -> Option<K>) -> HashMap<K, VecDeque<usize>> {
        let mut queues: HashMap<K, VecDeque<usize>> = HashMap::new();
        for (at, versions) in self.terminal.iter().enumerate().filter(|(at, _)| !self.is_taken[*at]) {
            if let Some(key) = key(&versions[0].key) {
                queues.entry(key).or_default().push_back(at);
            }
        }
        queues
    }

    fn take(&mut self, slot: usize, at: usize) {
        self.matched[slot] = Some(at);
        self.is_taken[at] = true;
    }
}
