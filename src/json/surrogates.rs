//! Strings that hold half a surrogate pair, which is not a character.

use std::borrow::Cow;

use super::string::decode;
use super::value::{Json, Kind};

/// The character that replaces half a surrogate pair.
pub const REPLACEMENT: char = '\u{fffd}';

/// Text that may be cut inside a surrogate pair.
#[derive(Debug, PartialEq, Eq)]
pub struct LossyText<'t> {
    /// Its characters. U+FFFD replaces half surrogate pairs.
    pub text: String,
    /// How many halves were replaced.
    pub replaced: usize,
    /// The first half of a pair at the end of the text, as written. It is not in `text`.
    pub half: Option<&'t str>,
}

impl<'j> Json<'j> {
    /// The characters of a string, with U+FFFD for half surrogate pairs; `None` if the value is not a string.
    pub fn as_str_lossy(self) -> Option<Cow<'j, str>> {
        if self.kind() != Kind::String {
            return None;
        }
        let lossy = || decode(&without_lone_surrogates(self.inside()).0).map(Cow::Owned);
        self.as_str().ok().or_else(lossy)
    }

    /// The text between the quotes of a string, as written.
    pub(crate) fn inside(self) -> &'j str {
        self.raw().strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).unwrap_or_default()
    }
}

/// Decodes the inside of a JSON string that may be continued by another one.
pub fn decode_lossy(inside: &str) -> LossyText<'_> {
    let (before, half) = inside.split_at(half_at_end(inside).unwrap_or(inside.len()));
    let (repaired, replaced) = without_lone_surrogates(before);
    let half = Some(half).filter(|half| !half.is_empty());
    LossyText { text: decode(&repaired).unwrap_or_default(), replaced, half }
}

/// Where the first half of a surrogate pair starts, if the inside of a JSON string ends with one.
fn half_at_end(inside: &str) -> Option<usize> {
    let at = inside.len().checked_sub(6)?;
    let before = inside.get(..at)?;
    let backslashes = before.len() - before.trim_end_matches('\\').len();
    let is_half = backslashes.is_multiple_of(2) && matches!(unit(&inside[at..]), Some(0xd800..=0xdbff));
    is_half.then_some(at)
}

/// JSON in which `\ufffd` replaces half surrogate pairs, and how often it does.
pub fn without_lone_surrogates(json: &str) -> (String, usize) {
    let (mut out, mut count) = (String::with_capacity(json.len()), 0);
    let mut rest = json;
    while let Some(at) = rest.find('\\') {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        let length = match unit(rest) {
            Some(0xd800..=0xdbff) if matches!(rest.get(6..).and_then(unit), Some(0xdc00..=0xdfff)) => 12,
            Some(0xd800..=0xdfff) => {
                out.push_str("\\ufffd");
                count += 1;
                rest = &rest[6..];
                continue;
            }
            // A backslash and the character after it.
            Some(_) | None => 1 + rest[1..].chars().next().map_or(0, char::len_utf8),
        };
        out.push_str(&rest[..length]);
        rest = &rest[length..];
    }
    out.push_str(rest);
    (out, count)
}

/// The number of the escape `\uXXXX` that a text starts with.
fn unit(text: &str) -> Option<u32> {
    u32::from_str_radix(text.strip_prefix("\\u")?.get(..4)?, 16).ok()
}

#[cfg(test)]
#[path = "../../tests/unit/json_surrogates.rs"]
mod tests;
