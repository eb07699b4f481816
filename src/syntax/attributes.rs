//! The attributes of an opening tag, and the entities of quoted values.

use std::borrow::Cow;
use std::ops::Range;

use super::candidates::start_at;
use super::{Attribute, Attributes, is_whitespace};
use crate::diagnostic::{Diagnostics, SyntaxProblem};
use crate::source::{SourceId, Span};

/// How an opening tag ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ending {
    /// `>`
    Open,
    /// `/>`
    Void,
    /// Another tag, a comment, a RAW block or the end of the text comes first.
    Missing,
    /// The text ends inside a quoted value, which is reported.
    UnterminatedQuote,
}

/// The attributes of an opening tag, and how it ends.
pub(super) struct ParsedAttributes<'s> {
    pub(super) attributes: Attributes<'s>,
    pub(super) ending: Ending,
    /// The byte after the tag.
    pub(super) end: usize,
}

/// Reads the attributes of an opening tag from `at`, the byte after its name.
pub(super) fn parse<'s>(
    text: &'s str,
    source: SourceId,
    at: usize,
    diagnostics: &mut Diagnostics,
) -> ParsedAttributes<'s> {
    let mut reader = Reader { text, source, at, long_value: None, stray_quote: None };
    let mut attributes = Vec::new();
    let ending = loop {
        reader.skip(is_whitespace);
        let rest = reader.rest();
        if rest.starts_with('>') {
            reader.at += 1;
            break Ending::Open;
        } else if rest.starts_with("/>") {
            reader.at += 2;
            break Ending::Void;
        } else if rest.is_empty() || rest.starts_with('<') && start_at(text, reader.at).is_some() {
            break Ending::Missing;
        } else if rest.starts_with(is_name_character) {
            match reader.attribute(diagnostics) {
                Some(attribute) => attributes.push(attribute),
                None => break Ending::UnterminatedQuote,
            }
        } else {
            reader.stray(diagnostics);
        }
    };
    reader.report_stray_quote(diagnostics);
    ParsedAttributes { attributes: Attributes(attributes), ending, end: reader.at }
}

struct Reader<'s> {
    text: &'s str,
    source: SourceId,
    at: usize,
    /// Where the first quoted value with a `>` in it began. Its closing quote may be meant to open another value.
    long_value: Option<Span>,
    /// The first stray quote. Others in the same tag are most likely a consequence of the same mistake.
    stray_quote: Option<(char, Span)>,
}

