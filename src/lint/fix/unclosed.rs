//! The fixes for `unclosed-element`, `mismatched-tag` and `missing-slash`, where a tag without a body was never closed.

use super::place::{Body, Problems, SiblingNode};
use super::{Fix, Key};
use crate::element::Tag;
use crate::lint::code::Markdown;
use crate::syntax::{Element, Node, is_blank};

/// The problem that the tag of an element, or of an element inside it, is never closed.
pub(super) fn problem_in(element: &Element<'_>, problems: &Problems) -> Option<Key> {
    let rules = ["mismatched-tag", "unclosed-element"];
    let own = problems.at(element.span.start, &rules).filter(|_| is_unclosed_void(element));
    own.or_else(|| {
        element.children.iter().find_map(|node| match node {
            Node::Element(child) => problem_in(child, problems),
            Node::Text(_) | Node::Raw(_) | Node::Comment(_) => None,
        })
    })
}

/// Closes a declaration that is alone on its line.
pub(super) fn at_top_level(element: &Element<'_>, body: &Body) -> Option<Fix> {
    let rest = &element.written[element.opening.end - element.opening.start..];
    let is_alone = is_blank(rest.lines().next().unwrap_or_default());
    let fixes = body.unclosed.filter(|_| is_alone && is_unclosed_void(element))?;
    Some(close(element, fixes))
}

/// Closes the only message that is not closed, at the end of the document, if no other element begins in it.
pub(super) fn message_at_end(element: &Element<'_>, text: &str, problems: &Problems) -> Option<Fix> {
    let is_message = matches!(element.tag, Tag::User | Tag::Assistant | Tag::System | Tag::Developer);
    let fixes = problems.at(element.span.start, &["unclosed-element"])?;
    let is_block = |node: &Node<'_>| matches!(node, Node::Element(child) if !child.tag.is_inline());
    let has_closing = element.written.contains("</");
    let end = text.trim_end().len();
    let is_last = is_message && element.span.end >= end && !has_closing && !element.children.iter().any(is_block);
    let line_break = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let replacement = format!("{line_break}</{}>{line_break}", element.tag.name());
    is_last.then_some(Fix { span: end..text.len(), replacement, fixes })
}

/// The tag of a declaration is text in a body, and is wrapped in a RAW block.
pub(super) fn in_body(place: SiblingNode<'_, '_>, body: &Body) -> Option<Fix> {
    let Node::Element(element) = place.node() else { return None };
    let fixes = body.unclosed.filter(|_| is_unclosed_void(element))?;
    let tag = &element.written[..element.opening.end - element.opening.start];
    Some(Fix { span: element.opening.range(), replacement: format!("RAW|{tag}|RAW"), fixes })
}

/// The fix for `missing-slash`. A tag that is Markdown code or part of another language may be right as it is.
pub(super) fn missing_slash(place: SiblingNode<'_, '_>, markdown: &Markdown, problems: &Problems) -> Option<Fix> {
    let Node::Element(element) = place.node() else { return None };
    let fixes = problems.at(element.span.start, &["missing-slash"])?;
    let is_foreign = has_foreign_attributes(element) || place.follows(&['"', '\'', '\\', '=', '(']);
    (!is_foreign && !markdown.contains(element.opening)).then(|| close(element, fixes))
}

fn close(element: &Element<'_>, fixes: Key) -> Fix {
    let span = element.opening.end - 1..element.opening.end;
    Fix { span, replacement: "/>".to_owned(), fixes }
}

/// Whether a tag has attributes of another language, such as HTML.
fn has_foreign_attributes(element: &Element<'_>) -> bool {
    element.attributes.0.iter().any(|attribute| element.tag.attribute(&attribute.name).is_none())
}

/// Whether a declaration that has no content was opened and never closed.
fn is_unclosed_void(element: &Element<'_>) -> bool {
    let is_void = matches!(element.tag, Tag::Config | Tag::Tool);
    let opening = &element.written[..element.opening.end - element.opening.start];
    let last = element.written.rsplit("</").next().unwrap_or_default();
    is_void && !opening.ends_with("/>") && last.trim_end_matches('>').trim_end() != element.tag.name()
}
