//! Parser: tokens to a tree, with every tag matched or reported.

use super::frame::Frame;
use super::scan::{Scanner, Scope, Token};
use super::{Attributes, Element, Node, is_whitespace};
use crate::diagnostic::{Diagnostics, Problem};
use crate::element::{Placement, Tag};
use crate::source::{SourceId, Sources, Span, Spanned};

/// How deep elements may nest, also across imports.
///
/// Every walk over a tree recurses once per level. The limit keeps all of them within the stack of an ordinary thread.
pub const MAX_DEPTH: usize = 128;

/// Reads a whole document: elements and comments with only whitespace between them.
pub fn parse<'s>(sources: &'s Sources, source: SourceId, diagnostics: &mut Diagnostics) -> Vec<Node<'s>> {
    let start = sources.get(source).start();
    let text = &sources.get(source).text[start..];
    // Everything else that could be said about JSON would be wrong.
    if looks_like_json(text) {
        let span = Span::new(source, start..start + text.len());
        report_text(Spanned::new(text, span), true, diagnostics);
        return Vec::new();
    }
    parse_from(start, sources, source, diagnostics)
}

/// Whether a text starts like a JSON object or array.
fn looks_like_json(text: &str) -> bool {
    let text = text.trim_start();
    let rest = |open| text.strip_prefix(open).map(str::trim_start);
    rest('{').is_some_and(|rest| rest.starts_with(['"', '}']))
        || rest('[').is_some_and(|rest| rest.starts_with(['{', '[', ']']))
}

/// Reads a document from an offset at which no element is open.
fn parse_from<'s>(
    start: usize,
    sources: &'s Sources,
    source: SourceId,
    diagnostics: &mut Diagnostics,
) -> Vec<Node<'s>> {
    let nodes = read(start, 0, sources, source, diagnostics);
    for node in &nodes {
        match node {
            Node::Text(text) => report_text(*text, false, diagnostics),
            Node::Raw(raw) if !raw.value.trim_matches(is_whitespace).is_empty() => {
                diagnostics
                    .report(Problem::TextAtTopLevel { meant: None, is_json: false }, raw.span.head("RAW|".len()));
            }
            Node::Raw(_) | Node::Element(_) | Node::Comment(_) => {}
        }
    }
    nodes
}

/// Reads a text that may hold anything a body may hold.
pub fn parse_body<'s>(sources: &'s Sources, source: SourceId, diagnostics: &mut Diagnostics) -> Vec<Node<'s>> {
    parse_body_inside(0, sources, source, diagnostics)
}

/// Reads a text as the content of a body inside this many elements.
pub fn parse_body_inside<'s>(
    elements: usize,
    sources: &'s Sources,
    source: SourceId,
    diagnostics: &mut Diagnostics,
) -> Vec<Node<'s>> {
    read(sources.get(source).start(), elements, sources, source, diagnostics)
}

fn read<'s>(
    start: usize,
    elements: usize,
    sources: &'s Sources,
    source: SourceId,
    diagnostics: &mut Diagnostics,
) -> Vec<Node<'s>> {
    let text = sources.get(source);
    let mut scanner = Scanner::new(&text.text, source, start);
    let mut builder = Builder {
        text: &text.text,
        max_open: MAX_DEPTH.saturating_sub(elements),
        open: Vec::new(),
        top: Frame::default(),
        too_deep: 0,
        has_deep_void: false,
    };
    while let Some(token) = scanner.next(builder.scope(), diagnostics) {
        // An unterminated comment or RAW block is reported and otherwise ignored.
        if !(scanner.is_cut_short && matches!(token, Token::Comment(_) | Token::Raw(_))) {
            builder.take(token, diagnostics);
        }
    }
    builder.finish(scanner.is_cut_short, diagnostics)
}

struct Builder<'s> {
    text: &'s str,
    /// How many elements may be open at once.
    max_open: usize,
    open: Vec<Open<'s>>,
    top: Frame<'s>,
    /// How many elements are open beyond the limit.
    too_deep: usize,
    /// Whether elements without content were nested beyond the limit, which is reported once.
    has_deep_void: bool,
}

