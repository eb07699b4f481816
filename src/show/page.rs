//! Styled texts as lines: wrapped, indented, and with every style ended at the end of its line.

use std::fmt::Write;
use std::ops::Range;

use anstyle::Style;
use textwrap::WordSeparator;
use textwrap::core::{Word, break_words, display_width};
use textwrap::wrap_algorithms::wrap_first_fit;

use super::styled::Styled;
use crate::diagnostic::Colors;

/// The indentation of a body, so that none of its lines looks like a header.
const INDENT: usize = 2;
/// Narrower terminals are treated as if they had this width.
const MIN_WIDTH: usize = 20;
/// The width of a folded line if no width is known.
const FOLDED: usize = 80;

/// The lines that have been written.
pub(super) struct Page {
    pub(super) out: String,
    width: Option<usize>,
    colors: Colors,
    /// The number of open bodies.
    depth: usize,
    /// Whether something did not fit on its line.
    pub(super) has_folded: bool,
}

impl Page {
    pub(super) fn new(width: Option<usize>, colors: Colors) -> Self {
        Self { out: String::new(), width: width.map(|width| width.max(MIN_WIDTH)), colors, depth: 0, has_folded: false }
    }

    /// Adds to the current line.
    pub(super) fn write(&mut self, text: &str, style: Style) {
        if self.colors == Colors::None || style.is_plain() || text.is_empty() {
            self.out.push_str(text);
        } else {
            // Writing to a string cannot fail.
            let _ = write!(self.out, "{style}{text}{style:#}");
        }
    }

    pub(super) fn end_line(&mut self) {
        self.out.push('\n');
    }

    pub(super) fn open_body(&mut self) {
        self.depth += 1;
    }

    pub(super) fn close_body(&mut self) {
        self.depth -= 1;
    }

    /// Starts a line of the current body.
    pub(super) fn indent(&mut self) {
        self.spaces(INDENT * self.depth);
    }

    fn spaces(&mut self, count: usize) {
        self.out.extend(std::iter::repeat_n(' ', count));
    }

    /// As much of a text as fits on the current line, and `suffix` after it.
    pub(super) fn fold(&mut self, text: &str, style: Style, suffix: &str) {
        let start = self.out.rfind('\n').map_or(0, |end| end + 1);
        let used = display_width(&self.out[start..]) + display_width(suffix);
        let width = self.width.unwrap_or(FOLDED).saturating_sub(used).max(MIN_WIDTH / 2);
        let head = one_line(text, width);
        self.has_folded |= head != text;
        self.write(&head, style);
        self.write(suffix, Style::new().dimmed());
    }

    /// Adds lines to the current body.
    pub(super) fn lines(&mut self, styled: &Styled) {
        let mut run = 0;
        let mut fixed = styled.fixed.iter().peekable();
        let mut start = 0;
        for line in styled.text.split('\n') {
            let range = start..start + line.len();
            start = range.end + 1;
            while fixed.next_if(|fixed| fixed.end <= range.start).is_some() {}
            let is_fixed = fixed.peek().is_some_and(|fixed| fixed.start < start);
            let width = self.width.filter(|_| !is_fixed).map(|width| width.saturating_sub(INDENT * self.depth));
            let (hang, slices) = wrapped(line, width.map(|width| width.max(MIN_WIDTH / 2)));
            for (index, slice) in slices.into_iter().enumerate() {
                // Leading spaces have no style: they would be underlined.
                let lead = if index > 0 { 0 } else { leading_spaces(&line[slice.clone()]) };
                if !slice.is_empty() {
                    self.indent();
                    self.spaces(if index > 0 { hang } else { lead });
                }
                self.slice(styled, &mut run, range.start + slice.start + lead..range.start + slice.end);
                self.end_line();
            }
        }
    }

    /// Adds a slice of a styled text. Slices come in order, and `run` is the run where the last one ended.
    fn slice(&mut self, styled: &Styled, run: &mut usize, slice: Range<usize>) {
        let mut at = slice.start;
        while let Some((end, style)) = styled.runs.get(*run).filter(|_| at < slice.end) {
            let piece = at..(*end).min(slice.end);
            if !piece.is_empty() {
                self.write(&styled.text[piece.clone()], *style);
                at = piece.end;
            }
            if *end <= at {
                *run += 1;
            }
        }
    }
}

/// The slices of a line that fit into `width`, and the indentation of all slices but the first.
fn wrapped(line: &str, width: Option<usize>) -> (usize, Vec<Range<usize>>) {
    // A character never has more columns than bytes.
    let Some(width) = width.filter(|width| line.len() > *width) else {
        return (0, std::iter::once(0..line.len()).collect());
    };
    let lead = leading_spaces(line);
    let hang = lead + bullet_width(&line[lead..]);
    let (lead, hang) = if hang > width / 2 { (lead.min(width / 2), 0) } else { (lead, hang) };
    let words = WordSeparator::AsciiSpace.find_words(&line[lead..]);
    let words = break_words(words, width - lead.max(hang));
    let widths = [lead, hang].map(|used| f64::from(u32::try_from(width - used).unwrap_or(u32::MAX)));
    let mut start = lead;
    let mut slices: Vec<Range<usize>> = Vec::new();
    for words in wrap_first_fit(&words, &widths) {
        let end = start + words.iter().map(|word| word.word.len() + word.whitespace.len()).sum::<usize>();
        let last = words.last().map_or(0, |word| word.whitespace.len());
        let from = if slices.is_empty() { 0 } else { start };
        slices.push(from..end - last);
        start = end;
    }
    (hang, slices)
}

fn leading_spaces(line: &str) -> usize {
    line.bytes().take_while(|b| *b == b' ').count()
}

/// The distance between the start of a list item and its text.
fn bullet_width(line: &str) -> usize {
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    let bullet = match &line[digits..] {
        rest if digits > 0 && rest.starts_with(['.', ')']) => digits + 1,
        rest if digits == 0 && rest.starts_with(['•', '-', '*', '+', '>']) => {
            rest.chars().next().map_or(0, char::len_utf8)
        }
        _ => return 0,
    };
    let spaces = leading_spaces(&line[bullet..]);
    if spaces == 0 { 0 } else { line[..bullet].chars().count() + spaces }
}

/// The start of a text, on one line of at most `width` columns.
fn one_line(text: &str, width: usize) -> String {
    let mut words = text.split([' ', '\n']).filter(|word| !word.is_empty()).peekable();
    let mut line = String::new();
    // A column has at most a few bytes, and the rest would be cut.
    while let Some(word) = words.next_if(|_| line.len() <= width * 4) {
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    if words.peek().is_none() && display_width(&line) <= width {
        return line;
    }
    let head = Word::from(line.as_str()).break_apart(width - 1).next().map_or(0, |head| head.word.len());
    line.truncate(head);
    line.truncate(line.trim_end().len());
    line + "…"
}
