//! A text as a person or a program reads it: escapes are decoded and invisible characters are left out.
//!
//! A secret in a tool output often follows the end of an escape: `\u001b[32mghp_…`, `\nghp_…` or `%20ghp_…`.

use std::ops::Range;

use super::escape::escape;

/// How many bytes are scanned together.
const BLOCK: usize = 128;
/// How many bytes are looked at one by one before that.
const NEAR: usize = 8;

/// A decoded text, with a map to the places where its characters are written.
pub(super) struct View {
    pub(super) text: String,
    /// Where the text continues after the start or the end of an escape: its offset, and the offset in the source.
    breaks: Vec<(usize, usize)>,
}

impl View {
    /// `None` for a text that is written without escapes.
    pub(super) fn of(source: &str) -> Option<Self> {
        let mut view = Self { text: String::new(), breaks: Vec::new() };
        let (mut at, mut copied) = (0, 0);
        while let Some(next) = next_candidate(source.as_bytes(), at) {
            at = next;
            let rest = &source[at..];
            match escape(rest) {
                Some((decoded, length)) => {
                    view.text.push_str(&source[copied..at]);
                    view.breaks.push((view.text.len(), at));
                    view.text.extend(decoded);
                    at += length;
                    copied = at;
                    view.breaks.push((view.text.len(), at));
                }
                None => at += rest.chars().next().map_or(1, char::len_utf8),
            }
        }
        view.text.push_str(&source[copied..]);
        (copied > 0).then_some(view)
    }

    /// Where a range of the text is written.
    pub(super) fn place(&self, range: Range<usize>) -> Range<usize> {
        let offset = |at: usize, breaks: usize| match breaks.checked_sub(1).map(|last| self.breaks[last]) {
            Some((text, source)) => source + (at - text),
            None => at,
        };
        let start = offset(range.start, self.breaks.partition_point(|(at, _)| *at <= range.start));
        // What is left out after the range is not part of it.
        let next = self.breaks.partition_point(|(at, _)| *at < range.end);
        let end = match self.breaks.get(next) {
            Some((at, source)) if *at == range.end => *source,
            Some(_) | None => offset(range.end, next),
        };
        start..end
    }

    /// Whether an escape starts or ends at an offset of the text.
    pub(super) fn is_break(&self, offset: usize) -> bool {
        self.breaks.binary_search_by_key(&offset, |(at, _)| *at).is_ok()
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
