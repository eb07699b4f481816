//! Base64 in a text that is long enough to be an image or a file.

use std::ops::{Range, RangeInclusive};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use crate::resources::media::image_type;
use crate::secret::{base64_runs, has_base64_run};
use crate::source::ceil_char_boundary;

/// Shorter runs cost too little to be reported.
const MIN_RUN: usize = 256;
/// From this length on, a run need not look like an image.
const MIN_CERTAIN_RUN: usize = 1024;
/// The line lengths of encoders that wrap. All lines but the last have the same length.
const LINE_LENGTHS: RangeInclusive<usize> = 60..=128;
/// The longest `data:image/…;base64,` that is recognized.
const MAX_URL_HEAD: usize = 100;

/// Base64 in a text.
pub(super) struct Base64 {
    /// The base64 with the head of its `data:` URL, if there is one.
    pub(super) range: Range<usize>,
    /// The type of image that it starts like.
    pub(super) image_type: Option<&'static str>,
    /// Where the base64 itself starts.
    pub(super) data: usize,
}

/// All base64 in a text that is long enough to be reported.
pub(super) fn base64_in(text: &str) -> Vec<Base64> {
    let mut all = Vec::new();
    for run in unwrapped_runs(text).filter(|run| run.len() >= MIN_RUN) {
        let before = &text[..run.start];
        // Certificates and keys in PEM format are meant to be text.
        if before.trim_end().ends_with("-----") {
            continue;
        }
        let head = head(before);
        let base64 = &text[run.clone()];
        let image_type = beginning(base64).as_deref().and_then(image_type);
        if head.is_some() || image_type.is_some() || base64.len() >= MIN_CERTAIN_RUN && is_mixed(base64) {
            all.push(Base64 { range: head.unwrap_or(run.start)..run.end, image_type, data: run.start });
        }
    }
    all
}

/// The runs of base64, each with all the lines that an encoder has wrapped it into. There are none if all are shorter
/// than such a line.
pub(super) fn unwrapped_runs(text: &str) -> impl Iterator<Item = Range<usize>> {
    let shortest = LINE_LENGTHS.start() - "==".len();
    let searched = if has_base64_run(text, shortest) { text } else { "" };
    let mut runs = base64_runs(searched).peekable();
    std::iter::from_fn(move || {
        let mut run = runs.next()?;
        let length = run.len();
        let is_wrapped = LINE_LENGTHS.contains(&length) && length.is_multiple_of(4);
        let mut last_length = length;
        while is_wrapped && last_length == length {
            let is_next_line =
                |next: &Range<usize>| next.len() <= length && matches!(&text[run.end..next.start], "\n" | "\r\n");
            let Some(next) = runs.next_if(is_next_line) else { break };
            last_length = next.len();
            run.end = next.end;
        }
        Some(run)
    })
}

/// The decoded bytes of base64 that may be wrapped into lines.
pub(super) fn decode(base64: &str) -> Option<Vec<u8>> {
    let joined: String = base64.chars().filter(|c| !c.is_ascii_whitespace()).collect();
    STANDARD.decode(joined).ok()
}

/// Where the `data:` URL starts whose head the text ends with.
fn head(before: &str) -> Option<usize> {
    let before = before.strip_suffix(";base64,")?;
    let nearest = ceil_char_boundary(before, before.len().saturating_sub(MAX_URL_HEAD));
    before[nearest..].rfind("data:").map(|at| nearest + at)
}

/// The first decoded bytes of a run.
fn beginning(base64: &str) -> Option<Vec<u8>> {
    STANDARD.decode(base64.get(..32)?).ok()
}

/// Whether its characters are mixed as in encoded data. Words have few digits, and paths have many slashes.
fn is_mixed(base64: &str) -> bool {
    let sample = &base64.as_bytes()[..MIN_CERTAIN_RUN];
    let percent = |is: fn(&u8) -> bool| sample.iter().filter(|b| is(b)).count() * 100 / MIN_CERTAIN_RUN;
    percent(u8::is_ascii_uppercase) >= 15
        && percent(u8::is_ascii_lowercase) >= 15
        && percent(u8::is_ascii_digit) >= 5
        && percent(|b| !b.is_ascii_alphanumeric()) <= 8
}
