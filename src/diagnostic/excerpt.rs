//! The lines around a problem, fit to be shown: no base64, no secrets, no endless lines.

use std::borrow::Cow;
use std::ops::Range;

use super::secret::{begins_in, secrets};
use crate::source::{Source, Span, is_unseen};

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
const LONGEST_ID: usize = 70;
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
    if line.text.contains(is_harmful) { spelled_out(&line.text, |c| !is_harmful(c)) } else { line.text }
}

/// A number with a comma before every three digits.
pub fn thousands(number: usize) -> String {
    let digits = number.to_string();
    let mut out = String::with_capacity(digits.len() * 4 / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// A text of several lines with every character spelled out that would change how others are shown.
pub fn visible(text: &str) -> Cow<'_, str> {
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
        let is_run = |b: u8| is_token(b) || b == b'.';
        let start = start - bytes[range.start..start].iter().rev().take(RUN_REACH).take_while(|b| is_run(**b)).count();
        let end = end + bytes[end..range.end].iter().take(RUN_REACH).take_while(|b| is_run(**b)).count();
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
        let mut at = range.start;
        // The renderer sees to the other control characters.
        let is_spelled = |c: char| is_unseen(c) || c.is_control() && !c.is_ascii();
        for (start, c) in source[range.clone()].char_indices().filter(|(_, c)| is_spelled(*c)) {
            let start = range.start + start;
            self.runs.push((at..start, self.text.len()));
            self.text.push_str(&source[at..start]);
            self.text.extend(c.escape_unicode());
            at = start + c.len_utf8();
        }
        self.runs.push((at..range.end, self.text.len()));
        self.text.push_str(&source[at..range.end]);
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

/// The stretches of a text that look like base64 or like a secret, in order and apart.
fn hidden_runs(text: &str) -> Vec<Range<usize>> {
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
    let folder = run.len() - name.len();
    folder < BASE64_RUN && name.len() == 64 && name.bytes().all(|b| b.is_ascii_hexdigit()) && behind.starts_with('.')
}
