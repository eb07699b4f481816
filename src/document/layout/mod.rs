//! Cuts a body into text, elements and directives, and decides which of its whitespace is content.

mod separate;
mod trim;

use std::borrow::Cow;

use crate::document::{Directive, has_part_nodes};
use crate::element::BodyKind;
use crate::source::Spanned;
use crate::syntax::write::Whitespace;
use crate::syntax::{Element, Node};
use separate::separate;
pub(super) use trim::BLANK;
pub use trim::raw_content;
use trim::trim;

/// A piece of a body, without plain comments and without the whitespace that is layout.
#[derive(Debug, Clone, PartialEq)]
pub enum Piece<'n, 's> {
    /// Text that is sent. Adjacent literal text and RAW blocks are one text.
    Text {
        /// The text.
        text: Spanned<Cow<'s, str>>,
        /// Whether the text begins with a RAW block.
        is_raw: bool,
    },
    /// An element that is more than text in this body.
    Inline(&'n Element<'s>),
    /// An element that is text in this body, as it is written.
    Literal(&'n Element<'s>),
    /// A comment with metadata.
    Directive(Spanned<Directive<'s>>),
}

/// Cuts a body into its pieces.
pub fn lay_out<'n, 's>(
    kind: BodyKind,
    body: &'n [Node<'s>],
    whitespace: Whitespace,
) -> impl Iterator<Item = Piece<'n, 's>> + use<'n, 's> {
    let joins = match kind {
        BodyKind::Text | BodyKind::Void => true,
        BodyKind::Response => !has_part_nodes(body),
        BodyKind::Message | BodyKind::Reasoning | BodyKind::Declaration => false,
    };
    join(trim(separate(kind, body, whitespace), joins, whitespace))
}

/// Joins adjacent texts. Literal text that became empty is dropped, an empty RAW block is not.
fn join<'n, 's: 'n>(pieces: impl Iterator<Item = Piece<'n, 's>>) -> impl Iterator<Item = Piece<'n, 's>> {
    let is_empty =
        |piece: &Piece<'_, '_>| matches!(piece, Piece::Text { text, is_raw: false } if text.value.is_empty());
    let mut pieces = pieces.filter(move |piece| !is_empty(piece)).peekable();
    std::iter::from_fn(move || {
        let mut piece = pieces.next()?;
        while let (Piece::Text { text, .. }, Some(Piece::Text { text: next, .. })) = (&mut piece, pieces.peek()) {
            text.value.to_mut().push_str(&next.value);
            text.span = text.span.to(next.span);
            pieces.next();
        }
        Some(piece)
    })
}
