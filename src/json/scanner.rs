//! Scans valid JSON without decoding it.

use std::borrow::Cow;
use std::ops::Range;

use super::value::MAX_DEPTH;

/// The offset at which valid JSON is nested too deep.
pub(super) fn too_deep(json: &str) -> Option<usize> {
    let mut depth = 0_usize;
    for (at, byte) in outside_strings(json) {
        match byte {
            b'[' | b'{' => depth += 1,
            b']' | b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth > MAX_DEPTH {
            return Some(at);
        }
    }
    None
}

/// The bytes of valid JSON outside of strings. Of a string only the opening quote is given.
pub(super) fn outside_strings(json: &str) -> impl Iterator<Item = (usize, u8)> {
    let bytes = json.as_bytes();
    let mut at = 0;
    std::iter::from_fn(move || {
        let start = at;
        let byte = *bytes.get(at)?;
        at = if byte == b'"' { string_end(bytes, at) } else { at + 1 };
        Some((start, byte))
    })
}

/// The offset after the string that starts at `start`.
pub(super) fn string_end(bytes: &[u8], start: usize) -> usize {
    let mut at = start + 1;
    while let Some(length) = bytes.get(at..).and_then(|rest| memchr::memchr2(b'"', b'\\', rest)) {
        at += length;
        if bytes[at] == b'"' {
            return at + 1;
        }
        at += 2;
    }
    bytes.len()
}

/// The JSON without whitespace between tokens.
pub(super) fn compact(json: &str) -> Cow<'_, str> {
    let is_space = |b: u8| matches!(b, b' ' | b'\t' | b'\n' | b'\r');
    let mut kept = String::new();
    let mut start = 0;
    for (at, _) in outside_strings(json).filter(|(_, byte)| is_space(*byte)) {
        kept.push_str(&json[start..at]);
        start = at + 1;
    }
    if start == 0 {
        return Cow::Borrowed(json);
    }
    kept.push_str(&json[start..]);
    Cow::Owned(kept)
}

/// Every string value with its nearest enclosing key and byte range.
pub(super) fn keyed_strings(json: &str) -> impl Iterator<Item = (&str, Range<usize>)> {
    let bytes = json.as_bytes();
    let (mut key, mut outer) = ("", Vec::new());
    outside_strings(json).filter_map(move |(start, byte)| {
        match byte {
            b'{' | b'[' => outer.push(key),
            b'}' | b']' => key = outer.pop().unwrap_or_default(),
            b'"' => {
                let end = string_end(bytes, start);
                if !json[end..].trim_ascii_start().starts_with(':') {
                    return Some((key, start..end));
                }
                key = &json[start + 1..end - 1];
            }
            _ => {}
        }
        None
    })
}
