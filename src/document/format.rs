//! `chatmd fmt`: the canonical layout for an existing text.

use super::{Directive, line_ending, lower, print_with};
use crate::diagnostic::Diagnostics;
use crate::element::{BodyKind, Tag};
use crate::source::{SourceId, Sources, Spanned};
use crate::syntax::write::{LineEnding, Whitespace};
use crate::syntax::{Element, Node, front_matter, parse};

/// Lays out a document's text as [`print()`](super::print()) does, with the same meaning and all its comments.
///
/// Line breaks that are layout get the document's line ending. Elements that hold comments or repeated attributes
/// stay as they are written. Returns `None` if the text has errors, which are reported.
pub fn format(
    sources: &Sources,
    source: SourceId,
    whitespace: Whitespace,
    diagnostics: &mut Diagnostics,
) -> Option<String> {
    let nodes = parse(sources, source, diagnostics);
    let has_placeholder = lower(&nodes, whitespace, diagnostics).placeholder().is_some();
    if diagnostics.has_errors() {
        return None;
    }
    let line_ending = line_ending(&nodes, whitespace);
    let line_break = line_ending.as_str();
    let mut out = String::new();
    let mut is_next_line = false;
    let mut is_after_declaration = false;
    let is_element = |node: &Node<'_>| matches!(node, Node::Element(_));
    let last = nodes.iter().rposition(is_element).filter(|_| has_placeholder);
    for (index, node) in nodes.iter().enumerate() {
        let text = match node {
            Node::Element(element) if is_unprinted(node) => element.written.to_owned(),
            Node::Element(element) if Some(index) == last && has_only_role(element) => {
                placeholder(whitespace, line_ending)
            }
            Node::Element(_) | Node::Comment(_) => printed(node, whitespace, line_ending),
            Node::Text(text) => {
                is_next_line = text.value.bytes().filter(|b| *b == b'\n').count() == 1;
                continue;
            }
            Node::Raw(_) => continue,
        };
        let is_declaration = is_declaration(node);
        // A comment on the line before an element belongs to it, and declarations may be a list.
        let is_together = is_next_line && (out.ends_with("-->") || is_after_declaration && is_declaration);
        if !out.is_empty() {
            out.push_str(line_break);
            if !is_together {
                out.push_str(line_break);
            }
        }
        out.push_str(&text);
        (is_next_line, is_after_declaration) = (false, is_declaration);
    }
    if !out.is_empty() {
        out.push_str(line_break);
    }
    let head = head(sources, source);
    if !head.is_empty() {
        let gap = if out.is_empty() { "" } else { line_break };
        out.insert_str(0, &[head, gap].concat());
    }
    Some(out)
}

/// The front matter. It is kept byte for byte.
fn head(sources: &Sources, source: SourceId) -> &str {
    let source = sources.get(source);
    front_matter(&source.text[source.start()..])
}

/// Whether an element has no attributes besides the role of a `<msg>`.
fn has_only_role(element: &Element<'_>) -> bool {
    element.attributes.0.iter().all(|attribute| element.tag == Tag::Msg && attribute.name == "role")
}

/// The empty message for the next turn, with a line to write it in.
pub fn placeholder(whitespace: Whitespace, line_ending: LineEnding) -> String {
    match whitespace {
        Whitespace::Layout => format!("<user>{0}{0}</user>", line_ending.as_str()),
        Whitespace::Verbatim => "<user></user>".to_owned(),
    }
}

/// Whether a node is a declaration, such as `<config>` or `<tool>`.
fn is_declaration(node: &Node<'_>) -> bool {
    matches!(node, Node::Element(element) if element.tag.definition().body == BodyKind::Declaration)
}

/// Whether two texts mean the same document.
pub fn is_same(sources: &Sources, a: SourceId, b: SourceId, whitespace: Whitespace) -> bool {
    let mut diagnostics = Diagnostics::new();
    let mut read = |source| lower(&parse(sources, source, &mut diagnostics), whitespace, &mut diagnostics);
    let is_equal = read(a) == read(b);
    is_equal && !diagnostics.has_errors() && head(sources, a) == head(sources, b)
}

fn printed(node: &Node<'_>, whitespace: Whitespace, line_ending: LineEnding) -> String {
    let document = lower(std::slice::from_ref(node), whitespace, &mut Diagnostics::new());
    let mut text = print_with(&document, whitespace, line_ending);
    text.truncate(text.trim_end_matches(line_ending.as_str()).len());
    text
}

/// Whether printing the meaning of an element would lose part of its text.
fn has_unprinted(element: &Element<'_>) -> bool {
    let repeats = element.attributes.with_last().any(|(_, is_last)| !is_last);
    repeats || element.children.iter().any(is_unprinted)
}

/// Whether a summary has attributes but no text of its own that could carry them.
fn is_summary_without_text(element: &Element<'_>) -> bool {
    let is_summary = |node: &Node<'_>| matches!(node, Node::Element(inner) if inner.tag == Tag::Summary);
    element.tag == Tag::Summary && !element.attributes.0.is_empty() && element.children.iter().any(is_summary)
}

/// Whether a node is lost when the element around it is printed.
fn is_unprinted(node: &Node<'_>) -> bool {
    match node {
        Node::Comment(Spanned { value, .. }) => Directive::metadata(value).is_none(),
        Node::Element(element) => {
            // The content of a void element is not sent, but its author wrote it.
            let has_unsent_content = element.tag.is_void() && !element.children.is_empty();
            has_unsent_content || is_summary_without_text(element) || has_unprinted(element)
        }
        Node::Text(_) | Node::Raw(_) => false,
    }
}
