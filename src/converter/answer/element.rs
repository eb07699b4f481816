//! The element of an answer.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::{Answer, AnswerError, AnswerOptions, AnswerPart};
use crate::convert::{FoundCall, OutputStyle, write_shell_output};
use crate::converter::{Converter, Error, ResponseOptions};
use crate::diagnostic::Diagnostics;
use crate::document::{
    Block, Body, Doc, DocForm, Document, Fields, Image, MediaSource, Part, ResponseKind, ToolResponse, print,
};
use crate::json::write::{ObjectWriter, array};
use crate::json::{Json, Kind, StringArena};
use crate::resources::media::is_data_url;
use crate::source::{Sources, Span, Spanned};
use crate::syntax::Attributes;

impl Converter<'_> {
    /// The text of the element that answers a call, and the files that it refers to.
    pub(super) fn answer_element(
        &self,
        call: &FoundCall,
        answer: &Answer,
        options: &AnswerOptions,
    ) -> Result<(String, BTreeMap<String, Vec<u8>>), Error> {
        let item = match (answer, call.kind) {
            (Answer::Parts(parts), ResponseKind::Tool(_)) if parts.iter().all(is_text) => {
                item(call, options, |item| write_texts(item.key("output"), parts))
            }
            (Answer::Parts(parts), _) => return Ok((self.parts_element(call, parts, options)?, BTreeMap::new())),
            (Answer::Text(text), ResponseKind::Computer | ResponseKind::Approval) => {
                // `echo approve` adds a line break.
                let text = text.strip_suffix('\n').map_or(text.as_str(), |text| text.trim_end_matches('\r'));
                let parts = [AnswerPart::Text(text.to_owned())];
                return Ok((self.parts_element(call, &parts, options)?, BTreeMap::new()));
            }
            (Answer::Text(text), _) => item(call, options, |item| match call.kind {
                ResponseKind::Shell => write_shell_output(item.key("output"), text, options.error),
                ResponseKind::ApplyPatch if text.is_empty() => {}
                ResponseKind::Tool(_) | ResponseKind::ApplyPatch | ResponseKind::Computer | ResponseKind::Approval => {
                    item.text("output", text);
                }
            }),
            (Answer::Json(json), _) => {
                let output = check_json(json, call.kind)?;
                item(call, options, |item| item.key("output").push_str(&output))
            }
        };
        // Written and verified like an output in a response.
        let style = ResponseOptions {
            tool_output: OutputStyle::Items,
            media: options.media.clone(),
            ..ResponseOptions::default()
        };
        let reply = self.from_response(format!("[{item}]"), &style)?;
        let text = if options.error { self.with_error(reply.text) } else { reply.text };
        Ok((text, reply.media))
    }

    fn parts_element(
        &self,
        call: &FoundCall,
        parts: &[AnswerPart],
        options: &AnswerOptions,
    ) -> Result<String, AnswerError> {
        match call.kind {
            ResponseKind::Tool(_) | ResponseKind::Computer => {}
            ResponseKind::Shell | ResponseKind::ApplyPatch | ResponseKind::Approval => {
                if !parts.iter().all(is_text) {
                    return Err(AnswerError::TextOnly(call.kind.call_type()));
                }
            }
        }
        let span = Span { start: 0, end: 0, ..call.span };
        let mut response = ToolResponse {
            kind: call.kind,
            call_id: Cow::Borrowed(&call.call_id),
            attributes: Fields::default(),
            extra: Attributes::default(),
            fields: None,
            body: body(parts, span),
        };
        if options.error {
            response.set_failed();
        }
        let document = Document { blocks: vec![Spanned::new(Block::ToolResponse(response), span)] };
        Ok(print(&document, self.whitespace))
    }

    /// The element with the attribute `error`, for people.
    fn with_error(&self, element: String) -> String {
        let (sources, mut diagnostics) = (Sources::new(), Diagnostics::new());
        let source = sources.add("", element, None);
        let mut document = super::read(&sources, source, self.whitespace, &mut diagnostics);
        for block in &mut document.blocks {
            if let Block::ToolResponse(response) = &mut block.value {
                response.set_failed();
            }
        }
        print(&document, self.whitespace)
    }
}

/// The JSON of the item that answers a call, with what `output` adds.
fn item(call: &FoundCall, options: &AnswerOptions, output: impl FnOnce(&mut ObjectWriter<'_>)) -> String {
    let mut json = String::new();
    let mut item = ObjectWriter::new(&mut json);
    item.text("type", call.kind.item_type());
    item.text(call.kind.id_key(), &call.call_id);
    if call.kind == ResponseKind::ApplyPatch {
        item.text("status", if options.error { "failed" } else { "completed" });
    }
    output(&mut item);
    item.end();
    json
}

fn is_text(part: &AnswerPart) -> bool {
    matches!(part, AnswerPart::Text(_))
}

/// An array of texts.
fn write_texts(out: &mut String, parts: &[AnswerPart]) {
    array(out, parts, |out, part| match part {
        AnswerPart::Text(text) => {
            let mut object = ObjectWriter::new(out);
            object.text("type", "input_text");
            object.text("text", text);
            object.end();
        }
        AnswerPart::TextFile(_) | AnswerPart::Image(_) | AnswerPart::File { .. } => {}
    });
}

/// JSON that is an output of this kind, compact.
fn check_json(json: &str, kind: ResponseKind) -> Result<String, AnswerError> {
    let strings = StringArena::default();
    let value = Json::parse(json, &strings).map_err(|error| AnswerError::NotAnOutput(error.to_string()))?;
    let wanted: (&[Kind], &str) = match kind {
        ResponseKind::Tool(_) => (&[Kind::String, Kind::Array], "it must be a string or an array"),
        ResponseKind::Shell => (&[Kind::Array], "the output of a shell call must be an array"),
        ResponseKind::ApplyPatch => (&[Kind::String], "the output of a patch must be a string"),
        ResponseKind::Computer | ResponseKind::Approval => return Err(AnswerError::NoJson(kind.call_type())),
    };
    if !wanted.0.contains(&value.kind()) {
        return Err(AnswerError::NotAnOutput(wanted.1.to_owned()));
    }
    Ok(value.compact().into_owned())
}

/// The parts of a body. A comment separates two texts.
pub(in crate::converter) fn body(parts: &[AnswerPart], span: Span) -> Body<'_> {
    let mut body = Vec::new();
    for (index, part) in parts.iter().enumerate() {
        if index > 0 && is_text(part) && is_text(&parts[index - 1]) {
            body.push(Spanned::new(Part::Metadata(Cow::Borrowed("{}")), span));
        }
        body.push(Spanned::new(body_part(part), span));
    }
    body
}

fn body_part(part: &AnswerPart) -> Part<'_> {
    let (attributes, extra) = (Fields::default(), Attributes::default());
    match part {
        AnswerPart::Text(text) => Part::Text(Cow::Borrowed(text)),
        AnswerPart::Image(path) => Part::Image(Image { source: media_source(path), attributes, extra }),
        AnswerPart::TextFile(path) => {
            Part::Doc(Doc { source: media_source(path), form: DocForm::Text, filename: None, attributes, extra })
        }
        AnswerPart::File { path, filename } => Part::Doc(Doc {
            source: media_source(path),
            form: DocForm::File,
            filename: filename.as_deref().map(Cow::Borrowed),
            attributes,
            extra,
        }),
    }
}

fn media_source(path: &str) -> MediaSource<'_> {
    if is_data_url(path) { MediaSource::Url(Cow::Borrowed(path)) } else { MediaSource::Local(Cow::Borrowed(path)) }
}
