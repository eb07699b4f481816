//! The lines that the parts of a text come from, if it was made from another text.

use std::ops::Range;

/// Where each part of a text begins, and its line, from 1, in the text that it was made from. In order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Origins(Vec<(usize, usize)>);

impl Origins {
    /// What follows from `start` on is made from `line`.
    pub(crate) fn add(&mut self, start: usize, line: usize) {
        if self.0.last().is_none_or(|(_, last)| *last != line) {
            self.0.push((start, line));
        }
    }

    /// The line that the character at an offset comes from. `None` for a text that was not made from another one.
    pub(super) fn line_at(&self, offset: usize) -> Option<usize> {
        let after = self.0.partition_point(|(start, _)| *start <= offset);
        self.0.get(after.saturating_sub(1)).map(|(_, line)| *line)
    }

    /// Forgets everything from `end` on.
    pub(crate) fn truncate(&mut self, end: usize) {
        self.0.truncate(self.0.partition_point(|(start, _)| *start < end));
    }

    /// Moves everything from `start` on to the beginning of a text of this length.
    pub(crate) fn move_to_front(&mut self, start: usize, length: usize) {
        let moved = self.0.split_off(self.0.partition_point(|(at, _)| *at < start));
        let rest = std::mem::take(&mut self.0);
        self.0 = moved.into_iter().map(|(at, line)| (at - start, line)).collect();
        self.0.extend(rest.into_iter().map(|(at, line)| (at + length - start, line)));
    }

    /// The same origins, after these ranges of the text have been replaced by texts of these lengths.
    pub(crate) fn replaced(mut self, changes: &[(Range<usize>, usize)]) -> Self {
        let (mut changes, mut removed, mut added) = (changes.iter().peekable(), 0, 0);
        for (start, _) in &mut self.0 {
            while let Some((range, length)) = changes.next_if(|(range, _)| range.end <= *start) {
                (removed, added) = (removed + range.len(), added + length);
            }
            *start = *start + added - removed;
        }
        self
    }
}
