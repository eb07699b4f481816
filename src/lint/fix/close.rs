//! Tags that were opened and never closed.

use super::place::{Body, Place, Problems};
use super::{Fix, Key};
use crate::diagnostic::Problem;
use crate::element::Tag;
use crate::source::Span;
use crate::syntax::{Element, Node, is_whitespace};

/// The problem that a tag of an element, or of one inside of it, was never closed.
pub(super) fn problem_in(element: &Element<'_>, problems: &Problems<'_>) -> Option<Key> {
    let is_unclosed =
        |problem: &Problem| matches!(problem, Problem::MismatchedTag { .. } | Problem::UnclosedElement { .. });
    let own = problems.at(element.span.start, is_unclosed).filter(|_| is_unclosed_void(element));
    own.or_else(|| {
        element.children.iter().find_map(|node| match node {
            Node::Element(child) => problem_in(child, problems),
            Node::Text(_) | Node::Raw(_) | Node::Comment(_) => None,
        })
    })
}

/// A declaration or an import that has its line to itself.
pub(super) fn at_top_level(element: &Element<'_>, body: &Body) -> Option<Fix> {
    let rest = &element.written[element.opening.end - element.opening.start..];
    let stands_alone = rest.lines().next().unwrap_or_default().trim_matches(is_whitespace).is_empty();
    let may_stand_there = matches!(element.tag, Tag::Config | Tag::Tool | Tag::Import);
    if stands_alone && may_stand_there { closed(element, body) } else { None }
}

/// A part of a message or an output. The tag of a block is text there, and is marked as such.
pub(super) fn in_body(place: Place<'_, '_>, body: &Body) -> Option<Fix> {
    let Node::Element(element) = place.node() else { return None };
    if !element.tag.is_inline() {
        let mends = body.unclosed.filter(|_| is_unclosed_void(element))?;
        let tag = &element.written[..element.opening.end - element.opening.start];
        return Some(Fix { span: element.opening, replacement: format!("RAW|{tag}|RAW"), mends });
    }
    // A tag that is text there, shown as code, or part of some other language is as it was meant.
    let is_foreign = has_foreign_attributes(element) || place.is_behind(&['"', '\'', '\\', '=', '(']);
    if body.takes_parts() && !is_foreign && !body.code.has(element.opening) { closed(element, body) } else { None }
}

fn closed(element: &Element<'_>, body: &Body) -> Option<Fix> {
    let mends = body.unclosed.filter(|_| is_unclosed_void(element))?;
    let span = Span::new(element.span.source, element.opening.end - 1..element.opening.end);
    Some(Fix { span, replacement: "/>".to_owned(), mends })
}

/// Whether a tag has attributes that mean nothing here, as HTML's have.
fn has_foreign_attributes(element: &Element<'_>) -> bool {
    let known = element.tag.definition().attributes;
    element.attributes.0.iter().any(|attribute| !known.contains(&attribute.name.as_ref()))
}

/// Whether an element that should hold nothing was opened and never closed.
fn is_unclosed_void(element: &Element<'_>) -> bool {
    let is_void = element.tag.is_void() || matches!(element.tag, Tag::Config | Tag::Tool);
    let opening = &element.written[..element.opening.end - element.opening.start];
    let last = element.written.rsplit("</").next().unwrap_or_default();
    is_void && !opening.ends_with("/>") && last.trim_end_matches('>').trim_end() != element.tag.name()
}
