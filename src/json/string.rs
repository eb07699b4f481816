//! The characters of JSON strings: finding the bytes that need care, and decoding escapes.

/// How many bytes are looked at together before the exact place is searched.
const BLOCK: usize = 32;
/// The same byte eight times.
const ONES: u64 = u64::from_ne_bytes([1; 8]);

/// How many bytes come before the first that needs care in a JSON string: a quote, a backslash or a control character.
///
/// The reader, the decoder and the writer all skip text by it, so that only the few bytes that need care are looked at
/// one by one.
pub(super) fn plain_length(bytes: &[u8]) -> usize {
    // Most texts have a line break or a quote soon. Only after some words it pays to look at whole blocks.
    let near = &bytes[..bytes.len().min(BLOCK)];
    if let Some(at) = first_in_words(near) {
        return at;
    }
    let (blocks, _) = bytes[near.len()..].as_chunks::<BLOCK>();
    let start = near.len() + blocks.iter().take_while(|block| is_plain(block)).count() * BLOCK;
    start + first_in_words(&bytes[start..]).unwrap_or(bytes.len() - start)
}

/// The first byte that needs care, looking at eight bytes at a time.
fn first_in_words(bytes: &[u8]) -> Option<usize> {
    let (words, rest) = bytes.as_chunks::<8>();
    for (index, word) in words.iter().enumerate() {
        let marks = marks(u64::from_le_bytes(*word));
        if marks != 0 {
            return Some(index * 8 + marks.trailing_zeros() as usize / 8);
        }
    }
    let at = rest.iter().position(|byte| needs_care(*byte))?;
    Some(bytes.len() - rest.len() + at)
}

fn needs_care(byte: u8) -> bool {
    byte < 0x20 || byte == b'"' || byte == b'\\'
}

/// Whether no byte of a block needs care. It has no branches, so that the compiler compares many bytes at once.
fn is_plain(block: &[u8; BLOCK]) -> bool {
    !block.iter().fold(false, |found, byte| found | needs_care(*byte))
}

/// The first byte of a word that needs care has its highest bit set; bits after it may be wrong.
fn marks(word: u64) -> u64 {
    let below = |word: u64, limit: u64| word.wrapping_sub(ONES * limit) & !word;
    // With this bit flipped, a quote is next to the control characters.
    let is_control_or_quote = below(word ^ (ONES * 0x02), 0x21);
    let is_backslash = below(word ^ (ONES * u64::from(b'\\')), 1);
    (is_control_or_quote | is_backslash) & (ONES * 0x80)
}

/// The characters of the inside of a valid JSON string; `None` if it has half a surrogate pair, which is not text.
pub(super) fn decode(inside: &str) -> Option<String> {
    let mut text = String::with_capacity(inside.len());
    let mut rest = inside;
    loop {
        let (plain, escaped) = rest.split_at(plain_length(rest.as_bytes()));
        text.push_str(plain);
        if escaped.is_empty() {
            return Some(text);
        }
        let (character, length) = unescape(escaped)?;
        text.push(character);
        rest = &escaped[length..];
    }
}

/// The character of the escape at the start of a text, and its length there.
fn unescape(text: &str) -> Option<(char, usize)> {
    let character = match text.as_bytes().get(1)? {
        b'n' => '\n',
        b'r' => '\r',
        b't' => '\t',
        b'b' => '\u{8}',
        b'f' => '\u{c}',
        b'u' => return unescape_unicode(text),
        other => char::from(*other),
    };
    Some((character, 2))
}

/// The same for `\u00e9`, or `\ud83d\ude00`, which is one character.
fn unescape_unicode(text: &str) -> Option<(char, usize)> {
    let unit = |at: usize| u16::from_str_radix(text.get(at..at + 4)?, 16).ok();
    let first = unit(2)?;
    if let Some(character) = char::from_u32(u32::from(first)) {
        return Some((character, 6));
    }
    let second = text.get(6..8).filter(|escape| *escape == "\\u").and_then(|_| unit(8))?;
    let character = char::decode_utf16([first, second]).next()?.ok()?;
    Some((character, 12))
}

#[cfg(test)]
mod tests {
    use super::{needs_care, plain_length};

    #[test]
    fn every_byte_at_every_place_is_found() {
        for byte in 0..=255_u8 {
            for at in 0..140 {
                let mut bytes = vec![b'a'; 140];
                bytes[at] = byte;
                // What comes after it must not matter.
                for after in [b'a', b'"', b'!', 0x80, 0] {
                    if let Some(next) = bytes.get_mut(at + 1) {
                        *next = after;
                    }
                    let expected = bytes.iter().position(|byte| needs_care(*byte)).unwrap_or(bytes.len());
                    assert_eq!(plain_length(&bytes), expected, "{byte:#x} at {at}, then {after:#x}");
                }
            }
        }
    }
}
