//! Where something other than text may start. The reader and the writer both ask here.

use memchr::memmem;

use super::ochat::unreadable_tag;
use crate::element::Tag;

/// What starts at a place, if it is not text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Start {
    /// `RAW|`
    Raw,
    /// `<!--`
    Comment,
    /// `<` or `</` and a name of the vocabulary.
    Tag {
        tag: Tag,
        is_closing: bool,
        /// The byte after the name.
        name_end: usize,
    },
}

/// What starts at `at`, which is on a character boundary. A name may be the last of the text: the reader and the writer
/// know what follows.
pub(super) fn start_at(text: &str, at: usize) -> Option<Start> {
    let bytes = text.as_bytes();
    let rest = bytes.get(at..)?;
    let name = match rest {
        // In a run of `<` each is text. The first one has no name after it.
        [b'<', ..] if at > 0 && bytes[at - 1] == b'<' => return None,
        [b'<', b'!', b'-', b'-', ..] => return Some(Start::Comment),
        [b'<', name @ ..] => name,
        [b'R', b'A', b'W', b'|', ..] => return Some(Start::Raw),
        _ => return None,
    };
    let (is_closing, name) = name.strip_prefix(b"/").map_or((false, name), |name| (true, name));
    let is_name = |b: &u8| b.is_ascii_lowercase() || *b == b'_';
    let length = name.iter().take(Tag::MAX_NAME_LENGTH).take_while(|b| is_name(b)).count();
    let ends = match &name[length..] {
        [] | [b'>', ..] | [b'/', b'>', ..] => true,
        [after, ..] => is_whitespace(char::from(*after)),
    };
    let name_end = text.len() - name.len() + length;
    let tag = Tag::from_name(&text[name_end - length..name_end]).filter(|_| ends)?;
    Some(Start::Tag { tag, is_closing, name_end })
}

/// Finds the places where a tag, a comment or a RAW block may start, for [`start_at`] to take a closer look.
///
/// Remembers the last places, so that no byte is searched twice.
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
            let is_start = |at: &usize| bytes.get(at + 1).is_some_and(|b| b.is_ascii_lowercase() || b"/!".contains(b));
            let all = memchr::memchr_iter(b'<', bytes.get(from..).unwrap_or_default()).map(|length| from + length);
            self.less_than = Some(all.into_iter().find(is_start).unwrap_or(bytes.len()));
        }
        let first = self.less_than?.min(self.raw?);
        (first < bytes.len()).then_some(first)
    }
}

/// Whether nothing in the text starts a tag, a comment or a RAW block, whatever follows it, for this reader and for
/// ochat. A final `<` does not count: it depends on what follows.
pub(super) fn is_plain(text: &str) -> bool {
    let mut candidates = Candidates::default();
    let mut from = 0;
    while let Some(at) = candidates.next(text, from) {
        match start_at(text, at) {
            // A closing tag holds nothing but its name.
            Some(Start::Tag { is_closing: true, name_end, .. }) if !may_close(&text[name_end..]) => {}
            Some(_) => return false,
            None => {}
        }
        from = at + 1;
    }
    memmem::find(text.as_bytes(), b"<!--").is_none() && unreadable_tag(text).is_none()
}

/// Whether the name of a closing tag can end it, given the text after it.
fn may_close(rest: &str) -> bool {
    let rest = rest.trim_start_matches(is_whitespace);
    rest.is_empty() || rest.starts_with('>')
}

/// Whether a text is only whitespace, or empty.
pub fn is_blank(text: &str) -> bool {
    text.bytes().all(|byte| is_whitespace(char::from(byte)))
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
