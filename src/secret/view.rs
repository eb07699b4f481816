//! A text as a person or a program reads it: escapes are decoded, invisible characters are left out, and pieces that RAW blocks and
//! comments divide are joined.
//!
//! A secret in a tool output often follows the end of an escape: `\u001b[32mghp_…`, `\nghp_…` or `%20ghp_…`.

use std::ops::Range;

use super::escape::escape;
use super::secrets;

/// How many bytes are scanned together.
const BLOCK: usize = 128;
/// How many bytes are looked at one by one before that.
const NEAR: usize = 8;

/// A text that is put together, with a map to the places where its pieces are written.
#[derive(Default)]
pub(crate) struct View {
    pub(super) text: String,
    /// Where each piece is in the text, and where it is written. An escape is a piece of its own.
    pieces: Vec<(Range<usize>, Range<usize>)>,
}

impl View {
    /// A text with its escapes decoded. `None` for a text that is written without escapes.
    pub(super) fn of(source: &str) -> Option<Self> {
        let mut view = Self::default();
        let (mut at, mut copied) = (0, 0);
        while let Some(next) = next_candidate(source.as_bytes(), at) {
            at = next;
            let rest = &source[at..];
            match escape(rest) {
                Some((decoded, length)) => {
                    view.add(source, copied..at);
                    let start = view.text.len();
                    view.text.extend(decoded);
                    view.pieces.push((start..view.text.len(), at..at + length));
                    at += length;
                    copied = at;
                }
                None => at += rest.chars().next().map_or(1, char::len_utf8),
            }
        }
        view.add(source, copied..source.len());
        (copied > 0).then_some(view)
    }

    /// Adds a range of the source as it is written.
    pub(crate) fn add(&mut self, source: &str, range: Range<usize>) {
        if !range.is_empty() {
            let start = self.text.len();
            self.text.push_str(&source[range.clone()]);
            self.pieces.push((start..self.text.len(), range));
        }
    }

    /// Ends a piece that nothing is joined to, such as the text before an element.
    pub(crate) fn separate(&mut self) {
        self.text.push('\n');
    }

    /// The secrets of the text: their kinds, with an article, and where their pieces are written.
    pub(crate) fn secrets(&self) -> impl Iterator<Item = (&'static str, Vec<Range<usize>>)> {
        secrets(&self.text).into_iter().map(|(range, what)| (what, self.pieces(range).collect()))
    }

    /// Where a range of the text is written. What is left out after the range is not part of it.
    pub(super) fn place(&self, range: Range<usize>) -> Range<usize> {
        let mut pieces = self.pieces(range);
        let first = pieces.next().unwrap_or_default();
        first.start..pieces.last().map_or(first.end, |last| last.end)
    }

    /// Where the pieces of a range of the text are written.
    fn pieces(&self, range: Range<usize>) -> impl Iterator<Item = Range<usize>> {
        let first = self.pieces.partition_point(|(text, _)| text.start <= range.start).saturating_sub(1);
        self.pieces[first..].iter().take_while(move |(text, _)| text.start < range.end).map(move |(text, source)| {
            if text.len() != source.len() {
                return source.clone();
            }
            let start = source.start + range.start.saturating_sub(text.start);
            start..source.end.min(source.start + (range.end - text.start))
        })
    }

    /// Whether an escape starts or ends at an offset of the text.
    pub(super) fn is_break(&self, offset: usize) -> bool {
        self.pieces.binary_search_by_key(&offset, |(text, _)| text.start).is_ok()
    }
}

/// The next byte at or after `from` that may start an escape. It is searched for in blocks, so that no text is searched
/// again for every escape in it.
fn next_candidate(bytes: &[u8], from: usize) -> Option<usize> {
    // Where there are many escapes, the next one is near.
    if let Some(at) = bytes.get(from..)?.iter().take(NEAR).position(|byte| may_escape(*byte)) {
        return Some(from + at);
    }
    bytes.get(from..)?.chunks(BLOCK).enumerate().find_map(|(index, block)| {
        let sign = memchr::memchr3(b'\\', b'%', b'&', block);
        let before = &block[..sign.unwrap_or(block.len())];
        let is_plain = before.is_ascii() && memchr::memchr(b'\x1b', before).is_none();
        let next = if is_plain { sign } else { block.iter().position(|byte| may_escape(*byte)) };
        Some(from + index * BLOCK + next?)
    })
}

/// Whether a byte may start an escape or an invisible character.
fn may_escape(byte: u8) -> bool {
    matches!(byte, b'\\' | b'%' | b'&' | b'\x1b') || !byte.is_ascii()
}

#[cfg(test)]
#[path = "../../tests/unit/secret_view.rs"]
mod tests;
