//! RAW blocks around elements and comments.

use super::place::{Problems, SiblingNode};
use super::{Fix, Key};
use crate::syntax::{Node, is_blank};

/// The fix for `nested-block`: a RAW block makes the element text.
pub(super) fn nested_block(place: SiblingNode<'_, '_>, problems: &Problems) -> Option<Fix> {
    let fixes = problems.at(place.node().span().start, &["nested-block"])?;
    // Whitespace alone next to a RAW block would be layout, so it goes into the block.
    let before = blank(place.before());
    let before = before.split_once('\n').map_or(before, |(_, kept)| kept);
    let after = blank(place.after());
    let after = after.rsplit_once('\n').map_or(after, |(kept, _)| kept.trim_end_matches('\r'));
    wrap_in_raw(place.node(), before, after, fixes)
}

/// The text of a node that is only whitespace; empty for any other node.
fn blank<'s>(node: Option<&Node<'s>>) -> &'s str {
    match node {
        Some(Node::Text(text)) if is_blank(text.value) => text.value,
        Some(Node::Text(_) | Node::Raw(_) | Node::Element(_) | Node::Comment(_)) | None => "",
    }
}

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
