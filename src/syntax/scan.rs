//! Cuts a text into tags, RAW blocks, comments and the text between them.

use memchr::memmem;

use super::Attributes;
use super::attributes::{self, Ending};
use crate::diagnostic::{Diagnostics, Problem};
use crate::element::Tag;
use crate::source::{SourceId, Span, Spanned};

pub(super) enum Token<'s> {
    Text(Spanned<&'s str>),
    Raw(Spanned<&'s str>),
    Comment(Spanned<&'s str>),
    Open { tag: Tag, attributes: Attributes<'s>, void: bool, span: Span },
    Close { tag: Tag, span: Span },
}

/// What is open around the place where the scanner stands: some names are tags only there.
#[derive(Clone, Copy)]
pub(super) struct Scope {
    pub(super) innermost: Option<Tag>,
    /// The innermost element's body has a vocabulary of its own.
    pub(super) own_vocabulary: bool,
    /// `<summary>` is a tag here.
    pub(super) in_reasoning: bool,
    pub(super) in_script: bool,
}

pub(super) struct Scanner<'s> {
    text: &'s str,
    source: SourceId,
    at: usize,
    candidates: Candidates,
    /// The end came inside a comment, RAW block or quote: what is open then is a consequence.
    pub(super) cut_short: bool,
}

/// The places found last where something other than text may start, so that no byte is searched twice.
#[derive(Default)]
struct Candidates {
    less_than: Option<usize>,
    raw: Option<usize>,
}

impl<'s> Scanner<'s> {
    pub(super) fn new(text: &'s str, source: SourceId, at: usize) -> Self {
        Self { text, source, at, candidates: Candidates::default(), cut_short: false }
    }

    /// The next token; `None` at the end.
    pub(super) fn next(&mut self, scope: Scope, diagnostics: &mut Diagnostics) -> Option<Token<'s>> {
        let start = self.at;
        if start == self.text.len() {
            return None;
        }
        if let Some(token) = self.markup(scope, diagnostics) {
            return Some(token);
        }
        while let Some(candidate) = self.candidates.next(self.text, self.at + 1) {
            self.at = candidate;
            if self.starts_something(scope) {
                return Some(Token::Text(self.spanned(start..candidate)));
            }
        }
        self.at = self.text.len();
        Some(Token::Text(self.spanned(start..self.at)))
    }

    /// Whether more than text starts here.
    fn starts_something(&self, scope: Scope) -> bool {
        let rest = &self.text[self.at..];
        rest.starts_with("RAW|")
            || rest.starts_with("<!--") && !self.in_run()
            || self.closing(scope).is_some()
            || self.opening(scope).is_some()
    }

    fn markup(&mut self, scope: Scope, diagnostics: &mut Diagnostics) -> Option<Token<'s>> {
        let rest = &self.text[self.at..];
        if rest.starts_with("RAW|") {
            return Some(Token::Raw(self.delimited("RAW|", "|RAW", Problem::UnterminatedRaw, diagnostics)));
        }
        if rest.starts_with("<!--") && !self.in_run() {
            return Some(Token::Comment(self.delimited("<!--", "-->", Problem::UnterminatedComment, diagnostics)));
        }
        if let Some((tag, end)) = self.closing(scope) {
            let span = self.span(self.at..end);
            self.at = end;
            return Some(Token::Close { tag, span });
        }
        let tag = self.opening(scope)?;
        let start = self.at;
        let mut inside = Diagnostics::new();
        let cut = attributes::parse(self.text, self.source, start + 1 + tag.name().len(), &mut inside);
        let span = self.span(start..cut.end);
        let name = span.head(1 + tag.name().len());
        match cut.ending {
            Ending::Open | Ending::Void => diagnostics.append(inside),
            Ending::Unquoted => {
                diagnostics.append(inside);
                self.cut_short = true;
            }
            Ending::Missing => {
                // What is odd inside a tag that never ends is a consequence.
                diagnostics.report(Problem::UnterminatedTag(tag), name);
                self.cut_short = cut.end == self.text.len();
                // Inside a body it is most likely text; at top level the rest is most likely its body.
                if scope.innermost.is_some() {
                    self.at = cut.end;
                    return Some(Token::Text(self.spanned(start..cut.end)));
                }
            }
        }
        self.at = cut.end;
        Some(Token::Open { tag, attributes: cut.attributes, void: cut.ending == Ending::Void, span })
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
            self.cut_short = true;
            Spanned::new(&self.text[inner..], self.span(start..self.at))
        }
    }

    /// The tag that opens here: `<`, a name of the vocabulary, and then whitespace, `>` or `/>`.
    fn opening(&self, scope: Scope) -> Option<Tag> {
        let (tag, after) = self.named(1)?;
        let ends = after.starts_with("/>") || after.starts_with(|c| c == '>' || is_whitespace(c));
        let is_tag = match tag {
            Tag::Summary => scope.in_reasoning && !scope.own_vocabulary,
            Tag::Script => scope.innermost.is_none(),
            _ => !scope.own_vocabulary,
        };
        (ends && is_tag).then_some(tag)
    }

    /// The tag that closes here, and where its closing tag ends.
    fn closing(&self, scope: Scope) -> Option<(Tag, usize)> {
        if self.text.as_bytes().get(self.at + 1) != Some(&b'/') {
            return None;
        }
        let (tag, after) = self.named(2)?;
        let rest = after.trim_start_matches(is_whitespace).strip_prefix('>')?;
        let is_tag = match tag {
            Tag::Summary => scope.in_reasoning && !scope.own_vocabulary || scope.innermost.is_none(),
            Tag::Script => scope.in_script || scope.innermost.is_none(),
            _ => !scope.own_vocabulary || scope.innermost == Some(tag),
        };
        is_tag.then_some((tag, self.text.len() - rest.len()))
    }

    /// The vocabulary's name at `offset` from here, and the text behind it.
    fn named(&self, offset: usize) -> Option<(Tag, &'s str)> {
        if self.in_run() || !self.text[self.at..].starts_with('<') {
            return None;
        }
        let rest = &self.text[self.at + offset..];
        let length = rest.bytes().take(LONGEST_NAME + 1).take_while(|b| b.is_ascii_lowercase() || *b == b'_').count();
        Some((Tag::from_name(&rest[..length])?, &rest[length..]))
    }

    /// Whether the `<` here stands next to another one.
    fn in_run(&self) -> bool {
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

const LONGEST_NAME: usize = "moderator_runtime".len();

/// Whether nothing in the text can start a tag, a comment or a RAW block, whatever comes behind it.
///
/// Wider than what the scanner accepts: other readers take `<b` for a tag that runs to the next `>`.
pub(super) fn is_plain(text: &str) -> bool {
    Candidates::default().next(text, 0).is_none()
}

impl Candidates {
    /// The next place, from `from` on, where something other than text may start.
    fn next(&mut self, text: &str, from: usize) -> Option<usize> {
        let bytes = text.as_bytes();
        if self.raw.is_none_or(|at| at < from) {
            let length = bytes.get(from..).and_then(|rest| memmem::find(rest, b"RAW|"));
            self.raw = Some(length.map_or(bytes.len(), |length| from + length));
        }
        if self.less_than.is_none_or(|at| at < from) {
            let is_start =
                |at: &usize| bytes.get(at + 1).is_none_or(|b| b.is_ascii_alphabetic() || b"_/!?<".contains(b));
            let all = memchr::memchr_iter(b'<', bytes.get(from..).unwrap_or_default()).map(|length| from + length);
            self.less_than = Some(all.into_iter().find(is_start).unwrap_or(bytes.len()));
        }
        let first = self.less_than?.min(self.raw?);
        (first < bytes.len()).then_some(first)
    }
}

/// ASCII whitespace, the vertical tab included.
pub fn is_whitespace(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\n' | '\x0b' | '\x0c' | '\r')
}

/// Whether the text ends with the `>` of something that looks like a tag: `<b>`, `</b>`, `<a b c>`.
pub fn literal_markup_ends(text: &str) -> bool {
    let bytes = text.as_bytes();
    let Some((b'>', before)) = bytes.split_last() else { return false };
    let mut end = before.len();
    while let Some(at) = memchr::memrchr2(b'<', b'>', &before[..end]) {
        let name = before.get(at + 1..).unwrap_or_default();
        let name = name.strip_prefix(b"/").unwrap_or(name);
        let named = name.first().is_some_and(|b| b.is_ascii_alphabetic() || *b == b'_');
        if before[at] == b'>' || named && (at == 0 || before[at - 1] != b'<') {
            return before[at] == b'<';
        }
        end = at;
    }
    false
}
