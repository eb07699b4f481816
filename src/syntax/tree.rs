//! Parser: tokens to a tree, with every tag matched or reported.

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
    parse_from(sources.get(source).start(), sources, source, diagnostics)
}

/// Reads a document from an offset at which no element is open.
pub fn parse_from<'s>(
    start: usize,
    sources: &'s Sources,
    source: SourceId,
    diagnostics: &mut Diagnostics,
) -> Vec<Node<'s>> {
    let nodes = read(start, 0, sources, source, diagnostics);
    for node in &nodes {
        match node {
            Node::Text(text) => report_text(*text, diagnostics),
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
        own_vocabulary: Vec::new(),
        top: Vec::new(),
        too_deep: 0,
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
    open: Vec<Element<'s>>,
    /// Whether the body of each open element has a vocabulary of its own.
    own_vocabulary: Vec<bool>,
    top: Vec<Node<'s>>,
    /// How many elements are open beyond the limit.
    too_deep: usize,
}

impl<'s> Builder<'s> {
    fn scope(&self) -> Scope {
        Scope {
            innermost: self.open.last().map(|element| element.tag),
            has_own_vocabulary: self.own_vocabulary.last().is_some_and(|own| *own),
            in_reasoning: self.open.iter().any(|element| element.tag == Tag::Reasoning),
            in_top_level_only: self
                .open
                .iter()
                .any(|element| element.tag.definition().placement == Placement::TopLevelOrText),
        }
    }

    fn take(&mut self, token: Token<'s>, diagnostics: &mut Diagnostics) {
        match token {
            Token::Text(text) => self.push(Node::Text(text)),
            Token::Raw(raw) => self.push(Node::Raw(raw)),
            Token::Comment(comment) => self.push(Node::Comment(comment)),
            // Elements beyond the limit are text.
            Token::Open { is_void: true, span, .. } if self.too_deep > 0 => self.push_written(span),
            Token::Open { tag, attributes, is_void: true, span } => {
                let element = self.element(tag, attributes, span);
                self.push(Node::Element(element));
            }
            Token::Open { tag, attributes, is_void: false, span } => self.open(tag, attributes, span, diagnostics),
            Token::Close { tag, span } => self.close(tag, span, diagnostics),
        }
    }

    fn open(&mut self, tag: Tag, attributes: Attributes<'s>, span: Span, diagnostics: &mut Diagnostics) {
        if self.open.len() < self.max_open {
            let element = self.element(tag, attributes, span);
            self.own_vocabulary.push(has_own_vocabulary(&element));
            self.open.push(element);
            return;
        }
        if self.too_deep == 0 {
            diagnostics.report(Problem::NestingTooDeep { limit: MAX_DEPTH }, span.head(1 + tag.name().len()));
        }
        self.too_deep += 1;
        self.push_written(span);
    }

    fn close(&mut self, tag: Tag, span: Span, diagnostics: &mut Diagnostics) {
        if self.too_deep > 0 {
            self.too_deep -= 1;
            self.push_written(span);
            return;
        }
        let Some(innermost) = self.open.last() else {
            diagnostics.report(Problem::StrayClosingTag(tag), span);
            return;
        };
        if innermost.tag != tag {
            let opened_at = innermost.name_span();
            let closes_outer = self.open.iter().any(|element| element.tag == tag);
            diagnostics
                .report(Problem::MismatchedTag { opened: innermost.tag, opened_at, closed: tag, closes_outer }, span);
            // Elements inside the one that this tag closes end with it. A tag that closes none of them is most
            // likely a misspelling of the innermost one.
            if closes_outer {
                while self.open.last().is_some_and(|element| element.tag != tag) {
                    self.end_innermost(span.start);
                }
            }
        }
        self.end_innermost(span.end);
    }

    fn finish(mut self, is_cut_short: bool, diagnostics: &mut Diagnostics) -> Vec<Node<'s>> {
        if let (false, Some(outermost)) = (is_cut_short, self.open.first()) {
            let misspelt_at = misspelled_close(outermost);
            diagnostics.report(Problem::UnclosedElement { tag: outermost.tag, misspelt_at }, outermost.name_span());
        }
        while !self.open.is_empty() {
            self.end_innermost(self.text.len());
        }
        self.top
    }

    fn end_innermost(&mut self, end: usize) {
        self.own_vocabulary.pop();
        if let Some(mut element) = self.open.pop() {
            element.span.end = end;
            element.written = &self.text[element.span.range()];
            self.push(Node::Element(element));
        }
    }

    fn element(&self, tag: Tag, attributes: Attributes<'s>, span: Span) -> Element<'s> {
        Element { tag, attributes, children: Vec::new(), span, opening: span, written: &self.text[span.range()] }
    }

    fn push_written(&mut self, span: Span) {
        self.push(Node::Text(Spanned::new(&self.text[span.range()], span)));
    }

    fn push(&mut self, node: Node<'s>) {
        match self.open.last_mut() {
            Some(element) => {
                if element.children.is_empty() {
                    // Most elements have one child, and room for more would be most of the tree's memory.
                    element.children.reserve_exact(1);
                }
                element.children.push(node);
            }
            None => self.top.push(node),
        }
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

/// Where a text in the element looks like its misspelled closing tag: `</usr>`.
fn misspelled_close(element: &Element<'_>) -> Option<Span> {
    element.children.iter().rev().find_map(|node| {
        let Node::Text(text) = node else { return None };
        let at = text.value.rfind("</")?;
        let name = text.value[at + 2..].split(|c: char| !is_tag_character(c)).next()?;
        let start = text.span.start + at;
        let span = Span::new(text.span.source, start..start + 2 + name.len());
        (Tag::meant_by(name) == Some(element.tag)).then_some(span)
    })
}

fn is_tag_character(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_' || c == '-'
}

fn report_text(text: Spanned<&str>, diagnostics: &mut Diagnostics) {
    let Some(skipped) = text.value.find(|c| !is_whitespace(c)) else { return };
    let shown = text.value[skipped..].lines().next().unwrap_or_default().trim_end();
    let name = shown.trim_start_matches(['<', '/', ' ']).split(|c| !is_tag_character(c)).next();
    let meant = name.filter(|_| shown.starts_with('<')).and_then(Tag::meant_by);
    let start = text.span.start + skipped;
    let is_json = shown.starts_with(['{', '[']) && start == skipped;
    diagnostics
        .report(Problem::TextAtTopLevel { meant, is_json }, Span::new(text.span.source, start..start + shown.len()));
}
