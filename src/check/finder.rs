//! Where a document's text can be mended, given what is wrong with it.

use std::collections::HashMap;

use super::base64::{decoded, leaks};
use super::code::{Code, Form};
use super::fix::{Fix, Key, key};
use crate::diagnostic::{Concern, Diagnostic, Problem};
use crate::document::layout::{BodyKind, body_kind, carried};
use crate::resources::media::{data_url, image_type};
use crate::source::Span;
use crate::syntax::write::{Opening, Whitespace};
use crate::syntax::{Element, Node, is_whitespace};
use crate::tag::Tag;

/// Looks for the places that the problems speak of.
pub(super) struct Finder<'f> {
    pub(super) whitespace: Whitespace,
    /// By where the text stands that a fix changes.
    pub(super) problems: HashMap<usize, Vec<&'f Diagnostic>>,
    pub(super) has_leaks: bool,
    /// What leaves the meaning as it is.
    pub(super) wraps: Vec<Fix>,
    pub(super) closings: Vec<Fix>,
    pub(super) others: Vec<Fix>,
}

/// The body of an element at top level.
struct Body {
    kind: BodyKind,
    code: Code,
    /// Whether `output=`, a carried part or its role says that its text stays text.
    is_settled: bool,
    /// The problem that a tag in it was never closed.
    unclosed: Option<Key>,
}

