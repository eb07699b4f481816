//! Base64 in a text: what should be an image or a file, and is sent as words.

use std::ops::{Range, RangeInclusive};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use crate::resources::media::image_type;

/// A shorter run costs too little to speak of.
const SHORTEST: usize = 256;
/// A run of this length is taken for base64 whatever it holds.
const LONG: usize = 1024;
/// Encoders wrap lines at such a length, and all but the last are equally long.
const WRAPPED: RangeInclusive<usize> = 60..=128;
/// What is before the data in a `data:` URL is not longer than this.
const LONGEST_HEAD: usize = 100;

/// A stretch of base64 in a text.
pub(super) struct Leak {
    /// The base64, and before it the head of its `data:` URL if there is one.
    pub(super) range: Range<usize>,
    /// What the bytes begin like.
    pub(super) image_type: Option<&'static str>,
    /// Where the base64 itself begins.
    pub(super) data: usize,
}

/// Every stretch of base64 that is long enough to cost something.
pub(super) fn leaks(text: &str) -> Vec<Leak> {
    let mut leaks = Vec::new();
    let mut at = 0;
    while let Some(run) = next_run(text.as_bytes(), at) {
        at = run.end;
        if run.len() < SHORTEST {
            continue;
        }
        let before = &text[..run.start];
        // A certificate is text, by those who read it.
        if before.trim_end().ends_with("-----") {
            continue;
        }
        let head = head(before);
        let base64 = &text[run.clone()];
        let image_type = beginning(base64).as_deref().and_then(image_type);
        if head.is_some() || image_type.is_some() || base64.len() >= LONG && is_mixed(base64) {
            leaks.push(Leak { range: head.unwrap_or(run.start)..run.end, image_type, data: run.start });
        }
    }
    leaks
}

/// The bytes of a stretch, which may be wrapped into lines.
pub(super) fn decoded(base64: &str) -> Option<Vec<u8>> {
    let joined: String = base64.chars().filter(|c| !c.is_ascii_whitespace()).collect();
    STANDARD.decode(joined).ok()
}

/// The next run of base64's alphabet from `at` on, over line breaks if an encoder may have put them there.
fn next_run(bytes: &[u8], at: usize) -> Option<Range<usize>> {
    let start = at + bytes[at..].iter().position(|b| is_base64(*b))?;
    let first = line(&bytes[start..]);
    let mut end = start + first;
    while WRAPPED.contains(&first) && first.is_multiple_of(4) {
        let line_break = match &bytes[end..] {
            [b'\n', ..] => 1,
            [b'\r', b'\n', ..] => 2,
            _ => break,
        };
        let next = line(&bytes[end + line_break..]);
        if next == 0 || next > first {
            break;
        }
        end += line_break + next;
        if next < first {
            break;
        }
    }
    Some(start..end)
}

/// How long the base64 at the start of some bytes is, with its padding.
fn line(bytes: &[u8]) -> usize {
    let length = bytes.iter().take_while(|b| is_base64(**b)).count();
    length + bytes[length..].iter().take(2).take_while(|b| **b == b'=').count()
}

/// Where the head of a `data:` URL begins that the text ends with.
fn head(before: &str) -> Option<usize> {
    let before = before.strip_suffix(";base64,")?;
    let nearest = (before.len().saturating_sub(LONGEST_HEAD)..=before.len()).find(|at| before.is_char_boundary(*at))?;
    before[nearest..].rfind("data:").map(|at| nearest + at)
}

/// The first bytes of a run.
fn beginning(base64: &str) -> Option<Vec<u8>> {
    STANDARD.decode(base64.get(..32)?).ok()
}

/// Whether its characters are spread as those of real data are: words and paths have few digits or many slashes.
fn is_mixed(base64: &str) -> bool {
    let sample = &base64.as_bytes()[..LONG];
    let percent = |is: fn(&u8) -> bool| sample.iter().filter(|b| is(b)).count() * 100 / LONG;
    percent(u8::is_ascii_uppercase) >= 15
        && percent(u8::is_ascii_lowercase) >= 15
        && percent(u8::is_ascii_digit) >= 5
        && percent(|b| !b.is_ascii_alphanumeric()) <= 8
}

fn is_base64(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"+/-_".contains(&byte)
}
