//! Joins a document and a reply into one text.

use std::borrow::Cow;

use crate::diagnostic::Diagnostics;
use crate::document::{Block, Document, lower, print_with};
use crate::source::{Sources, Spanned};
use crate::syntax::write::{LineEnding, Whitespace};
use crate::syntax::{is_whitespace, parse_from};

use super::Parsed;

/// A document with a reply in it.
pub(super) struct Joined<'d, 's> {
    text: String,
    /// Where the last block before the reply starts. The text before it is that of the document, which was parsed
    /// already.
    seam: usize,
    /// The expected blocks of the text from there on, in order.
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
        reply: &'d Parsed<'s>,
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
        let start = after.first().map_or(old.len(), |block| block.span.start);
        let line_ending = document.line_ending;
        let added = print_with(&reply.document, whitespace, line_ending);
        let placeholder = if adds_placeholder { placeholder(whitespace, line_ending) } else { Cow::Borrowed("") };
        let (byte_order_mark, old) = old.split_at(old.len() - old.trim_start_matches('\u{feff}').len());
        let (head, rest) = old.split_at(start.saturating_sub(byte_order_mark.len()));
        let parts = [head, &added, rest, &placeholder].map(|part| part.trim_end_matches(is_whitespace));
        let parts = parts.into_iter().filter(|part| !part.is_empty());
        let line_break = line_ending.as_str();
        let mut text = String::with_capacity(old.len() + added.len() + placeholder.len() + 64);
        text.push_str(byte_order_mark);
        for part in parts {
            if text.len() > byte_order_mark.len() {
                text.push_str(line_break);
                text.push_str(line_break);
            }
            text.push_str(part);
        }
        text.push_str(line_break);
        let (_, last) = before.split_at(before.len().saturating_sub(1));
        let seam = last.first().map_or(byte_order_mark.len(), |block| block.span.start);
        let blocks = [last, &reply.document.blocks, after].into_iter().flatten().map(|block| &block.value).collect();
        Some(Self { text, seam, blocks, adds_placeholder })
    }

    /// The text, if the reply and the blocks beside it read back as what they are.
    pub(super) fn verified(mut self, whitespace: Whitespace) -> Option<String> {
        let (sources, mut diagnostics) = (Sources::new(), Diagnostics::new());
        let source = sources.add("", std::mem::take(&mut self.text), None);
        let is_exact = {
            let nodes = parse_from(self.seam, &sources, source, &mut diagnostics);
            let read = lower(&nodes, whitespace, &mut diagnostics);
            !diagnostics.has_errors() && self.is_exact(&read)
        };
        is_exact.then(|| sources.into_last_text())
    }

    /// Whether these are the blocks from the seam on.
    fn is_exact(&self, read: &Document<'_>) -> bool {
        let mut read: &[Spanned<Block<'_>>] = &read.blocks;
        if self.adds_placeholder {
            match read {
                [rest @ .., Spanned { value: Block::Message(last), .. }] if last.is_placeholder() => read = rest,
                _ => return false,
            }
        }
        read.iter().map(|block| &block.value).eq(self.blocks.iter().copied())
    }
}

/// The empty message for the next turn, to be added after a document that is printed.
pub(in crate::converter) fn placeholder_after(document: &str, whitespace: Whitespace) -> String {
    let gap = if document.is_empty() { "" } else { "\n" };
    [gap, &placeholder(whitespace, LineEnding::Lf)].concat()
}

/// The empty message for the next turn.
fn placeholder(whitespace: Whitespace, line_ending: LineEnding) -> Cow<'static, str> {
    let line_break = line_ending.as_str();
    match whitespace {
        Whitespace::Layout => format!("<user>{line_break}{line_break}</user>{line_break}").into(),
        Whitespace::Verbatim => format!("<user></user>{line_break}").into(),
    }
}