impl<'f> Finder<'f> {
    /// The problem at a place that `is` is about.
    fn problem(&self, place: usize, is: fn(&Problem) -> bool) -> Option<&'f Diagnostic> {
        self.problems.get(&place)?.iter().find(|one| is(&one.problem)).copied()
    }

    /// Looks at something at top level.
    pub(super) fn block(&mut self, node: &Node<'_>, text: &str) {
        let Node::Element(element) = node else { return };
        let body = Body {
            kind: body_kind(element.tag, &element.attributes),
            code: Code::of(&element.children, text),
            is_settled: element.attributes.has("output")
                || is_prompt(element)
                || element.children.iter().any(is_carried),
            unclosed: self.unclosed_in(element),
        };
        let rest = &element.written[element.opening.end - element.opening.start..];
        let stands_alone = rest.lines().next().unwrap_or_default().trim_matches(is_whitespace).is_empty();
        if stands_alone && matches!(element.tag, Tag::Config | Tag::Tool | Tag::Import) {
            self.close(element, &body);
        }
        self.nodes(&element.children, &body);
    }

    fn unclosed_in(&self, element: &Element<'_>) -> Option<Key> {
        let is_unclosed = |problem: &Problem| matches!(problem, Problem::Mismatched { .. } | Problem::Unclosed { .. });
        let own = self.problem(element.span.start, is_unclosed).filter(|_| is_unclosed_void(element)).map(key);
        let children = element.children.iter().filter_map(|node| match node {
            Node::Element(child) => Some(child),
            Node::Text(_) | Node::Raw(_) | Node::Comment(_) => None,
        });
        own.or_else(|| children.into_iter().find_map(|child| self.unclosed_in(child)))
    }

    fn nodes(&mut self, nodes: &[Node<'_>], body: &Body) {
        for (index, node) in nodes.iter().enumerate() {
            let start = node.span().start;
            if let Some(one) = self.problem(start, |problem| matches!(problem, Problem::NestedBlock(_))) {
                self.wraps.extend(wrapped(nodes, index, key(one)));
            }
            let is_in_code =
                |problem: &Problem| matches!(problem, Problem::Concern(Concern::TagInCode(_) | Concern::CommentInCode));
            if let Some(one) = self.problem(start, is_in_code)
                && self.whitespace == Whitespace::Layout
                && (matches!(node, Node::Comment(_)) && body.code.holds(node.span(), Form::Fence)
                    || is_quoted(nodes, index))
            {
                self.others.extend(wrapped(&nodes[index..=index], 0, key(one)));
            }
            match node {
                Node::Element(element) if element.tag.is_inline() => {
                    // A tag that is text there, shown as code, or looks like HTML is as it was meant.
                    if body.takes_images()
                        && !body.code.has(element.opening)
                        && is_ours(element)
                        && !is_in_quotes(nodes, index)
                    {
                        self.close(element, body);
                    }
                    self.nodes(&element.children, body);
                }
                Node::Element(element) => self.wrap_unclosed(element, body),
                Node::Text(text) if body.takes_images() => {
                    self.lift(text.value, text.span, Sides::of(nodes, index), body);
                }
                // In a message RAW is an author's word, in an output a program's habit.
                Node::Raw(raw) if body.kind == BodyKind::Response => {
                    self.lift(raw.value, raw.span, Sides::of(nodes, index), body);
                }
                Node::Text(_) | Node::Raw(_) | Node::Comment(_) => {}
            }
        }
    }

    /// Marks a block's tag as text that was opened in a body and never closed.
    fn wrap_unclosed(&mut self, element: &Element<'_>, body: &Body) {
        if let Some(mends) = body.unclosed.filter(|_| is_unclosed_void(element)) {
            let tag = &element.written[..element.opening.end - element.opening.start];
            self.closings.push(Fix { span: element.opening, replacement: format!("RAW|{tag}|RAW"), mends });
        }
    }

    /// Closes an element that should hold nothing and was never closed.
    fn close(&mut self, element: &Element<'_>, body: &Body) {
        if let Some(mends) = body.unclosed.filter(|_| is_unclosed_void(element)) {
            let span = Span::new(element.span.source, element.opening.end - 1..element.opening.end);
            self.closings.push(Fix { span, replacement: "/>".to_owned(), mends });
        }
    }

    /// Makes images of the base64 in a text; `span` holds the delimiters of a RAW block too.
    fn lift(&mut self, text: &str, span: Span, sides: Sides, body: &Body) {
        let is_leak = |problem: &Problem| matches!(problem, Problem::Concern(Concern::Base64InText { .. }));
        if !self.has_leaks || body.is_settled || self.whitespace == Whitespace::Verbatim {
            return;
        }
        let delimiter = (span.end - span.start - text.len()) / 2;
        for leak in leaks(text) {
            let at = span.start + delimiter;
            let place = Span::new(span.source, at + leak.range.start..at + leak.range.end);
            let Some(one) = self.problem(place.start, is_leak).filter(|_| !body.code.has(place)) else { continue };
            let Some(image) = image(&text[leak.data..leak.range.end]) else { continue };
            let (before, behind) = (&text[..leak.range.start], &text[leak.range.end..]);
            let is_blank = |text: &str| text.trim_matches(is_whitespace).is_empty();
            // The last line of wrapped base64 may be a word behind it.
            let is_clear = !text[leak.range.clone()].contains('\n') || is_blank(behind);
            let is_free = before.chars().next_back().map_or(sides.before, is_whitespace)
                && behind.chars().next().map_or(sides.behind, is_whitespace);
            if !is_clear || !is_free {
                continue;
            }
            // A side of a RAW block of which nothing would be left goes with it.
            let (start, head) = match delimiter {
                0 => (place.start, ""),
                _ if is_blank(before) => (span.start, ""),
                _ => (place.start, "|RAW\n"),
            };
            let (end, tail) = match delimiter {
                0 => (place.end, ""),
                _ if is_blank(behind) => (span.end, ""),
                _ => (place.end, "\nRAW|"),
            };
            let span = Span::new(span.source, start..end);
            self.others.push(Fix { span, replacement: [head, &image, tail].concat(), mends: key(one) });
        }
    }
}

/// Whether a text begins and ends where something else does.
#[derive(Clone, Copy)]
struct Sides {
    before: bool,
    behind: bool,
}