impl<'s> Reader<'s> {
    fn rest(&self) -> &'s str {
        &self.text[self.at..]
    }

    /// Skips characters while `is_accepted` holds.
    fn skip(&mut self, is_accepted: impl Fn(char) -> bool) -> Range<usize> {
        let start = self.at;
        self.at += self.rest().find(|c| !is_accepted(c)).unwrap_or(self.rest().len());
        start..self.at
    }

    /// `name`, `name=value` or `name="value"`; `None` if the text ends inside the quotes.
    fn attribute(&mut self, diagnostics: &mut Diagnostics) -> Option<Attribute<'s>> {
        let start = self.at;
        let name = Cow::Borrowed(&self.text[self.skip(is_name_character)]);
        let mut end = self.at;
        let mut value = None;
        self.skip(is_whitespace);
        if self.rest().starts_with('=') {
            self.at += 1;
            end = self.at;
            self.skip(is_whitespace);
            value = match self.rest().chars().next() {
                Some(quote @ ('"' | '\'')) => Some(self.quoted(quote, diagnostics)?),
                _ => self.unquoted(),
            };
            if value.is_some() {
                end = self.at;
            }
        }
        Some(Attribute { name, value, span: Span::new(self.source, start..end) })
    }

    fn quoted(&mut self, quote: char, diagnostics: &mut Diagnostics) -> Option<Cow<'s, str>> {
        let start = self.at + 1;
        let bytes = self.text.as_bytes();
        let mut at = start;
        while let Some(length) = memchr::memchr2(quote as u8, b'\\', &bytes[at..]) {
            at += length;
            if bytes[at] == quote as u8 {
                let value = &self.text[start..at];
                let opening = Span::new(self.source, self.at..start);
                self.long_value = self.long_value.or_else(|| value.contains('>').then_some(opening));
                self.at = at + 1;
                return Some(decode(value, quote));
            }
            at += if bytes.get(at + 1) == Some(&(quote as u8)) { 2 } else { 1 };
        }
        diagnostics.report(SyntaxProblem::UnterminatedQuote { quote }, Span::new(self.source, self.at..start));
        self.at = self.text.len();
        None
    }

    fn unquoted(&mut self) -> Option<Cow<'s, str>> {
        let mut range = self.skip(|c| c != '>' && !is_whitespace(c));
        if self.text[range.clone()].ends_with('/') && self.rest().starts_with('>') {
            self.at -= 1;
            range.end -= 1;
        }
        (!range.is_empty()).then(|| Cow::Borrowed(&self.text[range]))
    }

    fn stray(&mut self, diagnostics: &mut Diagnostics) {
        let start = self.at;
        if let Some(quote @ ('"' | '\'')) = self.rest().chars().next() {
            self.at += 1;
            self.stray_quote.get_or_insert((quote, Span::new(self.source, start..self.at)));
            return;
        }
        // The first character is always skipped, so that a lone `/` is stray too.
        self.at += self.rest().chars().next().map_or(0, char::len_utf8);
        self.skip(|c| !is_name_character(c) && !is_whitespace(c) && !"<>\"'/".contains(c));
        diagnostics.report(SyntaxProblem::StrayCharacters, Span::new(self.source, start..self.at));
    }

    /// Reports the first stray quote. After a quoted value with a `>` in it, which may have run over the end of this tag
    /// and over other elements, it is an error.
    fn report_stray_quote(&self, diagnostics: &mut Diagnostics) {
        let Some((quote, span)) = self.stray_quote else { return };
        let problem = match self.long_value {
            Some(value_began) => SyntaxProblem::StrayQuote { quote, value_began },
            None => SyntaxProblem::StrayCharacters,
        };
        diagnostics.report(problem, span);
    }
}

fn is_name_character(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | ':' | '-')
}

/// Decodes a quoted value: `\` before the quote, and entities. An unknown entity stays as written.
fn decode(value: &str, quote: char) -> Cow<'_, str> {
    let mut decoded = String::new();
    let mut copied = 0;
    for at in memchr::memchr2_iter(b'&', b'\\', value.as_bytes()) {
        if at < copied {
            continue;
        }
        let rest = &value[at..];
        let Some((character, length)) = escaped_quote(rest, quote).or_else(|| entity(rest)) else { continue };
        decoded.push_str(&value[copied..at]);
        decoded.push(character);
        copied = at + length;
    }
    if copied == 0 {
        return Cow::Borrowed(value);
    }
    decoded.push_str(&value[copied..]);
    Cow::Owned(decoded)
}

fn escaped_quote(rest: &str, quote: char) -> Option<(char, usize)> {
    rest.strip_prefix('\\')?.starts_with(quote).then_some((quote, 2))
}

/// The character of an entity at the start of `rest`, and the entity's length.
fn entity(rest: &str) -> Option<(char, usize)> {
    const NAMED: [(&str, char); 5] = [("&amp;", '&'), ("&lt;", '<'), ("&gt;", '>'), ("&quot;", '"'), ("&apos;", '\'')];
    if let Some((name, character)) = NAMED.into_iter().find(|(name, _)| rest.starts_with(name)) {
        return Some((character, name.len()));
    }
    let number = rest.strip_prefix("&#")?;
    let (digits, radix) = match number.strip_prefix(['x', 'X']) {
        Some(hexadecimal) => (hexadecimal, 16),
        None => (number, 10),
    };
    let length = digits.find(|c: char| !c.is_digit(radix))?;
    let character = char::from_u32(u32::from_str_radix(&digits[..length], radix).ok()?)?;
    let end = digits[length..].strip_prefix(';')?;
    Some((character, rest.len() - end.len()))
}
