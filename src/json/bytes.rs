//! Walks over the bytes of valid JSON without decoding it.

/// The bytes of valid JSON outside of strings, and the opening quote of each string.
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
