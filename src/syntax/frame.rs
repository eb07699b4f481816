//! The nodes of an element that is still open, and the tags among them that may or may not be closed.

use super::{Element, Node};
use crate::element::Tag;

/// The content of an open element, or of the document.
///
/// `<img …>`, `<doc …>` and `<import …>` are not open elements: most are never closed. Each is pushed as an element
/// without content, and takes the nodes after it if its closing tag comes.
#[derive(Default)]
pub(super) struct Frame<'s> {
    pub(super) nodes: Vec<Node<'s>>,
    unclosed: Vec<Unclosed>,
    /// How many of `unclosed` have each of these tags, so that a closing tag without an opening one is not searched for.
    counts: Vec<(Tag, usize)>,
    /// How deep the elements before the first unclosed tag are nested.
    height: usize,
}

/// A tag that is not closed yet.
struct Unclosed {
    tag: Tag,
    /// The place of its element among the nodes.
    index: usize,
    /// How deep the elements between it and the next unclosed tag are nested.
    height: usize,
}

impl<'s> Frame<'s> {
    /// Adds a node that holds elements nested this deep: 0 for text, 1 for an element without elements in it.
    pub(super) fn push(&mut self, node: Node<'s>, height: usize) {
        if self.nodes.is_empty() {
            // Most elements have one child, so memory for more is not reserved.
            self.nodes.reserve_exact(1);
        }
        self.nodes.push(node);
        self.raise(height);
    }

    fn raise(&mut self, height: usize) {
        let highest = self.unclosed.last_mut().map_or(&mut self.height, |unclosed| &mut unclosed.height);
        *highest = height.max(*highest);
    }

    /// Adds an element that may be closed later.
    pub(super) fn push_unclosed(&mut self, element: Element<'s>) {
        let (tag, index) = (element.tag, self.nodes.len());
        self.push(Node::Element(element), 1);
        self.unclosed.push(Unclosed { tag, index, height: 0 });
        *self.count(tag) += 1;
    }

    /// Whether no closing tag can take its nodes.
    pub(super) fn is_complete(&self) -> bool {
        self.unclosed.is_empty()
    }

    /// Whether a tag of this name is not closed yet.
    pub(super) fn has_unclosed(&mut self, tag: Tag) -> bool {
        *self.count(tag) > 0
    }

    /// How deep the elements in it are nested.
    pub(super) fn height(&self) -> usize {
        self.unclosed.iter().map(|unclosed| unclosed.height).max().unwrap_or_default().max(self.height)
    }

    /// Closes the nearest unclosed tag of this name: gives it the nodes after it. `None` if elements would be nested
    /// deeper than this. Then it stays without content, like the unclosed tags after it.
    pub(super) fn close(&mut self, tag: Tag, max_height: usize) -> Option<(Element<'s>, usize)> {
        let (mut height, mut index) = (0, None);
        while index.is_none()
            && let Some(last) = self.unclosed.pop()
        {
            height = height.max(last.height);
            *self.count(last.tag) -= 1;
            if last.tag == tag {
                index = Some(last.index);
            } else {
                height = height.max(1);
            }
        }
        if height < max_height {
            let children = self.nodes.split_off(index? + 1);
            let Some(Node::Element(mut element)) = self.nodes.pop() else { return None };
            element.children = children;
            return Some((element, height + 1));
        }
        self.raise(height);
        None
    }

    fn count(&mut self, tag: Tag) -> &mut usize {
        let known = self.counts.iter().position(|(name, _)| *name == tag);
        let at = known.unwrap_or_else(|| {
            self.counts.push((tag, 0));
            self.counts.len() - 1
        });
        &mut self.counts[at].1
    }
}
