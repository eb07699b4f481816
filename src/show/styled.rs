//! Text in several styles.

use std::ops::Range;

use anstyle::Style;

/// A text and the style of each run of it. A run may span lines.
#[derive(Default)]
pub(super) struct Styled {
    pub(super) text: String,
    /// Where each run ends, and its style.
    pub(super) runs: Vec<(usize, Style)>,
    /// The ranges that must not be wrapped, in order.
    pub(super) fixed: Vec<Range<usize>>,
}

impl Styled {
    /// A text in one style.
    pub(super) fn new(text: &str, style: Style) -> Self {
        let mut styled = Self::default();
        styled.push(text, style);
        styled
    }

    /// A text in one style that is not wrapped.
    pub(super) fn fixed(text: &str, style: Style) -> Self {
        let fixed = std::iter::once(0..text.len()).collect();
        Self { fixed, ..Self::new(text, style) }
    }

    /// Adds a run.
    pub(super) fn push(&mut self, text: &str, style: Style) {
        if text.is_empty() {
            return;
        }
        self.text.push_str(text);
        let end = self.text.len();
        match self.runs.last_mut() {
            Some((last, same)) if *same == style => *last = end,
            _ => self.runs.push((end, style)),
        }
    }
}
