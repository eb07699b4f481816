//! Secrets in well-known formats. Messages never show them, and `check` reports them.

mod named;

use std::ops::Range;
use std::sync::LazyLock;

use aho_corasick::{AhoCorasick, Input, MatchKind};

/// The format of a kind of secret.
struct Shape {
    prefix: &'static str,
    what: &'static str,
    /// Its length, including the prefix.
    length: Length,
    /// The characters that it consists of, besides letters and digits.
    also: &'static [u8],
}

enum Length {
    Exactly(usize),
    AtLeast(usize),
}

const fn exactly(prefix: &'static str, length: usize, what: &'static str) -> Shape {
    Shape { prefix, what, length: Length::Exactly(length), also: b"_-" }
}

const fn at_least(prefix: &'static str, length: usize, also: &'static [u8], what: &'static str) -> Shape {
    Shape { prefix, what, length: Length::AtLeast(length), also }
}

const SHAPES: [Shape; 23] = [
    at_least("sk-ant-", 40, b"_-", "an Anthropic API key"),
    at_least("sk-", 35, b"_-", "an API key"),
    at_least("sk_live_", 24, b"", "a Stripe key"),
    at_least("rk_live_", 24, b"", "a Stripe key"),
    at_least("ghp_", 40, b"", "a GitHub token"),
    at_least("gho_", 40, b"", "a GitHub token"),
    at_least("ghu_", 40, b"", "a GitHub token"),
    at_least("ghs_", 40, b"", "a GitHub token"),
    at_least("ghr_", 40, b"", "a GitHub token"),
    at_least("github_pat_", 50, b"_", "a GitHub token"),
    at_least("glpat-", 26, b"_-", "a GitLab token"),
    at_least("hf_", 37, b"", "a Hugging Face token"),
    at_least("npm_", 40, b"", "an npm token"),
    at_least("pypi-AgEI", 60, b"_-", "a PyPI token"),
    at_least("xai-", 60, b"", "an xAI API key"),
    at_least("gsk_", 40, b"", "a Groq API key"),
    at_least("dop_v1_", 60, b"", "a DigitalOcean token"),
    at_least("xox", 30, b"-", "a Slack token"),
    exactly("AKIA", 20, "an AWS access key id"),
    exactly("ASIA", 20, "an AWS access key id"),
    exactly("AIza", 39, "a Google API key"),
    at_least("eyJ", 60, b"_-.", "a signed token"),
    at_least("ya29.", 40, b"_-", "a Google access token"),
];
/// A run that starts like a secret is redacted from this length on.
const SHORTEST_REDACTED: usize = 16;
/// A placeholder has fewer different characters than this …
const FEWEST_DIFFERENT: usize = 10;
/// … or contains one of these words.
const PLACEHOLDERS: [&str; 5] = ["example", "xxxx", "your", "placeholder", "1234567890"];
/// Prefixes of public keys and test keys. They are redacted but not reported.
const PUBLIC_PREFIXES: [&str; 2] = ["pk_live_", "sk_test_"];

/// A longer run is data, not a secret.
const LONGEST: usize = 4096;

const KEY_START: &str = "-----BEGIN ";
/// `OPENSSH PRIVATE KEY` and the like.
const LONGEST_KIND: usize = 40;
const KEY_HEADER_END: &str = "-----";
const KEY_END: &str = "-----END ";
/// The first line of a key has at least this many characters of base64.
const KEY_LINE: usize = 40;

/// Where a secret may start in a run of base64 characters. It may be too short to be reported.
pub(super) fn possible_secret(run: &str) -> Option<usize> {
    let starts = |at: usize| at == 0 || !run.as_bytes()[at - 1].is_ascii_alphanumeric();
    let is_secret = |at: &usize| {
        let rest = &run[*at..];
        let may_be = |prefix: &&str| rest.starts_with(*prefix);
        rest.len() >= SHORTEST_REDACTED
            && (SHAPES.iter().any(|shape| may_be(&shape.prefix)) || PUBLIC_PREFIXES.iter().any(may_be))
    };
    (0..run.len()).filter(|at| starts(*at)).find(is_secret)
}

