//! Tokens to a tree, with every tag matched or reported.

use super::frame::Frame;
use super::scan::Token;
use super::{Attributes, Element, Node};
use crate::diagnostic::{Diagnostics, SyntaxProblem};
use crate::element::{Placement, Tag};
use crate::source::{Span, Spanned};

/// How deep elements may nest, also across imports.
///
/// Every walk over a tree recurses once per level. The limit keeps all of them within the stack of an ordinary thread.
pub const MAX_DEPTH: usize = 128;

pub(super) struct Builder<'s> {
    text: &'s str,
    /// Whether the text is the content of an element.
    is_inside: bool,
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
    /// A builder of what is inside this many elements.
    pub(super) fn new(text: &'s str, elements: usize) -> Self {
        Self {
            text,
            is_inside: elements > 0,
            max_open: MAX_DEPTH.saturating_sub(elements),
            open: Vec::new(),
            top: Frame::default(),
            too_deep: 0,
            has_deep_void: false,
        }
    }

    /// The nodes at top level, if no later token can change them.
    pub(super) fn completed(&mut self) -> Option<std::vec::Drain<'_, Node<'s>>> {
        let is_complete = self.open.is_empty() && self.top.is_complete();
        is_complete.then(|| self.top.nodes.drain(..))
    }

    /// Whether no element is open, and the text is not the content of one.
    pub(super) fn is_top_level(&self) -> bool {
        self.open.is_empty() && !self.is_inside
    }

    /// Whether a name is that of a tag here. Some names are tags only inside certain elements.
    pub(super) fn is_tag(&self, tag: Tag, is_closing: bool) -> bool {
        let (innermost, is_closing_at_top) = (self.open.last(), is_closing && self.is_top_level());
        let has_own_vocabulary = innermost.is_some_and(|open| open.has_own_vocabulary);
        let is_open = |is: fn(Tag) -> bool| self.open.iter().any(|open| is(open.element.tag));
        match tag.definition().placement {
            Placement::ReasoningOnly => {
                is_closing_at_top || !has_own_vocabulary && is_open(|tag| tag == Tag::Reasoning)
            }
            Placement::TopLevelOrText => {
                let is_top_level_only = |tag: Tag| tag.definition().placement == Placement::TopLevelOrText;
                self.is_top_level() || is_closing && is_open(is_top_level_only)
            }
            Placement::TopLevel | Placement::ToolTrace | Placement::Inline(_) => {
                !has_own_vocabulary || is_closing && innermost.is_some_and(|open| open.element.tag == tag)
            }
        }
    }

    pub(super) fn take(&mut self, token: Token<'s>, diagnostics: &mut Diagnostics) {
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
            diagnostics.report(SyntaxProblem::NestingTooDeep { limit: MAX_DEPTH }, span.head(1 + tag.name().len()));
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
            diagnostics.report(SyntaxProblem::StrayClosingTag(tag), span);
            return;
        }
        let max_height = self.max_open.saturating_sub(self.open.len());
        if let Some((mut element, height)) = self.frame().close(tag, max_height) {
            self.end_at(&mut element, span.end);
            self.frame().push(Node::Element(element), height);
        } else {
            if !std::mem::replace(&mut self.has_deep_void, true) {
                diagnostics.report(SyntaxProblem::NestingTooDeep { limit: MAX_DEPTH }, span);
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
            diagnostics.report(SyntaxProblem::StrayClosingTag(tag), span);
            return;
        };
        if innermost.tag != tag {
            let opened_at = innermost.name_span();
            let closes_outer = self.open.iter().any(|open| open.element.tag == tag);
            diagnostics.report(
                SyntaxProblem::MismatchedTag { opened: innermost.tag, opened_at, closed: tag, closes_outer },
                span,
            );
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

    /// Ends all elements. Returns the nodes at top level that are still there.
    pub(super) fn finish(&mut self, is_cut_short: bool, diagnostics: &mut Diagnostics) -> Vec<Node<'s>> {
        if let (false, Some(Open { element, content, .. })) = (is_cut_short, self.open.first()) {
            let misspelt_at = misspelled_close(element.tag, &content.nodes);
            diagnostics.report(SyntaxProblem::UnclosedElement { tag: element.tag, misspelt_at }, element.name_span());
        }
        while !self.open.is_empty() {
            self.end_innermost(self.text.len());
        }
        std::mem::take(&mut self.top.nodes)
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
    let is_own_tool = || is("type", &["shell"]) || is("name", &["read_file", "get_contents"]);
    element.tag == Tag::ShellAccess || element.tag == Tag::Tool && is_own_tool()
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

pub(super) fn is_tag_character(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_' || c == '-'
}
