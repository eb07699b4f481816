//! Small items: those with little text are serialized while a document is read.
//!
//! A block, its item and its part need about 600 bytes, even with a short text. As JSON, a short message has 100.

use super::config::declared_api;
use super::late::is_bound;
use super::{Request, checked_item};
use crate::convert::Context;
use crate::convert::to_items::{for_responses, is_foreign};
use crate::diagnostic::Diagnostics;
use crate::document::{Block, DataKind, Document, ItemElement, Part};
use crate::element::Tag;
use crate::json::StringArena;
use crate::options::RequestOptions;
use crate::responses::is_extension;
use crate::source::{SourceId, Spanned};
use crate::wire::Api;

/// Items with less text are small. The text of others is not copied.
const MAX_SMALL_TEXT: usize = 4096;
/// How many bytes of small items are kept together.
const PIECE: usize = 1 << 16;

/// The items with little text, in order.
#[derive(Debug, Default)]
pub(super) struct SmallItems {
    pieces: Vec<Piece>,
    /// The diagnostics of their conversion.
    pub(super) diagnostics: Diagnostics,
}

/// Consecutive small items.
#[derive(Debug)]
pub(super) struct Piece {
    /// The number of larger items before the piece. While the document is read, the number of larger blocks.
    before: usize,
    /// The number of items.
    pub(super) count: usize,
    /// Their JSON, separated by commas.
    pub(super) json: String,
}

impl<'d> Request<'d> {
    /// Reads a document and its imports. Small items are kept as JSON; all other blocks are returned.
    pub fn read(
        &mut self,
        source: SourceId,
        context: &Context<'d>,
        options: &RequestOptions,
        diagnostics: &mut Diagnostics,
    ) -> Document<'d> {
        self.is_mapped = options.source_map;
        // A source map has the places of all items, and a newer output may change any of them.
        let is_responses = options.api.or(options.default_api).unwrap_or_default() == Api::Responses;
        let keeps_small =
            !options.source_map && options.collapse_stale.is_none() && !self.is_for_all_apis && is_responses;
        if keeps_small {
            let mut found = Diagnostics::new();
            if let Some(document) = self.read_blocks(source, context, options, true, &mut found) {
                diagnostics.append(found);
                return document;
            }
            self.small = SmallItems::default();
        }
        self.read_blocks(source, context, options, false, diagnostics).unwrap_or_default()
    }

    /// Reads a document. With `keeps_small`, small items are kept as JSON; returns `None` if the document names another API,
    /// which gets other JSON.
    fn read_blocks(
        &mut self,
        source: SourceId,
        context: &Context<'d>,
        options: &RequestOptions,
        keeps_small: bool,
        diagnostics: &mut Diagnostics,
    ) -> Option<Document<'d>> {
        let mut document = Document::default();
        let mut follows_placeholder = false;
        let mut reader = context.reader(source, diagnostics);
        while let Some(block) = reader.next(diagnostics) {
            if keeps_small && options.api.is_none() && names_other_api(&block.value) {
                return None;
            }
            let is_element = !Document::is_comment(&block.value);
            // The element after a placeholder shows that it is not the last one.
            if keeps_small && !(follows_placeholder && is_element) && is_small(&block.value, options) {
                self.small.add(&block, document.blocks.len(), context, options);
                continue;
            }
            if is_element {
                follows_placeholder = block.value.element().is_some_and(ItemElement::is_placeholder);
            }
            document.blocks.push(block);
        }
        Some(document)
    }
}

/// Whether a block is a `<config>` that names another API than Responses.
fn names_other_api(block: &Block<'_>) -> bool {
    match block {
        Block::Declaration(config) if config.tag == Tag::Config => {
            declared_api(config).is_some_and(|api| api != Api::Responses)
        }
        Block::Element(_) | Block::Declaration(_) | Block::Data(_) | Block::Import(_) | Block::Comment(_) => false,
    }
}

impl SmallItems {
    /// Adds the item of a block after `before` larger blocks.
    fn add(&mut self, block: &Spanned<Block<'_>>, before: usize, context: &Context<'_>, options: &RequestOptions) {
        let strings = StringArena::default();
        let context = Context { strings: &strings, ..*context };
        let item = checked_item(block, &context, options, &mut self.diagnostics);
        let item = item.and_then(|item| for_responses(item, options, &mut self.diagnostics));
        let Some(located) = item else { return };
        match self.pieces.last_mut() {
            Some(piece) if piece.before == before && piece.json.len() < PIECE => {
                piece.json.push(',');
                located.item.encode(&mut piece.json);
                piece.count += 1;
            }
            _ => {
                let mut json = String::new();
                located.item.encode(&mut json);
                self.pieces.push(Piece { before, count: 1, json });
            }
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.pieces.is_empty()
    }

    /// Places the small items among the larger ones. `items` has, for each larger block, the number of larger items
    /// before it.
    pub(super) fn place(&mut self, items: &[usize]) {
        for piece in &mut self.pieces {
            piece.before = items.get(piece.before).copied().unwrap_or_default();
        }
    }

    /// The small items between larger item `before - 1` and `before`.
    pub(super) fn at(&self, before: usize) -> impl Iterator<Item = &Piece> {
        let first = self.pieces.partition_point(|piece| piece.before < before);
        self.pieces[first..].iter().take_while(move |piece| piece.before == before)
    }
}

/// Whether a block is a small item, or is not needed for the request.
fn is_small(block: &Block<'_>, options: &RequestOptions) -> bool {
    let size = match block {
        // An empty message may be where the next turn will be written.
        Block::Element(element) if element.is_placeholder() => return false,
        Block::Element(element) if element.is_instructions(options.instructions) => return false,
        // It may belong in the instructions too.
        Block::Data(data) if data.kind == DataKind::Item && options.instructions => return false,
        foreign if is_foreign(foreign) => return false,
        // A declaration after it is reported.
        bound if is_bound(bound) => return false,
        // Members for other APIs are reported.
        Block::Element(element) if has_extensions(element) => return false,
        Block::Element(element) => {
            let fields = element.fields.as_ref().map_or(0, |fields| fields.value.len());
            let in_files = element.attributes.files().map(|_| MAX_SMALL_TEXT).sum::<usize>();
            size(&element.body) + fields + element.attributes.size() + in_files
        }
        Block::Data(data) if data.kind == DataKind::Item => data.json.value.len(),
        Block::Comment(_) => 0,
        Block::Data(_) | Block::Declaration(_) | Block::Import(_) => MAX_SMALL_TEXT,
    };
    size < MAX_SMALL_TEXT
}

/// Whether an element has members for other APIs. Those of reasoning are bound to its issuer.
fn has_extensions(element: &ItemElement<'_>) -> bool {
    let has_key = |json: &str| json.contains("\"@");
    let in_part = |part: &Spanned<Part<'_>>| matches!(&part.value, Part::Metadata(json) if has_key(json));
    element.attributes.iter().any(|(row, _)| row.key.is_some_and(is_extension))
        || element.fields.as_ref().is_some_and(|fields| has_key(&fields.value))
        || element.body.iter().any(in_part)
}

/// The number of bytes of text in a body. The files that it refers to may be large.
fn size(body: &[Spanned<Part<'_>>]) -> usize {
    let size = |part: &Spanned<Part<'_>>| match &part.value {
        Part::Text(text) => text.len(),
        Part::Metadata(json) => json.len(),
        Part::Summary(summary) => summary.text.len(),
        Part::Media(_) => MAX_SMALL_TEXT,
    };
    body.iter().map(size).sum()
}
