//! Runs of characters that may be base64.

use std::ops::Range;

/// The longest runs of characters of base64, or of its URL-safe form, each with its padding.
pub(crate) fn base64_runs(text: &str) -> impl Iterator<Item = Range<usize>> {
    let bytes = text.as_bytes();
    let mut at = 0;
    std::iter::from_fn(move || {
        let start = at + bytes[at..].iter().position(|b| is_base64(*b))?;
        let length = bytes[start..].iter().take_while(|b| is_base64(**b)).count();
        let padding = bytes[start + length..].iter().take(2).take_while(|b| **b == b'=').count();
        at = start + length + padding;
        Some(start..at)
    })
}

/// Whether base64 or its URL-safe form uses a character, padding excluded.
pub(super) fn is_base64(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"+/-_".contains(&byte)
}