/// An element that is not closed yet.
struct Open<'s> {
    element: Element<'s>,
    content: Frame<'s>,
    /// Whether its body has a vocabulary of its own.
    has_own_vocabulary: bool,
}

impl<'s> Builder<'s> {
    fn scope(&self) -> Scope {
        let is_open = |is: fn(Tag) -> bool| self.open.iter().any(|open| is(open.element.tag));
        Scope {
            innermost: self.open.last().map(|open| open.element.tag),
            has_own_vocabulary: self.open.last().is_some_and(|open| open.has_own_vocabulary),
            in_reasoning: is_open(|tag| tag == Tag::Reasoning),
            in_top_level_only: is_open(|tag| tag.definition().placement == Placement::TopLevelOrText),
        }
    }

    fn take(&mut self, token: Token<'s>, diagnostics: &mut Diagnostics) {
        match token {
            Token::Text(text) => self.frame().push(Node::Text(text), 0),
            Token::Raw(raw) => self.frame().push(Node::Raw(raw), 0),
            Token::Comment(comment) => self.frame().push(Node::Comment(comment), 0),
            // Elements beyond the limit are text.
            Token::Open { tag, is_void, span, .. } if self.too_deep > 0 && (is_void || tag.is_void()) => {
                self.push_written(span);
            }
            Token::Open { tag, attributes, is_void: true, span } => {
                let element = self.element(tag, attributes, span);
                self.frame().push(Node::Element(element), 1);
            }
            Token::Open { tag, attributes, is_void: false, span } if tag.is_void() => {
                let element = self.element(tag, attributes, span);
                self.frame().push_unclosed(element);
            }
            Token::Open { tag, attributes, is_void: false, span } => self.open(tag, attributes, span, diagnostics),
            Token::Close { tag, span } if tag.is_void() => self.close_void(tag, span, diagnostics),
            Token::Close { tag, span } => self.close(tag, span, diagnostics),
        }
    }

    fn open(&mut self, tag: Tag, attributes: Attributes<'s>, span: Span, diagnostics: &mut Diagnostics) {
        if self.open.len() < self.max_open {
            let element = self.element(tag, attributes, span);
            let has_own_vocabulary = has_own_vocabulary(&element);
            self.open.push(Open { element, content: Frame::default(), has_own_vocabulary });
            return;
        }
        if self.too_deep == 0 {
            diagnostics.report(Problem::NestingTooDeep { limit: MAX_DEPTH }, span.head(1 + tag.name().len()));
        }
        self.too_deep += 1;
        self.push_written(span);
    }

    /// Closes the nearest `<img …>`, `<doc …>` or `<import …>` of this name in the same body.
    fn close_void(&mut self, tag: Tag, span: Span, diagnostics: &mut Diagnostics) {
        if self.too_deep > 0 {
            self.push_written(span);
            return;
        }
        if !self.frame().has_unclosed(tag) {
            diagnostics.report(Problem::StrayClosingTag(tag), span);
            return;
        }
        let max_height = self.max_open.saturating_sub(self.open.len());
        if let Some((mut element, height)) = self.frame().close(tag, max_height) {
            self.end_at(&mut element, span.end);
            self.frame().push(Node::Element(element), height);
        } else {
            if !std::mem::replace(&mut self.has_deep_void, true) {
                diagnostics.report(Problem::NestingTooDeep { limit: MAX_DEPTH }, span);
            }
            self.push_written(span);
        }
    }

