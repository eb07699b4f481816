//! Texts made fit for a terminal: nothing in them moves the cursor, changes a colour or goes on for megabytes.

use std::borrow::Cow;
use std::ops::Range;

use crate::diagnostic::sanitize;
use crate::resources::media::short_hash;
use crate::responses::size;

/// Where a terminal goes on behind a tab.
const TAB: usize = 8;
/// A run of this many characters of base64's alphabet is taken for base64.
const BASE64_RUN: usize = 256;
/// How much of base64 is shown.
const BASE64_HEAD: usize = 16;

/// A text without control characters other than line breaks, and with base64 abridged.
pub(super) fn clean(text: &str) -> Cow<'_, str> {
    let abridged = without_base64(text);
    let flat = if abridged.contains(['\t', '\r']) { Cow::Owned(without_tabs(&abridged)) } else { abridged };
    match flat {
        Cow::Borrowed(text) => sanitize(text),
        Cow::Owned(text) => Cow::Owned(sanitize(&text).into_owned()),
    }
}

/// Spaces up to where each tab leads. A `\r` that only ends a line goes.
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

fn without_base64(text: &str) -> Cow<'_, str> {
    let (mut out, mut at) = (String::new(), 0);
    for run in base64_runs(text) {
        out.push_str(&text[at..run.start + BASE64_HEAD]);
        out.extend(["…[", &size(run.len()), " of base64 #", &short_hash(text[run.clone()].as_bytes()), "]"]);
        at = run.end;
    }
    if at == 0 { Cow::Borrowed(text) } else { Cow::Owned(out + &text[at..]) }
}

/// The long stretches of one alphabet with all its kinds of characters in them: a ruler of dashes has not.
fn base64_runs(text: &str) -> impl Iterator<Item = Range<usize>> {
    let bytes = text.as_bytes();
    let is_token = |b: &u8| b.is_ascii_alphanumeric() || b"+/=_-".contains(b);
    let mut at = 0;
    std::iter::from_fn(move || {
        while at < bytes.len() {
            let start = at + bytes[at..].iter().take_while(|b| !is_token(b)).count();
            at = start + bytes[start..].iter().take_while(|b| is_token(b)).count();
            let run = &bytes[start..at];
            let has = |is_kind: fn(&u8) -> bool| run.iter().any(is_kind);
            let is_long = run.len() >= BASE64_RUN;
            if is_long && has(u8::is_ascii_uppercase) && has(u8::is_ascii_lowercase) && has(u8::is_ascii_digit) {
                return Some(start..at);
            }
        }
        None
    })
}
