//! Makes texts safe for a terminal, expands tabs and shortens base64.

use std::borrow::Cow;
use std::ops::Range;

use crate::resources::media::short_hash;
use crate::responses::size;
use crate::sanitize::sanitize;
use crate::secret::base64_runs;

/// The distance of tab stops.
const TAB: usize = 8;
/// Shorter runs are shown whole even if they could be base64.
const MIN_BASE64_LENGTH: usize = 256;
/// How many characters of base64 are shown.
const BASE64_HEAD: usize = 16;

/// A text without control characters other than line breaks, and with long base64 shortened.
pub(super) fn clean(text: &str) -> Cow<'_, str> {
    let abridged = without_base64(text);
    let flat = if abridged.contains(['\t', '\r']) { Cow::Owned(without_tabs(&abridged)) } else { abridged };
    match flat {
        Cow::Borrowed(text) => sanitize(text),
        Cow::Owned(text) => Cow::Owned(sanitize(&text).into_owned()),
    }
}

/// Replaces each tab by spaces up to the next tab stop, and removes a `\r` at the end of a line.
fn without_tabs(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + TAB);
    for line in text.split_inclusive('\n') {
        let line = line.strip_suffix("\r\n").map_or(line.to_owned(), |line| [line, "\n"].concat());
        let mut column = 0;
        for c in line.chars() {
            let width = if c == '\t' { TAB - column % TAB } else { 1 };
            column += width;
            if c == '\t' { out.extend(std::iter::repeat_n(' ', width)) } else { out.push(c) }
        }
    }
    out
}

/// A text with long base64 shortened.
pub(crate) fn without_base64(text: &str) -> Cow<'_, str> {
    let (mut out, mut at) = (String::new(), 0);
    for run in long_base64_runs(text) {
        out.push_str(&text[at..run.start + BASE64_HEAD]);
        out.extend(["…[", &size(run.len()), " of base64 #", &short_hash(text[run.clone()].as_bytes()), "]"]);
        at = run.end;
    }
    if at == 0 { Cow::Borrowed(text) } else { Cow::Owned(out + &text[at..]) }
}

/// The runs of base64. A long line of dashes, or a long word, does not have all kinds of characters.
pub(crate) fn long_base64_runs(text: &str) -> impl Iterator<Item = Range<usize>> {
    base64_runs(text).filter(|run| {
        let run = &text.as_bytes()[run.clone()];
        let has = |is_kind: fn(&u8) -> bool| run.iter().any(is_kind);
        let is_long = run.len() >= MIN_BASE64_LENGTH;
        is_long && has(u8::is_ascii_uppercase) && has(u8::is_ascii_lowercase) && has(u8::is_ascii_digit)
    })
}
