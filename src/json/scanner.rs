//! Scans valid JSON without decoding it.

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

/// How many bytes come before the first that needs care in a JSON string: a quote, a backslash or a control character.
pub(super) fn plain_length(bytes: &[u8]) -> usize {
    let needs_care = |byte: &u8| *byte < 0x20 || *byte == b'"' || *byte == b'\\';
    bytes.iter().position(needs_care).unwrap_or(bytes.len())
}
