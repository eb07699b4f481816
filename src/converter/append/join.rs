//! Joins a document and a reply into one text.

use crate::converter::Converter;
use crate::converter::own::UnexpandedDocument;
use crate::document::{Block, ItemElement, Role, placeholder, print_with};
use crate::error::RoundTripError;
use crate::syntax::write::{LineEnding, Whitespace};

impl Converter<'_> {
    /// Adds a reply after a document, separated by a blank line. Returns where the text of the document changes, and the new
    /// text from there on; `None` if there is nothing to add.
    ///
    /// An empty `<user>` at the end stays at the end. With `next_turn`, one is added if it is missing. Only the new text is
    /// read back: the reply and the blocks next to it.
    pub(super) fn join(
        &self,
        old: &UnexpandedDocument<'_>,
        reply: &UnexpandedDocument<'_>,
        next_turn: bool,
    ) -> Result<Option<(usize, String)>, RoundTripError> {
        let existing = old.document.placeholder();
        let adds_placeholder = next_turn && existing.is_none();
        if reply.document.blocks.is_empty() && !adds_placeholder {
            return Ok(None);
        }
        let (blocks, text) = (&old.document.blocks, &old.source.text);
        let end = existing.unwrap_or(blocks.len());
        let (before, after) = blocks.split_at(end);
        let last = before.last();
        let start = last.map_or(old.source.start(), |block| block.span.start);
        let (head, rest) = text[start..].split_at(old.start_of(end).saturating_sub(start));
        let added = print_with(&reply.document, self.whitespace, old.line_ending);
        let next = adds_placeholder.then(|| Block::Element(ItemElement::message(Role::User, Vec::new())));
        let next_text = next.as_ref().map(|_| placeholder(self.whitespace, old.line_ending));
        let tail = old.join(&[head, &added, rest, next_text.as_deref().unwrap_or_default()]);
        let written = last.into_iter().chain(&reply.document.blocks).chain(after).map(|block| &block.value);
        let tail = self.verified(tail, &written.chain(&next).collect::<Vec<_>>());
        let tail = tail.ok_or_else(|| RoundTripError { what: "the document with the reply".to_owned() })?;
        Ok(Some((start, tail)))
    }
}

/// The empty message for the next turn, to be added after a document that is printed.
pub(in crate::converter) fn placeholder_after(document: &str, whitespace: Whitespace) -> String {
    let gap = if document.is_empty() { "" } else { "\n" };
    [gap, &placeholder(whitespace, LineEnding::Lf), "\n"].concat()
}
