//! Secrets in well-known formats, and base64. Messages never show them, and `check` reports them.

mod base64;
mod escape;
mod key_format;
mod named;
mod private_key;
mod view;

use std::ops::Range;
use std::sync::LazyLock;

use aho_corasick::Span;
use aho_corasick::packed::Searcher;

pub(crate) use base64::{base64_runs, has_base64_run, is_base64};
use key_format::KEY_FORMATS;
pub(crate) use view::View;

/// A run that starts like a secret is redacted from this length on.
const MIN_REDACTED_LENGTH: usize = 16;
/// A placeholder has fewer different characters than this …
const MIN_DIFFERENT: usize = 10;
/// … or contains one of these words.
const PLACEHOLDERS: [&str; 5] = ["example", "xxxx", "your", "placeholder", "1234567890"];
/// … near its start.
const MAX_PLACEHOLDER_LENGTH: usize = 512;
/// Prefixes of public keys and test keys. They are redacted but not reported.
const PUBLIC_PREFIXES: [&str; 2] = ["pk_live_", "sk_test_"];

/// A longer run is data, not a secret.
const MAX_SECRET_LENGTH: usize = 4096;

/// Where a secret may start in a run of base64 characters. It may be too short to be reported.
pub(crate) fn possible_secret(run: &str) -> Option<usize> {
    let starts = |at: usize| at == 0 || !run.as_bytes()[at - 1].is_ascii_alphanumeric();
    let is_secret = |at: &usize| {
        let rest = &run[*at..];
        let may_be = |prefix: &&str| rest.starts_with(*prefix);
        rest.len() >= MIN_REDACTED_LENGTH
            && (KEY_FORMATS.iter().any(|format| may_be(&format.prefix)) || PUBLIC_PREFIXES.iter().any(may_be))
    };
    (0..run.len()).filter(|at| starts(*at)).find(is_secret)
}

/// The secrets of a text in order, each with its kind and an article. Escapes do not hide a secret, and it may
/// start right after one.
pub(crate) fn secrets(text: &str) -> Vec<(Range<usize>, &'static str)> {
    let mut matches = written_secrets(text, |_| false);
    // `\npm_` may be a line break, and the end of a path.
    if let Some(view) = View::of(text) {
        let decoded = written_secrets(&view.text, |offset| view.is_break(offset));
        matches.extend(decoded.into_iter().map(|(range, what)| (view.place(range), what)));
    }
    matches.sort_by_key(|(range, _)| range.start);
    matches.dedup_by(|later, earlier| {
        let overlaps = later.0.start < earlier.0.end;
        earlier.0.end = if overlaps { earlier.0.end.max(later.0.end) } else { earlier.0.end };
        overlaps
    });
    matches
}

/// A text with its escapes decoded, and without invisible characters.
#[cfg(feature = "render")]
pub(crate) fn decoded(text: &str) -> String {
    View::of(text).map_or_else(|| text.to_owned(), |view| view.text)
}

/// The secrets of a text as it is written. `is_break` is true where one may start in the middle of a word.
fn written_secrets(text: &str, is_break: impl Fn(usize) -> bool) -> Vec<(Range<usize>, &'static str)> {
    let mut matches: Vec<(Range<usize>, &'static str)> = Vec::new();
    // For each format, the end of the last run that has been checked.
    let mut checked = [0; KEY_FORMATS.len()];
    for start in prefixes(text) {
        let rest = &text[start..];
        let may_start = may_start(&text[..start]) || is_break(start);
        for (format, checked) in KEY_FORMATS.iter().zip(&mut checked) {
            if !may_start || !rest.starts_with(format.prefix) || start < *checked {
                continue;
            }
            let run = &rest[..format.run_length(rest)];
            *checked = start + run.len();
            if let Some(length) = format.secret_length(run) {
                matches.push((start..start + length, format.what));
            }
        }
    }
    matches.extend(private_key::private_keys(text).map(|range| (range, "a private key")));
    matches.extend(named::assignments(text).map(|range| (range, "a secret")));
    matches.extend(named::passwords(text).map(|range| (range, "a password in a URL")));
    matches
}

/// Whether a secret can start after this text: not in the middle of a word, but after a RAW block.
fn may_start(before: &str) -> bool {
    !before.ends_with(|c: char| c.is_ascii_alphanumeric()) || before.ends_with("|RAW")
}

/// Where the prefix of a format starts, all prefixes searched for at once.
fn prefixes(text: &str) -> impl Iterator<Item = usize> {
    // An automaton takes seven times as long to build, which most runs would notice.
    static PREFIXES: LazyLock<Option<Searcher>> =
        LazyLock::new(|| Searcher::new(KEY_FORMATS.iter().map(|format| format.prefix)));
    let mut from = 0;
    std::iter::from_fn(move || {
        let start = match &*PREFIXES {
            Some(prefixes) => prefixes.find_in(text.as_bytes(), Span::from(from..text.len()))?.start(),
            // Without the instructions for this search, every place is left to the caller.
            None => from + text.as_bytes().get(from..)?.iter().position(u8::is_ascii)?,
        };
        from = start + 1;
        Some(start)
    })
}

/// Whether a word looks random and is not a placeholder.
fn is_random(word: &str) -> bool {
    let mut different: Vec<u8> = word.bytes().take(200).collect();
    different.sort_unstable();
    different.dedup();
    let lowercase = word.get(..MAX_PLACEHOLDER_LENGTH).unwrap_or(word).to_ascii_lowercase();
    different.len() >= MIN_DIFFERENT
        && word.bytes().any(|b| b.is_ascii_digit() || b.is_ascii_uppercase())
        && !PLACEHOLDERS.iter().any(|word| lowercase.contains(word))
}
