//! The fix for `unclosed-element` and `mismatched-tag`, where a tag without a body was never closed.

use super::place::{Body, Place, Problems};
use super::{Fix, Key};
use crate::element::Tag;
use crate::source::Span;
use crate::syntax::{Element, Node, is_whitespace};

/// The problem that the tag of an element, or of an element inside it, is never closed.
pub(super) fn problem_in(element: &Element<'_>, problems: &Problems<'_>) -> Option<Key> {
    let rules = ["mismatched-tag", "unclosed-element"];
    let own = problems.at(element.span.start, &rules).filter(|_| is_unclosed_void(element));
    own.or_else(|| {
        element.children.iter().find_map(|node| match node {
            Node::Element(child) => problem_in(child, problems),
            Node::Text(_) | Node::Raw(_) | Node::Comment(_) => None,
        })
    })
}

/// Closes a declaration or an import that is alone on its line.
pub(super) fn at_top_level(element: &Element<'_>, body: &Body) -> Option<Fix> {
    let rest = &element.written[element.opening.end - element.opening.start..];
    let is_alone = rest.lines().next().unwrap_or_default().trim_matches(is_whitespace).is_empty();
    let is_allowed = matches!(element.tag, Tag::Config | Tag::Tool | Tag::Import);
    if is_alone && is_allowed { close(element, body) } else { None }
}

/// Closes a part of a message or an output. The tag of a block is text there, and is wrapped in a RAW block.
pub(super) fn in_body(place: Place<'_, '_>, body: &Body) -> Option<Fix> {
    let Node::Element(element) = place.node() else { return None };
    if !element.tag.is_inline() {
        let fixes = body.unclosed.filter(|_| is_unclosed_void(element))?;
        let tag = &element.written[..element.opening.end - element.opening.start];
        return Some(Fix { span: element.opening, replacement: format!("RAW|{tag}|RAW"), fixes });
    }
    // A tag that is text, Markdown code or part of another language may be right as it is.
    let is_foreign = has_foreign_attributes(element) || place.follows(&['"', '\'', '\\', '=', '(']);
    if body.takes_parts() && !is_foreign && !body.code.contains(element.opening) { close(element, body) } else { None }
}

fn close(element: &Element<'_>, body: &Body) -> Option<Fix> {
    let fixes = body.unclosed.filter(|_| is_unclosed_void(element))?;
    let span = Span::new(element.span.source, element.opening.end - 1..element.opening.end);
    Some(Fix { span, replacement: "/>".to_owned(), fixes })
}

/// Whether a tag has attributes of another language, such as HTML.
fn has_foreign_attributes(element: &Element<'_>) -> bool {
    let known = element.tag.definition().attributes;
    element.attributes.0.iter().any(|attribute| !known.contains(&attribute.name.as_ref()))
}

/// Whether an element that has no content was opened and never closed.
fn is_unclosed_void(element: &Element<'_>) -> bool {
    let is_void = element.tag.is_void() || matches!(element.tag, Tag::Config | Tag::Tool);
    let opening = &element.written[..element.opening.end - element.opening.start];
    let last = element.written.rsplit("</").next().unwrap_or_default();
    is_void && !opening.ends_with("/>") && last.trim_end_matches('>').trim_end() != element.tag.name()
}
