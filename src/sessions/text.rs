//! Texts of sessions, which may hold half a surrogate pair.

use std::borrow::Cow;

use crate::json::{Json, StringArena};

/// A string; `None` if it is something else. Half a surrogate pair, which no text can hold, becomes U+FFFD.
pub(super) fn text_of<'j>(json: Json<'j>, strings: &'j StringArena) -> Option<Cow<'j, str>> {
    match json.as_str() {
        Ok(text) => Some(text),
        Err(error) if error.is_lone_surrogate => repaired(json, strings)?.as_str().ok(),
        Err(_) => None,
    }
}

/// A value whose strings hold no half surrogate pairs.
pub(super) fn repaired<'j>(json: Json<'_>, strings: &'j StringArena) -> Option<Json<'j>> {
    Json::parse(strings.keep(without_lone_surrogates(json.raw())), strings).ok()
}

/// JSON in which `\ufffd` replaces half surrogate pairs.
fn without_lone_surrogates(json: &str) -> String {
    let mut out = String::with_capacity(json.len());
    let mut rest = json;
    while let Some(at) = rest.find('\\') {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        let length = match unit(rest) {
            Some(0xd800..=0xdbff) if matches!(rest.get(6..).and_then(unit), Some(0xdc00..=0xdfff)) => 12,
            Some(0xd800..=0xdfff) => {
                out.push_str("\\ufffd");
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
    out
}

/// The number of the escape `\uXXXX` that a text starts with.
fn unit(text: &str) -> Option<u32> {
    u32::from_str_radix(text.strip_prefix("\\u")?.get(..4)?, 16).ok()
}
