//! The source map of a request: JSON pointers to places in the document.

use chatmd::convert::Place;
use chatmd::source::{Sources, Span};
use serde::{Serialize, Serializer};

/// The places of a request, or of its `input` alone. It is written as one JSON object with a JSON pointer per key.
pub(super) struct SourceMap<'a> {
    pub(super) places: &'a [Place],
    pub(super) sources: &'a Sources,
    pub(super) input_only: bool,
}

#[derive(Serialize)]
struct SourcePlace<'a> {
    file: &'a str,
    line: usize,
    column: usize,
    /// The byte range in the file.
    span: [usize; 2],
}

impl SourceMap<'_> {
    /// The pointer as a key of the map; `None` if the map leaves it out.
    fn key<'p>(&self, pointer: &'p str) -> Option<&'p str> {
        if self.input_only { pointer.strip_prefix("/input") } else { Some(pointer) }
    }

    fn place(&self, span: Span) -> SourcePlace<'_> {
        let (line, column) = self.sources.line_column(span);
        SourcePlace { file: &self.sources.get(span.source).name, line, column, span: [span.start, span.end] }
    }
}

impl Serialize for SourceMap<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let entries = self.places.iter();
        serializer
            .collect_map(entries.filter_map(|Place { pointer, span }| Some((self.key(pointer)?, self.place(*span)))))
    }
}
