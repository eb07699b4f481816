//! Colours for code: comments, strings, numbers, keywords, names of types and functions.
//!
//! One scanner for all languages, driven by a table. It looks at each byte a constant number of times, whatever the code
//! is. Code is only coloured, never changed.

use std::collections::HashSet;

use memchr::memmem;

use super::languages::{Language, Style, find};
use crate::source::ceil_char_boundary;

/// The kind of a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Token {
    Plain,
    Comment,
    Keyword,
    String,
    Number,
    Function,
    Type,
    Key,
    Added,
    Removed,
}

/// Longer blocks are not coloured.
const MAX_BLOCK_LENGTH: usize = 50_000;

/// Cuts code into tokens, in order and without gaps. Code in an unknown language, and a long block, is one plain token.
pub(super) fn highlight<'c>(language: &str, code: &'c str) -> Vec<(Token, &'c str)> {
    match find(language).filter(|_| code.len() <= MAX_BLOCK_LENGTH) {
        None => vec![(Token::Plain, code)],
        Some(language) => match language.style {
            Style::Diff => diff(code),
            Style::Code | Style::Data | Style::Markup => {
                let keywords = language.keywords.split_whitespace().collect();
                let mut scanner = Scanner { code, language, keywords, plain: 0, tokens: Vec::new() };
                scanner.run();
                scanner.tokens
            }
        },
    }
}

fn diff(code: &str) -> Vec<(Token, &str)> {
    let token = |line: &str| match line.as_bytes() {
        [b'+', b'+', b'+', ..] | [b'-', b'-', b'-', ..] => Token::Keyword,
        [b'+', ..] => Token::Added,
        [b'-', ..] => Token::Removed,
        [b'@', ..] => Token::Type,
        _ => Token::Plain,
    };
    code.split_inclusive('\n').map(|line| (token(line), line)).collect()
}

struct Scanner<'c> {
    code: &'c str,
    language: &'static Language,
    keywords: HashSet<&'static str>,
    /// Where the plain text that is not yet a token starts.
    plain: usize,
    tokens: Vec<(Token, &'c str)>,
}

impl Scanner<'_> {
    fn run(&mut self) {
        let mut at = 0;
        while let Some(c) = self.code[at..].chars().next() {
            at = match self.token(at, c) {
                Some((token, end)) if end > at => {
                    self.push(at, token, end);
                    end
                }
                _ => at + self.plain_length(at, c),
            };
        }
        self.flush(self.code.len());
    }

    fn push(&mut self, start: usize, token: Token, end: usize) {
        self.flush(start);
        self.tokens.push((token, &self.code[start..end]));
        self.plain = end;
    }

    fn flush(&mut self, end: usize) {
        if self.plain < end {
            self.tokens.push((Token::Plain, &self.code[self.plain..end]));
        }
    }

    /// A character, or a whole word, so that no token starts within a word.
    fn plain_length(&self, at: usize, c: char) -> usize {
        if is_word(c) { self.word_end(at) - at } else { c.len_utf8() }
    }

    fn word_end(&self, at: usize) -> usize {
        let dashes = self.language.style != Style::Code;
        let rest = &self.code[at..];
        at + rest.find(|c| !(is_word(c) || dashes && c == '-')).unwrap_or(rest.len())
    }

    /// The token that starts here, and where it ends.
    fn token(&self, at: usize, c: char) -> Option<(Token, usize)> {
        let rest = &self.code[at..];
        if self.language.line_comments.iter().any(|start| rest.starts_with(start.as_str())) && self.may_comment(at, c) {
            return Some((Token::Comment, at + memchr::memchr(b'\n', rest.as_bytes()).unwrap_or(rest.len())));
        }
        let block_comment = self.language.block_comment.as_ref();
        if let Some((start, end)) = block_comment.filter(|(start, _)| rest.starts_with(start.as_str())) {
            return Some((Token::Comment, at + closed(rest, start.len(), end)));
        }
        if let Some(quotes) = self.language.long_strings.iter().find(|quotes| rest.starts_with(quotes.as_str())) {
            return Some((Token::String, at + closed(rest, quotes.len(), quotes)));
        }
        if self.language.quotes.contains(c) {
            return Some(self.string(at, c));
        }
        if c.is_ascii_digit() {
            let length = rest.find(|c: char| !c.is_ascii_alphanumeric() && !"._".contains(c)).unwrap_or(rest.len());
            return Some((Token::Number, at + length));
        }
        if is_word(c) { self.word(at) } else { None }
    }

    /// `#` starts a comment only at the start of a word: `$#` and `a#b` are not comments.
    fn may_comment(&self, at: usize, c: char) -> bool {
        c != '#' || self.code[..at].chars().next_back().is_none_or(char::is_whitespace)
    }

    fn string(&self, at: usize, quote: char) -> (Token, usize) {
        let bytes = self.code.as_bytes();
        if quote == '\'' && self.language.has_lifetimes {
            // `'a` without a quote after it is a lifetime.
            let end = self.word_end(at + 1);
            if end > at + 1 && bytes.get(end) != Some(&b'\'') {
                return (Token::Plain, end);
            }
        }
        let mut end = at + 1;
        while let Some(byte) = bytes.get(end) {
            match byte {
                b'\\' if self.language.style != Style::Markup => end += 1,
                b'\n' if self.language.style != Style::Markup => break,
                b if *b == quote as u8 => {
                    let end = end + 1;
                    let is_key = self.language.style == Style::Data && self.is_before(end, ':');
                    return (if is_key { Token::Key } else { Token::String }, end);
                }
                _ => {}
            }
            end += 1;
        }
        // The rest of the line is not searched again.
        (Token::Plain, ceil_char_boundary(self.code, end))
    }

    fn word(&self, at: usize) -> Option<(Token, usize)> {
        let end = self.word_end(at);
        let word = &self.code[at..end];
        let is_keyword = self.keywords.contains(word)
            || self.language.ignores_case && self.keywords.contains(word.to_ascii_lowercase().as_str());
        let token = match self.language.style {
            _ if is_keyword => Token::Keyword,
            Style::Data if self.is_before(end, ':') || self.is_before(end, '=') => Token::Key,
            Style::Markup if self.code[..at].ends_with('<') || self.code[..at].ends_with("</") => Token::Keyword,
            Style::Markup if self.code[end..].starts_with('=') => Token::Key,
            Style::Code if self.code[end..].starts_with('(') => Token::Function,
            Style::Code if self.language.has_types && word.starts_with(|c: char| c.is_ascii_uppercase()) => Token::Type,
            Style::Code | Style::Data | Style::Markup | Style::Diff => return None,
        };
        Some((token, end))
    }

    /// Whether a character follows, perhaps after one space.
    fn is_before(&self, end: usize, c: char) -> bool {
        let rest = &self.code[end..];
        rest.strip_prefix(' ').unwrap_or(rest).starts_with(c)
    }
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// The length of a text up to the delimiter that closes it, or its whole length.
fn closed(text: &str, open: usize, close: &str) -> usize {
    memmem::find(&text.as_bytes()[open..], close.as_bytes()).map_or(text.len(), |at| open + at + close.len())
}

#[cfg(test)]
#[path = "../../tests/unit/render_highlight.rs"]
mod tests;
