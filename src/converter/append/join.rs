//! Joins a document and a reply into one text.

use std::borrow::Cow;

use crate::document::{Block, Document, print_with};
use crate::source::Spanned;
use crate::syntax::is_whitespace;
use crate::syntax::write::{LineEnding, Whitespace};

use super::Parsed;

/// A document with a reply in it.
pub(super) struct Joined<'d, 's> {
    pub(super) text: String,
    /// The expected blocks of the text, in order.
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
        let parts: Vec<&str> = parts.into_iter().filter(|part| !part.is_empty()).collect();
        let line_break = line_ending.as_str();
        let text = [byte_order_mark, &parts.join(&line_break.repeat(2)), line_break].concat();
        let blocks = [before, &reply.document.blocks, after].into_iter().flatten().map(|block| &block.value).collect();
        Some(Self { text, blocks, adds_placeholder })
    }

    /// Whether the text, read back, has the blocks of the document and the reply.
    pub(super) fn is_exact(&self, read: &Document<'_>) -> bool {
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
