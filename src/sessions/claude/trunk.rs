//! Which lines are the conversation, and which are on branches that were abandoned by a rewind.

use std::collections::HashMap;

use super::{Id, Line, LineRole};

/// The parent of each line; `None` for a root, or if the parent is missing.
pub(super) fn parents(lines: &[Line]) -> Vec<Option<usize>> {
    let mut by_uuid: HashMap<Id, usize> = HashMap::new();
    for (index, line) in lines.iter().enumerate() {
        if let Some(uuid) = line.uuid {
            by_uuid.entry(uuid).or_insert(index);
        }
    }
    lines.iter().map(|line| by_uuid.get(&line.parent?).copied()).collect()
}

/// Whether each line is on the trunk.
///
/// Each tree of lines has a trunk: the path from its newest message to its root. All results of calls on the trunk, all
/// lines of messages on the trunk, and all lines with a uuid on the trunk belong to it.
pub(super) fn trunk(lines: &[Line], parents: &[Option<usize>]) -> Vec<bool> {
    let roots = tops(parents, |_| true);
    let mut is_trunk = vec![false; lines.len()];
    let mut has_trunk = vec![false; lines.len()];
    let mut added: Vec<usize> = Vec::new();
    for newest in (0..lines.len()).rev().filter(|index| lines[*index].role == LineRole::Message) {
        if std::mem::replace(&mut has_trunk[roots[newest]], true) {
            continue;
        }
        let mut next = Some(newest);
        while let Some(index) = next.filter(|index| !is_trunk[*index]) {
            is_trunk[index] = true;
            added.push(index);
            next = parents[index];
        }
    }
    let mut groups = Groups::new(lines);
    while let Some(index) = added.pop() {
        for member in groups.take(&lines[index]) {
            if !std::mem::replace(&mut is_trunk[member], true) {
                added.push(member);
            }
        }
    }
    is_trunk
}

/// The topmost line above each line, without leaving the lines that are `inside`. In a circle of parents, one of them.
pub(super) fn tops(parents: &[Option<usize>], inside: impl Fn(usize) -> bool) -> Vec<usize> {
    const UNKNOWN: usize = usize::MAX;
    let mut tops = vec![UNKNOWN; parents.len()];
    for start in 0..parents.len() {
        let (mut path, mut at) = (Vec::new(), start);
        let top = loop {
            if tops[at] != UNKNOWN {
                break tops[at];
            }
            // A line that comes again in its own path ends the path.
            tops[at] = at;
            path.push(at);
            match parents[at].filter(|parent| inside(*parent)) {
                Some(parent) => at = parent,
                None => break at,
            }
        };
        for index in path {
            tops[index] = top;
        }
    }
    tops
}

/// Lines that belong together.
#[derive(Default)]
struct Groups {
    uuids: HashMap<Id, Vec<usize>>,
    messages: HashMap<Id, Vec<usize>>,
    /// The lines that hold the results of a call.
    results: HashMap<Id, Vec<usize>>,
}

impl Groups {
    fn new(lines: &[Line]) -> Self {
        let mut groups = Self::default();
        for (index, line) in lines.iter().enumerate().filter(|(_, line)| line.role == LineRole::Message) {
            if let Some(uuid) = line.uuid {
                groups.uuids.entry(uuid).or_default().push(index);
            }
            if let Some(message) = line.message {
                groups.messages.entry(message).or_default().push(index);
            }
            for call in &line.results {
                groups.results.entry(*call).or_default().push(index);
            }
        }
        groups
    }

    /// The lines that belong to a line. Each group is given once.
    fn take(&mut self, line: &Line) -> Vec<usize> {
        let uuid = line.uuid.and_then(|uuid| self.uuids.remove(&uuid));
        let message = line.message.and_then(|message| self.messages.remove(&message));
        let mut members: Vec<usize> = uuid.into_iter().chain(message).flatten().collect();
        members.extend(line.calls.iter().filter_map(|call| self.results.remove(call)).flatten());
        members
    }
}
