//! Converts tool responses to tool outputs.

use std::borrow::Cow;

use super::detect_output::{self, Refusal};
use super::to_items::{self, ToItems};
use crate::diagnostic::Problem;
use crate::document::{self, OutputHint};
use crate::json::{Json, Kind, Object};
use crate::responses::{self, ToolOutput};
use crate::source::Span;
use crate::syntax::is_whitespace;

impl<'d> ToItems<'_, 'd> {
    pub(super) fn function_output(
        &mut self,
        kind: document::ToolKind,
        response: &'d document::ToolResponse<'_>,
        span: Span,
    ) -> Option<responses::ToolResponse<'d>> {
        let fields = self.fields(response.fields.as_ref());
        let mut rest = Object::default();
        self.insert_id(&mut rest, &response.id);
        self.insert(&mut rest, "status", &response.status);
        self.extend(&mut rest, &fields, &["call_id"], response.fields.as_ref());
        let output = self.tool_output(response, span)?;
        Some(responses::ToolResponse {
            kind: to_items::kind(kind),
            call_id: Cow::Borrowed(&response.call_id),
            output,
            rest,
        })
    }

    /// The output: by its parts, by `output=`, or by detection.
    pub(super) fn tool_output(
        &mut self,
        response: &'d document::ToolResponse<'_>,
        span: Span,
    ) -> Option<ToolOutput<'d>> {
        if document::has_parts(&response.body) {
            let parts = self.content(&response.body, "input_text");
            return Some(ToolOutput::Content(self.list("output", parts)));
        }
        let text = self.kept_text(&response.body);
        let decoded = match response.output {
            Some(OutputHint::Text) => return Some(ToolOutput::Text(text.into())),
            Some(OutputHint::Content) if response.body.is_empty() => return Some(ToolOutput::Content(Vec::new())),
            Some(OutputHint::Content) => {
                match Json::parse(text.trim_matches(is_whitespace)).ok().filter(|json| json.kind() == Kind::Array) {
                    Some(array) => ToolOutput::decode(array).map_err(Refusal::Malformed),
                    None => return Some(ToolOutput::Content(vec![responses::Part::text("input_text", text)])),
                }
            }
            None => detect_output::output(text),
        };
        match decoded {
            Ok(output) => {
                if matches!(output, ToolOutput::Content(_)) {
                    self.note_elements(text, span);
                }
                Some(output)
            }
            Err(refusal) => {
                let (problem, offset) = match refusal {
                    Refusal::Media { index, kind, offset } => (Problem::UnsupportedMedia { index, kind }, offset),
                    Refusal::Malformed(error) => (Problem::MalformedParts(error.to_string()), error.offset),
                };
                let place = self.context.sources.offset_of(span.source, text).map(|start| start + offset);
                self.diagnostics.report(problem, place.map_or(span, |start| Span::new(span.source, start..start + 1)));
                None
            }
        }
    }

    /// Records the places of the elements of an output that is written as a JSON array.
    pub(super) fn note_elements(&mut self, text: &str, span: Span) {
        let trimmed = text.trim_matches(is_whitespace);
        let start = self.context.sources.offset_of(span.source, trimmed);
        let array = Json::parse(trimmed).and_then(Json::array);
        if let (Some(start), Ok(elements)) = (start, array) {
            let place = |element: Json<'_>| {
                let at = start + element.offset();
                Span::new(span.source, at..at + element.raw().len())
            };
            self.lists.push(("output", elements.into_iter().map(place).collect()));
        }
    }
}
