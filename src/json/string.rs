//! The characters of JSON strings: finding special bytes, and decoding escapes.

/// How many bytes are scanned together.
const BLOCK: usize = 64;
/// Moves the lowest bits of eight bytes next to each other, into the highest byte of a word.
const GATHER: u64 = 0x0102_0408_1020_4080;

/// The escapes of two bytes: the byte after the backslash, and the byte that it represents.
const ESCAPES: [(u8, u8); 8] = [
    (b'"', b'"'),
    (b'\\', b'\\'),
    (b'/', b'/'),
    (b'b', 0x08),
    (b'f', 0x0c),
    (b'n', b'\n'),
    (b'r', b'\r'),
    (b't', b'\t'),
];
/// The byte that an escape represents, by the byte after its backslash; 0 for all that are not in [`ESCAPES`].
const UNESCAPED: [u8; 256] = {
    let mut table = [0; 256];
    let mut at = 0;
    while at < ESCAPES.len() {
        table[ESCAPES[at].0 as usize] = ESCAPES[at].1;
        at += 1;
    }
    table
};

/// Finds the special bytes in a JSON string: quotes, backslashes and control characters.
///
/// The reader, the decoder and the writer all use it to skip text, so that only the few special bytes are handled one by
/// one. A block of bytes is scanned once, however many of them are special.
pub(super) struct SpecialByteFinder<'t> {
    bytes: &'t [u8],
    /// Where the current block ends.
    block_end: usize,
    /// A bit for each byte of the current block, set if it is special. The end of the text is marked too.
    marks: u64,
}

impl<'t> SpecialByteFinder<'t> {
    pub(super) fn new(bytes: &'t [u8]) -> Self {
        Self { bytes, block_end: 0, marks: 0 }
    }

    /// The first special byte at or after `from`, or the end of the text. `from` must not decrease.
    pub(super) fn find(&mut self, mut from: usize) -> usize {
        loop {
            if from < self.block_end {
                let marks = self.marks >> (from + BLOCK - self.block_end);
                if marks != 0 {
                    return from + marks.trailing_zeros() as usize;
                }
                from = self.block_end;
            }
            self.look_at(from);
        }
    }

    /// Begins the next block.
    fn look_at(&mut self, start: usize) {
        let rest = self.bytes.get(start..).unwrap_or_default();
        self.block_end = start + BLOCK;
        self.marks = match rest.first_chunk() {
            Some(block) => marks(block),
            None => last_marks(rest),
        };
    }
}

/// A bit for each byte of a block, set if it is special. It has no branches, so that the compiler compares many bytes at
/// once.
fn marks(block: &[u8; BLOCK]) -> u64 {
    let mut flags = [0; BLOCK];
    for (flag, byte) in flags.iter_mut().zip(block) {
        *flag = u8::from(is_special(*byte));
    }
    let (words, _) = flags.as_chunks::<8>();
    words.iter().rev().fold(0, |marks, word| marks << 8 | u64::from_le_bytes(*word).wrapping_mul(GATHER) >> 56)
}

/// The same for the last block, which is shorter. The bit after it marks its end.
fn last_marks(rest: &[u8]) -> u64 {
    let (words, last) = rest.as_chunks::<8>();
    // A zero is special.
    let mut end = [0; 8];
    for (byte, from) in end.iter_mut().zip(last) {
        *byte = *from;
    }
    let marks = word_marks(u64::from_le_bytes(end));
    words.iter().rev().fold(marks, |marks, word| marks << 8 | word_marks(u64::from_le_bytes(*word)))
}

/// A bit for each byte of a word, set if it is special.
fn word_marks(word: u64) -> u64 {
    const HIGH: u64 = u64::from_ne_bytes([0x80; 8]);
    let of_each = |byte: u8| u64::from_ne_bytes([byte; 8]);
    // The highest bit of a byte, if the byte is below a limit. No byte carries into the next one.
    let below = |word: u64, limit: u8| !(((word & !HIGH) + of_each(0x80 - limit)) | word) & HIGH;
    let flags = below(word, 0x20) | below(word ^ of_each(b'"'), 1) | below(word ^ of_each(b'\\'), 1);
    (flags >> 7).wrapping_mul(GATHER) >> 56
}

fn is_special(byte: u8) -> bool {
    byte < 0x20 || byte == b'"' || byte == b'\\'
}

/// Adds the first bytes of a text. Most pieces between special bytes are short, and copying more than is needed
/// is faster than copying just as many bytes.
pub(super) fn push_start(out: &mut String, text: &str, length: usize) {
    match text.get(..BLOCK) {
        // One escape after the other.
        _ if length == 0 => {}
        Some(block) if length <= BLOCK => {
            let end = out.len() + length;
            out.push_str(block);
            out.truncate(end);
        }
        Some(_) | None => out.push_str(&text[..length]),
    }
}

/// The characters of the inside of a valid JSON string; `None` if it has half a surrogate pair, which is not text.
pub(super) fn decode(inside: &str) -> Option<String> {
    let mut text = String::with_capacity(inside.len());
    let mut finder = SpecialByteFinder::new(inside.as_bytes());
    let mut start = 0;
    loop {
        let at = finder.find(start);
        push_start(&mut text, &inside[start..], at - start);
        if at == inside.len() {
            return Some(text);
        }
        let (character, length) = unescape(&inside[at..])?;
        text.push(character);
        start = at + length;
    }
}

/// Whether the inside of a valid JSON string has these characters.
pub(super) fn is_decoded_to(inside: &str, text: &str) -> bool {
    let mut finder = SpecialByteFinder::new(inside.as_bytes());
    let (mut start, mut rest) = (0, text);
    loop {
        let at = finder.find(start);
        let Some(after) = rest.strip_prefix(&inside[start..at]) else { return false };
        if at == inside.len() {
            return after.is_empty();
        }
        let Some((character, length)) = unescape(&inside[at..]) else { return false };
        let Some(after) = after.strip_prefix(character) else { return false };
        (start, rest) = (at + length, after);
    }
}

/// The character of the escape at the start of a text, and its length there.
fn unescape(text: &str) -> Option<(char, usize)> {
    match UNESCAPED[usize::from(*text.as_bytes().get(1)?)] {
        0 => unescape_unicode(text),
        byte => Some((char::from(byte), 2)),
    }
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
#[path = "../../tests/unit/json_string.rs"]
mod tests;
