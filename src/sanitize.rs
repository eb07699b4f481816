//! Making text safe to print.
//!
//! A terminal obeys control characters and characters that change the direction of text, and it does not show
//! invisible ones. They are escaped: U+001B becomes `\u{1b}`.

use std::borrow::Cow;
use std::fmt::Write;

/// Escapes the unsafe characters of a text, except line breaks and tabs.
///
/// ```
/// assert_eq!(chatmd::internal::sanitize::sanitize("a\n\u{1b}[31m\u{202e}"), "a\n\\u{1b}[31m\\u{202e}");
/// ```
pub fn sanitize(text: &str) -> Cow<'_, str> {
    escape(text, |c| is_unsafe(c) && !matches!(c, '\n' | '\t'))
}

/// Escapes the unsafe characters of a text, including line breaks and tabs.
pub fn on_one_line(text: &str) -> Cow<'_, str> {
    escape(text, is_unsafe)
}

/// Escapes the unsafe characters of JSON as JSON does, except line breaks. The value stays the same.
///
/// ```
/// assert_eq!(chatmd::internal::sanitize::sanitize_json("{\n\"a\": \"\u{9b}31m\u{202e}\"}"), "{\n\"a\": \"\\u009b31m\\u202e\"}");
/// ```
pub fn sanitize_json(json: &str) -> Cow<'_, str> {
    let is_escaped = |c: char| is_unsafe(c) && c != '\n';
    if !json.contains(is_escaped) {
        return Cow::Borrowed(json);
    }
    let mut out = String::with_capacity(json.len());
    for c in json.chars() {
        if is_escaped(c) {
            // Writing to a string cannot fail.
            let _ = c.encode_utf16(&mut [0; 2]).iter().try_for_each(|unit| write!(out, "\\u{unit:04x}"));
        } else {
            out.push(c);
        }
    }
    Cow::Owned(out)
}

/// Escapes the characters of a text for which `is_escaped` holds.
fn escape(text: &str, is_escaped: impl Fn(char) -> bool) -> Cow<'_, str> {
    if !text.contains(&is_escaped) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if is_escaped(c) { out.extend(c.escape_unicode()) } else { out.push(c) }
    }
    Cow::Owned(out)
}

/// A text with each run of hexadecimal digits that is as long as a hash shortened to its first digits.
pub(crate) fn with_short_hashes(text: &str, is_hash: impl Fn(usize) -> bool) -> Cow<'_, str> {
    const SHOWN: usize = 12;
    let (mut out, mut copied, mut start) = (String::new(), 0, 0);
    for (at, byte) in text.bytes().chain([b' ']).enumerate() {
        if byte.is_ascii_hexdigit() {
            continue;
        }
        if is_hash(at - start) {
            out.extend([&text[copied..start + SHOWN], "…"]);
            copied = at;
        }
        start = at + 1;
    }
    if copied == 0 { Cow::Borrowed(text) } else { Cow::Owned(out + &text[copied..]) }
}

/// Whether a character controls how other characters are shown, or is invisible. Joiners are safe: emoji and some scripts need
/// them.
fn is_unsafe(c: char) -> bool {
    c.is_control() || is_invisible(c) && !matches!(c, '\u{200c}' | '\u{200d}')
}

/// Whether a character is invisible: it controls direction, joins, fills, or carries data for programs.
///
/// These are Unicode's default ignorable characters and the marks of annotations, without the soft hyphen and the
/// selectors of emoji variants.
pub fn is_invisible(c: char) -> bool {
    // Nearly all characters of most texts stand before the first invisible one.
    c >= '\u{034f}'
        && matches!(c,
        '\u{034f}' | '\u{061c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}'
        | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{feff}'
        | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}' | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}'
        | '\u{e0000}'..='\u{e0fff}')
}
