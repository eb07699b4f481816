//! Converts tool outputs to the bodies of tool responses.

use std::borrow::Cow;

use super::{WriteOptions, spanned, text_body};
use crate::convert::outputs::detect::{Detection, detect, json_array};
use crate::convert::outputs::refused::refused_type;
use crate::document::{Body, OutputHint, Part};
use crate::json::StringArena;
use crate::options::OutputStyle;
use crate::responses::{self, ToolOutput};
use crate::source::Spanned;

impl WriteOptions<'_> {
    /// A tool output's body, and `output=` only where detection would get it wrong.
    pub(super) fn output<'j>(&self, output: &'j ToolOutput<'_>) -> Option<(Option<OutputHint>, Body<'j>)> {
        match output {
            ToolOutput::Text(text) => Some(text_output(Cow::Borrowed(text))),
            ToolOutput::Content(parts) if parts.is_empty() => Some((Some(OutputHint::Content), Vec::new())),
            ToolOutput::Content(parts) => match self.style {
                OutputStyle::Json if !parts.iter().any(responses::Part::has_extensions) => Some(output_json(output)),
                // The text of an output says nothing for other APIs.
                OutputStyle::Items | OutputStyle::Json => self.output_items(parts),
            },
        }
    }

    pub(super) fn output_items<'j>(&self, parts: &'j [responses::Part<'_>]) -> Option<(Option<OutputHint>, Body<'j>)> {
        let mut body = self.body(parts, "input_text")?;
        let is_text = |part: &Spanned<Part<'_>>| matches!(part.value, Part::Text(_));
        if !body.iter().all(is_text) {
            let is_refused = parts.iter().any(|part| refused_type(part).is_some());
            return Some((is_refused.then_some(OutputHint::Content), body));
        }
        let strings = StringArena::default();
        let is_array =
            |part: &Spanned<Part<'_>>| matches!(&part.value, Part::Text(text) if json_array(text, &strings).is_some());
        if body.iter().any(is_array) {
            // A body that is a JSON array would be read as that array.
            body.insert(0, spanned(Part::Metadata("{}".into())));
            return Some((None, body));
        }
        Some((Some(OutputHint::Content), body))
    }
}

pub(super) fn output_json<'j>(output: &ToolOutput<'_>) -> (Option<OutputHint>, Body<'j>) {
    let json = output.to_persisted_string();
    let strings = StringArena::default();
    let seen = detect(&json, &strings).into_parts();
    let is_seen = seen.is_some_and(|seen| ToolOutput::Content(seen.parts).to_persisted_string() == json);
    ((!is_seen).then_some(OutputHint::Content), vec![spanned(Part::Text(json.into()))])
}

pub(super) fn text_output(text: Cow<'_, str>) -> (Option<OutputHint>, Body<'_>) {
    let is_seen = matches!(detect(&text, &StringArena::default()), Detection::Text { .. });
    ((!is_seen).then_some(OutputHint::Text), text_body(text))
}
