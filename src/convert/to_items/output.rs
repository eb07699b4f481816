//! Converts tool responses to tool outputs.

use std::borrow::Cow;
use std::ops::Range;

use super::ToItems;
use crate::convert::outputs::detect::{Detected, Detection, detect, json_array, kept_parts};
use crate::convert::outputs::refused::refused_type;
use crate::diagnostic::{OutputProblem, ReplyProblem};
use crate::document::{ItemElement, OutputHint, ToolKind, has_parts};
use crate::json::{Json, Object};
use crate::responses::{self, Item, ToolOutput, is_extension};
use crate::source::Span;
use crate::syntax::is_whitespace;

impl<'d> ToItems<'_, 'd> {
    pub(super) fn function_output(
        &mut self,
        kind: ToolKind,
        response: &'d ItemElement<'_>,
        span: Span,
    ) -> Option<Item<'d>> {
        let (rest, _) = self.members(response, &["call_id"], span)?;
        let output = self.tool_output(response, span)?;
        Some(match response.call_id() {
            Some(id) => Item::ToolResponse(responses::ToolResponse { kind, call_id: id.into(), output, rest }),
            None => self.named_output(response.attributes.has("tool_call_id"), &output, &rest),
        })
    }

    /// An output that answers no call, and has the name of its tool. The id of the call is null or absent.
    fn named_output(&self, has_null_id: bool, output: &ToolOutput<'_>, rest: &Object<'d>) -> Item<'d> {
        let mut item = Object::default();
        item.insert("type", self.context.strings.string(ToolKind::Function.output_type()));
        if has_null_id {
            item.insert("call_id", Json::NULL);
        }
        item.insert("output", self.context.strings.json(|out| output.encode(out)));
        // It is sent to the Responses API only.
        let members = rest.iter().map(|(key, value)| (if key == "@name" { "name" } else { key }, value));
        for (key, value) in members.filter(|(key, _)| !is_extension(key)) {
            item.insert(key.to_owned(), value);
        }
        Item::Other(item)
    }

    /// The output: by its parts, by `output=`, or by detection.
    pub(super) fn tool_output(&mut self, response: &'d ItemElement<'_>, span: Span) -> Option<ToolOutput<'d>> {
        let is_content = response.output() == Some(OutputHint::Content);
        if has_parts(&response.body) {
            let parts = self.content(&response.body, "input_text");
            if !is_content {
                self.report_media(&parts);
            }
            return Some(ToolOutput::Content(self.list("output", parts)));
        }
        let text = self.kept_text(&response.body);
        match response.output() {
            Some(OutputHint::Text) => Some(ToolOutput::Text(text.into())),
            Some(OutputHint::Content) if response.body.is_empty() => Some(ToolOutput::Content(Vec::new())),
            Some(OutputHint::Content) => Some(ToolOutput::Content(match json_array(text, self.context.strings) {
                Some(array) => {
                    let elements = array.array().unwrap_or_default();
                    let leading = text.len() - text.trim_start_matches(is_whitespace).len();
                    let range = |json: Json<'_>| leading + json.offset()..leading + json.offset() + json.raw().len();
                    self.note_elements(text, elements.into_iter().map(range), span);
                    kept_parts(array)
                }
                None => vec![responses::Part::text("input_text", text)],
            })),
            None => self.detected_output(text, span),
        }
    }

    /// The output that a text without `output=` is.
    fn detected_output(&mut self, text: &'d str, span: Span) -> Option<ToolOutput<'d>> {
        match detect(text, self.context.strings) {
            Detection::Text { has_media } => {
                if has_media {
                    self.diagnostics.report(OutputProblem::StringifiedMedia, self.span_of(text, 0, span));
                }
                Some(ToolOutput::Text(text.into()))
            }
            Detection::Parts(Detected { parts, ranges, unsent, is_respelled, repeated }) => {
                for (key, range) in repeated {
                    let place = self.span_of(text, range.start, span);
                    self.diagnostics.report(ReplyProblem::RepeatedKey(key), place);
                }
                self.note_elements(text, ranges.into_iter(), span);
                if !unsent.is_empty() {
                    let keys = unsent.into_iter().map(Cow::into_owned).collect();
                    self.diagnostics.report(OutputProblem::UnsentKeys(keys), self.span_of(text, 0, span));
                }
                if is_respelled {
                    self.diagnostics.report(OutputProblem::RespelledBase64, self.span_of(text, 0, span));
                }
                Some(ToolOutput::Content(parts))
            }
            Detection::Media { index, kind, offset } => {
                let problem = OutputProblem::UnsupportedMedia { index, kind };
                self.diagnostics.report(problem, self.span_of(text, offset, span));
                None
            }
            Detection::Malformed(error) => {
                let place = self.span_of(text, error.offset, span);
                self.diagnostics.report(OutputProblem::MalformedParts(error.to_string()), place);
                None
            }
        }
    }

    /// Reports the parts of an output that are audio or video.
    fn report_media(&mut self, parts: &[(responses::Part<'d>, Span)]) {
        for (index, (part, span)) in parts.iter().enumerate() {
            if let Some(kind) = refused_type(part) {
                self.diagnostics.report(OutputProblem::UnsupportedMedia { index, kind }, *span);
            }
        }
    }

    /// One character of a text, or the whole output if the text is not written in the document.
    fn span_of(&self, text: &str, offset: usize, output: Span) -> Span {
        let place = self.context.sources.offset_of(output.source, text).map(|start| start + offset);
        place.map_or(output, |start| Span::new(output.source, start..start + 1))
    }

    /// Records the places of the elements of an output that is written as JSON.
    fn note_elements(&mut self, text: &str, ranges: impl Iterator<Item = Range<usize>>, span: Span) {
        let start = self.context.sources.offset_of(span.source, text).filter(|_| self.context.locates_parts);
        if let Some(start) = start {
            let places = ranges.map(|range| Span::new(span.source, start + range.start..start + range.end));
            self.lists.push(("output", places.collect()));
        }
    }
}
