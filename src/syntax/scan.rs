//! Lexer: cuts a text into tags, RAW blocks, comments and the text between them.

use memchr::memmem;

use super::Attributes;
use super::attributes::{self, Ending};
use super::candidates::{Candidates, is_whitespace};
use crate::diagnostic::{Diagnostics, Problem};
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
    /// Whether the text ended inside a comment, RAW block or quote. Open elements are then not
    /// reported: they follow from that error.
    pub(super) is_cut_short: bool,
}

/// What starts at a place, if it is not text.
#[derive(Clone, Copy)]
enum Start {
    Raw,
    Comment,
    Closing { tag: Tag, end: usize },
    Opening(Tag),
}

impl<'s> Scanner<'s> {
    pub(super) fn new(text: &'s str, source: SourceId, at: usize) -> Self {
        Self { text, source, at, candidates: Candidates::default(), is_cut_short: false }
    }

    /// The next token; `None` at the end.
    pub(super) fn next(&mut self, scope: Scope, diagnostics: &mut Diagnostics) -> Option<Token<'s>> {
        let text_start = self.at;
        if text_start == self.text.len() {
            return None;
        }
        if let Some(start) = self.start(scope) {
            return Some(self.markup(start, scope, diagnostics));
        }
        while let Some(candidate) = self.candidates.next(self.text, self.at + 1) {
            self.at = candidate;
            if self.start(scope).is_some() {
                return Some(Token::Text(self.spanned(text_start..candidate)));
            }
        }
        self.at = self.text.len();
        Some(Token::Text(self.spanned(text_start..self.at)))
    }

    /// What starts here. `None` if it is text.
    fn start(&self, scope: Scope) -> Option<Start> {
        let rest = &self.text[self.at..];
        if rest.starts_with("RAW|") {
            Some(Start::Raw)
        } else if rest.starts_with("<!--") && !self.is_next_to_less_than() {
            Some(Start::Comment)
        } else if let Some((tag, end)) = self.closing(scope) {
            Some(Start::Closing { tag, end })
        } else {
            self.opening(scope).map(Start::Opening)
        }
    }

    fn markup(&mut self, start: Start, scope: Scope, diagnostics: &mut Diagnostics) -> Token<'s> {
        match start {
            Start::Raw => Token::Raw(self.delimited("RAW|", "|RAW", Problem::UnterminatedRaw, diagnostics)),
            Start::Comment => Token::Comment(self.delimited("<!--", "-->", Problem::UnterminatedComment, diagnostics)),
            Start::Closing { tag, end } => {
                let span = self.span(self.at..end);
                self.at = end;
                Token::Close { tag, span }
            }
            Start::Opening(tag) => self.opening_tag(tag, scope, diagnostics),
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
                diagnostics.report(Problem::UnterminatedTag(tag), span.head(1 + tag.name().len()));
                self.is_cut_short = parsed.end == self.text.len();
                // Inside a body it is most likely text. At top level the rest is most likely its body.
                if scope.innermost.is_some() {
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
        unterminated: Problem,
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

    /// The tag that opens here: `<`, a name of the vocabulary, and whitespace, `>` or `/>` after it.
    fn opening(&self, scope: Scope) -> Option<Tag> {
        let (tag, after) = self.name_at(1)?;
        let ends = after.starts_with("/>") || after.starts_with(|c| c == '>' || is_whitespace(c));
        let is_tag = match tag.definition().placement {
            Placement::ReasoningOnly => scope.in_reasoning && !scope.has_own_vocabulary,
            Placement::TopLevelOrText => scope.innermost.is_none(),
            Placement::TopLevel | Placement::ToolTrace | Placement::Inline(_) => !scope.has_own_vocabulary,
        };
        (ends && is_tag).then_some(tag)
    }

    /// The tag that closes here, and where its closing tag ends.
    fn closing(&self, scope: Scope) -> Option<(Tag, usize)> {
        if self.text.as_bytes().get(self.at + 1) != Some(&b'/') {
            return None;
        }
        let (tag, after) = self.name_at(2)?;
        let rest = after.trim_start_matches(is_whitespace).strip_prefix('>')?;
        let is_tag = match tag.definition().placement {
            Placement::ReasoningOnly => scope.in_reasoning && !scope.has_own_vocabulary || scope.innermost.is_none(),
            Placement::TopLevelOrText => scope.in_top_level_only || scope.innermost.is_none(),
            Placement::TopLevel | Placement::ToolTrace | Placement::Inline(_) => {
                !scope.has_own_vocabulary || scope.innermost == Some(tag)
            }
        };
        is_tag.then_some((tag, self.text.len() - rest.len()))
    }

    /// The name of the vocabulary at `offset` from here, and the text after it.
    fn name_at(&self, offset: usize) -> Option<(Tag, &'s str)> {
        if self.is_next_to_less_than() || !self.text[self.at..].starts_with('<') {
            return None;
        }
        let rest = &self.text[self.at + offset..];
        let length =
            rest.bytes().take(Tag::MAX_NAME_LENGTH + 1).take_while(|b| b.is_ascii_lowercase() || *b == b'_').count();
        Some((Tag::from_name(&rest[..length])?, &rest[length..]))
    }

    /// Whether the `<` here is next to another one.
    fn is_next_to_less_than(&self) -> bool {
        let bytes = self.text.as_bytes();
        bytes.get(self.at + 1) == Some(&b'<') || self.at > 0 && bytes[self.at - 1] == b'<'
    }

    fn span(&self, range: std::ops::Range<usize>) -> Span {
        Span::new(self.source, range)
    }

    fn spanned(&self, range: std::ops::Range<usize>) -> Spanned<&'s str> {
        Spanned::new(&self.text[range.clone()], self.span(range))
    }
}
