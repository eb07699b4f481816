//! Private keys in PEM format, also with a prefix on each line: numbers, quotes, indentation.

use std::ops::Range;

use memchr::memmem;

const START: &[u8] = b"-----BEGIN ";
const HEADER_END: &str = "-----";
const END: &[u8] = b"-----END ";
/// `OPENSSH PRIVATE KEY` and the like.
const MAX_KIND_LENGTH: usize = 40;
/// One of the first lines has at least this many characters of base64 in a row …
const MIN_FIRST_RUN: usize = 40;
/// … and the other lines have this many.
const MIN_OTHER_RUN: usize = 16;
/// How many other lines may be in a row before, between and after those of base64: headers, and the short last one.
const MAX_OTHER_LINES: usize = 8;

/// Private keys, from their first line to their last.
pub(super) fn private_keys(text: &str) -> impl Iterator<Item = Range<usize>> {
    let bytes = text.as_bytes();
    let mut ends = memmem::find_iter(bytes, END).peekable();
    let mut starts = memmem::find_iter(bytes, START).peekable();
    std::iter::from_fn(move || {
        let start = starts.next()?;
        let limit = starts.peek().copied().unwrap_or(text.len());
        while ends.next_if(|end| *end < start).is_some() {}
        let end = ends.peek().copied().filter(|end| *end < limit);
        Some((start, end, limit))
    })
    .filter_map(|(start, end, limit)| {
        let head = start + START.len();
        let body = head + header_length(&text[head..])?;
        let key = key_length(&text[body..end.unwrap_or(limit)])?;
        let is_whole = end.is_some() && key.reaches_end;
        Some(start..if is_whole { end? } else { body + key.length })
    })
}

/// The length of `RSA PRIVATE KEY-----`.
fn header_length(text: &str) -> Option<usize> {
    let is_kind = |b: &u8| b.is_ascii_uppercase() || *b == b' ';
    let length = text.bytes().take(MAX_KIND_LENGTH).take_while(is_kind).count();
    let (kind, rest) = text.split_at(length);
    let is_private = kind.ends_with("PRIVATE KEY") || kind.ends_with("PRIVATE KEY BLOCK");
    (is_private && rest.starts_with(HEADER_END)).then_some(length + HEADER_END.len())
}

/// How much of a text is a key.
struct Key {
    length: usize,
    reaches_end: bool,
}

/// The length of the key at the start of a text, up to its last line of base64.
fn key_length(text: &str) -> Option<Key> {
    let (mut length, mut at, mut other_lines) = (None, 0, 0);
    for line in text.split_inclusive('\n') {
        let has_run = match length {
            None => runs(line).find(|run| run.len() >= MIN_FIRST_RUN && is_mixed(&line[run.clone()])),
            Some(_) => runs(line).filter(|run| run.len() >= MIN_OTHER_RUN).last(),
        };
        match has_run {
            Some(_) => {
                length = runs(line).last().map(|run| at + run.end);
                other_lines = 0;
            }
            None => other_lines += 1,
        }
        if other_lines > MAX_OTHER_LINES {
            return length.map(|length| Key { length, reaches_end: false });
        }
        at += line.len();
    }
    length.map(|length| Key { length, reaches_end: true })
}

/// The runs of base64 in a line.
fn runs(line: &str) -> impl Iterator<Item = Range<usize>> {
    let is_base64 = |b: &u8| b.is_ascii_alphanumeric() || b"+/=".contains(b);
    let mut at = 0;
    std::iter::from_fn(move || {
        let start = at + line.as_bytes()[at..].iter().position(is_base64)?;
        at = start + line.as_bytes()[start..].iter().take_while(|b| is_base64(b)).count();
        Some(start..at)
    })
}

/// Whether the characters are mixed as in base64. A path or a long word has no digits or no capitals.
fn is_mixed(run: &str) -> bool {
    let has = |is: fn(&u8) -> bool| run.as_bytes().iter().any(is);
    has(u8::is_ascii_uppercase) && has(u8::is_ascii_lowercase) && has(u8::is_ascii_digit)
}
