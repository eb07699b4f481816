//! Writes some items of a payload as text, and verifies it.

use std::collections::BTreeSet;

use super::verify::is_canonical;
use crate::convert::from_items::{instruction_blocks, request_blocks, spanned};
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
use crate::source::{SourceId, Sources, Span};
use crate::syntax::parse;

/// Writes the items of a payload, some of them at a time.
pub struct ItemWriter<'o> {
    options: WriteOptions<'o>,
    /// How many items are written.
    count: usize,
    /// Finds which `<config>` elements of the next items are updates: see `document/updates.rs`.
    updates: ConfigUpdates,
}

impl<'o> ItemWriter<'o> {
    /// A writer that has written nothing.
    pub fn new(options: WriteOptions<'o>) -> Self {
        Self { options, count: 0, updates: ConfigUpdates::default() }
    }

    /// The text of items, after the fields and the comments of a payload, and where each item begins. The text is read back and
    /// compared with the original JSON of the items.
    ///
    /// An item that does not read back as an element is written as JSON in a comment.
    pub fn write(
        &mut self,
        head: Option<&Payload<'_>>,
        items: &[Item<'_>],
        originals: &[Option<Json<'_>>],
    ) -> Result<(String, Vec<usize>), RoundTripError> {
        let chunk = Chunk { head, items, originals, updates: self.updates, options: self.options };
        let mut as_json = Differences::default();
        loop {
            let mut document = chunk.document(&as_json);
            let sources = Sources::new();
            let written = sources.add("", print(&document, self.options.whitespace), None);
            let differences = match chunk.verify(&sources, written, document.blocks.len() - items.len()) {
                Ok(starts) => {
                    self.updates = self.updates.after(&mut document);
                    self.count += items.len();
                    return Ok((sources.into_last_text(), starts));
                }
                Err(differences) => differences,
            };
            let known = (as_json.items.len(), as_json.request);
            as_json.items.extend(&differences.items);
            as_json.request |= differences.request;
            // It is already JSON, so there is no other way to write it.
            if known == (as_json.items.len(), as_json.request) {
                let item = differences.items.first().map(|index| format!("input[{}]", self.count + index));
                return Err(RoundTripError { what: item.unwrap_or_else(|| "the request".to_owned()) });
            }
        }
    }
}

/// Consecutive items of a payload.
struct Chunk<'p, 'j> {
    /// The payload whose request or envelopes come before the items.
    head: Option<&'p Payload<'j>>,
    items: &'p [Item<'j>],
    /// The same items, undecoded. Those of other APIs have no JSON of their own.
    originals: &'p [Option<Json<'j>>],
    /// Finds which `<config>` elements of the items are updates.
    updates: ConfigUpdates,
    options: WriteOptions<'p>,
}

/// The parts of a chunk that do not read back as the original.
#[derive(Default)]
struct Differences {
    items: BTreeSet<usize>,
    request: bool,
}

impl<'p> Chunk<'p, '_> {
    fn document(&self, as_json: &Differences) -> Document<'p> {
        let mut document = Document::default();
        if let Some((payload, request)) = self.head.and_then(|payload| Some((payload, payload.request.as_ref()?))) {
            document.blocks = request_blocks(request, payload.lacks_input, as_json.request);
            document.blocks.extend(instruction_blocks(&payload.instructions, self.options));
        }
        let envelopes = self.head.iter().flat_map(|payload| &payload.envelopes);
        let comments = envelopes.filter_map(|fields| self.options.envelope.comment(fields));
        document.blocks.extend(comments.map(spanned));
        let updates = self.updates.after(&mut document);
        document.blocks.extend(from_items(self.items, self.options, &as_json.items, updates).blocks);
        document
    }

    /// Reads the text of a source back and compares it with the chunk. `first_item` is the index of the first item's block.
    /// Returns where each item begins.
    fn verify(&self, sources: &Sources, source: SourceId, first_item: usize) -> Result<Vec<usize>, Differences> {
        let strings = StringArena::default();
        let resources: &dyn Resources = self.options.media.map_or(&NoFiles, |media| media);
        let resolver = Resolver::new(sources, resources);
        let context = Context::new(&resolver, &strings, self.options.whitespace, Limits::default());
        let mut diagnostics = Diagnostics::new();
        let mut document = lower(&parse(sources, source, &mut diagnostics), self.options.whitespace, &mut diagnostics);
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
            return Err(locate_errors(&errors, &document, first_item, self.items.len()));
        }
        let different = (0..self.items.len().max(written.items.len())).filter(|index| {
            let pair = self.items.get(*index).zip(written.items.get(*index));
            !pair.is_some_and(|(item, written)| is_written(item, self.originals[*index], &written.item))
        });
        let different: BTreeSet<usize> = different.collect();
        if is_other_request || !different.is_empty() {
            return Err(Differences { items: different, request: is_other_request });
        }
        Ok(document.blocks.iter().skip(first_item).map(|block| block.span.start).collect())
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
