//! A document as it is written, without what it imports.

use super::inspect::Output;
use super::{Converter, Error, Input};
use crate::convert::Located;
use crate::diagnostic::{Diagnostics, Report};
use crate::document::{Block, Document, line_ending, lower};
use crate::error::RoundTripError;
use crate::json::StringArena;
use crate::resolve::Resolver;
use crate::source::{Source, SourceId, Sources};
use crate::syntax::write::{LineEnding, Whitespace};
use crate::syntax::{is_whitespace, parse};

/// The text and the blocks of a document whose imports are not read.
pub(super) struct UnexpandedDocument<'s> {
    pub(super) source: &'s Source,
    pub(super) document: Document<'s>,
    pub(super) line_ending: LineEnding,
}

impl<'s> UnexpandedDocument<'s> {
    pub(super) fn read(
        sources: &'s Sources,
        source: SourceId,
        whitespace: Whitespace,
        diagnostics: &mut Diagnostics,
    ) -> Self {
        let nodes = parse(sources, source, diagnostics);
        let document = lower(&nodes, whitespace, diagnostics);
        Self { source: sources.get(source), document, line_ending: line_ending(&nodes, whitespace) }
    }

    /// Where a block starts; the end of the text for the block after the last one.
    pub(super) fn start_of(&self, index: usize) -> usize {
        self.document.blocks.get(index).map_or(self.source.text.len(), |block| block.span.start)
    }

    /// These texts, separated by blank lines. Empty texts are left out.
    pub(super) fn join(&self, texts: &[&str]) -> String {
        let texts = texts.iter().map(|text| text.trim_end_matches(is_whitespace)).filter(|text| !text.is_empty());
        let line_break = self.line_ending.as_str();
        texts.collect::<Vec<_>>().join(&line_break.repeat(2)) + line_break
    }
}

impl Converter<'_> {
    /// Reads a document without its imports, and calls `work`. Returns an error if the document has one.
    pub(super) fn with_own<T>(
        &self,
        input: Input,
        work: impl FnOnce(&UnexpandedDocument<'_>) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let (sources, mut diagnostics) = (Sources::new(), Diagnostics::new());
        let source = input.add_to(&sources, &mut diagnostics);
        let result = if diagnostics.has_errors() {
            None
        } else {
            let own = UnexpandedDocument::read(&sources, source, self.whitespace, &mut diagnostics);
            (!diagnostics.has_errors()).then(|| work(&own))
        };
        result.unwrap_or_else(|| Err(Error::Problems(Report::new(diagnostics.errors(), Vec::new(), sources))))
    }

    /// A text that was just made, if it has exactly these blocks and no errors.
    pub(super) fn verified(&self, text: String, blocks: &[&Block<'_>]) -> Option<String> {
        let (sources, mut diagnostics) = (Sources::new(), Diagnostics::new());
        let source = sources.add("", text, None);
        let is_exact = {
            let read = UnexpandedDocument::read(&sources, source, self.whitespace, &mut diagnostics).document;
            !diagnostics.has_errors() && read.blocks.iter().map(|block| &block.value).eq(blocks.iter().copied())
        };
        is_exact.then(|| sources.into_last_text())
    }

    /// Converts a document to items, and calls `work` with them.
    pub(super) fn with_items<T>(
        &self,
        sources: &Sources,
        source: SourceId,
        diagnostics: &mut Diagnostics,
        work: impl FnOnce(&[Located<'_>]) -> T,
    ) -> T {
        let strings = StringArena::default();
        let resolver = Resolver::new(sources, self.resources);
        let context = self.context(&resolver, &strings);
        work(&context.items(&context.read(source, diagnostics), diagnostics))
    }
}

/// A result with the warnings about a new element in it. The element is checked alone, so that messages show it and not
/// the whole document.
pub(super) fn checked(
    value: String,
    what: &str,
    element: Input,
    is_exact: impl FnOnce(&Sources, SourceId, &mut Diagnostics) -> bool,
) -> Result<Output<String>, Error> {
    let (sources, mut diagnostics) = (Sources::new(), Diagnostics::new());
    let source = element.add_to(&sources, &mut diagnostics);
    if !is_exact(&sources, source, &mut diagnostics) && !diagnostics.has_errors() {
        return Err(RoundTripError { what: what.to_owned() }.into());
    }
    Output::new(value, diagnostics, sources)
}
