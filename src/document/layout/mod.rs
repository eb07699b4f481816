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
pub fn lay_out<'n, 's>(kind: BodyKind, body: &'n [Node<'s>], whitespace: Whitespace) -> Vec<Piece<'n, 's>> {
    let segments = segments(kind, body, whitespace);
    match whitespace {
        Whitespace::Layout => join(trim(segments)),
        Whitespace::Verbatim => join(segments),
    }
}

/// Joins adjacent texts. Literal text that became empty is dropped, an empty RAW block is not.
fn join<'n, 's>(segments: Vec<Segment<'n, 's>>) -> Vec<Piece<'n, 's>> {
    let mut pieces = Vec::with_capacity(segments.len());
    for segment in segments {
        match segment {
            Segment::Literal(text) if text.value.is_empty() => {}
            Segment::Literal(text) => push_text(&mut pieces, text),
            Segment::Raw(raw) => push_text(&mut pieces, Spanned::new(Cow::Borrowed(raw.value), raw.span)),
            Segment::Element(element, Neighbor::Literal) => pieces.push(Piece::Literal(element)),
            Segment::Element(element, _) => pieces.push(Piece::Inline(element)),
            Segment::Directive(directive) => pieces.push(Piece::Directive(directive)),
        }
    }
    pieces
}

fn push_text<'s>(pieces: &mut Vec<Piece<'_, 's>>, text: Spanned<Cow<'s, str>>) {
    match pieces.last_mut() {
        Some(Piece::Text(last)) => {
            last.value.to_mut().push_str(&text.value);
            last.span = last.span.to(text.span);
        }
        _ => pieces.push(Piece::Text(text)),
    }
}
