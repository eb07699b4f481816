//! The lines around a problem, without base64 and secrets, and cut if they are long.

use std::ops::Range;

use super::redact::redacted_ranges;
use crate::sanitize::is_invisible;
use crate::secret::is_base64;
use crate::source::{Source, Span, floor_char_boundary};

/// A few lines of a source as a message shows them.
pub(super) struct Excerpt {
    pub(super) text: String,
    /// The number of its first line, from 1.
    pub(super) first_line: usize,
    /// Where the marked spans are in `text`.
    pub(super) spans: Vec<Range<usize>>,
}

/// How much of a line is shown on each side of a problem.
const MAX_CONTEXT: usize = 400;
/// How far the shown part of a line is extended so that it does not cut a run of base64 characters.
const MAX_RUN_CONTEXT: usize = 4096;
/// If the marked lines are at most this far apart, the lines between them are shown too.
const MAX_FILLED_GAP: usize = 2;
/// If two marked lines are further apart than this, they are shown in separate excerpts.
const MAX_EXCERPT_GAP: usize = 1000;

/// Whether two spans are shown in one excerpt.
pub(super) fn are_together(source: &Source, a: Span, b: Span) -> bool {
    a.source == b.source && source.line_of(a.start).abs_diff(source.line_of(b.start)) <= MAX_EXCERPT_GAP
}

/// The lines where the spans start. Lines far from them are left blank.
pub(super) fn excerpt(source: &Source, spans: &[Span]) -> Excerpt {
    let lines: Vec<usize> = spans.iter().map(|span| source.line_of(span.start)).collect();
    let first = lines.iter().copied().min().unwrap_or_default();
    let last = lines.iter().copied().max().unwrap_or_default();
    let mut excerpt = Excerpt { text: String::new(), first_line: first + 1, spans: vec![0..0; spans.len()] };
    for line in first..=last {
        let marked = (0..spans.len()).filter(|&index| lines[index] == line);
        let offset = excerpt.text.len();
        if marked.clone().next().is_some() || last - first <= MAX_FILLED_GAP {
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

/// A line as it is shown, with a map from the bytes of the source to its bytes.
struct Line {
    text: String,
    /// For each run that is shown as it is: its range in the source and its start in `text`.
    runs: Vec<(Range<usize>, usize)>,
}

impl Line {
    fn new(source: &str, range: Range<usize>, center: usize) -> Self {
        let start = floor_char_boundary(source, center.saturating_sub(MAX_CONTEXT)).max(range.start);
        let end = floor_char_boundary(source, (center + MAX_CONTEXT).min(range.end)).max(start);
        // Part of a secret or of base64 would not be recognized.
        let bytes = source.as_bytes();
        let is_run = |b: u8| is_base64(b) || b"=.".contains(&b);
        let start =
            start - bytes[range.start..start].iter().rev().take(MAX_RUN_CONTEXT).take_while(|b| is_run(**b)).count();
        let end = end + bytes[end..range.end].iter().take(MAX_RUN_CONTEXT).take_while(|b| is_run(**b)).count();
        let mut line = Line { text: String::new(), runs: Vec::new() };
        if start > range.start {
            line.text.push('…');
        }
        line.add_redacted(source, start..end);
        if end < range.end {
            line.add_mark();
        }
        line
    }

    /// Adds the mark of something that is left out, unless it is there.
    fn add_mark(&mut self) {
        if !self.text.ends_with('…') {
            self.text.push('…');
        }
    }

    /// Adds a range of the source without base64 and secrets.
    fn add_redacted(&mut self, source: &str, range: Range<usize>) {
        let mut at = range.start;
        for redacted in redacted_ranges(&source[range.clone()]) {
            self.add(source, at..range.start + redacted.start);
            self.add_mark();
            at = range.start + redacted.end;
        }
        self.add(source, at..range.end);
    }

    /// Adds a range of the source with its unsafe characters escaped.
    fn add(&mut self, source: &str, range: Range<usize>) {
        let mut at = range.start;
        // The renderer expands tabs, and removes joiners that are not escaped.
        let is_escaped = |c: char| is_invisible(c) || c.is_control() && c != '\t';
        for (start, c) in source[range.clone()].char_indices().filter(|(_, c)| is_escaped(*c)) {
            let start = range.start + start;
            self.runs.push((at..start, self.text.len()));
            self.text.push_str(&source[at..start]);
            self.text.extend(c.escape_unicode());
            at = start + c.len_utf8();
        }
        self.runs.push((at..range.end, self.text.len()));
        self.text.push_str(&source[at..range.end]);
    }

    /// Where a range of the source is shown.
    fn place(&self, range: Range<usize>) -> Range<usize> {
        let start = self.shown_at(range.start);
        start..self.shown_at(range.end).max(start)
    }

    /// Where a byte of the source is shown. A byte that is not shown has the place of the next run.
    fn shown_at(&self, at: usize) -> usize {
        let run = self.runs.iter().find(|(range, _)| at <= range.end);
        run.map_or(self.text.trim_end_matches('…').len(), |(range, shown)| shown + at.saturating_sub(range.start))
    }
}
