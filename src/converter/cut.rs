//! Removes the end of a document.

use super::edit::UnexpandedDocument;
use super::inspect::for_path;
use super::{Converter, Error, Input};
use crate::convert::{Pairs, RequestOptions, is_envelope};
use crate::document::{Block, DataKind, Document, ItemElement, ItemKind, Role};
use crate::json::{Object, StringArena};
use crate::source::{Sources, Spanned};

/// The last part of a document that [`Converter::cut`] keeps.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum CutPlace {
    /// The last `<user>` with content.
    LastUser,
    /// The element or comment on this line, from 1.
    Line(usize),
    /// The element of a value of the request, such as `input[3]`.
    Path(String),
}

/// A document without its end.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Cut {
    /// The document.
    pub text: String,
    /// The line of the last element that was kept.
    pub line: usize,
    /// How many elements and comments were removed.
    pub removed: usize,
    /// Whether more was kept than the place says, so that calls have their outputs and reasoning has its item.
    pub is_extended: bool,
}

impl Converter<'_> {
    /// Removes everything after a place. Returns `None` if the document does not have the place.
    ///
    /// Calls keep their outputs, and reasoning keeps the item after it, so that the document can be sent as it is.
    ///
    /// ```
    /// use chatmd::{Converter, CutPlace};
    ///
    /// let document = "<user>\nHello.\n</user>\n\n<assistant>\nHi!\n</assistant>\n";
    /// let cut = Converter::new().cut(document, &CutPlace::LastUser)?.unwrap();
    /// assert_eq!(cut.text, "<user>\nHello.\n</user>\n");
    /// # Ok::<(), chatmd::Error>(())
    /// ```
    pub fn cut(&self, document: impl Into<Input>, place: &CutPlace) -> Result<Option<Cut>, Error> {
        let input: Input = document.into();
        let (cut, text) = self.edit(Sources::new(), input.clone(), |own, _, _| {
            let blocks = &own.document.blocks;
            let Some(named) = self.block_at(place, own, input)? else { return Ok((None, None)) };
            let last = without_envelopes(blocks, with_dependents(blocks, named));
            let removed = blocks.len() - last - 1;
            let rest = last + 1..blocks.len();
            let change = || own.replaced(rest, &Document::default(), false, "the document without its end");
            let line = own.source.line_of(blocks[last].span.start) + 1;
            let cut = Cut { text: String::new(), line, removed, is_extended: last > named };
            Ok((Some(cut), (removed > 0).then(change).transpose()?))
        })?;
        Ok(cut.map(|cut| Cut { text, ..cut }))
    }

    /// The index of the block at a place.
    fn block_at(&self, place: &CutPlace, own: &UnexpandedDocument<'_>, input: Input) -> Result<Option<usize>, Error> {
        let (text, blocks) = (own.source, &own.document.blocks);
        let offset = match place {
            CutPlace::LastUser => {
                let is_message =
                    |element: &ItemElement<'_>| element.role() == Some(Role::User) && !element.body.is_empty();
                return Ok(blocks.iter().rposition(|block| block.value.element().is_some_and(is_message)));
            }
            CutPlace::Line(line) => {
                let Some(line) = line.checked_sub(1).filter(|line| *line <= text.line_of(text.text.len())) else {
                    return Ok(None);
                };
                // An element may begin anywhere on the line.
                text.line_range(line).end
            }
            CutPlace::Path(path) => match self.main_offset(input, path)? {
                Some(offset) => offset,
                None => return Ok(None),
            },
        };
        Ok(blocks.iter().rposition(|block| block.span.start <= offset))
    }

    /// Where a value of the request, or the import that it comes from, is in the document itself.
    fn main_offset(&self, input: Input, path: &str) -> Result<Option<usize>, Error> {
        let options = for_path(&RequestOptions::default(), path);
        let offset = self.with_document(input, &options, |reading, diagnostics| {
            let span = reading.locate(path, diagnostics)?;
            Some(reading.context.sources.import_chain(span.source).last().unwrap_or(span).start)
        })?;
        Ok(offset.value)
    }
}

/// The index of the last block that belongs to the blocks up to `last`: the item after reasoning, and outputs of calls.
fn with_dependents(blocks: &[Spanned<Block<'_>>], mut last: usize) -> usize {
    while is_reasoning(&blocks[last].value) {
        let is_comment = |block: &Spanned<Block<'_>>| matches!(block.value, Block::Comment(_));
        match blocks[last + 1..].iter().position(|block| !is_comment(block)) {
            Some(next) if is_of_assistant(&blocks[last + 1 + next].value) => last += 1 + next,
            Some(_) | None => break,
        }
    }
    let pairs = Pairs::of_blocks(blocks);
    for index in last + 1..blocks.len() {
        let pair = pairs.pair_of(index).filter(|pair| pair.outputs.binary_search(&index).is_ok());
        if pair.and_then(|pair| pair.calls.first()).is_some_and(|call| *call <= last) {
            last = index;
        }
    }
    last
}

/// The index of the last block that is kept: the comment of a response whose items are removed is removed with them.
fn without_envelopes(blocks: &[Spanned<Block<'_>>], last: usize) -> usize {
    if last + 1 == blocks.len() {
        return last;
    }
    blocks[..=last].iter().rposition(|block| !is_envelope(&block.value)).unwrap_or(last)
}

fn is_reasoning(block: &Block<'_>) -> bool {
    let is_type = |item: Object<'_>| item.get_str("type").is_some_and(|kind| kind == "reasoning");
    match block.element() {
        Some(element) => element.kind == ItemKind::Reasoning,
        None => block.item(&StringArena::default()).is_some_and(is_type),
    }
}

/// Whether a block can be the item that reasoning belongs to.
fn is_of_assistant(block: &Block<'_>) -> bool {
    match block {
        Block::Element(element) => element.kind.is_of_model(),
        Block::Data(data) => data.kind != DataKind::Request,
        Block::Declaration(_) | Block::Import(_) | Block::Comment(_) => false,
    }
}
