//! The syntax tree as JSON, for `chatmd parse`.

use serde::Serialize;

use super::body_kind;
use super::layout::{Piece, lay_out};
use crate::source::Span;
use crate::syntax::write::Whitespace;
use crate::syntax::{Attribute, Element, Node};

/// A node of the tree: an element, or text after the whitespace rules.
#[derive(Debug, Serialize, PartialEq)]
#[serde(untagged)]
pub enum Outline<'s> {
    /// An element with its attributes; a flag's value is null, repeated ones are all there.
    Element {
        /// Its name.
        tag: &'static str,
        /// Names and values, in order.
        attrs: Vec<(String, Option<String>)>,
        /// Its elements and texts.
        children: Vec<Outline<'s>>,
        /// The first byte and the byte after the last.
        span: [usize; 2],
    },
    /// Text; adjacent text is one node.
    Text {
        /// The text.
        text: std::borrow::Cow<'s, str>,
        /// The first byte and the byte after the last.
        span: [usize; 2],
    },
}

/// The tree of a document, comments left out and imports not expanded.
pub fn outline<'s>(nodes: &[Node<'s>], whitespace: Whitespace) -> Vec<Outline<'s>> {
    let elements = nodes.iter().filter_map(|node| match node {
        Node::Element(element) => Some(element),
        Node::Text(_) | Node::Raw(_) | Node::Comment(_) => None,
    });
    elements.map(|element| outline_element(element, whitespace)).collect()
}

fn outline_element<'s>(element: &Element<'s>, whitespace: Whitespace) -> Outline<'s> {
    let pieces = lay_out(body_kind(element.tag, &element.attributes), &element.children, whitespace);
    let children = pieces.filter_map(|piece| match piece {
        Piece::Text { text, .. } => Some(Outline::Text { text: text.value, span: offsets(text.span) }),
        Piece::Inline(element) | Piece::Literal(element) => Some(outline_element(element, whitespace)),
        Piece::Directive(_) => None,
    });
    let attribute =
        |attribute: &Attribute| (attribute.name.to_string(), attribute.value.as_ref().map(ToString::to_string));
    Outline::Element {
        tag: element.tag.name(),
        attrs: element.attributes.0.iter().map(attribute).collect(),
        children: children.collect(),
        span: offsets(element.span),
    }
}

fn offsets(span: Span) -> [usize; 2] {
    [span.start, span.end]
}
