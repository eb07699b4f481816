//! What can be mended without asking: text that only has to be marked as text, images that are written as text, tags
//! that were never closed.

use std::collections::HashMap;

use super::base64::{decoded, leaks};
use super::code::Code;
use crate::diagnostic::{Concern, Diagnostic, Diagnostics, Problem};
use crate::document::is_same;
use crate::document::layout::{BodyKind, body_kind};
use crate::resources::media::{data_url, image_type};
use crate::source::{SourceId, Sources, Span};
use crate::syntax::write::{Opening, Whitespace};
use crate::syntax::{Element, Node, is_whitespace, parse, parse_body};
use crate::tag::Tag;

/// A change to a document's text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fix {
    /// What is replaced.
    pub span: Span,
    /// What comes in its place.
    pub replacement: String,
    /// The code of the problem it mends, and where that starts.
    mends: (&'static str, usize),
}

impl Fix {
    /// What tells a problem from all others.
    pub(super) fn key(one: &Diagnostic) -> (SourceId, &'static str, usize) {
        (one.span.source, one.problem.code(), one.span.start)
    }

    /// The key of the problem that it mends.
    pub(super) fn mends(&self) -> (SourceId, &'static str, usize) {
        (self.span.source, self.mends.0, self.mends.1)
    }
}

/// A text with all fixes made. They are in order; of two that overlap the first is made.
pub fn apply(text: &str, fixes: &[Fix]) -> String {
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    for fix in fixes {
        if fix.span.start < at {
            continue;
        }
        out.push_str(&text[at..fix.span.start]);
        out.push_str(&fix.replacement);
        at = fix.span.end;
    }
    out.push_str(&text[at..]);
    out
}

/// The fixes of a document's problems, in order.
pub(super) fn fixes(source: SourceId, sources: &Sources, whitespace: Whitespace, found: &Diagnostics) -> Vec<Fix> {
    let mut finder = Finder { whitespace, ..Finder::default() };
    for one in found.iter().filter(|one| one.span.source == source) {
        let (code, start) = (one.problem.code(), one.span.start);
        match &one.problem {
            Problem::NestedBlock(_) => finder.nested.insert(start, code),
            Problem::Concern(Concern::TagInCode(_) | Concern::CommentInCode) => finder.in_code.insert(start, code),
            Problem::Mismatched { opened_at, .. } => {
                finder.unclosed.insert(opened_at.start, (code, start)).map(|_| code)
            }
            Problem::Unclosed { .. } => finder.unclosed.insert(start, (code, start)).map(|_| code),
            Problem::Concern(Concern::Base64InText { .. }) => finder.leaks.insert(start, code),
            _ => None,
        };
    }
    if finder.is_idle() {
        return Vec::new();
    }
    for node in &parse_body(sources, source, &mut Diagnostics::new()) {
        finder.block(node);
    }
    let Finder { mut fixes, mut same, .. } = finder;
    // Marking text as text must not change it.
    let text = &sources.get(source).text;
    if !same.is_empty() && is_same(sources, source, sources.add("", apply(text, &same), None), whitespace) {
        fixes.append(&mut same);
    }
    fixes.sort_by_key(|fix| fix.span.start);
    // A fix that leads to more errors is none.
    let errors = |source| {
        let mut found = Diagnostics::new();
        parse(sources, source, &mut found);
        found.errors().iter().len()
    };
    let mended = sources.add("", apply(text, &fixes), None);
    if errors(mended) > errors(source) { Vec::new() } else { fixes }
}

/// Looks for the places that the problems speak of.
#[derive(Default)]
struct Finder {
    whitespace: Whitespace,
    /// By where they start: what is to be marked as text, tags that may lack their `/`, and base64.
    nested: HashMap<usize, &'static str>,
    in_code: HashMap<usize, &'static str>,
    unclosed: HashMap<usize, (&'static str, usize)>,
    leaks: HashMap<usize, &'static str>,
    fixes: Vec<Fix>,
    /// Fixes that leave the meaning as it is.
    same: Vec<Fix>,
}

impl Finder {
    fn is_idle(&self) -> bool {
        self.nested.is_empty() && self.in_code.is_empty() && self.unclosed.is_empty() && self.leaks.is_empty()
    }

