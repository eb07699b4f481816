//! The element of an answer.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::{Answer, AnswerOptions, AnswerPart};
use crate::convert::{Call, OutputParts, OutputStyle, output_parts, write_shell_output};
use crate::converter::{Converter, Error, ResponseOptions};
use crate::diagnostic::Problem;
use crate::document::{Block, Body, Document, Field, ItemElement, Media, MediaKind, Part, ResponseKind, print};
use crate::error::AnswerError;
use crate::json::write::{ObjectWriter, array};
use crate::json::{Json, Kind, StringArena};
use crate::resources::media::is_data_url;
use crate::source::{Span, Spanned};

/// Why JSON is not the output of a tool.
const NOT_PARTS: &str =
    "it must be a string, an array of parts, or the result of an MCP server with parts that the API accepts";

/// The element that answers a call.
pub(super) struct AnswerElement {
    /// Its text.
    pub(super) text: String,
    /// The files that it refers to.
    pub(super) media: BTreeMap<String, Vec<u8>>,
    /// What it does not have of the JSON.
    pub(super) problems: Vec<Problem>,
    /// Whether the tool has failed, which the text does not say yet.
    pub(super) has_failed: bool,
}

impl Converter<'_> {
    /// The element that answers a call.
    pub(super) fn answer_element(
        &self,
        call: &Call,
        answer: &Answer,
        options: &AnswerOptions,
    ) -> Result<AnswerElement, Error> {
        let (mut problems, mut has_failed) = (Vec::new(), options.error);
        let item = match (answer, call.response) {
            (Answer::Parts(parts), ResponseKind::Tool(_)) if parts.iter().all(is_text) => {
                item(call, options, |item| write_texts(item.key("output"), parts))
            }
            (Answer::Parts(parts), _) => return Ok(self.parts_element(call, parts, has_failed)?),
            (Answer::Text(text), ResponseKind::Computer | ResponseKind::Approval) => {
                // `echo approve` adds a line break.
                let text = text.strip_suffix('\n').map_or(text.as_str(), |text| text.trim_end_matches('\r'));
                let parts = [AnswerPart::Text(text.to_owned())];
                return Ok(self.parts_element(call, &parts, has_failed)?);
            }
            (Answer::Text(text), _) => item(call, options, |item| match call.response {
                ResponseKind::Shell => write_shell_output(item.key("output"), text, options.error),
                ResponseKind::ApplyPatch if text.is_empty() => {}
                ResponseKind::Tool(_) | ResponseKind::ApplyPatch | ResponseKind::Computer | ResponseKind::Approval => {
                    item.text("output", text);
                }
            }),
            (Answer::Json(json), _) => {
                let output = check_json(json, call.response)?;
                has_failed |= output.is_error;
                problems = output.problems;
                item(call, options, |item| item.key("output").push_str(&output.json))
            }
        };
        // Written and verified like an output in a response.
        let style = ResponseOptions {
            tool_output: OutputStyle::Items,
            media: options.media.clone(),
            ..ResponseOptions::default()
        };
        let reply = self.from_response(format!("[{item}]"), &style)?;
        Ok(AnswerElement { text: reply.text, media: reply.media, problems, has_failed })
    }

    fn parts_element(&self, call: &Call, parts: &[AnswerPart], has_failed: bool) -> Result<AnswerElement, AnswerError> {
        match call.response {
            ResponseKind::Tool(_) | ResponseKind::Computer => {}
            ResponseKind::Shell | ResponseKind::ApplyPatch | ResponseKind::Approval => {
                if !parts.iter().all(is_text) {
                    return Err(AnswerError::TextOnly(call.response.call_type()));
                }
            }
        }
        let span = Span { start: 0, end: 0, ..call.span };
        let response = ItemElement::answer(call.response, Cow::Borrowed(&call.call_id), body(parts, span));
        let document = Document { blocks: vec![Spanned::new(Block::Element(response), span)] };
        let text = print(&document, self.whitespace);
        Ok(AnswerElement { text, media: BTreeMap::new(), problems: Vec::new(), has_failed })
    }
}

/// The JSON of the item that answers a call, with what `output` adds.
fn item(call: &Call, options: &AnswerOptions, output: impl FnOnce(&mut ObjectWriter<'_>)) -> String {
    let mut json = String::new();
    let mut item = ObjectWriter::new(&mut json);
    item.text("type", call.response.item_type());
    item.text(call.response.id_key(), &call.call_id);
    if call.response == ResponseKind::ApplyPatch {
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

/// JSON that is an output of this kind.
fn check_json(json: &str, kind: ResponseKind) -> Result<OutputParts, AnswerError> {
    let strings = StringArena::default();
    let value = Json::parse(json, &strings).map_err(|error| AnswerError::NotAnOutput(error.to_string()))?;
    if matches!(kind, ResponseKind::Tool(_)) && value.kind() != Kind::String && !value.is_empty_array() {
        return output_parts(json).ok_or_else(|| AnswerError::NotAnOutput(NOT_PARTS.to_owned()));
    }
    let wanted: (&[Kind], &str) = match kind {
        ResponseKind::Tool(_) => (&[Kind::String, Kind::Array], NOT_PARTS),
        ResponseKind::Shell => (&[Kind::Array], "the output of a shell call must be an array"),
        ResponseKind::ApplyPatch => (&[Kind::String], "the output of a patch must be a string"),
        ResponseKind::Computer | ResponseKind::Approval => return Err(AnswerError::NoJson(kind.call_type())),
    };
    if !wanted.0.contains(&value.kind()) {
        return Err(AnswerError::NotAnOutput(wanted.1.to_owned()));
    }
    Ok(OutputParts { json: value.compact().into_owned(), problems: Vec::new(), is_error: false })
}

/// The parts of a body. A comment separates two texts.
pub(in crate::converter) fn body(parts: &[AnswerPart], span: Span) -> Body<'_> {
    let mut body = Vec::new();
    for (index, part) in parts.iter().enumerate() {
        if index > 0 && is_text(part) && is_text(&parts[index - 1]) {
            body.push(Spanned::new(Part::Metadata("{}".into()), span));
        }
        body.push(Spanned::new(body_part(part), span));
    }
    body
}

fn body_part(part: &AnswerPart) -> Part<'_> {
    let media = |kind, path| Media::new(kind, !is_data_url(path), Cow::Borrowed(path));
    match part {
        AnswerPart::Text(text) => Part::Text(Cow::Borrowed(text)),
        AnswerPart::Image(path) => Part::Media(media(MediaKind::Image, path)),
        AnswerPart::TextFile(path) => Part::Media(media(MediaKind::Doc, path)),
        AnswerPart::File { path, filename } => {
            let filename = filename.as_deref().map_or(Field::Absent, |name| Field::Text(name.into()));
            Part::Media(media(MediaKind::Doc, path).with("file", Field::Null).with("filename", filename))
        }
    }
}
