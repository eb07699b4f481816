//! Writes some items of a payload as text, and verifies it.

use std::collections::BTreeSet;

use super::verify::is_canonical;
use crate::convert::from_items::{instruction_blocks, request_blocks};
use crate::convert::request::{Request, Wanted};
use crate::convert::to_items::Located;
use crate::convert::{Context, WriteOptions, from_items};
use crate::diagnostic::Diagnostics;
use crate::document::{ConfigUpdates, Document, Limits, lower, print};
use crate::error::RoundTripError;
use crate::json::{Json, StringArena, is_same, is_spelled_as};
use crate::options::RequestOptions;
use crate::resolve::Resolver;
use crate::resources::{NoFiles, Resources};
use crate::responses::{Item, Message, Payload};
use crate::source::{SourceId, Sources, Span, Spanned};
use crate::syntax::parse;

/// How many bytes of items are written and read back together: few enough for the cache of the processor, and enough that
/// an allocator keeps the memory for the next ones. With 64 KiB, glibc gave it back to the system each time.
const SIZE: usize = 256 << 10;

/// Consecutive items of a payload.
#[derive(Default)]
pub(in crate::convert) struct Chunk<'p, 'j> {
    /// The payload whose request or envelopes come before the items.
    head: Option<&'p Payload<'j>>,
    /// The index of the first item.
    start: usize,
    items: Vec<Item<'j>>,
    /// The same items, undecoded. Those of other APIs have no JSON of their own.
    originals: Vec<Option<Json<'j>>>,
    size: usize,
    /// What comes before the chunk; once it is written, what comes before the next one.
    updates: ConfigUpdates,
}

/// The text of a chunk.
pub(in crate::convert) struct ChunkText {
    pub(in crate::convert) text: String,
    /// Where each item begins.
    pub(in crate::convert) starts: Vec<usize>,
}

/// The parts of a chunk that do not read back as the original.
#[derive(Default)]
struct Differences {
    items: BTreeSet<usize>,
    request: bool,
    /// Where each item begins in the text that was read back.
    starts: Vec<usize>,
}

impl<'p, 'j> Chunk<'p, 'j> {
    /// The first chunk of a payload, without items.
    pub(in crate::convert) fn first(payload: &'p Payload<'j>) -> Self {
        Chunk { head: Some(payload), ..Chunk::default() }
    }

    /// A chunk of one item.
    pub(in crate::convert) fn one(item: Item<'j>, original: Json<'j>) -> Self {
        let mut chunk = Chunk::default();
        chunk.push(item, Some(original), original.raw().len());
        chunk
    }

    pub(in crate::convert) fn push(&mut self, item: Item<'j>, original: Option<Json<'j>>, size: usize) {
        self.size += size;
        self.items.push(item);
        self.originals.push(original);
    }

    pub(in crate::convert) fn is_empty(&self) -> bool {
        self.head.is_none() && self.items.is_empty()
    }

    /// Whether it is time to write it. An empty message at its end would be read as the place of the next turn.
    pub(in crate::convert) fn is_full(&self) -> bool {
        let is_empty_message = |item: &Item<'_>| matches!(item, Item::Message(message) if message.content.is_empty());
        self.size >= SIZE && !self.items.last().is_some_and(is_empty_message)
    }

    /// An empty chunk for the items after these, which are written already.
    pub(in crate::convert) fn next(&self) -> Self {
        Chunk { start: self.start + self.items.len(), updates: self.updates, ..Chunk::default() }
    }

    /// The text of the items, which is read back and compared with them.
    ///
    /// An item that does not read back as an element is written as JSON in a comment.
    pub(in crate::convert) fn text(
        &mut self,
        options: WriteOptions<'_>,
        source: SourceId,
    ) -> Result<ChunkText, RoundTripError> {
        let mut as_json = Differences::default();
        loop {
            let mut document = self.document(options, source, &as_json);
            let sources = Sources::new();
            let written = sources.add("", print(&document, options.whitespace), None);
            let first_item = document.blocks.len() - self.items.len();
            let differences = self.verify(&sources, written, first_item, options);
            let known = (as_json.items.len(), as_json.request);
            as_json.items.extend(&differences.items);
            as_json.request |= differences.request;
            if differences.items.is_empty() && !differences.request {
                self.updates = self.updates.after(&mut document);
                return Ok(ChunkText { text: sources.into_last_text(), starts: differences.starts });
            }
            // It is already JSON, so there is no other way to write it.
            if known == (as_json.items.len(), as_json.request) {
                let item = differences.items.first().map(|index| format!("input[{}]", self.start + index));
                return Err(RoundTripError { what: item.unwrap_or_else(|| "the request".to_owned()) });
            }
        }
    }

