//! Where something other than text may start. The reader and the writer both ask here.

use memchr::memmem;

/// Finds the places where a tag, a comment or a RAW block may start.
///
/// The reader takes a closer look at each place. The writer protects every text that has one, because other readers
/// take any `<b` for a tag that runs to the next `>`. Remembers the last places, so that no byte is searched twice.
#[derive(Default)]
pub(super) struct Candidates {
    less_than: Option<usize>,
    raw: Option<usize>,
}

impl Candidates {
    /// The next place at or after `from`.
    pub(super) fn next(&mut self, text: &str, from: usize) -> Option<usize> {
        let bytes = text.as_bytes();
        if self.raw.is_none_or(|at| at < from) {
            let length = bytes.get(from..).and_then(|rest| memmem::find(rest, b"RAW|"));
            self.raw = Some(length.map_or(bytes.len(), |length| from + length));
        }
        if self.less_than.is_none_or(|at| at < from) {
            let is_start =
                |at: &usize| bytes.get(at + 1).is_none_or(|b| b.is_ascii_alphabetic() || b"_/!?<".contains(b));
            let all = memchr::memchr_iter(b'<', bytes.get(from..).unwrap_or_default()).map(|length| from + length);
            self.less_than = Some(all.into_iter().find(is_start).unwrap_or(bytes.len()));
        }
        let first = self.less_than?.min(self.raw?);
        (first < bytes.len()).then_some(first)
    }
}

/// Whether nothing in the text can start a tag, a comment or a RAW block, whatever follows it.
pub(super) fn is_plain(text: &str) -> bool {
    Candidates::default().next(text, 0).is_none()
}

/// ASCII whitespace, the vertical tab included.
pub fn is_whitespace(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\n' | '\x0b' | '\x0c' | '\r')
}

/// Whether the text ends with the `>` of something that looks like a tag: `<b>`, `</b>`, `<a b c>`.
pub fn ends_with_markup(text: &str) -> bool {
    let bytes = text.as_bytes();
    let Some((b'>', before)) = bytes.split_last() else { return false };
    let mut end = before.len();
    while let Some(at) = memchr::memrchr2(b'<', b'>', &before[..end]) {
        let name = before.get(at + 1..).unwrap_or_default();
        let name = name.strip_prefix(b"/").unwrap_or(name);
        let named = name.first().is_some_and(|b| b.is_ascii_alphabetic() || *b == b'_');
        if before[at] == b'>' || named && (at == 0 || before[at - 1] != b'<') {
            return before[at] == b'<';
        }
        end = at;
    }
    false
}
