//! Texts made fit to be shown: no base64, no secrets, nothing that moves the cursor or hides.

use std::borrow::Cow;
use std::ops::Range;

use super::secret::{begins_in, secrets};
use crate::source::is_unseen;

/// A run of this many characters of base64's alphabet is taken for base64.
const BASE64_RUN: usize = 48;
const LONGEST_ID: usize = 70;

/// A text for one line of a message: base64 and secrets left out, what would move the cursor made visible.
pub fn sanitize_line(text: &str) -> String {
    let (mut out, mut at) = (String::new(), 0);
    for hidden in hidden_runs(text) {
        out.push_str(&text[at..hidden.start]);
        out.push('…');
        at = hidden.end;
    }
    out.push_str(&text[at..]);
    if out.contains(is_harmful) { spelled_out(&out, |c| !is_harmful(c)) } else { out }
}

/// A text for one line of a message, cut where nobody reads on.
pub fn sanitize_short(text: &str, longest: usize) -> String {
    let mut shown = sanitize_line(text);
    if let Some((end, _)) = shown.char_indices().nth(longest) {
        shown.truncate(end);
        shown.push('…');
    }
    shown
}

/// A text of several lines with every character spelled out that would change how others are shown.
pub fn sanitize(text: &str) -> Cow<'_, str> {
    let is_shown = |c: char| matches!(c, '\n' | '\t') || !is_harmful(c);
    if text.chars().all(is_shown) {
        return Cow::Borrowed(text);
    }
    Cow::Owned(spelled_out(text, is_shown))
}

/// A text with every character spelled out that is not to be shown.
fn spelled_out(text: &str, is_shown: impl Fn(char) -> bool) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if is_shown(c) { out.push(c) } else { out.extend(c.escape_unicode()) }
    }
    out
}

/// Whether a character controls how others are shown, or hides. Emoji and some scripts need joiners.
fn is_harmful(c: char) -> bool {
    c.is_control() || is_unseen(c) && !matches!(c, '\u{200c}' | '\u{200d}')
}

/// Whether base64 and secrets consist of such bytes.
pub(super) fn is_token(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"+/=_-".contains(&byte)
}

/// The stretches of a text that look like base64 or like a secret, in order and apart.
pub(super) fn hidden_runs(text: &str) -> Vec<Range<usize>> {
    let bytes = text.as_bytes();
    let mut runs: Vec<Range<usize>> = secrets(text).into_iter().map(|(range, _)| range).collect();
    let mut at = 0;
    while at < bytes.len() {
        let start = at + bytes[at..].iter().take_while(|b| !is_token(**b)).count();
        at = start + bytes[start..].iter().take_while(|b| is_token(**b)).count();
        let run = &text[start..at];
        if run.len() >= BASE64_RUN && !is_file_name(run, &text[at..]) && !is_id(run) {
            runs.push(start..at);
        } else if let Some(secret) = begins_in(run) {
            runs.push(start + secret..at);
        }
    }
    runs.sort_by_key(|run| run.start);
    runs.dedup_by(|later, earlier| {
        let touches = later.start <= earlier.end;
        earlier.end = if touches { earlier.end.max(later.end) } else { earlier.end };
        touches
    });
    runs
}

/// Whether a run is an id as the API gives them: a word and hexadecimal digits.
fn is_id(run: &str) -> bool {
    let is_digits = |digits: &str| !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_hexdigit());
    run.len() <= LONGEST_ID && run.rsplit_once('_').is_some_and(|(word, digits)| word.len() <= 5 && is_digits(digits))
}

/// Whether a run is a file's path by its hash: 64 hexadecimal digits with an ending behind them.
fn is_file_name(run: &str, behind: &str) -> bool {
    let name = run.rsplit('/').next().unwrap_or(run);
    let directory = run.len() - name.len();
    directory < BASE64_RUN && name.len() == 64 && name.bytes().all(|b| b.is_ascii_hexdigit()) && behind.starts_with('.')
}
