//! Source texts, spans, lines and columns.
//!
//! A [`Sources`] owns every text that a run reads: the document and its imports. It outlives everything that is made
//! from them, so that syntax trees and documents can borrow their strings.

mod origins;
mod utf8;

use std::collections::HashMap;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::{LazyLock, OnceLock};

use elsa::sync::FrozenVec;

use crate::sanitize::on_one_line;
pub use origins::Origins;
pub use utf8::{NotUtf8, ceil_char_boundary, decode, floor_char_boundary};

const BYTE_ORDER_MARK: char = '\u{feff}';

/// Every text of a run. Texts are only added, so that a text can stay borrowed while imports are added.
#[derive(Debug, Default)]
pub struct Sources {
    all: FrozenVec<Box<Source>>,
}

/// One text with its name in messages.
#[derive(Debug, Default)]
pub struct Source {
    /// A path, or `<stdin>`.
    pub name: String,
    /// Where it is on disk. Relative references in it start from there.
    pub path: Option<PathBuf>,
    /// The whole text, a byte order mark included.
    pub text: String,
    /// The `<import>` that brought this text in; `None` for the document itself.
    pub imported_at: Option<Span>,
    line_starts: OnceLock<Vec<usize>>,
    /// How many characters begin before each block of the text.
    characters: OnceLock<Vec<usize>>,
    /// In a text that is JSON, the paths of values, by the places of diagnostics about them.
    paths: OnceLock<HashMap<usize, String>>,
    /// In a text that was made from another one, the lines of that text.
    origins: OnceLock<Origins>,
}

/// How many bytes are counted at most to find a column, however long the line is.
const BLOCK: usize = 4096;

/// Names one text of a [`Sources`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SourceId(u32);

/// A range of bytes of one source. Both ends lie on character boundaries.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Span {
    /// The text it is a range of.
    pub source: SourceId,
    /// The first byte.
    pub start: usize,
    /// The byte after the last one.
    pub end: usize,
}

/// A value and where it was written. Equality ignores the span.
#[derive(Debug, Clone, Copy)]
pub struct Spanned<T> {
    /// What was written.
    pub value: T,
    /// Where.
    pub span: Span,
}

impl Sources {
    /// An empty arena.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a text that is not from a file.
    pub fn add(&self, name: impl Into<String>, text: String, imported_at: Option<Span>) -> SourceId {
        self.add_file(name, None, text, imported_at)
    }

    /// Adds the text of a file.
    pub fn add_file(
        &self,
        name: impl Into<String>,
        path: Option<PathBuf>,
        text: String,
        imported_at: Option<Span>,
    ) -> SourceId {
        let id = SourceId(u32::try_from(self.all.len()).unwrap_or(u32::MAX));
        // A name is only used in messages.
        let name = on_one_line(&name.into()).into_owned();
        self.all.push(Box::new(Source { name, path, text, imported_at, ..Source::default() }));
        id
    }

    /// The text that was added last.
    pub(crate) fn into_last_text(self) -> String {
        self.all.into_vec().pop().map(|source| source.text).unwrap_or_default()
    }

    /// The source that `id` names.
    ///
    /// An id comes from [`Sources::add`] of the same arena; one of another arena names the last text, or an empty one.
    pub fn get(&self, id: SourceId) -> &Source {
        static EMPTY: LazyLock<Source> = LazyLock::new(Source::default);
        let last = self.all.len().saturating_sub(1);
        self.all.get(last.min(id.0 as usize)).unwrap_or(&EMPTY)
    }

    /// The ids of all texts, in the order in which they were added.
    pub fn ids(&self) -> impl Iterator<Item = SourceId> {
        (0..u32::try_from(self.all.len()).unwrap_or(u32::MAX)).map(SourceId)
    }

    /// The text of a span.
    pub fn slice(&self, span: Span) -> &str {
        self.get(span.source).text.get(span.range()).unwrap_or_default()
    }

    /// The offset in a source of a text that was borrowed from it.
    pub fn offset_of(&self, id: SourceId, text: &str) -> Option<usize> {
        let whole = self.get(id).text.as_bytes().as_ptr_range();
        let range = text.as_bytes().as_ptr_range();
        let is_inside = whole.start <= range.start && range.end <= whole.end;
        is_inside.then(|| range.start as usize - whole.start as usize)
    }

    /// Sets the paths of values in a text that is JSON, by the places of diagnostics about them.
    pub(crate) fn set_paths(&self, id: SourceId, paths: HashMap<usize, String>) {
        self.get(id).paths.get_or_init(|| paths);
    }

