//! Bytes to text, and the boundaries of its characters.

/// The first place where bytes are not UTF-8.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotUtf8 {
    /// The text before that place.
    pub valid: String,
    /// The first byte that is not UTF-8.
    pub byte: u8,
    /// Whether the bytes begin like UTF-16.
    pub looks_like_utf16: bool,
}

/// Bytes as text. Nothing is replaced.
pub fn decode(bytes: Vec<u8>) -> Result<String, NotUtf8> {
    String::from_utf8(bytes).map_err(|error| {
        let valid_up_to = error.utf8_error().valid_up_to();
        let mut bytes = error.into_bytes();
        let byte = bytes.get(valid_up_to).copied().unwrap_or_default();
        let looks_like_utf16 = bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]);
        bytes.truncate(valid_up_to);
        NotUtf8 { valid: String::from_utf8(bytes).unwrap_or_default(), byte, looks_like_utf16 }
    })
}

/// The start of the character at an offset, or the end of the text. Needed until the standard library's function of this
/// name is in the oldest supported version of Rust.
pub fn floor_char_boundary(text: &str, offset: usize) -> usize {
    (0..=offset.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or_default()
}

/// The first boundary between characters that is not before an offset, or the end of the text.
pub fn ceil_char_boundary(text: &str, offset: usize) -> usize {
    (offset..text.len()).find(|at| text.is_char_boundary(*at)).unwrap_or(text.len())
}
