//! Reads a document for a request: small items are serialized while reading.
//!
//! A block, its item and its part need about 600 bytes, even with a short text. As JSON, a short message has 100.

use std::borrow::Cow;

use super::request::RequestOptions;
use super::to_items::{is_foreign, report_foreign, to_item};
use super::write_request::InputChunk;
use super::{Context, stale};
use crate::diagnostic::Diagnostics;
use crate::document::{Block, Document, Part};
use crate::json::StringArena;
use crate::source::{SourceId, Spanned};

/// Items with less text are written at once. The text of others is not copied.
pub const MAX_SMALL_TEXT: usize = 4096;
/// How many bytes of items are written together.
const PIECE: usize = 1 << 16;

/// A document for a request, in which items with little text are already JSON.
#[derive(Debug, Default)]
pub struct Condensed<'d> {
    /// Everything else.
    pub document: Document<'d>,
    /// The JSON of consecutive items, and how many blocks of the document come before them.
    written: Vec<(usize, String)>,
    /// How many blocks of the document come before the last element that was converted.
    converted_after: usize,
    /// The diagnostics of the conversion of these items.
    reported: Diagnostics,
}

impl<'d> Condensed<'d> {
    /// Reads a document and its imports.
    pub fn read(
        context: &Context<'d>,
        source: SourceId,
        options: &RequestOptions,
        diagnostics: &mut Diagnostics,
    ) -> Self {
        // A source map has the places of all items, and a newer output may change any of them.
        let is_condensed = !options.source_map && options.collapse_stale.is_none();
        let mut read = Condensed::default();
        let mut reader = context.reader(source, diagnostics);
        while let Some(block) = reader.next(diagnostics) {
            if is_condensed && is_small(&block.value, options) {
                read.write(&block, context, options);
            } else {
                read.document.blocks.push(block);
            }
        }
        read
    }

    /// Writes the item of a block.
    fn write(&mut self, block: &Spanned<Block<'d>>, context: &Context<'d>, options: &RequestOptions) {
        let strings = StringArena::default();
        let context = Context { strings: &strings, ..*context };
        let before = self.document.blocks.len();
        if !matches!(block.value, Block::Comment(_)) {
            self.converted_after = before;
        }
        let Some(located) = to_item(block, &context, options, &mut self.reported) else { return };
        match self.written.last_mut() {
            Some((blocks, json)) if *blocks == before && json.len() < PIECE => {
                json.push(',');
                located.item.encode(json);
            }
            _ => {
                let mut json = String::new();
                located.item.encode(&mut json);
                self.written.push((before, json));
            }
        }
    }

    /// The items in order.
    pub(super) fn pieces(
        &'d self,
        context: &Context<'d>,
        options: &RequestOptions,
        diagnostics: &mut Diagnostics,
    ) -> Vec<InputChunk<'d>> {
        report_foreign(&self.document, diagnostics);
        diagnostics.append(self.reported.clone());
        let placeholder = self.document.placeholder().filter(|index| self.converted_after <= *index);
        let mut written = self.written.iter().peekable();
        let mut pieces = Vec::new();
        for (index, block) in self.document.blocks.iter().enumerate() {
            while let Some((_, json)) = written.next_if(|(before, _)| *before <= index) {
                pieces.push(InputChunk::Json(json));
            }
            if Some(index) != placeholder {
                pieces.extend(to_item(block, context, options, diagnostics).map(InputChunk::Item));
            }
        }
        pieces.extend(written.map(|(_, json)| InputChunk::Json(json)));
        if let Some(tool) = &options.collapse_stale {
            stale::collapse(pieces.iter_mut().filter_map(InputChunk::item_mut), tool);
        }
        pieces
    }
}

impl<'d> From<Document<'d>> for Condensed<'d> {
    fn from(document: Document<'d>) -> Self {
        Condensed { document, ..Condensed::default() }
    }
}

/// Whether a block is an item with little text, or nothing that a request needs.
fn is_small(block: &Block<'_>, options: &RequestOptions) -> bool {
    let size = match block {
        // It may be where the next turn will be written.
        Block::Message(message) if message.is_placeholder() => return false,
        Block::Message(message) if message.is_instructions(options.instructions) => return false,
        // It may be one too.
        Block::Item(_) if options.instructions => return false,
        foreign if is_foreign(foreign) => return false,
        Block::Message(message) => size(&message.body) + length(message.fields.as_ref()),
        Block::ToolCall(call) => size(&call.body) + length(call.fields.as_ref()),
        Block::ToolResponse(response) => size(&response.body) + length(response.fields.as_ref()),
        Block::Reasoning(reasoning) => {
            let in_files = reasoning.attributes.files().map(|_| MAX_SMALL_TEXT).sum::<usize>();
            size(&reasoning.body) + length(reasoning.fields.as_ref()) + reasoning.attributes.size() + in_files
        }
        Block::Item(json) => json.len(),
        Block::Comment(_) => 0,
        Block::ItemFiles(_) | Block::Declaration(_) | Block::Import(_) | Block::Request(_) | Block::Foreign(_) => {
            MAX_SMALL_TEXT
        }
    };
    size < MAX_SMALL_TEXT
}

/// The number of bytes of text in a body. The files that it refers to may be large.
fn size(body: &[Spanned<Part<'_>>]) -> usize {
    let size = |part: &Spanned<Part<'_>>| match &part.value {
        Part::Text(text) | Part::Metadata(text) => text.len(),
        Part::Summary(summary) => summary.text.len(),
        Part::Image(_) | Part::Doc(_) | Part::Agent(_) | Part::Import(_) => MAX_SMALL_TEXT,
    };
    body.iter().map(size).sum()
}

fn length(fields: Option<&Spanned<Cow<'_, str>>>) -> usize {
    fields.map_or(0, |fields| fields.value.len())
}