impl Sides {
    fn of(siblings: &[Node<'_>], index: usize) -> Self {
        let is_apart = |node: Option<&Node<'_>>| node.is_none_or(|node| matches!(node, Node::Element(_)));
        let before = index.checked_sub(1).and_then(|before| siblings.get(before));
        Self { before: is_apart(before), behind: is_apart(siblings.get(index + 1)) }
    }
}

impl Body {
    fn takes_images(&self) -> bool {
        matches!(self.kind, BodyKind::Message | BodyKind::Response)
    }
}

/// A node in a RAW block, with the whitespace beside it that would be layout next to one.
fn wrapped(siblings: &[Node<'_>], index: usize, mends: Key) -> Option<Fix> {
    let span = siblings[index].span();
    let blank = |node: Option<&Node<'_>>| match node {
        Some(Node::Text(text)) if text.value.trim_matches(is_whitespace).is_empty() => Some(text.value.to_owned()),
        _ => None,
    };
    let before = index.checked_sub(1).and_then(|before| blank(siblings.get(before))).unwrap_or_default();
    let before = before.split_once('\n').map_or(before.as_str(), |(_, kept)| kept);
    let behind = blank(siblings.get(index + 1)).unwrap_or_default();
    let behind = behind.rsplit_once('\n').map_or(behind.as_str(), |(kept, _)| kept.trim_end_matches('\r'));
    let written = match &siblings[index] {
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

/// Whether an element may become the request's instructions, which are text.
fn is_prompt(element: &Element<'_>) -> bool {
    let role = if element.tag == Tag::Msg { element.attributes.value("role") } else { Some(element.tag.name()) };
    matches!(role, Some("system" | "developer"))
}

/// Whether a node is a comment that carries data.
fn is_carried(node: &Node<'_>) -> bool {
    matches!(node, Node::Comment(comment) if carried(comment.value).is_some())
}

/// Whether a code span begins or ends at a node, and so is about it.
fn is_quoted(siblings: &[Node<'_>], index: usize) -> bool {
    before(siblings, index).is_some_and(|text| text.ends_with('`'))
        || matches!(siblings.get(index + 1), Some(Node::Text(text)) if text.value.starts_with('`'))
}

/// Whether a node stands in the quotes of some other language.
fn is_in_quotes(siblings: &[Node<'_>], index: usize) -> bool {
    before(siblings, index).is_some_and(|text| text.ends_with(['"', '\'', '\\', '=', '(']))
}

fn before<'s>(siblings: &[Node<'s>], index: usize) -> Option<&'s str> {
    match siblings.get(index.checked_sub(1)?) {
        Some(Node::Text(text)) => Some(text.value),
        _ => None,
    }
}

/// Whether a tag has no attributes but those that mean something here.
fn is_ours(element: &Element<'_>) -> bool {
    let known: &[&str] = match element.tag {
        Tag::Img => &["src", "file_id", "local", "detail"],
        Tag::Doc => &["src", "file_id", "local", "file", "strip", "markdown", "filename"],
        _ => &["src", "local", "namespace"],
    };
    element.attributes.0.iter().all(|attribute| known.contains(&attribute.name.as_ref()))
}

/// Whether an element that should hold nothing was opened and never closed.
fn is_unclosed_void(element: &Element<'_>) -> bool {
    let is_void = matches!(element.tag, Tag::Img | Tag::Doc | Tag::Import | Tag::Config | Tag::Tool);
    let opening = &element.written[..element.opening.end - element.opening.start];
    let last = element.written.rsplit("</").next().unwrap_or_default();
    is_void && !opening.ends_with("/>") && last.trim_end_matches('>').trim_end() != element.tag.name()
}

/// `<img>` with the image that a stretch of base64 is.
fn image(base64: &str) -> Option<String> {
    let bytes = decoded(base64)?;
    let mut out = String::new();
    let mut tag = Opening::new(&mut out, Tag::Img);
    tag.attribute("src", Some(&data_url(image_type(&bytes)?, &bytes)));
    tag.end_void();
    Some(out)
}
