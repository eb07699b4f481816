//! One canonical layout for a document that somebody wrote.

use super::layout::carried_data;
use super::{Document, line_ending, lower, print_with};
use crate::diagnostic::Diagnostics;
use crate::element::Tag;
use crate::source::{SourceId, Sources, Spanned};
use crate::syntax::write::{LineEnding, Whitespace};
use crate::syntax::{Element, Node, parse};

/// A document's text laid out as the printer lays it out, with the same meaning, and every comment where it stands.
///
/// All layout gets the line ending that the document's layout begins with, see [`line_ending`].
/// Elements that hold comments, or attributes that do not count, stay as they are written. `None` if the
/// text has errors, which are reported.
pub fn format(
    sources: &Sources,
    source: SourceId,
    whitespace: Whitespace,
    diagnostics: &mut Diagnostics,
) -> Option<String> {
    let nodes = parse(sources, source, diagnostics);
    lower(&nodes, whitespace, diagnostics);
    if diagnostics.has_errors() {
        return None;
    }
    let line_ending = line_ending(&nodes, whitespace);
    let line_break = line_ending.as_str();
    let mut out = String::new();
    let mut is_next_line = false;
    for node in &nodes {
        let text = match node {
            Node::Element(element) if is_kept(element) => element.written.to_owned(),
            Node::Element(_) | Node::Comment(_) => printed(node, whitespace, line_ending),
            Node::Text(text) => {
                // A comment on the line before an element belongs to it.
                let is_one_break = text.value.bytes().filter(|b| *b == b'\n').count() == 1;
                is_next_line = is_one_break && out.ends_with("-->");
                continue;
            }
            Node::Raw(_) => continue,
        };
        if !out.is_empty() {
            out.push_str(line_break);
            if !is_next_line {
                out.push_str(line_break);
            }
        }
        out.push_str(&text);
        is_next_line = false;
    }
    if !out.is_empty() {
        out.push_str(line_break);
    }
    Some(out)
}

/// Whether two texts mean the same document.
pub fn is_same(sources: &Sources, a: SourceId, b: SourceId, whitespace: Whitespace) -> bool {
    let mut diagnostics = Diagnostics::new();
    let mut read =
        |source| -> Document<'_> { lower(&parse(sources, source, &mut diagnostics), whitespace, &mut diagnostics) };
    let (a, b) = (read(a), read(b));
    !diagnostics.has_errors() && a == b
}

fn printed(node: &Node<'_>, whitespace: Whitespace, line_ending: LineEnding) -> String {
    let document = lower(std::slice::from_ref(node), whitespace, &mut Diagnostics::new());
    let mut text = print_with(&document, whitespace, line_ending);
    text.truncate(text.trim_end_matches(line_ending.as_str()).len());
    text
}

/// Whether an element holds something that its meaning does not.
fn is_kept(element: &Element<'_>) -> bool {
    let repeats = element.attributes.with_last().any(|(_, is_last)| !is_last);
    repeats || element.children.iter().any(holds_more)
}

/// Whether a summary says nothing itself, so that its attributes belong to no text.
fn holds_only_summaries(element: &Element<'_>) -> bool {
    let is_summary = |node: &Node<'_>| matches!(node, Node::Element(inner) if inner.tag == Tag::Summary);
    element.tag == Tag::Summary && !element.attributes.0.is_empty() && element.children.iter().any(is_summary)
}

fn holds_more(node: &Node<'_>) -> bool {
    match node {
        Node::Comment(Spanned { value, .. }) => carried_data(value).is_none_or(|(kind, _)| kind == "allow"),
        // What is between the tags of an image or a document is not sent, but somebody wrote it.
        Node::Element(element) => {
            let is_void = matches!(element.tag, Tag::Img | Tag::Doc | Tag::Import);
            is_void && !element.children.is_empty() || holds_only_summaries(element) || is_kept(element)
        }
        Node::Text(_) | Node::Raw(_) => false,
    }
}
