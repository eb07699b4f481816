//! A text that is written in several pieces: RAW blocks and comments can divide a secret.

use std::ops::Range;

use super::secrets;

/// A text whose pieces are at several places of a document.
#[derive(Default)]
pub(crate) struct Joined {
    text: String,
    /// Where each piece starts in the text, and where it is in the document.
    pieces: Vec<(usize, Range<usize>)>,
}

impl Joined {
    /// Adds a range of the document.
    pub(crate) fn add(&mut self, document: &str, range: Range<usize>) {
        self.pieces.push((self.text.len(), range.clone()));
        self.text.push_str(&document[range]);
    }

    /// Ends a piece that nothing is joined to, such as the text before an element.
    pub(crate) fn separate(&mut self) {
        self.text.push('\n');
    }

    /// The secrets of the text: their kinds, with an article, and where their pieces are in the document.
    pub(crate) fn secrets(&self) -> impl Iterator<Item = (&'static str, Vec<Range<usize>>)> {
        secrets(&self.text).into_iter().map(|(range, what)| {
            let first = self.pieces.partition_point(|(start, piece)| start + piece.len() <= range.start);
            let pieces = self.pieces[first..].iter().take_while(|(at, _)| *at < range.end);
            let pieces = pieces.map(|(at, piece)| {
                let start = piece.start + range.start.saturating_sub(*at);
                start..piece.end.min(piece.start + (range.end - at))
            });
            (what, pieces.filter(|piece| !piece.is_empty()).collect())
        })
    }
}