    fn close(&mut self, tag: Tag, span: Span, diagnostics: &mut Diagnostics) {
        if self.too_deep > 0 {
            self.too_deep -= 1;
            self.push_written(span);
            return;
        }
        let Some(Open { element: innermost, .. }) = self.open.last() else {
            diagnostics.report(Problem::StrayClosingTag(tag), span);
            return;
        };
        if innermost.tag != tag {
            let opened_at = innermost.name_span();
            let closes_outer = self.open.iter().any(|open| open.element.tag == tag);
            diagnostics
                .report(Problem::MismatchedTag { opened: innermost.tag, opened_at, closed: tag, closes_outer }, span);
            // Elements inside the one that this tag closes end with it. A tag that closes none of them is most
            // likely a misspelling of the innermost one.
            if closes_outer {
                while self.open.last().is_some_and(|open| open.element.tag != tag) {
                    self.end_innermost(span.start);
                }
            }
        }
        self.end_innermost(span.end);
    }

    fn finish(mut self, is_cut_short: bool, diagnostics: &mut Diagnostics) -> Vec<Node<'s>> {
        if let (false, Some(Open { element, content, .. })) = (is_cut_short, self.open.first()) {
            let misspelt_at = misspelled_close(element.tag, &content.nodes);
            diagnostics.report(Problem::UnclosedElement { tag: element.tag, misspelt_at }, element.name_span());
        }
        while !self.open.is_empty() {
            self.end_innermost(self.text.len());
        }
        self.top.nodes
    }

    fn end_innermost(&mut self, end: usize) {
        if let Some(Open { mut element, content, .. }) = self.open.pop() {
            let height = content.height() + 1;
            element.children = content.nodes;
            self.end_at(&mut element, end);
            self.frame().push(Node::Element(element), height);
        }
    }

    fn end_at(&self, element: &mut Element<'s>, end: usize) {
        element.span.end = end;
        element.written = &self.text[element.span.range()];
    }

    fn element(&self, tag: Tag, attributes: Attributes<'s>, span: Span) -> Element<'s> {
        Element { tag, attributes, children: Vec::new(), span, opening: span, written: &self.text[span.range()] }
    }

    fn push_written(&mut self, span: Span) {
        let text = Node::Text(Spanned::new(&self.text[span.range()], span));
        self.frame().push(text, 0);
    }

    /// The content of the innermost open element.
    fn frame(&mut self) -> &mut Frame<'s> {
        self.open.last_mut().map_or(&mut self.top, |open| &mut open.content)
    }
}

/// Whether the elements inside are the declaration's own vocabulary instead of ChatMarkdown.
fn has_own_vocabulary(element: &Element) -> bool {
    let is = |name: &str, values: &[&str]| element.attributes.value(name).is_some_and(|value| values.contains(&value));
    match element.tag {
        Tag::ShellAccess => true,
        Tag::Tool => is("type", &["shell"]) || is("name", &["read_file", "get_contents"]),
        _ => false,
    }
}

/// Where a text in an element looks like its misspelled closing tag: `</usr>`.
fn misspelled_close(tag: Tag, children: &[Node<'_>]) -> Option<Span> {
    children.iter().rev().find_map(|node| {
        let Node::Text(text) = node else { return None };
        let at = text.value.rfind("</")?;
        let name = text.value[at + 2..].split(|c: char| !is_tag_character(c)).next()?;
        let start = text.span.start + at;
        let span = Span::new(text.span.source, start..start + 2 + name.len());
        (Tag::meant_by(name) == Some(tag)).then_some(span)
    })
}

fn is_tag_character(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_' || c == '-'
}

fn report_text(text: Spanned<&str>, is_json: bool, diagnostics: &mut Diagnostics) {
    let Some(skipped) = text.value.find(|c| !is_whitespace(c)) else { return };
    let shown = text.value[skipped..].lines().next().unwrap_or_default().trim_end();
    let name = shown.trim_start_matches(['<', '/', ' ']).split(|c| !is_tag_character(c)).next();
    let meant = name.filter(|_| shown.starts_with('<')).and_then(Tag::meant_by);
    let start = text.span.start + skipped;
    diagnostics
        .report(Problem::TextAtTopLevel { meant, is_json }, Span::new(text.span.source, start..start + shown.len()));
}
