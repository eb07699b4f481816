//! What can be mended without asking: text that only has to be marked as text, images that are written as text, tags
//! that were never closed.

use std::collections::HashMap;

use super::base64::{decoded, leaks};
use super::code::{Code, Form};
use crate::diagnostic::{Concern, Diagnostic, Diagnostics, Problem};
use crate::document::layout::{BodyKind, body_kind};
use crate::document::{self, lower};
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
    /// The problem that it mends.
    pub(super) mends: Key,
}

/// What tells a problem from all others: its source, its code and where it starts.
pub(super) type Key = (SourceId, &'static str, usize);

pub(super) fn key(one: &Diagnostic) -> Key {
    (one.span.source, one.problem.code(), one.span.start)
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
    let mut problems: HashMap<usize, Vec<&Diagnostic>> = HashMap::new();
    for one in found.iter().filter(|one| one.span.source == source) {
        let place = match &one.problem {
            Problem::Mismatched { opened_at, .. } => opened_at.start,
            _ => one.span.start,
        };
        problems.entry(place).or_default().push(one);
    }
    let is_leak = |one: &&Diagnostic| matches!(one.problem, Problem::Concern(Concern::Base64InText { .. }));
    let has_leaks = problems.values().flatten().any(is_leak);
    let mut finder =
        Finder { whitespace, problems, has_leaks, wraps: Vec::new(), closings: Vec::new(), others: Vec::new() };
    let text = &sources.get(source).text;
    for node in &parse_body(sources, source, &mut Diagnostics::new()) {
        finder.block(node, text);
    }
    let Finder { mut wraps, mut closings, mut others, .. } = finder;
    // Marking text as text must not change it, and closing a tag must mend something.
    let reads = |fixes: &[Fix]| Reading::of(&apply(text, fixes), whitespace);
    if !wraps.is_empty() && is_same(text, &apply(text, &wraps), whitespace) {
        others.append(&mut wraps);
    }
    if !closings.is_empty() {
        closings.sort_by_key(|fix| fix.span.start);
        let (before, after) = (reads(&[]), reads(&closings));
        if after.unreadable < before.unreadable && after.errors <= before.errors {
            others.append(&mut closings);
        }
    }
    others.sort_by_key(|fix| fix.span.start);
    if others.is_empty() || reads(&others).errors > reads(&[]).errors { Vec::new() } else { others }
}

/// How well a text reads.
struct Reading {
    /// What cannot be parsed.
    unreadable: usize,
    /// All errors, up to what the elements mean.
    errors: usize,
}

impl Reading {
    fn of(text: &str, whitespace: Whitespace) -> Self {
        let (sources, mut found) = (Sources::new(), Diagnostics::new());
        let source = sources.add("", text.to_owned(), None);
        let nodes = parse(&sources, source, &mut found);
        let unreadable = found.errors().iter().len();
        lower(&nodes, whitespace, &mut found);
        Self { unreadable, errors: found.errors().iter().len() }
    }
}

fn is_same(a: &str, b: &str, whitespace: Whitespace) -> bool {
    let sources = Sources::new();
    let (a, b) = (sources.add("", a.to_owned(), None), sources.add("", b.to_owned(), None));
    document::is_same(&sources, a, b, whitespace)
}

/// Looks for the places that the problems speak of.
struct Finder<'f> {
    whitespace: Whitespace,
    /// By where the text stands that a fix changes.
    problems: HashMap<usize, Vec<&'f Diagnostic>>,
    has_leaks: bool,
    /// What leaves the meaning as it is.
    wraps: Vec<Fix>,
    closings: Vec<Fix>,
    others: Vec<Fix>,
}

/// The body of an element at top level.
struct Body {
    kind: BodyKind,
    code: Code,
    /// Whether `output=` says what it is.
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
    fn block(&mut self, node: &Node<'_>, text: &str) {
        let Node::Element(element) = node else { return };
        let body = Body {
            kind: body_kind(element.tag, &element.attributes),
            code: Code::of(&element.children, text),
            is_settled: element.attributes.has("output"),
            unclosed: self.unclosed_in(element),
        };
        let rest = &element.written[element.opening.end - element.opening.start..];
        let stands_alone = rest.lines().next().unwrap_or_default().trim_matches(is_whitespace).is_empty();
        if stands_alone {
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
                && (body.code.holds(node.span(), Form::Fence) || is_quoted(nodes, index))
            {
                self.others.extend(wrapped(&nodes[index..=index], 0, key(one)));
            }
            match node {
                Node::Element(element) => {
                    // A tag that is text there, shown as code, or looks like HTML is as it was meant.
                    let is_code = [Form::Span, Form::Fence].iter().any(|form| body.code.holds(element.opening, *form));
                    if body.takes_images() && !is_code && is_ours(element) && !is_in_quotes(nodes, index) {
                        self.close(element, body);
                    }
                    self.nodes(&element.children, body);
                }
                Node::Text(text) if body.takes_images() => self.lift(text.value, text.span, text.span.start, body),
                // In a message RAW is an author's word, in an output a program's habit.
                Node::Raw(raw) if body.kind == BodyKind::Response => {
                    self.lift(raw.value, raw.span, raw.span.start + "RAW|".len(), body);
                }
                Node::Text(_) | Node::Raw(_) | Node::Comment(_) => {}
            }
        }
    }

    /// Closes an element that should hold nothing and was never closed.
    fn close(&mut self, element: &Element<'_>, body: &Body) {
        if let Some(mends) = body.unclosed.filter(|_| is_unclosed_void(element)) {
            let span = Span::new(element.span.source, element.opening.end - 1..element.opening.end);
            self.closings.push(Fix { span, replacement: "/>".to_owned(), mends });
        }
    }

    /// Makes images of the base64 in a text that stands at `at`; `span` holds the delimiters of a RAW block too.
    fn lift(&mut self, text: &str, span: Span, at: usize, body: &Body) {
        let is_leak = |problem: &Problem| matches!(problem, Problem::Concern(Concern::Base64InText { .. }));
        let may_leak = !body.is_settled && self.has_leaks;
        let is_raw = span.start != at;
        for leak in if may_leak { leaks(text) } else { Vec::new() } {
            let place = Span::new(span.source, at + leak.range.start..at + leak.range.end);
            let Some(one) = self.problem(place.start, is_leak) else { continue };
            if [Form::Span, Form::Fence].iter().any(|form| body.code.holds(place, *form)) {
                continue;
            }
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
            self.others.push(Fix { span, replacement, mends: key(one) });
        }
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
