//! The source map of a request: JSON pointers to places in the document.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use serde::ser::SerializeStruct;
use serde::{Serialize, Serializer};

use crate::convert::Request;
use crate::source::{SourceId, Sources, Span};

/// Where each part of a request is written. It serializes to one JSON object with a JSON pointer per key.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SourceMap {
    places: Vec<(String, SourcePlace)>,
}

/// A place in a document, or in a file that it imports.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct SourcePlace {
    /// The name of the text.
    pub file: Arc<str>,
    /// The line of its first character, from 1.
    pub line: usize,
    /// The column of its first character, from 1. Columns count characters.
    pub column: usize,
    /// Its bytes.
    pub span: Range<usize>,
}

impl Request<'_> {
    /// Where each of its parts is written, if [`RequestOptions::source_map`](crate::RequestOptions::source_map) is set.
    pub fn source_map(&self) -> Option<SourceMap> {
        let mut names: HashMap<SourceId, Arc<str>> = HashMap::new();
        let place = |(pointer, span): (String, Span)| {
            let id = span.source;
            let file = names.entry(id).or_insert_with(|| self.sources.get(id).name.as_str().into()).clone();
            (pointer, SourcePlace::new(span, file, self.sources))
        };
        self.is_mapped.then(|| SourceMap { places: self.places().into_iter().map(place).collect() })
    }
}

impl SourceMap {
    /// The JSON pointers and their places, in the order of the request.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &SourcePlace)> {
        self.places.iter().map(|(pointer, place)| (pointer.as_str(), place))
    }
}

impl SourcePlace {
    pub(super) fn new(span: Span, file: Arc<str>, sources: &Sources) -> Self {
        let (line, column) = sources.line_column(span);
        Self { file, line, column, span: span.range() }
    }
}

impl Serialize for SourceMap {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.iter())
    }
}

impl Serialize for SourcePlace {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut place = serializer.serialize_struct("SourcePlace", 4)?;
        place.serialize_field("file", self.file.as_ref())?;
        place.serialize_field("line", &self.line)?;
        place.serialize_field("column", &self.column)?;
        place.serialize_field("span", &[self.span.start, self.span.end])?;
        place.end()
    }
}
