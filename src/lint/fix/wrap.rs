//! Tags and comments that are meant as text, into RAW blocks.

use super::place::{Body, Place, Problems};
use super::{Fix, Key};
use crate::diagnostic::{Lint, Problem};
use crate::lint::code::{Form, brings_text};
use crate::source::Span;
use crate::syntax::{Node, is_whitespace};

/// An element that is text where it stands.
pub(super) fn nested(place: Place<'_, '_>, problems: &Problems<'_>) -> Option<Fix> {
    let start = place.node().span().start;
    let mends = problems.at(start, |problem| matches!(problem, Problem::NestedBlock(_)))?;
    // Whitespace that stands alone beside it would be layout next to a RAW block.
    let blank = |node: Option<&Node<'_>>| match node {
        Some(Node::Text(text)) if text.value.trim_matches(is_whitespace).is_empty() => Some(text.value.to_owned()),
        _ => None,
    };
    let before = blank(place.before()).unwrap_or_default();
    let before = before.split_once('\n').map_or(before.as_str(), |(_, kept)| kept);
    let behind = blank(place.behind()).unwrap_or_default();
    let behind = behind.rsplit_once('\n').map_or(behind.as_str(), |(kept, _)| kept.trim_end_matches('\r'));
    wrapped(place.node(), before, behind, mends)
}

/// A tag or a comment that is shown as code: between backquotes, or a comment in a fenced block. An image there may be a
/// part that a program has put between two texts, and what brings a text may be there for that text.
pub(super) fn in_code(place: Place<'_, '_>, body: &Body, problems: &Problems<'_>) -> Option<Fix> {
    let node = place.node();
    let is_in_code = |problem: &Problem| matches!(problem, Problem::Lint(Lint::TagInCode(_) | Lint::CommentInCode));
    let mends = problems.at(node.span().start, is_in_code)?;
    let is_quoted =
        place.is_behind(&['`']) || matches!(place.behind(), Some(Node::Text(text)) if text.value.starts_with('`'));
    let brings_text = matches!(node, Node::Element(element) if brings_text(element));
    let is_fenced = matches!(node, Node::Comment(_)) && body.code.holds(node.span(), Form::Fence);
    if is_quoted && !brings_text || is_fenced { wrapped(node, "", "", mends) } else { None }
}

/// A node in a RAW block, together with some text beside it.
fn wrapped(node: &Node<'_>, before: &str, behind: &str, mends: Key) -> Option<Fix> {
    let span = node.span();
    let written = match node {
        Node::Element(element) => element.written.to_owned(),
        Node::Comment(comment) => format!("<!--{}-->", comment.value),
        Node::Text(_) | Node::Raw(_) => return None,
    };
    let text = [before, &written, behind].concat();
    let edge = |is_edge: bool| if is_edge { "\n" } else { "" };
    let replacement = format!("RAW|{}{text}{}|RAW", edge(text.starts_with(['\n', '\r'])), edge(text.ends_with('\n')));
    let span = Span::new(span.source, span.start - before.len()..span.end + behind.len());
    (!text.contains("|RAW")).then_some(Fix { span, replacement, mends })
}
