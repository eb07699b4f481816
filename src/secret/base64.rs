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

/// Whether a text has a run of at least `length` such characters. If there is none, only few characters are examined.
pub(crate) fn has_base64_run(text: &str, length: usize) -> bool {
    let bytes = text.as_bytes();
    let mut start = 0;
    while let Some(window) = bytes.get(start..start + length) {
        match window.iter().rposition(|byte| !is_base64(*byte)) {
            Some(at) => start += at + 1,
            None => return true,
        }
    }
    false
}

/// Whether base64 or its URL-safe form uses a character, padding excluded.
pub(crate) fn is_base64(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"+/-_".contains(&byte)
}

#[cfg(test)]
#[path = "../../tests/unit/secret_base64.rs"]
mod tests;
