//! Matches the items of a stream's terminal event with those of earlier events.

use std::collections::{HashMap, VecDeque};

use super::streamed_item::StreamedItem;
use super::version::{ItemKey, Version};

/// How many terminal items of its type an item is compared with.
const MAX_COMPARED: usize = 8;

/// A member of the key of an item.
type Key = fn(&ItemKey<'_>) -> Option<(String, String)>;

/// What is compared of two items, the most reliable first.
const KEYS: [Key; 3] = [
    |key| Some((key.id.as_ref()?.to_string(), String::new())),
    |key| Some((key.kind.to_string(), key.call_id.as_ref()?.to_string())),
    |key| Some((key.kind.to_string(), String::new())),
];

/// The earlier item of each terminal item: by its id, else by its call, else by its type and its text. Finished items come
/// before others.
pub(super) fn match_items(items: &[StreamedItem<'_>], output: &[Version<'_>]) -> Vec<Option<usize>> {
    let mut rest: Vec<usize> = (0..items.len()).collect();
    rest.sort_by_key(|slot| (!items[*slot].is_done(), items[*slot].index));
    let mut matched = vec![None; output.len()];
    for (step, key) in KEYS.iter().enumerate() {
        let is_exact = step + 1 < KEYS.len();
        let mut queues: HashMap<_, VecDeque<usize>> = HashMap::new();
        for (at, version) in output.iter().enumerate().filter(|(at, _)| matched[*at].is_none()) {
            if let Some(key) = key(&version.key) {
                queues.entry(key).or_default().push_back(at);
            }
        }
        rest.retain(|slot| {
            let known = &items[*slot].versions[0];
            let Some(queue) = key(&known.key).and_then(|key| queues.get_mut(&key)) else { return true };
            let place = if is_exact { Some(0) } else { most_similar(known, queue, output) };
            let at = place.and_then(|place| queue.remove(place));
            if let Some(at) = at {
                matched[at] = Some(*slot);
            }
            at.is_none()
        });
    }
    matched
}

/// The place of the terminal item with the same text, else of one that can be the same.
fn most_similar(known: &Version<'_>, queue: &VecDeque<usize>, output: &[Version<'_>]) -> Option<usize> {
    let near = || queue.iter().take(MAX_COMPARED).map(|at| &output[*at]);
    let is_equal = |version: &Version<'_>| known.visible() == version.visible() && known.is_compatible(version);
    near().position(is_equal).or_else(|| near().position(|version| known.is_compatible(version)))
}
