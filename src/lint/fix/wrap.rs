//! Wrapping a node in a RAW block.

use super::{Fix, Key};
use crate::syntax::Node;

/// Wraps an element or a comment, with the text `before` and `after` it, in a RAW block.
pub(in crate::lint) fn wrap_in_raw(node: &Node<'_>, before: &str, after: &str, fixes: Key) -> Option<Fix> {
    let written = match node {
        Node::Element(element) => element.written.to_owned(),
        Node::Comment(comment) => format!("<!--{}-->", comment.value),
        Node::Text(_) | Node::Raw(_) => return None,
    };
    let text = [before, &written, after].concat();
    let line_break = |is_needed: bool| if is_needed { "\n" } else { "" };
    let (first, last) = (line_break(text.starts_with(['\n', '\r'])), line_break(text.ends_with('\n')));
    let replacement = format!("RAW|{first}{text}{last}|RAW");
    let span = node.span();
    let span = span.start - before.len()..span.end + after.len();
    (!text.contains("|RAW")).then_some(Fix { span, replacement, fixes })
}