/// The secrets of a text in order, and what each looks like, with an article.
pub(crate) fn secrets(text: &str) -> Vec<(Range<usize>, &'static str)> {
    let mut matches: Vec<(Range<usize>, &'static str)> = Vec::new();
    // For each shape, the end of the last run that has been checked.
    let mut checked = [0; SHAPES.len()];
    for start in prefixes(text) {
        let rest = &text[start..];
        for (shape, checked) in SHAPES.iter().zip(&mut checked) {
            if !rest.starts_with(shape.prefix) || start < *checked || !shape.may_start(&text[..start]) {
                continue;
            }
            *checked = start + shape.run_length(rest);
            if shape.is_secret(&text[start..*checked]) {
                matches.push((start..*checked, shape.what));
            }
        }
    }
    matches.extend(private_keys(text).map(|range| (range, "a private key")));
    matches.extend(named::assignments(text).map(|range| (range, "a secret")));
    matches.extend(named::passwords(text).map(|range| (range, "a password in a URL")));
    matches.sort_by_key(|(range, _)| range.start);
    matches.dedup_by(|later, earlier| later.0.start < earlier.0.end);
    matches
}

/// Where the prefix of a shape starts, all prefixes searched for at once.
fn prefixes(text: &str) -> impl Iterator<Item = usize> {
    static PREFIXES: LazyLock<Option<AhoCorasick>> = LazyLock::new(|| {
        let prefixes = SHAPES.iter().map(|shape| shape.prefix);
        AhoCorasick::builder().match_kind(MatchKind::LeftmostFirst).build(prefixes).ok()
    });
    let mut from = 0;
    std::iter::from_fn(move || {
        let start = match &*PREFIXES {
            Some(prefixes) => prefixes.find(Input::new(text).range(from..))?.start(),
            // A search that could not be built leaves every place to the caller.
            None => from + text.as_bytes().get(from..)?.iter().position(u8::is_ascii)?,
        };
        from = start + 1;
        Some(start)
    })
}

impl Shape {
    /// The length of the longest text of this format at the start of `text`, which starts with the prefix.
    fn run_length(&self, text: &str) -> usize {
        let is_own = |b: &u8| b.is_ascii_alphanumeric() || self.also.contains(b);
        self.prefix.len() + text.as_bytes()[self.prefix.len()..].iter().take_while(|b| is_own(b)).count()
    }

    fn is_secret(&self, word: &str) -> bool {
        let is_long = match self.length {
            Length::Exactly(exact) => word.len() == exact,
            Length::AtLeast(least) => (least..LONGEST).contains(&word.len()),
        };
        is_long && self.is_whole(word) && is_random(word)
    }

    /// Whether a secret can start after this text: not in the middle of a word, but after the `\n` of a JSON string
    /// and after the sign of a line in a diff.
    fn may_start(&self, before: &str) -> bool {
        let is_part = |b: u8| b.is_ascii_alphanumeric() || self.also.contains(&b) && b != b'.';
        if before.ends_with("|RAW") {
            return true;
        }
        match before.as_bytes() {
            [.., b'\\', b'n' | b'r' | b't'] | [.., b'\n', b'-' | b'+'] | [] => true,
            [.., last] => !is_part(*last),
        }
    }

    fn is_whole(&self, word: &str) -> bool {
        match self.prefix {
            "xox" => word.as_bytes().get(4) == Some(&b'-'),
            "eyJ" => word.trim_end_matches('.').matches('.').count() == 2,
            // Words with dashes between them are other names.
            "sk-" => {
                let last = word.rsplit('-').next().unwrap_or_default();
                word.bytes().any(|b| b.is_ascii_uppercase())
                    || last.len() >= 32 && last.bytes().all(|b| b.is_ascii_hexdigit())
            }
            _ => true,
        }
    }
}

/// Whether a word looks random and is not a placeholder.
fn is_random(word: &str) -> bool {
    let mut different: Vec<u8> = word.bytes().take(200).collect();
    different.sort_unstable();
    different.dedup();
    let lowercase = word.to_ascii_lowercase();
    different.len() >= FEWEST_DIFFERENT
        && word.bytes().any(|b| b.is_ascii_digit() || b.is_ascii_uppercase())
        && !PLACEHOLDERS.iter().any(|word| lowercase.contains(word))
}

/// Private keys, from their first line to their last.
fn private_keys(text: &str) -> impl Iterator<Item = Range<usize>> {
    let bytes = text.as_bytes();
    let mut ends = memchr::memmem::find_iter(bytes, KEY_END).peekable();
    memchr::memmem::find_iter(bytes, KEY_START).filter_map(move |start| {
        let kind = start + KEY_START.len();
        let is_kind = |b: &u8| b.is_ascii_uppercase() || *b == b' ';
        let head = kind + bytes[kind..].iter().take(LONGEST_KIND).take_while(|b| is_kind(b)).count();
        let rest = text[..head].ends_with("PRIVATE KEY").then(|| text[head..].strip_prefix(KEY_HEADER_END))??;
        let line = rest.trim_start_matches(['\\', 'n', 'r', '\r', '\n', ' ']);
        let is_key = |b: &u8| b.is_ascii_alphanumeric() || b"+/".contains(b);
        if line.bytes().take(KEY_LINE).filter(is_key).count() < KEY_LINE {
            return None;
        }
        while ends.next_if(|end| *end < head).is_some() {}
        Some(start..ends.peek().copied().unwrap_or(text.len()))
    })
}
