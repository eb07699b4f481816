//! Lexer: cuts a text into tags, RAW blocks, comments and the text between them.

use memchr::memmem;

use super::Attributes;
use super::attributes::{self, Ending};
use super::candidates::{Candidates, Start, is_whitespace, start_at};
use super::tree::Builder;
use crate::diagnostic::{Diagnostics, SyntaxProblem};
use crate::element::Tag;
use crate::source::{SourceId, Span, Spanned};

pub(super) enum Token<'s> {
    Text(Spanned<&'s str>),
    Raw(Spanned<&'s str>),
    Comment(Spanned<&'s str>),
    Open { tag: Tag, attributes: Attributes<'s>, is_void: bool, span: Span },
    Close { tag: Tag, span: Span },
}

pub(super) struct Scanner<'s> {
    text: &'s str,
    source: SourceId,
    at: usize,
    candidates: Candidates,
    /// Markup found right after the last text token. The open elements are the same there.
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
    pub(super) fn next(&mut self, builder: &Builder<'s>, diagnostics: &mut Diagnostics) -> Option<Token<'s>> {
        let text_start = self.at;
        if text_start == self.text.len() {
            return None;
        }
        if let Some(start) = self.after_text.take().or_else(|| self.start(builder)) {
            return Some(self.markup(start, builder, diagnostics));
        }
        while let Some(candidate) = self.candidates.next(self.text, self.at + 1) {
            self.at = candidate;
            self.after_text = self.start(builder);
            if self.after_text.is_some() {
                return Some(Token::Text(self.spanned(text_start..candidate)));
            }
        }
        self.at = self.text.len();
        Some(Token::Text(self.spanned(text_start..self.at)))
    }

    /// What starts here. `None` if it is text. The end of a closing tag, which contains only the name and whitespace, is that
    /// of the whole tag.
    fn start(&self, builder: &Builder<'s>) -> Option<Start> {
        match start_at(self.text, self.at)? {
            start @ (Start::Raw | Start::Comment) => Some(start),
            Start::Tag { tag, is_closing: true, name_end } => {
                let rest = self.text[name_end..].trim_start_matches(is_whitespace).strip_prefix('>')?;
                let name_end = self.text.len() - rest.len();
                builder.is_tag(tag, true).then_some(Start::Tag { tag, is_closing: true, name_end })
            }
            start @ Start::Tag { tag, is_closing: false, name_end } => {
                (name_end < self.text.len() && builder.is_tag(tag, false)).then_some(start)
            }
        }
    }

    fn markup(&mut self, start: Start, builder: &Builder<'s>, diagnostics: &mut Diagnostics) -> Token<'s> {
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
            Start::Tag { tag, is_closing: false, .. } => self.opening_tag(tag, builder.is_top_level(), diagnostics),
        }
    }

    fn opening_tag(&mut self, tag: Tag, is_top_level: bool, diagnostics: &mut Diagnostics) -> Token<'s> {
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
                if !is_top_level {
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

    fn span(&self, range: std::ops::Range<usize>) -> Span {
        Span::new(self.source, range)
    }

    fn spanned(&self, range: std::ops::Range<usize>) -> Spanned<&'s str> {
        Spanned::new(&self.text[range.clone()], self.span(range))
    }
}
