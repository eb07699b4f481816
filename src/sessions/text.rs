//! Texts of sessions, which may hold half a surrogate pair.

use std::borrow::Cow;
use std::cell::Cell;

use crate::json::{Json, Object, StringArena};

/// The texts of a line. Half a surrogate pair, which no text can hold, becomes U+FFFD and is counted.
#[derive(Default)]
pub(super) struct Texts {
    pub(super) strings: StringArena,
    /// How many halves of surrogate pairs were replaced.
    pub(super) replaced: Cell<usize>,
}

impl Texts {
    /// A string; `None` if it is something else.
    pub(super) fn text<'j>(&'j self, json: Json<'j>) -> Option<Cow<'j, str>> {
        match json.as_str() {
            Ok(text) => Some(text),
            Err(error) if error.is_lone_surrogate => self.repaired(json)?.as_str().ok(),
            Err(_) => None,
        }
    }

    /// A member that is a string.
    pub(super) fn member<'j>(&'j self, object: &Object<'j>, key: &str) -> Option<Cow<'j, str>> {
        self.text(object.get(key)?)
    }

    /// A value whose strings hold no half surrogate pairs.
    pub(super) fn repaired<'j>(&'j self, json: Json<'_>) -> Option<Json<'j>> {
        let (repaired, count) = without_lone_surrogates(json.raw());
        self.replaced.set(self.replaced.get() + count);
        Json::parse(self.strings.keep(repaired), &self.strings).ok()
    }
}

/// JSON in which `\ufffd` replaces half surrogate pairs, and how often it does.
fn without_lone_surrogates(json: &str) -> (String, usize) {
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
