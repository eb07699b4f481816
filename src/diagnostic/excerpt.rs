//! The lines around a problem, fit to be shown: no base64, no secrets, no endless lines.

use std::ops::Range;

use super::sanitize::{hidden_runs, is_token};
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
