//! Whether a document's lines end in `\n` or in `\r\n`.

use super::body_kind;
use super::layout::BLANK;
use crate::element::BodyKind;
use crate::syntax::write::{LineEnding, Whitespace};
use crate::syntax::{Element, Node};

/// The line ending of a document: that of the first line break which is not content, or else `\n`.
///
/// Line breaks between blocks lay the document out, and in layout mode so does one directly after an opening tag or
/// directly before a closing tag. Line breaks inside a text, a comment or a declaration do not count: a reply may hold
/// other line breaks than the document around it.
pub fn line_ending(nodes: &[Node<'_>], whitespace: Whitespace) -> LineEnding {
    let first = nodes.iter().find_map(|node| match node {
        Node::Text(text) => text.value.find('\n').and_then(|at| ending(&text.value[..=at])),
        Node::Element(element) if whitespace == Whitespace::Layout => body_ending(element),
        Node::Element(_) | Node::Comment(_) | Node::Raw(_) => None,
    });
    first.unwrap_or_default()
}

/// The ending of the line break that lays out a body.
fn body_ending(element: &Element<'_>) -> Option<LineEnding> {
    if body_kind(element.tag, &element.attributes) == BodyKind::Declaration {
        return None;
    }
    let leading = element.children.first().and_then(text).and_then(|text| {
        let blank = text.len() - text.trim_start_matches([' ', '\t', '\r']).len();
        text.get(..=blank).and_then(ending)
    });
    leading.or_else(|| element.children.last().and_then(text).and_then(|text| ending(text.trim_end_matches(BLANK))))
}

fn text<'s>(node: &Node<'s>) -> Option<&'s str> {
    match node {
        Node::Text(text) => Some(text.value),
        Node::Element(_) | Node::Comment(_) | Node::Raw(_) => None,
    }
}

/// The line ending that a text ends in.
fn ending(text: &str) -> Option<LineEnding> {
    let before = text.strip_suffix('\n')?;
    Some(if before.ends_with('\r') { LineEnding::CrLf } else { LineEnding::Lf })
}