    fn document(&self, options: WriteOptions<'_>, source: SourceId, as_json: &Differences) -> Document<'_> {
        let no_span = Span::new(source, 0..0);
        let mut document = Document::default();
        if let Some((payload, request)) = self.head.and_then(|payload| Some((payload, payload.request.as_ref()?))) {
            document.blocks = request_blocks(request, payload.lacks_input, as_json.request, no_span);
            document.blocks.extend(instruction_blocks(&payload.instructions, options, source));
        }
        let envelopes = self.head.iter().flat_map(|payload| &payload.envelopes);
        let comments = envelopes.filter_map(|fields| options.envelope.comment(fields));
        document.blocks.extend(comments.map(|comment| Spanned::new(comment, no_span)));
        let updates = self.updates.after(&mut document);
        document.blocks.extend(from_items(&self.items, options, source, &as_json.items, updates).blocks);
        document
    }

    /// Reads the text of a source back and compares it with the chunk. `first_item` is the block of the first item.
    fn verify(&self, sources: &Sources, source: SourceId, first_item: usize, options: WriteOptions<'_>) -> Differences {
        let strings = StringArena::default();
        let resources: &dyn Resources = options.media.map_or(&NoFiles, |media| media);
        let resolver = Resolver::new(sources, resources);
        let context = Context::new(&resolver, &strings, options.whitespace, Limits::default());
        let mut diagnostics = Diagnostics::new();
        let mut document = lower(&parse(sources, source, &mut diagnostics), options.whitespace, &mut diagnostics);
        self.updates.after(&mut document);
        let options = RequestOptions::default();
        let request = self.head.and_then(|payload| Some((payload, payload.request.as_ref()?)));
        let mut written = Request::new(Span::new(source, 0..0), sources).for_all_apis();
        let is_other_request = if let Some((payload, original)) = request {
            written.convert(&document, &context, &options, Wanted::Unsent, &mut diagnostics);
            let mut fields = written.sent_fields(&strings);
            if !payload.instructions.is_empty() {
                fields.take("instructions");
            }
            let is_same = original.is_same_as(&fields, |_, one, other| is_same(one, other));
            written.lacks_input != payload.lacks_input || !is_same || !has_instructions(payload, &written)
        } else {
            written.convert(&document, &context, &options, Wanted::Input, &mut diagnostics);
            false
        };
        let errors = diagnostics.errors();
        if !errors.is_empty() {
            return locate_errors(&errors, &document, first_item, self.items.len());
        }
        let different = (0..self.items.len().max(written.items.len())).filter(|index| {
            let pair = self.items.get(*index).zip(written.items.get(*index));
            !pair.is_some_and(|(item, written)| is_written(item, self.originals[*index], &written.item))
        });
        let starts = document.blocks.iter().skip(first_item).map(|block| block.span.start).collect();
        Differences { items: different.collect(), request: is_other_request, starts }
    }
}

/// Whether a request has the instructions of a payload of another API.
fn has_instructions(payload: &Payload<'_>, written: &Request<'_>) -> bool {
    let strings = StringArena::default();
    let is_same_item = |(one, other): (&Message<'_>, &Located<'_>)| {
        let one = strings.json(|out| Item::Message(one.clone()).encode(out));
        is_same(one, strings.json(|out| other.item.encode(out)))
    };
    payload.instructions.is_empty()
        || payload.instructions.len() == written.instructions.len()
            && payload.instructions.iter().zip(&written.instructions).all(is_same_item)
}

/// Whether an item is written as the original. Most often the bytes are equal, or only the order of keys differs. An item of
/// another API is compared as it is.
fn is_written(item: &Item<'_>, original: Option<Json<'_>>, written: &Item<'_>) -> bool {
    let strings = StringArena::default();
    let original = match original {
        Some(original) => original,
        None if item == written => return true,
        None => strings.json(|out| item.encode(out)),
    };
    let mut json = String::with_capacity(original.raw().len());
    written.encode(&mut json);
    json == original.raw() || is_spelled_as(&json, original) || is_canonical(original, strings.written(&json))
}

/// The items, or the request, that the errors are in.
fn locate_errors(errors: &Diagnostics, document: &Document<'_>, first_item: usize, items: usize) -> Differences {
    let mut differences = Differences::default();
    for error in errors {
        let after = document.blocks.partition_point(|block| block.span.start <= error.span.start);
        match after.checked_sub(first_item + 1) {
            Some(index) if index < items => drop(differences.items.insert(index)),
            Some(_) | None => differences.request = true,
        }
    }
    differences
}
