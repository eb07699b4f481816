//! The lines around a problem, fit to be shown: no base64, no secrets, no endless lines.

use std::borrow::Cow;
use std::ops::Range;

use crate::source::{Source, Span};

/// A few lines of a source as a message shows them.
pub(super) struct Excerpt {
    pub(super) text: String,
    /// The number of its first line, from 1.
    pub(super) first_line: usize,
    /// Where the wanted spans are in `text`.
    pub(super) spans: Vec<Range<usize>>,
}

/// How much of a line is shown on each side of a problem.
const REACH: usize = 400;
/// A run of this many characters of base64's alphabet is taken for base64.
const BASE64_RUN: usize = 48;
const SECRET_RUN: usize = 16;
const SECRET_PREFIXES: [&str; 15] = [
    "sk-",
    "sk_live_",
    "sk_test_",
    "pk_live_",
    "rk_live_",
    "ghp_",
    "gho_",
    "ghs_",
    "github_pat_",
    "glpat-",
    "hf_",
    "xox",
    "AKIA",
    "AIza",
    "eyJ",
];
/// A window that would cut a run of token characters reaches this much further.
const RUN_REACH: usize = 4096;
/// Two marked lines this near each other are shown with what stands between them.
const NEAR: usize = 2;
/// Two marked lines further apart than this are shown apart.
const FAR: usize = 1000;

/// Whether two places fit into one excerpt.
pub(super) fn are_together(source: &Source, a: Span, b: Span) -> bool {
    a.source == b.source && source.line_of(a.start).abs_diff(source.line_of(b.start)) <= FAR
}

/// The lines that hold the spans' starts, with everything far from them left blank.
pub(super) fn excerpt(source: &Source, spans: &[Span]) -> Excerpt {
    let lines: Vec<usize> = spans.iter().map(|span| source.line_of(span.start)).collect();
    let first = lines.iter().copied().min().unwrap_or_default();
    let last = lines.iter().copied().max().unwrap_or_default();
    let mut excerpt = Excerpt { text: String::new(), first_line: first + 1, spans: vec![0..0; spans.len()] };
    for line in first..=last {
        let marked = (0..spans.len()).filter(|&index| lines[index] == line);
        let offset = excerpt.text.len();
        if marked.clone().next().is_some() || last - first <= NEAR {
            let range = source.line_range(line);
            let center = marked.clone().next().map_or(range.start, |index| spans[index].start);
            let shown = Line::new(&source.text, range, center);
            for index in marked {
                let place = shown.place(spans[index].range());
                excerpt.spans[index] = offset + place.start..offset + place.end;
            }
            excerpt.text.push_str(&shown.text);
        }
        excerpt.text.push('\n');
    }
    excerpt
}

/// A text for one line of a message: base64 and secrets left out, what would move the cursor made visible.
pub fn redacted(text: &str) -> String {
    let mut line = Line { text: String::new(), runs: Vec::new() };
    line.keep_harmless(text, 0..text.len());
    if line.text.contains(is_harmful) { line.text.chars().flat_map(spelled_out).collect() } else { line.text }
}

/// A text of several lines with every character spelled out that would change how others are shown.
pub fn visible(text: &str) -> Cow<'_, str> {
    let is_shown = |c: char| matches!(c, '\n' | '\t') || !is_harmful(c);
    if text.chars().all(is_shown) {
        return Cow::Borrowed(text);
    }
    text.chars().flat_map(|c| if is_shown(c) { vec![c] } else { spelled_out(c) }).collect()
}

fn spelled_out(c: char) -> Vec<char> {
    if is_harmful(c) { c.escape_unicode().collect() } else { vec![c] }
}

/// Whether a character controls how others are shown.
fn is_harmful(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// A shown line and which bytes of the source its bytes stand for.
struct Line {
    text: String,
    /// For each kept run: where it is in the source and where it is in `text`.
    runs: Vec<(Range<usize>, usize)>,
}

impl Line {
    fn new(source: &str, range: Range<usize>, center: usize) -> Self {
        let floor = |at: usize| (0..=at).rev().find(|&at| source.is_char_boundary(at)).unwrap_or(0);
        let start = floor(center.saturating_sub(REACH)).max(range.start);
        let end = floor((center + REACH).min(range.end)).max(start);
        // A run that is cut could pass for something harmless.
        let bytes = source.as_bytes();
        let start =
            start - bytes[range.start..start].iter().rev().take(RUN_REACH).take_while(|b| is_token(**b)).count();
        let end = end + bytes[end..range.end].iter().take(RUN_REACH).take_while(|b| is_token(**b)).count();
        let mut line = Line { text: String::new(), runs: Vec::new() };
        if start > range.start {
            line.text.push('…');
        }
        line.keep_harmless(source, start..end);
        if end < range.end {
            line.text.push('…');
        }
        line
    }

    /// Keeps a range but for what must not be shown.
    fn keep_harmless(&mut self, source: &str, range: Range<usize>) {
        let mut at = range.start;
        for hidden in hidden_runs(&source[range.clone()]) {
            self.keep(source, at..range.start + hidden.start);
            self.text.push('…');
            at = range.start + hidden.end;
        }
        self.keep(source, at..range.end);
    }

    fn keep(&mut self, source: &str, range: Range<usize>) {
        self.runs.push((range.clone(), self.text.len()));
        self.text.push_str(&source[range]);
    }

    fn place(&self, range: Range<usize>) -> Range<usize> {
        let start = self.shown_at(range.start);
        start..self.shown_at(range.end).max(start)
    }

    /// Where a byte of the source is shown; one that is left out is shown where the next kept run starts.
    fn shown_at(&self, at: usize) -> usize {
        let run = self.runs.iter().find(|(range, _)| at <= range.end);
        run.map_or(self.text.trim_end_matches('…').len(), |(range, shown)| shown + at.saturating_sub(range.start))
    }
}

fn is_token(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"+/=_-".contains(&byte)
}

/// The stretches of a text that look like base64 or like a secret.
fn hidden_runs(text: &str) -> impl Iterator<Item = Range<usize>> {
    let bytes = text.as_bytes();
    let mut at = 0;
    std::iter::from_fn(move || {
        while at < bytes.len() {
            let start = at + bytes[at..].iter().take_while(|b| !is_token(**b)).count();
            at = start + bytes[start..].iter().take_while(|b| is_token(**b)).count();
            if at - start >= BASE64_RUN && !is_file_name(&text[start..at], &text[at..]) {
                return Some(start..at);
            }
            if let Some(secret) = secret_in(&text[start..at]) {
                return Some(start + secret..at);
            }
        }
        None
    })
}

/// Whether a run is a file's path by its hash: 64 hexadecimal digits with an ending behind them.
fn is_file_name(run: &str, behind: &str) -> bool {
    let name = run.rsplit('/').next().unwrap_or(run);
    let folder = run.len() - name.len();
    folder < BASE64_RUN && name.len() == 64 && name.bytes().all(|b| b.is_ascii_hexdigit()) && behind.starts_with('.')
}

/// Where a secret of a well-known shape begins in a run of token characters.
fn secret_in(run: &str) -> Option<usize> {
    let begins = |at: usize| at == 0 || !run.as_bytes()[at - 1].is_ascii_alphanumeric();
    let is_secret = |at: &usize| {
        let rest = &run[*at..];
        rest.len() >= SECRET_RUN && SECRET_PREFIXES.iter().any(|prefix| rest.starts_with(prefix))
    };
    (0..run.len()).filter(|at| begins(*at)).find(is_secret)
}
