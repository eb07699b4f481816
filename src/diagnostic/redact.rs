//! Texts for messages: one line, without base64 and secrets.

use std::ops::Range;

use crate::sanitize::{on_one_line, with_short_hashes};
use crate::secret::{base64_runs, possible_secret, secrets};
use crate::source::{Sources, Span};

/// Shorter runs are shown even if they could be base64.
const MIN_BASE64_LENGTH: usize = 48;
const MAX_ID_LENGTH: usize = 70;
/// A shorter part of a secret may also be a part of another word.
const MIN_PART_LENGTH: usize = 4;
/// How far the word around a place may reach on each side.
const MAX_WORD_LENGTH: usize = 1024;
/// The length of a file name that is a SHA-256 hash.
const HASH_LENGTH: usize = 64;

/// Makes a text safe for one line of a message: `…` replaces base64 and secrets, and unsafe characters are escaped.
pub fn sanitize_line(text: &str) -> String {
    let (mut out, mut at) = (String::new(), 0);
    for range in redacted_ranges(text) {
        out.push_str(&text[at..range.start]);
        out.push('…');
        at = range.end;
    }
    out.push_str(&text[at..]);
    on_one_line(&with_short_hashes(&out, |length| length == HASH_LENGTH)).into_owned()
}

/// Like [`sanitize_line`], for a text about a part of the source. A part of a secret is not shown, also if it does not look
/// like a secret by itself: `https://` comes before the password.
pub(super) fn sanitize_about(text: &str, span: Span, sources: &Sources) -> String {
    let source = sources.get(span.source).text.as_str();
    let word = word_around(source, span.range());
    if word == span.range() || span.range().len() > MAX_WORD_LENGTH {
        return sanitize_line(text);
    }
    let mut text = text.to_owned();
    for secret in redacted_ranges(&source[word.clone()]) {
        let start = span.start.max(word.start + secret.start);
        let end = span.end.min(word.start + secret.end);
        if start + MIN_PART_LENGTH <= end {
            text = text.replace(&source[start..end], "…");
        }
    }
    sanitize_line(&text)
}

/// A range with the characters next to it, up to the next space, quote or bracket.
fn word_around(source: &str, range: Range<usize>) -> Range<usize> {
    let is_part = |b: &&u8| b.is_ascii_graphic() && !b"<>\"'`".contains(b);
    let before = source.as_bytes()[..range.start].iter().rev().take(MAX_WORD_LENGTH).take_while(is_part).count();
    let after = source.as_bytes()[range.end..].iter().take(MAX_WORD_LENGTH).take_while(is_part).count();
    range.start - before..range.end + after
}

/// Makes a text safe for one line of a message, and cuts out its middle if it has more than `longest` characters: its
/// start and its end usually say the most.
pub fn sanitize_short(text: &str, longest: usize) -> String {
    let shown = sanitize_line(text);
    let half = longest / 2;
    let start = shown.char_indices().nth(half).map(|(at, _)| at);
    let end = shown.char_indices().nth_back(half).map(|(at, _)| at);
    match (start, end) {
        (Some(start), Some(end)) if start < end => [&shown[..start], "…", &shown[end..]].concat(),
        _ => shown,
    }
}

/// Like [`sanitize_line`], but line breaks stay.
pub fn sanitize_lines(text: &str) -> String {
    text.lines().map(sanitize_line).collect::<Vec<_>>().join("\n")
}

/// The ranges of a text that look like base64 or like a secret. They are in order and do not touch.
pub(super) fn redacted_ranges(text: &str) -> Vec<Range<usize>> {
    let mut ranges: Vec<Range<usize>> = secrets(text).into_iter().map(|(range, _)| range).collect();
    for Range { start, end } in base64_runs(text) {
        let run = &text[start..end];
        if run.len() >= MIN_BASE64_LENGTH && !is_hashed_file_name(run, &text[end..]) && !is_id(run) {
            ranges.push(start..end);
        } else if let Some(secret) = possible_secret(run) {
            ranges.push(start + secret..end);
        }
    }
    ranges.sort_by_key(|range| range.start);
    ranges.dedup_by(|later, earlier| {
        let touches = later.start <= earlier.end;
        earlier.end = if touches { earlier.end.max(later.end) } else { earlier.end };
        touches
    });
    ranges
}

/// Whether a run is an id of the API: a short word, `_` and hexadecimal digits.
fn is_id(run: &str) -> bool {
    let is_hexadecimal = |digits: &str| !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_hexdigit());
    let is_id = |(word, digits): (&str, &str)| word.len() <= 5 && is_hexadecimal(digits);
    run.len() <= MAX_ID_LENGTH && run.rsplit_once('_').is_some_and(is_id)
}

/// Whether a run is the path of a file that is named by its hash, up to the extension.
fn is_hashed_file_name(run: &str, after: &str) -> bool {
    let name = run.rsplit('/').next().unwrap_or(run);
    let directory = run.len() - name.len();
    let is_hash = name.len() == HASH_LENGTH && name.bytes().all(|b| b.is_ascii_hexdigit());
    directory < MIN_BASE64_LENGTH && is_hash && after.starts_with('.')
}
