//! Joins a document and a reply into one text.

use crate::diagnostic::Diagnostics;
use crate::document::{Block, Document, lower, placeholder, print_with, set_line_ending};
use crate::source::{Sources, Spanned};
use crate::syntax::write::{LineEnding, Whitespace};
use crate::syntax::{is_whitespace, parse};

use super::Parsed;

/// A reply in its document, whose text stays the same before the seam.
pub(super) struct Joined<'d, 's> {
    /// Where the last block before the reply starts.
    seam: usize,
    /// The text from there on.
    tail: String,
    /// The expected blocks of the tail, in order.
    blocks: Vec<&'d Block<'s>>,
    /// Whether an empty `<user>` follows the blocks.
    adds_placeholder: bool,
}

impl<'d, 's> Joined<'d, 's> {
    /// Adds a reply after a document, separated by a blank line. Returns `None` if there is nothing to add.
    ///
    /// An empty `<user>` at the end stays at the end. With `next_turn`, one is added if it is missing.
    pub(super) fn new(
        old: &str,
        document: &'d Parsed<'s>,
        reply: &'d mut Parsed<'s>,
        next_turn: bool,
        whitespace: Whitespace,
    ) -> Option<Self> {
        let existing = document.document.placeholder();
        let adds_placeholder = next_turn && existing.is_none();
        if reply.document.blocks.is_empty() && !adds_placeholder {
            return None;
        }
        let blocks = &document.document.blocks;
        let (before, after) = blocks.split_at(existing.unwrap_or(blocks.len()));
        let (_, last) = before.split_at(before.len().saturating_sub(1));
        let first = old.len() - old.trim_start_matches('\u{feff}').len();
        let seam = last.first().map_or(first, |block| block.span.start);
        let start = after.first().map_or(old.len(), |block| block.span.start);
        let (head, rest) = old[seam..].split_at(start.saturating_sub(seam));
        let line_ending = document.line_ending;
        let added = print_with(&reply.document, whitespace, line_ending);
        // From here on it is only compared with what is read back.
        set_line_ending(&mut reply.document, line_ending);
        let placeholder = if adds_placeholder { placeholder(whitespace, line_ending) } else { String::new() };
        let parts = [head, &added, rest, &placeholder].map(|part| part.trim_end_matches(is_whitespace));
        let parts: Vec<&str> = parts.into_iter().filter(|part| !part.is_empty()).collect();
        let line_break = line_ending.as_str();
        let tail = parts.join(&line_break.repeat(2)) + line_break;
        let blocks = [last, &reply.document.blocks, after].into_iter().flatten().map(|block| &block.value).collect();
        Some(Self { seam, tail, blocks, adds_placeholder })
    }

    /// The seam and the text from there on, if the reply and the blocks next to it read back unchanged.
    pub(super) fn verified(mut self, whitespace: Whitespace) -> Option<(usize, String)> {
        let (sources, mut diagnostics) = (Sources::new(), Diagnostics::new());
        let source = sources.add("", std::mem::take(&mut self.tail), None);
        let is_exact = {
            let nodes = parse(&sources, source, &mut diagnostics);
            let read = lower(&nodes, whitespace, &mut diagnostics);
            !diagnostics.has_errors() && self.is_exact(&read)
        };
        is_exact.then(|| (self.seam, sources.into_last_text()))
    }

    /// Whether these are the blocks from the seam on.
    fn is_exact(&self, read: &Document<'_>) -> bool {
        let mut read: &[Spanned<Block<'_>>] = &read.blocks;
        if self.adds_placeholder {
            match read {
                [rest @ .., Spanned { value: Block::Element(last), .. }] if last.is_placeholder() => read = rest,
                _ => return false,
            }
        }
        read.iter().map(|block| &block.value).eq(self.blocks.iter().copied())
    }
}

/// The empty message for the next turn, to be added after a document that is printed.
pub(in crate::converter) fn placeholder_after(document: &str, whitespace: Whitespace) -> String {
    let gap = if document.is_empty() { "" } else { "\n" };
    [gap, &placeholder(whitespace, LineEnding::Lf), "\n"].concat()
}
