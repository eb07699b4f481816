//! The source map of a request: JSON pointers to places in the document.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use serde::ser::SerializeStruct;
use serde::{Serialize, Serializer};

use crate::convert::SourceMapping;
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

impl SourceMap {
    /// The places below the JSON pointer `root`, relative to it.
    pub(super) fn new(places: &[SourceMapping], root: &str, sources: &Sources) -> Self {
        let mut names: HashMap<SourceId, Arc<str>> = HashMap::new();
        let mut place = |at: &SourceMapping| {
            let pointer = at.pointer.strip_prefix(root)?.to_owned();
            let id = at.span.source;
            let file = names.entry(id).or_insert_with(|| sources.get(id).name.as_str().into()).clone();
            Some((pointer, SourcePlace::new(at.span, file, sources)))
        };
        Self { places: places.iter().filter_map(&mut place).collect() }
    }

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