    /// The path of the value at a span's start, such as `input[3].content[0]`; `None` in a document.
    pub fn path_of(&self, span: Span) -> Option<&str> {
        self.get(span.source).paths.get()?.get(&span.start).map(String::as_str)
    }

    /// Sets the lines that a text comes from which was made from another one.
    pub(crate) fn set_origins(&self, id: SourceId, origins: Origins) {
        if origins != Origins::default() {
            self.get(id).origins.get_or_init(|| origins);
        }
    }

    /// Whether a text was made from another one, and so has no characters where its diagnostics are.
    pub(crate) fn is_made(&self, id: SourceId) -> bool {
        self.get(id).origins.get().is_some()
    }

    /// Line and column of a span's start, both from 1; the column counts characters. If the text was made from another
    /// one, it is a line of that one.
    pub fn line_column(&self, span: Span) -> (usize, usize) {
        self.get(span.source).line_column(span.start)
    }

    /// Line and column after a span's end, counted like those of its start.
    pub fn end_line_column(&self, span: Span) -> (usize, usize) {
        self.get(span.source).line_column(span.end.max(span.start))
    }

    /// The `<import>` elements that lead to `id`, innermost first.
    pub fn import_chain(&self, id: SourceId) -> impl Iterator<Item = Span> {
        std::iter::successors(self.get(id).imported_at, |span| self.get(span.source).imported_at)
    }
}

impl Source {
    /// Where the text begins: after a byte order mark, if there is one.
    pub fn start(&self) -> usize {
        if self.text.starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK.len_utf8() } else { 0 }
    }

    /// The line, from 0, that holds the byte at `offset`.
    pub fn line_of(&self, offset: usize) -> usize {
        self.line_starts().partition_point(|&start| start <= offset).saturating_sub(1)
    }

    /// The bytes of a line, from 0, without its line break.
    pub fn line_range(&self, line: usize) -> Range<usize> {
        let starts = self.line_starts();
        let start = starts.get(line).copied().unwrap_or(self.text.len());
        let end = starts.get(line + 1).copied().unwrap_or(self.text.len());
        start..start + self.text[start..end].trim_end_matches(['\r', '\n']).len()
    }

    fn line_column(&self, offset: usize) -> (usize, usize) {
        if let Some(line) = self.origins.get().and_then(|origins| origins.line_at(offset)) {
            return (line, 1);
        }
        let line = self.line_of(offset);
        let start = self.line_range(line).start;
        let column = self.characters_before(offset).saturating_sub(self.characters_before(start));
        (line + 1, column + 1)
    }

    fn characters_before(&self, offset: usize) -> usize {
        let text = self.text.as_bytes();
        let begin = |bytes: &[u8]| bytes.iter().filter(|b| **b & 0xc0 != 0x80).count();
        let before = self.characters.get_or_init(|| {
            let sums = text.chunks(BLOCK).scan(0, |sum, block| {
                *sum += begin(block);
                Some(*sum)
            });
            std::iter::once(0).chain(sums).collect()
        });
        let offset = offset.min(text.len());
        let block = offset / BLOCK;
        before.get(block).copied().unwrap_or_default() + begin(&text[block * BLOCK..offset])
    }

    fn line_starts(&self) -> &[usize] {
        self.line_starts.get_or_init(|| {
            std::iter::once(self.start())
                .chain(memchr::memchr_iter(b'\n', self.text.as_bytes()).map(|at| at + 1))
                .collect()
        })
    }
}

impl Span {
    /// The start of the first text, for a value that is written nowhere.
    pub(crate) const NOWHERE: Span = Span { source: SourceId(0), start: 0, end: 0 };

    /// `start..end` of `source`.
    pub fn new(source: SourceId, range: Range<usize>) -> Self {
        Self { source, start: range.start, end: range.end }
    }

    /// The bytes it covers.
    pub fn range(self) -> Range<usize> {
        self.start..self.end
    }

    /// From the start of this span to the end of `last`.
    #[must_use]
    pub fn to(self, last: Span) -> Self {
        Self { end: last.end, ..self }
    }

    /// Its first `length` bytes.
    #[must_use]
    pub fn head(self, length: usize) -> Self {
        Self { end: self.end.min(self.start + length), ..self }
    }
}

impl<T> Spanned<T> {
    /// `value`, written at `span`.
    pub fn new(value: T, span: Span) -> Self {
        Self { value, span }
    }
}

impl<T: PartialEq> PartialEq for Spanned<T> {
    fn eq(&self, other: &Self) -> bool {
        self.value == other.value
    }
}

impl<T: Eq> Eq for Spanned<T> {}
