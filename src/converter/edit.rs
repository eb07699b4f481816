//! A document as it is written, without the files that it imports. `append`, `ask`, `cut` and `answer` change documents here.

use std::ops::Range;

use super::inspect::Output;
use super::{Converter, Error, Input};
use crate::convert::Located;
use crate::diagnostic::{Diagnostics, Problem, Report};
use crate::document::{Block, Document, ItemElement, Role, line_ending, lower, placeholder, print_with};
use crate::error::RoundTripError;
use crate::json::StringArena;
use crate::resolve::Resolver;
use crate::source::{Source, SourceId, Sources, Span};
use crate::syntax::write::{LineEnding, Whitespace};
use crate::syntax::{is_whitespace, parse};

/// The text and the blocks of a document whose imports are not read.
pub(super) struct UnexpandedDocument<'s> {
    pub(super) source: &'s Source,
    pub(super) document: Document<'s>,
    whitespace: Whitespace,
    line_ending: LineEnding,
}

/// Where the text of a document changes, and the new text from there on.
pub(super) type Change = (usize, String);

/// Returns whether the new element converts to the items that the caller gave.
pub(super) type IsExpected<'c> = &'c dyn Fn(&[Located<'_>]) -> bool;

impl<'s> UnexpandedDocument<'s> {
    pub(super) fn read(
        sources: &'s Sources,
        source: SourceId,
        whitespace: Whitespace,
        diagnostics: &mut Diagnostics,
    ) -> Self {
        let nodes = parse(sources, source, diagnostics);
        let document = lower(&nodes, whitespace, diagnostics);
        let line_ending = line_ending(&nodes, whitespace);
        Self { source: sources.get(source), document, whitespace, line_ending }
    }

    /// Where a block starts; the end of the text for the block after the last one.
    fn start_of(&self, index: usize) -> usize {
        self.document.blocks.get(index).map_or(self.source.text.len(), |block| block.span.start)
    }

    /// The end of the document: the block where the next turn would be written, else the end of the blocks.
    pub(super) fn end(&self) -> usize {
        self.document.placeholder().unwrap_or(self.document.blocks.len())
    }

    /// Puts other blocks in place of those of a range, separated by blank lines. With `next_turn`, an empty `<user>` comes last.
    ///
    /// Only the new text is read back and compared: the blocks from the one before the range on.
    pub(super) fn replaced(
        &self,
        range: Range<usize>,
        added: &Document<'_>,
        next_turn: bool,
        what: &str,
    ) -> Result<Change, RoundTripError> {
        let (text, blocks) = (&self.source.text, &self.document.blocks);
        let last = blocks[..range.start].last();
        let start = last.map_or(self.source.start(), |block| block.span.start);
        let (head, rest) = (&text[start..self.start_of(range.start).max(start)], &text[self.start_of(range.end)..]);
        let printed = print_with(added, self.whitespace, self.line_ending);
        let next = next_turn.then(|| Block::Element(ItemElement::message(Role::User, Vec::new())));
        let next_text = next.as_ref().map(|_| placeholder(self.whitespace, self.line_ending));
        let texts = [head, &printed, next_text.as_deref().unwrap_or_default()];
        let texts = texts.map(|text| text.trim_end_matches(is_whitespace)).into_iter().filter(|text| !text.is_empty());
        let line_break = self.line_ending.as_str();
        let gap = if rest.is_empty() { "" } else { line_break };
        let tail = texts.collect::<Vec<_>>().join(&line_break.repeat(2)) + line_break + gap + rest;
        let (sources, mut diagnostics) = (Sources::new(), Diagnostics::new());
        let source = sources.add("", tail, None);
        let is_exact = {
            let read = UnexpandedDocument::read(&sources, source, self.whitespace, &mut diagnostics).document;
            let expected = last.into_iter().chain(&added.blocks).chain(&blocks[range.end..]).map(|block| &block.value);
            !diagnostics.has_errors() && read.blocks.iter().map(|block| &block.value).eq(expected.chain(&next))
        };
        if is_exact { Ok((start, sources.into_last_text())) } else { Err(RoundTripError { what: what.to_owned() }) }
    }
}

impl Converter<'_> {
    /// Reads a document without its imports, and calls `work`. Returns the text of the document with the change that `work`
    /// makes, and an error if the document has one.
    pub(super) fn edit<T>(
        &self,
        sources: Sources,
        input: Input,
        work: impl FnOnce(&UnexpandedDocument<'_>, &Sources, &mut Diagnostics) -> Result<(T, Option<Change>), Error>,
    ) -> Result<(T, String), Error> {
        let mut diagnostics = Diagnostics::new();
        let source = input.add_to(&sources, &mut diagnostics);
        let result = if diagnostics.has_errors() {
            None
        } else {
            let own = UnexpandedDocument::read(&sources, source, self.whitespace, &mut diagnostics);
            (!diagnostics.has_errors()).then(|| work(&own, &sources, &mut diagnostics))
        };
        match result.filter(|_| !diagnostics.has_errors()) {
            Some(result) => {
                let (value, change) = result?;
                // The document was added last. Its text is not copied, because it may be large.
                let mut text = sources.into_last_text();
                if let Some((start, tail)) = change {
                    text.truncate(start);
                    text.push_str(&tail);
                }
                Ok((value, text))
            }
            None => Err(Error::Problems(Report::new(diagnostics.errors(), Vec::new(), sources))),
        }
    }

    /// A result with the warnings about a new element in it. The element is checked alone, so that messages show it and not
    /// the whole document. Its items are compared by `is_exact`, unless that was done when it was written.
    pub(super) fn checked(
        &self,
        value: String,
        what: &str,
        element: Input,
        problems: Vec<Problem>,
        is_exact: Option<IsExpected<'_>>,
    ) -> Result<Output<String>, Error> {
        let (sources, mut diagnostics) = (Sources::new(), Diagnostics::new());
        let source = element.add_to(&sources, &mut diagnostics);
        for problem in problems {
            diagnostics.report(problem, Span::new(source, 0..0));
        }
        if let Some(is_exact) = is_exact {
            let (resolver, strings) = (Resolver::new(&sources, self.resources), StringArena::default());
            let context = self.context(&resolver, &strings);
            let document = context.read(source, &mut diagnostics);
            let items = context.items(&document, &mut diagnostics);
            if !is_exact(&items) && !diagnostics.has_errors() {
                return Err(RoundTripError { what: what.to_owned() }.into());
            }
        }
        Output::new(value, diagnostics, sources)
    }
}
