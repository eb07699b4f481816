//! The document and the files that it imports, as they are written.

use crate::source::{SourceId, Sources};
use crate::syntax::Node;
use crate::syntax::write::Whitespace;

/// A source and its parsed nodes.
pub(super) struct SourceText<'s> {
    pub(super) id: SourceId,
    pub(super) text: &'s str,
    pub(super) nodes: &'s [Node<'s>],
    pub(super) whitespace: Whitespace,
    pub(super) sources: &'s Sources,
    /// Whether ochat has to read the document, too.
    pub(super) is_portable: bool,
}

/// Whether nodes are of a whole document, and not of a file that is imported into a body.
pub(super) fn has_blocks(nodes: &[Node<'_>]) -> bool {
    nodes.iter().any(|node| matches!(node, Node::Element(element) if !element.tag.is_inline()))
}

/// Calls `visit` with every node, in order. An element comes before the nodes in it.
pub(super) fn each_node<'n, 's>(nodes: &'n [Node<'s>], visit: &mut impl FnMut(&'n Node<'s>)) {
    for node in nodes {
        visit(node);
        if let Node::Element(element) = node {
            each_node(&element.children, visit);
        }
    }
}