    /// Looks at something at top level.
    fn block(&mut self, node: &Node<'_>) {
        let Node::Element(element) = node else { return };
        let body = Body {
            kind: body_kind(element.tag, &element.attributes),
            code: Code::of(element),
            is_settled: element.attributes.has("output"),
        };
        self.close(element);
        self.nodes(&element.children, &body);
    }

    fn nodes(&mut self, nodes: &[Node<'_>], body: &Body) {
        for (index, node) in nodes.iter().enumerate() {
            let start = node.span().start;
            if let Some(code) = self.nested.get(&start) {
                self.same.extend(wrapped(nodes, index).map(|fix| fix.mending(code, start)));
            } else if let Some(code) = self.in_code.get(&start).filter(|_| self.whitespace == Whitespace::Layout) {
                self.fixes.extend(wrapped(&nodes[index..=index], 0).map(|fix| fix.mending(code, start)));
            }
            match node {
                Node::Element(element) => {
                    // A tag that is shown as code, or is text there, is as it was meant.
                    if body.takes_images() && !body.code.holds(element.opening) {
                        self.close(element);
                    }
                    self.nodes(&element.children, body);
                }
                Node::Text(text) if body.takes_images() => self.lift(text.value, text.span, text.span.start, body),
                Node::Raw(raw) if body.takes_images() => {
                    self.lift(raw.value, raw.span, raw.span.start + "RAW|".len(), body);
                }
                Node::Text(_) | Node::Raw(_) | Node::Comment(_) => {}
            }
        }
    }

    /// Closes an element that should hold nothing and was never closed.
    fn close(&mut self, element: &Element<'_>) {
        if !self.unclosed.is_empty() && is_unclosed_void(element) {
            let (code, at) = self.unclosed.get(&element.span.start).copied().unwrap_or_default();
            let span = Span::new(element.span.source, element.opening.end - 1..element.opening.end);
            self.fixes.push(Fix::new(span, "/>".to_owned()).mending(code, at));
        }
    }

    /// Makes images of the base64 in a text that stands at `at`; `span` holds the delimiters of a RAW block too.
    fn lift(&mut self, text: &str, span: Span, at: usize, body: &Body) {
        if self.leaks.is_empty() || body.is_settled {
            return;
        }
        let is_raw = span.start != at;
        for leak in leaks(text) {
            let place = Span::new(span.source, at + leak.range.start..at + leak.range.end);
            let Some(code) = self.leaks.get(&place.start).filter(|_| !body.code.holds(place)) else { continue };
            let Some(image) = image(&text[leak.data..leak.range.end]) else { continue };
            let (before, behind) = (&text[..leak.range.start], &text[leak.range.end..]);
            let is_blank = |text: &str| text.trim_matches(is_whitespace).is_empty();
            let stands_free = |c: Option<char>| c.is_none_or(is_whitespace);
            // The last line of wrapped base64 may be a word behind it.
            let is_clear = !text[leak.range.clone()].contains('\n') || is_blank(behind);
            if !is_clear || !stands_free(before.chars().next_back()) || !stands_free(behind.chars().next()) {
                continue;
            }
            let (span, replacement) = match is_raw {
                true if is_blank(before) && is_blank(behind) => (span, image),
                true => (place, format!("|RAW\n{image}\nRAW|")),
                false => (place, image),
            };
            self.fixes.push(Fix::new(span, replacement).mending(code, place.start));
        }
    }
}

/// The body of an element at top level.
struct Body {
    kind: BodyKind,
    code: Code,
    /// Whether `output=` says what it is.
    is_settled: bool,
}

impl Body {
    fn takes_images(&self) -> bool {
        matches!(self.kind, BodyKind::Message | BodyKind::Response)
    }
}

impl Fix {
    fn new(span: Span, replacement: String) -> Self {
        Self { span, replacement, mends: ("", 0) }
    }

    fn mending(self, code: &'static str, start: usize) -> Self {
        Self { mends: (code, start), ..self }
    }
}

/// A node in a RAW block, with the whitespace beside it that would be layout next to one.
fn wrapped(siblings: &[Node<'_>], index: usize) -> Option<Fix> {
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
    let raw = format!("RAW|{}{text}{}|RAW", edge(text.starts_with(['\n', '\r'])), edge(text.ends_with('\n')));
    let span = Span::new(span.source, span.start - before.len()..span.end + behind.len());
    (!text.contains("|RAW")).then(|| Fix::new(span, raw))
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
