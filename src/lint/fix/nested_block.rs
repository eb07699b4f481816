//! The fix for `nested-block`: a RAW block makes the element text.

use super::place::{Problems, SiblingNode};
use super::{Fix, wrap_in_raw};
use crate::syntax::{Node, is_blank};

pub(super) fn fix(place: SiblingNode<'_, '_>, problems: &Problems<'_>) -> Option<Fix> {
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
