//! Lexer: cuts a text into tags, RAW blocks, comments and the text between them.

use memchr::memmem;

use super::Attributes;
use super::attributes::{self, Ending};
use super::candidates::{Candidates, Start, is_whitespace, start_at};
use crate::diagnostic::{Diagnostics, SyntaxProblem};
use crate::element::{Placement, Tag};
use crate::source::{SourceId, Span, Spanned};

pub(super) enum Token<'s> {
    Text(Spanned<&'s str>),
    Raw(Spanned<&'s str>),
    Comment(Spanned<&'s str>),
    Open { tag: Tag, attributes: Attributes<'s>, is_void: bool, span: Span },
    Close { tag: Tag, span: Span },
}

/// The elements that are open where the scanner is. Some names are tags only inside certain elements.
#[derive(Clone, Copy)]
pub(super) struct Scope {
    pub(super) innermost: Option<Tag>,
    /// Whether no element is open, and the text is not the content of one.
    pub(super) is_top_level: bool,
    /// Whether the innermost element's body has a vocabulary of its own.
    pub(super) has_own_vocabulary: bool,
    /// Whether a `<reasoning>` is open.
    pub(super) in_reasoning: bool,
    /// Whether an element is open that is a tag at top level only.
    pub(super) in_top_level_only: bool,
}

pub(super) struct Scanner<'s> {
    text: &'s str,
    source: SourceId,
    at: usize,
    candidates: Candidates,
    /// Markup found right after the last text token; the scope cannot have changed.
    after_text: Option<Start>,
    /// Whether the text ended inside a comment, RAW block or quote. Open elements are then not
    /// reported: they follow from that error.
    pub(super) is_cut_short: bool,
}

impl<'s> Scanner<'s> {
    pub(super) fn new(text: &'s str, source: SourceId, at: usize) -> Self {
        Self { text, source, at, candidates: Candidates::default(), after_text: None, is_cut_short: false }
    }

    /// The next token; `None` at the end.
    pub(super) fn next(&mut self, scope: Scope, diagnostics: &mut Diagnostics) -> Option<Token<'s>> {
        let text_start = self.at;
        if text_start == self.text.len() {
            return None;
        }
        if let Some(start) = self.after_text.take().or_else(|| self.start(scope)) {
            return Some(self.markup(start, scope, diagnostics));
        }
        while let Some(candidate) = self.candidates.next(self.text, self.at + 1) {
            self.at = candidate;
            self.after_text = self.start(scope);
            if self.after_text.is_some() {
                return Some(Token::Text(self.spanned(text_start..candidate)));
            }
        }
        self.at = self.text.len();
        Some(Token::Text(self.spanned(text_start..self.at)))
    }

    /// What starts here in a scope. `None` if it is text. The end of a closing tag is that of the whole tag.
    fn start(&self, scope: Scope) -> Option<Start> {
        match start_at(self.text, self.at)? {
            start @ (Start::Raw | Start::Comment) => Some(start),
            Start::Tag { tag, is_closing: true, name_end } => {
                let end = self.closing_end(tag, name_end, scope)?;
                Some(Start::Tag { tag, is_closing: true, name_end: end })
            }
            start @ Start::Tag { tag, is_closing: false, name_end } => {
                (name_end < self.text.len() && is_opening(tag, scope)).then_some(start)
            }
        }
    }

    fn markup(&mut self, start: Start, scope: Scope, diagnostics: &mut Diagnostics) -> Token<'s> {
        match start {
            Start::Raw => Token::Raw(self.delimited("RAW|", "|RAW", SyntaxProblem::UnterminatedRaw, diagnostics)),
            Start::Comment => {
                Token::Comment(self.delimited("<!--", "-->", SyntaxProblem::UnterminatedComment, diagnostics))
            }
            Start::Tag { tag, is_closing: true, name_end: end } => {
                let span = self.span(self.at..end);
                self.at = end;
                Token::Close { tag, span }
            }
            Start::Tag { tag, is_closing: false, .. } => self.opening_tag(tag, scope, diagnostics),
        }
    }

    fn opening_tag(&mut self, tag: Tag, scope: Scope, diagnostics: &mut Diagnostics) -> Token<'s> {
        let start = self.at;
        let mut tag_diagnostics = Diagnostics::new();
        let parsed = attributes::parse(self.text, self.source, start + 1 + tag.name().len(), &mut tag_diagnostics);
        let span = self.span(start..parsed.end);
        self.at = parsed.end;
        match parsed.ending {
            Ending::Open | Ending::Void => diagnostics.append(tag_diagnostics),
            Ending::UnterminatedQuote => {
                diagnostics.append(tag_diagnostics);
                self.is_cut_short = true;
            }
            Ending::Missing => {
                // The other problems of a tag that never ends are consequences.
                diagnostics.report(SyntaxProblem::UnterminatedTag(tag), span.head(1 + tag.name().len()));
                self.is_cut_short = parsed.end == self.text.len();
                // Inside a body it is most likely text. At top level the rest is most likely its body.
                if !scope.is_top_level {
                    return Token::Text(self.spanned(start..parsed.end));
                }
            }
        }
        Token::Open { tag, attributes: parsed.attributes, is_void: parsed.ending == Ending::Void, span }
    }

    fn delimited(
        &mut self,
        open: &str,
        close: &str,
        unterminated: SyntaxProblem,
        diagnostics: &mut Diagnostics,
    ) -> Spanned<&'s str> {
        let start = self.at;
        let inner = start + open.len();
        if let Some(length) = memmem::find(&self.text.as_bytes()[inner..], close.as_bytes()) {
            self.at = inner + length + close.len();
            Spanned::new(&self.text[inner..inner + length], self.span(start..self.at))
        } else {
            diagnostics.report(unterminated, self.span(start..inner));
            self.at = self.text.len();
            self.is_cut_short = true;
            Spanned::new(&self.text[inner..], self.span(start..self.at))
        }
    }

    /// The end of the closing tag of this name. It contains only the name and whitespace.
    fn closing_end(&self, tag: Tag, name_end: usize, scope: Scope) -> Option<usize> {
        let rest = self.text[name_end..].trim_start_matches(is_whitespace).strip_prefix('>')?;
        let is_tag = match tag.definition().placement {
            Placement::ReasoningOnly => scope.in_reasoning && !scope.has_own_vocabulary || scope.is_top_level,
            Placement::TopLevelOrText => scope.in_top_level_only || scope.is_top_level,
            Placement::TopLevel | Placement::ToolTrace | Placement::Inline(_) => {
                !scope.has_own_vocabulary || scope.innermost == Some(tag)
            }
        };
        is_tag.then_some(self.text.len() - rest.len())
    }

    fn span(&self, range: std::ops::Range<usize>) -> Span {
        Span::new(self.source, range)
    }

    fn spanned(&self, range: std::ops::Range<usize>) -> Spanned<&'s str> {
        Spanned::new(&self.text[range.clone()], self.span(range))
    }
}

/// Whether the name is that of a tag in this scope.
fn is_opening(tag: Tag, scope: Scope) -> bool {
    match tag.definition().placement {
        Placement::ReasoningOnly => scope.in_reasoning && !scope.has_own_vocabulary,
        Placement::TopLevelOrText => scope.is_top_level,
        Placement::TopLevel | Placement::ToolTrace | Placement::Inline(_) => !scope.has_own_vocabulary,
    }
}
