//! Lays out the columns of the table.

use anstyle::Style;
use unicode_width::UnicodeWidthStr;

/// A value for each column of the table.
pub(super) type Cells<T = String> = [T; 8];

const INDEX: usize = 0;
pub(super) const LABEL: usize = 1;
const LINE: usize = 2;
pub(super) const BYTES: usize = 3;
pub(super) const TOKENS: usize = 4;
const SHARE: usize = 5;
const BAR: usize = 6;
pub(super) const IMAGES: usize = 7;
const LEFT: [usize; 3] = [LABEL, BAR, IMAGES];
/// The columns that a narrow table omits, least important first.
const DISPENSABLE: [usize; 5] = [IMAGES, LINE, BYTES, SHARE, INDEX];
/// Columns that are cut before others are left out, down to this width.
const MIN_LABEL_WIDTH: usize = 12;
const MIN_IMAGES_WIDTH: usize = 16;
const GAP: usize = 2;

/// How wide each column is: 0 if it is left out.
pub(super) fn widths(lines: &[(Cells, Style)], width: usize) -> Cells<usize> {
    let mut widths = [0; 8];
    for (index, natural) in widths.iter_mut().enumerate() {
        *natural = lines.iter().map(|(cells, _)| cells[index].width()).max().unwrap_or_default();
    }
    let taken = |widths: &Cells<usize>| {
        let columns = widths.iter().filter(|width| **width > 0);
        columns.clone().sum::<usize>() + GAP * columns.count().saturating_sub(1)
    };
    // Nothing is cut for a bar.
    if taken(&widths) > width {
        widths[BAR] = 0;
    }
    let natural = (widths[LABEL], widths[IMAGES]);
    let (least_label, least_images) = (natural.0.min(MIN_LABEL_WIDTH), natural.1.min(MIN_IMAGES_WIDTH));
    (widths[LABEL], widths[IMAGES]) = (least_label, least_images);
    for column in DISPENSABLE {
        if taken(&widths) > width {
            widths[column] = 0;
        }
    }
    let spare = width.saturating_sub(taken(&widths));
    let images = if widths[IMAGES] == 0 { 0 } else { natural.1 - least_images };
    let label = (natural.0 - least_label).min(spare.saturating_sub(images).max(spare / 3));
    widths[LABEL] += label;
    widths[IMAGES] += images.min(spare - label);
    widths
}

pub(super) fn line(cells: &Cells, widths: &Cells<usize>) -> String {
    let mut line = String::new();
    for (index, (cell, width)) in cells.iter().zip(widths).enumerate().filter(|(_, (_, width))| **width > 0) {
        if !line.is_empty() {
            line.push_str(&" ".repeat(GAP));
        }
        let cell = cut(cell, *width);
        let padding = " ".repeat(width.saturating_sub(cell.width()));
        let (before, after) = if LEFT.contains(&index) { ("", padding.as_str()) } else { (padding.as_str(), "") };
        line.extend([before, cell.as_str(), after]);
    }
    line.truncate(line.trim_end().len());
    line
}

/// A text of at most this width. A text that is cut ends with `…`.
fn cut(text: &str, width: usize) -> String {
    if text.width() <= width {
        return text.to_owned();
    }
    let mut kept = String::new();
    for c in text.chars() {
        let end = kept.len();
        kept.push(c);
        // A character may change the width of the one before it, so measure the whole string.
        if kept.width() >= width {
            kept.truncate(end);
            break;
        }
    }
    kept.push('…');
    kept
}

/// Writes a sentence in lines of at most this width. Words are not broken.
pub(super) fn wrap(out: &mut String, sentence: &str, width: usize) {
    let options = textwrap::Options::new(width)
        .break_words(false)
        .word_separator(textwrap::WordSeparator::AsciiSpace)
        .word_splitter(textwrap::WordSplitter::NoHyphenation);
    out.push_str(&textwrap::fill(sentence, options));
    out.push('\n');
}
