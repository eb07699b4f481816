//! Parser: reads a text node by node.

use std::collections::VecDeque;

use super::front_matter::front_matter;
use super::scan::{Scanner, Token};
use super::tree::{Builder, is_tag_character};
use super::{Node, is_blank, is_whitespace};
use crate::diagnostic::{Diagnostics, SyntaxProblem};
use crate::element::Tag;
use crate::json::begins_like_json;
use crate::source::{SourceId, Sources, Span, Spanned};

/// Reads the nodes at top level one after the other, so that they need not be in memory together.
pub struct Parser<'s> {
    scanner: Scanner<'s>,
    builder: Builder<'s>,
    /// Nodes that are complete.
    ready: VecDeque<Node<'s>>,
    is_at_end: bool,
    /// Whether only elements and comments are allowed at top level.
    is_document: bool,
}

impl<'s> Parser<'s> {
    /// Reads a whole document: elements and comments with only whitespace between them, after its front matter.
    pub fn document(sources: &'s Sources, source: SourceId, diagnostics: &mut Diagnostics) -> Self {
        let start = sources.get(source).start();
        let front_matter = front_matter(&sources.get(source).text[start..]);
        Self::blocks(start + front_matter.len(), sources, source, diagnostics)
    }

    /// Reads elements and comments from a place on.
    fn blocks(start: usize, sources: &'s Sources, source: SourceId, diagnostics: &mut Diagnostics) -> Self {
        let text = &sources.get(source).text[start..];
        // Parsing JSON as a document would only report misleading errors.
        let is_json = begins_like_json(text);
        if is_json {
            let span = Span::new(source, start..start + text.len());
            report_text(Spanned::new(text, span), true, diagnostics);
        }
        Self { is_document: true, is_at_end: is_json, ..Self::inside(0, start, sources, source) }
    }

    /// Parses a body nested in `elements` elements.
    fn inside(elements: usize, start: usize, sources: &'s Sources, source: SourceId) -> Self {
        let text = &sources.get(source).text;
        Self {
            scanner: Scanner::new(text, source, start),
            builder: Builder::new(text, elements),
            ready: VecDeque::new(),
            is_at_end: false,
            is_document: false,
        }
    }

    /// The next node; `None` at the end.
    pub fn next(&mut self, diagnostics: &mut Diagnostics) -> Option<Node<'s>> {
        while self.ready.is_empty() && !self.is_at_end {
            match self.scanner.next(&self.builder, diagnostics) {
                // An unterminated comment or RAW block is reported and otherwise ignored.
                Some(Token::Comment(_) | Token::Raw(_)) if self.scanner.is_cut_short => {}
                Some(token) => {
                    self.builder.take(token, diagnostics);
                    self.ready.extend(self.builder.completed().into_iter().flatten());
                }
                None => {
                    self.ready.extend(self.builder.finish(self.scanner.is_cut_short, diagnostics));
                    self.is_at_end = true;
                }
            }
        }
        let node = self.ready.pop_front()?;
        if self.is_document {
            report_top_level(&node, diagnostics);
        }
        Some(node)
    }

    fn all(mut self, diagnostics: &mut Diagnostics) -> Vec<Node<'s>> {
        std::iter::from_fn(|| self.next(diagnostics)).collect()
    }
}

/// Reads a whole document: elements and comments with only whitespace between them, after its front matter.
pub fn parse<'s>(sources: &'s Sources, source: SourceId, diagnostics: &mut Diagnostics) -> Vec<Node<'s>> {
    Parser::document(sources, source, diagnostics).all(diagnostics)
}

/// Reads a file whose elements another document imports. Front matter in it is text.
pub fn parse_imported<'s>(sources: &'s Sources, source: SourceId, diagnostics: &mut Diagnostics) -> Vec<Node<'s>> {
    Parser::blocks(sources.get(source).start(), sources, source, diagnostics).all(diagnostics)
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
    Parser::inside(elements, sources.get(source).start(), sources, source).all(diagnostics)
}

/// Reports text between the elements of a document.
fn report_top_level(node: &Node<'_>, diagnostics: &mut Diagnostics) {
    match node {
        Node::Text(text) => report_text(*text, false, diagnostics),
        Node::Raw(raw) if !is_blank(raw.value) => {
            diagnostics
                .report(SyntaxProblem::TextAtTopLevel { misspelt: None, is_json: false }, raw.span.head("RAW|".len()));
        }
        Node::Raw(_) | Node::Element(_) | Node::Comment(_) => {}
    }
}

fn report_text(text: Spanned<&str>, is_json: bool, diagnostics: &mut Diagnostics) {
    let Some(skipped) = text.value.find(|c| !is_whitespace(c)) else { return };
    let shown = text.value[skipped..].lines().next().unwrap_or_default().trim_end();
    let start = text.span.start + skipped;
    let problem = SyntaxProblem::TextAtTopLevel { misspelt: misspelt_tag(shown), is_json };
    diagnostics.report(problem, Span::new(text.span.source, start..start + shown.len()));
}

/// A misspelt tag at the start of a text as it is written, without `<` and attributes, and the tag that was probably meant.
fn misspelt_tag(text: &str) -> Option<(String, Tag)> {
    let inside = text.strip_prefix('<')?;
    let rest = inside.trim_start_matches(['<', '/', ' ']);
    let name = rest.split(|c| !is_tag_character(c)).next()?;
    let written = &inside[..inside.len() - rest.len() + name.len()];
    let meant = Tag::meant_by(name)?;
    // `<summary>` is a tag, only not here.
    (written != meant.name()).then(|| (written.to_owned(), meant))
}
