//! Finds text that ochat would read as a tag.
//!
//! ochat reads every `<` before a letter or `_` as a tag that runs to the next `>`, and it reads the attributes of
//! opening tags whatever their name is. It keeps such a tag as text if its name is not in the vocabulary, but it fails
//! if the tag does not end or if a quoted value in it does not end.

use super::is_whitespace;

/// Where a tag starts that ochat cannot read, or that runs on into whatever follows the text.
pub fn unreadable_tag(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut from = 0;
    while let Some(start) = memchr::memchr_iter(b'<', &bytes[from..]).map(|at| from + at).find(|at| is_tag(bytes, *at))
    {
        let length = memchr::memchr(b'>', &bytes[start..]);
        let end = length.map(|length| start + length).filter(|end| !has_open_quote(bytes, start, *end));
        from = match end {
            Some(end) => end + 1,
            None => return Some(start),
        };
    }
    None
}

/// Whether ochat reads the `<` at this place as the start of a tag. In a run of `<` each is text.
fn is_tag(bytes: &[u8], at: usize) -> bool {
    opens_tag(bytes, at, 1) || bytes.get(at + 1) == Some(&b'/') && opens_tag(bytes, at, 2)
}

fn opens_tag(bytes: &[u8], at: usize, name: usize) -> bool {
    let is_named = bytes.get(at + name).is_some_and(|b| b.is_ascii_alphabetic() || *b == b'_');
    is_named && (at == 0 || bytes[at - 1] != b'<')
}

/// Whether any opening tag between `start` and the `>` at `end` ends inside a quoted value.
///
/// All of them end at the same `>`, so they are read together in one pass: each byte takes every state that one of them
/// is in to the next. A `/` before the `>` makes no difference, because it neither opens nor closes a quote.
fn has_open_quote(bytes: &[u8], start: usize, end: usize) -> bool {
    let mut states = 0;
    for at in start..end {
        states = after(states, bytes[at]);
        if bytes[at] == b'<' && opens_tag(bytes, at, 1) {
            states |= TAG_NAME;
        }
    }
    states & (quoted(b'"') | quoted(b'\'')) != 0
}

/// A set of places where ochat's reader of attributes can be, a bit for each.
type States = u16;

const TAG_NAME: States = 1;
/// Before the name of an attribute.
const BETWEEN: States = 1 << 1;
const NAME: States = 1 << 2;
const AFTER_NAME: States = 1 << 3;
const BEFORE_VALUE: States = 1 << 4;
const UNQUOTED: States = 1 << 5;
/// In a value in double quotes, and after a `\` there. Those of single quotes are two bits further.
const QUOTED: States = 1 << 6;
const ESCAPE: States = 1 << 7;

/// In a value with these quotes, or after a `\` there.
fn quoted(quote: u8) -> States {
    (QUOTED | ESCAPE) << if quote == b'"' { 0 } else { 2 }
}

/// The states after a byte.
fn after(states: States, byte: u8) -> States {
    let is_space = is_whitespace(char::from(byte));
    let is_name = byte.is_ascii_alphanumeric() || b"_:-".contains(&byte);
    let take = |from: States, to: States| if states & from != 0 { to } else { 0 };
    let mut next = take(TAG_NAME, if is_space { BETWEEN } else { TAG_NAME })
        | take(UNQUOTED, if is_space { BETWEEN } else { UNQUOTED })
        | take(BETWEEN, if is_name { NAME } else { BETWEEN });
    next |= match byte {
        b'=' => take(NAME | AFTER_NAME, BEFORE_VALUE),
        _ if is_space => take(NAME | AFTER_NAME, AFTER_NAME),
        _ => take(NAME | AFTER_NAME, if is_name { NAME } else { BETWEEN }),
    };
    next |= match byte {
        b'"' => take(BEFORE_VALUE, QUOTED),
        b'\'' => take(BEFORE_VALUE, QUOTED << 2),
        _ => take(BEFORE_VALUE, if is_space { BEFORE_VALUE } else { UNQUOTED }),
    };
    for (shift, quote) in [(0, b'"'), (2, b'\'')] {
        let inside = if byte == b'\\' { ESCAPE << shift } else { QUOTED << shift };
        next |= take(QUOTED << shift, if byte == quote { BETWEEN } else { inside });
        next |= take(ESCAPE << shift, inside);
    }
    next
}
