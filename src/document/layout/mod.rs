//! Cuts a body into text, elements and directives, and decides which of its whitespace is content.

mod segment;
mod trim;

use std::borrow::Cow;

use crate::document::Directive;
use crate::element::BodyKind;
use crate::source::Spanned;
use crate::syntax::write::Whitespace;
use crate::syntax::{Element, Node};
use segment::{Neighbor, Segment, segments};
pub(super) use trim::BLANK;
pub use trim::raw_content;
use trim::trim;

/// A piece of a body, without plain comments and without the whitespace that is layout.
#[derive(Debug, Clone, PartialEq)]
pub enum Piece<'n, 's> {
    /// Text that is sent. Adjacent literal text and RAW blocks are one text.
    Text(Spanned<Cow<'s, str>>),
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
    join(trim(segments(kind, body, whitespace), whitespace))
}

/// Joins adjacent texts. Literal text that became empty is dropped, an empty RAW block is not.
fn join<'n, 's: 'n>(segments: impl Iterator<Item = Segment<'n, 's>>) -> impl Iterator<Item = Piece<'n, 's>> {
    let mut pieces = segments
        .filter_map(|segment| match segment {
            Segment::Literal(text) if text.value.is_empty() => None,
            Segment::Literal(text) => Some(Piece::Text(text)),
            Segment::Raw(raw) => Some(Piece::Text(Spanned::new(Cow::Borrowed(raw.value), raw.span))),
            Segment::Element(element, Neighbor::Literal) => Some(Piece::Literal(element)),
            Segment::Element(element, _) => Some(Piece::Inline(element)),
            Segment::Directive(directive) => Some(Piece::Directive(directive)),
        })
        .peekable();
    std::iter::from_fn(move || {
        let mut piece = pieces.next()?;
        while let (Piece::Text(text), Some(Piece::Text(next))) = (&mut piece, pieces.peek()) {
            text.value.to_mut().push_str(&next.value);
            text.span = text.span.to(next.span);
            pieces.next();
        }
        Some(piece)
    })
}
