//! Converts a payload to a document, and verifies it.

use std::collections::BTreeSet;
use std::fmt;

use super::from_request::request_blocks;
use super::metadata::comment;
use super::request::{Draft, RequestOptions, to_draft};
use super::verify::is_canonical;
use super::{Context, WriteOptions, from_items, to_input};
use crate::diagnostic::{Diagnostics, Problem};
use crate::document::{Block, Document, lay_out_comments, lower, print};
use crate::json::{Json, Object, StringArena, is_same, is_spelled_as};
use crate::resolve::Resolver;
use crate::resources::{NoFiles, Resources};
use crate::responses::{Failure, Foreign, Item, Payload, Warning};
use crate::source::{SourceId, Sources, Span, Spanned};
use crate::syntax::parse;

/// The written document does not read back as the original: a bug, so the text must not be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RoundTripError {
    /// What differs: `input[3]`, or `the request`.
    pub what: String,
}

impl fmt::Display for RoundTripError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} does not read back as the input; this is a bug in chatmd", self.what)
    }
}

/// The parts of a document that do not read back as the original.
#[derive(Default)]
struct Differences {
    items: BTreeSet<usize>,
    request: bool,
}

/// Converts a payload to a document's text, which is read back and compared with the payload.
///
/// An item that does not read back as an element is written as JSON in a comment.
pub fn from_response(
    payload: &Payload<'_>,
    options: WriteOptions<'_>,
    source: SourceId,
) -> Result<String, RoundTripError> {
    let mut as_json = Differences::default();
    loop {
        let document = document(payload, options, source, &as_json);
        let sources = Sources::new();
        let written = sources.add("", print(&document, options.whitespace), None);
        let first_item = document.blocks.len() - payload.items.len();
        let differences = verify(&sources, written, payload, first_item, options);
        let known = (as_json.items.len(), as_json.request);
        as_json.items.extend(&differences.items);
        as_json.request |= differences.request;
        if differences.items.is_empty() && !differences.request {
            return Ok(sources.into_last_text());
        }
        // There is no other way to write what is JSON already.
        if known == (as_json.items.len(), as_json.request) {
            let what = differences.items.first().map_or("the request".to_owned(), |index| format!("input[{index}]"));
            return Err(RoundTripError { what });
        }
    }
}

fn document<'j>(
    payload: &'j Payload<'_>,
    options: WriteOptions<'_>,
    source: SourceId,
    as_json: &Differences,
) -> Document<'j> {
    let no_span = Span::new(source, 0..0);
    let mut document = Document::default();
    if let Some(request) = &payload.request {
        document.blocks = request_blocks(request, payload.lacks_input, as_json.request, no_span);
    }
    for envelope in payload.envelopes.iter().filter(|_| options.envelope) {
        let json = comment(envelope, None, &[]);
        document.blocks.push(Spanned::new(Block::Comment(format!(" response {json} ").into()), no_span));
    }
    document.blocks.extend(from_items(&payload.items, options, source, &as_json.items).blocks);
    if let (true, Some(Block::ToolResponse(response))) =
        (payload.has_failed, document.blocks.last_mut().map(|block| &mut block.value))
    {
        response.error = true;
    }
    lay_out_comments(&mut document);
    document
}

/// Reads the text of a source back and compares it with the payload. `first_item` is the block of the first item.
fn verify(
    sources: &Sources,
    source: SourceId,
    payload: &Payload<'_>,
    first_item: usize,
    options: WriteOptions<'_>,
) -> Differences {
    let strings = StringArena::default();
    let resources: &dyn Resources = options.media.map_or(&NoFiles, |media| media);
    let resolver = Resolver::new(sources, resources);
    let context = Context::new(&resolver, &strings);
    let mut diagnostics = Diagnostics::new();
    let document = lower(&parse(sources, source, &mut diagnostics), options.whitespace, &mut diagnostics);
    let options = RequestOptions::default();
    let (fields, items) = if payload.request.is_some() {
        let Draft { fields, items, lacks_input, .. } =
            to_draft(&document, &context, &options, Span::new(source, 0..0), &mut diagnostics);
        (Some((fields, lacks_input)), items)
    } else {
        (None, to_input(&document, &context, &options, &mut diagnostics).items)
    };
    let errors = diagnostics.errors();
    if !errors.is_empty() {
        return locate_errors(&errors, &document, first_item, payload.items.len());
    }
    let request = match (&payload.request, &fields) {
        (Some(original), Some((written, lacks_input))) => {
            *lacks_input != payload.lacks_input || !original.is_same_as(written, |_, one, other| is_same(one, other))
        }
        (_, _) => false,
    };
    let different = (0..payload.items.len().max(items.len())).filter(|index| {
        let pair = payload.originals.get(*index).zip(items.get(*index));
        !pair.is_some_and(|(original, written)| is_written(*original, &written.item))
    });
    Differences { items: different.collect(), request }
}

/// Whether an item is what the original is written as. Most often the bytes are equal, or only the order of keys differs.
fn is_written(original: Json<'_>, item: &Item<'_>) -> bool {
    let mut json = String::with_capacity(original.raw().len());
    item.encode(&mut json);
    json == original.raw()
        || is_spelled_as(&json, original)
        || is_canonical(original, StringArena::default().written(&json))
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

/// The problems and warnings of a payload, at their places in its text.
pub fn payload_problems(payload: &Result<Payload<'_>, Failure>, sources: &Sources, source: SourceId) -> Diagnostics {
    let mut diagnostics = Diagnostics::new();
    let text = &sources.get(source).text;
    let place = |offset: usize| {
        let start = (0..=offset.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or_default();
        let end = (start + 1..=text.len()).find(|end| text.is_char_boundary(*end)).unwrap_or(start);
        Span::new(source, start..end)
    };
    match payload {
        Ok(payload) => {
            for (key, value) in payload.objects().flat_map(Object::repeated) {
                let span = Span::new(source, value.offset()..value.offset() + value.raw().len());
                diagnostics.report(Problem::RepeatedKey(key.to_owned()), span);
            }
            for warning in &payload.warnings {
                let (problem, offset) = match warning {
                    Warning::MalformedItem(error) => {
                        let (path, message) = (error.path.clone(), error.message.clone());
                        (Problem::MalformedItem { path, message }, error.offset)
                    }
                    Warning::MalformedEvent(error) => (Problem::MalformedEvent(error.to_string()), error.offset),
                    Warning::NoItems => (Problem::NoItems, 0),
                };
                diagnostics.report(problem, place(offset));
            }
        }
        Err(Failure::Malformed(error)) => {
            let problem = Problem::MalformedJson { path: error.path.clone(), message: error.message.clone() };
            diagnostics.report(problem, place(error.offset));
        }
        Err(Failure::Foreign(foreign)) => {
            let is_file = sources.get(source).path.is_some();
            let Foreign { what, help } = if is_file { foreign.in_file() } else { *foreign };
            diagnostics.report(Problem::ForeignInput { what, help }, place(0));
        }
        Err(Failure::Api(_)) => {}
    }
    diagnostics
}
