//! A reply to the document that says it, and the proof of it.

use super::metadata::comment;
use super::request::{RequestOptions, request_blocks, to_request};
use super::verify::{first_difference, same_fields};
use super::{Context, ResponseOptions, from_items, to_input};
use crate::diagnostic::{Diagnostics, Problem};
use crate::document::{Block, Document, lower, print};
use crate::json::write::ObjectWriter;
use crate::json::{Json, Object, StringArena};
use crate::resources::{NoFiles, Resources};
use crate::responses::{Failure, Payload};
use crate::source::{SourceId, Sources, Span, Spanned};
use crate::syntax::parse;

/// The text that was written does not read back as what came: a bug, and nothing to be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RoundTripError {
    /// What differs: `input[3]`, or `the request`.
    pub what: String,
}

/// A reply as a document's text, read back and compared before anybody sees it.
pub fn from_response(
    reply: &Payload<'_>,
    options: ResponseOptions<'_>,
    source: SourceId,
) -> Result<String, RoundTripError> {
    let mut document = Document::default();
    if let Some(request) = &reply.request {
        document.blocks = request_blocks(request, reply.lacks_input, Span::new(source, 0..0));
    }
    if let Some(envelope) = reply.envelope.as_ref().filter(|_| options.envelope) {
        let json = comment(envelope, None, &[]);
        document
            .blocks
            .push(Spanned::new(Block::Comment(format!(" response {json} ").into()), Span::new(source, 0..0)));
    }
    document.blocks.extend(from_items(&reply.items, options, source).blocks);
    let text = print(&document, options.whitespace);
    verify(&text, reply, options).map(|()| text)
}

fn verify(text: &str, reply: &Payload<'_>, options: ResponseOptions<'_>) -> Result<(), RoundTripError> {
    let (sources, strings) = (Sources::new(), StringArena::default());
    let resources: &dyn Resources = options.media.map_or(&NoFiles, |media| media);
    let context = Context::new(&sources, &strings, resources);
    let mut diagnostics = Diagnostics::new();
    let source = sources.add("", text.to_owned(), None);
    let document = lower(&parse(&sources, source, &mut diagnostics), options.whitespace, &mut diagnostics);
    let input = to_input(&document, &context, &RequestOptions::default(), &mut diagnostics);
    if diagnostics.has_errors() {
        return Err(RoundTripError { what: "the document".to_owned() });
    }
    if let Some(index) = first_difference(&reply.originals, &input) {
        return Err(RoundTripError { what: format!("input[{index}]") });
    }
    let Some(request) = &reply.request else { return Ok(()) };
    let mut fields = String::new();
    let mut object = ObjectWriter::new(&mut fields);
    object.members(request);
    object.end();
    let place = Span::new(source, 0..0);
    let written = to_request(&document, &context, &RequestOptions::default(), place, &mut diagnostics);
    let is_same = Json::parse(&fields).is_ok_and(|fields| same_fields(fields, &written, reply.lacks_input));
    if is_same { Ok(()) } else { Err(RoundTripError { what: "the request".to_owned() }) }
}

/// What is wrong with a reply as it came, at its places in the text.
pub fn payload_problems(reply: &Result<Payload<'_>, Failure<'_>>, sources: &Sources, source: SourceId) -> Diagnostics {
    let mut diagnostics = Diagnostics::new();
    match reply {
        Ok(reply) => {
            for (key, value) in reply.objects().flat_map(Object::repeated) {
                let span = Span::new(source, value.offset()..value.offset() + value.text().len());
                diagnostics.report(Problem::RepeatedKey(key.to_owned()), span);
            }
        }
        Err(Failure::JsonError(error)) => {
            let text = &sources.get(source).text;
            let start = error.offset.min(text.len());
            let end = (start + 1..=text.len()).find(|end| text.is_char_boundary(*end)).unwrap_or(start);
            let problem = Problem::MalformedJson { path: error.path.clone(), message: error.message.clone() };
            diagnostics.report(problem, Span::new(source, start..end));
        }
        Err(Failure::Api(_)) => {}
    }
    diagnostics
}
