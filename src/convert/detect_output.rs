//! Detects whether the text of a tool response is an array of parts written as JSON.

use std::borrow::Cow;

use crate::document::OutputHint;
use crate::json::{Json, JsonError, Kind, Object, StringArena};
use crate::responses::{ImagePart, Part, ToolOutput};
use crate::syntax::is_whitespace;

/// Why a text that looks like parts cannot be sent.
pub(super) enum Refusal {
    /// A part is media that the API does not accept.
    Media {
        /// Which part, from 0.
        index: usize,
        /// Its type.
        kind: String,
        /// Its offset in the text.
        offset: usize,
    },
    /// A part is not what its type says.
    Malformed(JsonError),
}

/// The output of a tool response's text for display. Whatever cannot be sent is text.
pub fn spelled_output<'t>(text: &'t str, hint: Option<OutputHint>, strings: &'t StringArena) -> ToolOutput<'t> {
    let array = || Json::parse(text.trim_matches(is_whitespace), strings).and_then(ToolOutput::decode).ok();
    let spelled = match hint {
        Some(OutputHint::Text) => None,
        Some(OutputHint::Content) => array().filter(|output| matches!(output, ToolOutput::Content(_))),
        None => output(text, strings).ok(),
    };
    spelled.unwrap_or(ToolOutput::Text(text.into()))
}

/// Detects the output that a text is.
pub(super) fn output<'t>(text: &'t str, strings: &'t StringArena) -> Result<ToolOutput<'t>, Refusal> {
    Ok(parts(text, strings)?.map_or(ToolOutput::Text(text.into()), ToolOutput::Content))
}

/// The parts in a text; `None` if it is plain text.
fn parts<'t>(text: &'t str, strings: &'t StringArena) -> Result<Option<Vec<Part<'t>>>, Refusal> {
    let trimmed = text.trim_matches(is_whitespace);
    if !trimmed.starts_with(['[', '{']) {
        return Ok(None);
    }
    let Ok(json) = Json::parse(trimmed, strings) else { return Ok(None) };
    let (array, is_result) = match json.kind() {
        Kind::Object => match mcp_content(json) {
            Some(content) => (content, true),
            None => return Ok(None),
        },
        Kind::Array | Kind::String | Kind::Number | Kind::Boolean | Kind::Null => (json, false),
    };
    let Some(elements) = elements(array) else { return Ok(None) };
    let refused = |(index, part): (usize, &Element<'_>)| Some((index, part.refused()?, part.offset));
    if let Some((index, kind, offset)) = elements.iter().enumerate().find_map(refused) {
        let offset = offset + text.len() - text.trim_start_matches(is_whitespace).len();
        let is_part = |part: &Element<'_>| part.refused().is_some() || part.is_mcp() || part.is_responses();
        return if elements.iter().all(is_part) { Err(Refusal::Media { index, kind, offset }) } else { Ok(None) };
    }
    if elements.iter().all(Element::is_mcp) {
        return Ok(Some(elements.iter().filter_map(Element::lowered).collect()));
    }
    if !is_result && elements.iter().all(Element::is_responses) {
        return Part::decode_all(array).map(Some).map_err(Refusal::Malformed);
    }
    Ok(None)
}

/// The `content` of an MCP result without other significant keys.
fn mcp_content(json: Json<'_>) -> Option<Json<'_>> {
    let mut object = json.object().ok()?;
    let content = object.take("content")?;
    let is_insignificant =
        |(key, value): (&str, Json<'_>)| key == "_meta" || key == "isError" && value.raw() == "false";
    object.iter().all(is_insignificant).then_some(content)
}

/// An element of an array that may be an array of parts.
struct Element<'j> {
    offset: usize,
    kind: Cow<'j, str>,
    members: Object<'j>,
}

/// The elements of a non-empty array of objects with a `type`.
fn elements(array: Json<'_>) -> Option<Vec<Element<'_>>> {
    let mut elements = Vec::new();
    for json in array.array().ok()? {
        let mut members = json.object().ok()?;
        let kind = members.take("type")?.as_str().ok()?;
        elements.push(Element { offset: json.offset(), kind, members });
    }
    (!elements.is_empty()).then_some(elements)
}

impl<'j> Element<'j> {
    fn is_responses(&self) -> bool {
        matches!(self.kind.as_ref(), "input_text" | "input_image" | "input_file")
    }

    fn is_mcp(&self) -> bool {
        match self.kind.as_ref() {
            "text" => self.has_exactly(&["text"]),
            "image" => self.has_exactly(&["data", "mimeType"]),
            _ => false,
        }
    }

    /// Its type, if it is media that the API does not accept.
    fn refused(&self) -> Option<String> {
        let is_media = match self.kind.as_ref() {
            "input_audio" | "input_video" => true,
            "audio" | "video" => ["data", "mimeType"].iter().all(|key| self.members.get(key).is_some()),
            _ => false,
        };
        is_media.then(|| self.kind.to_string())
    }

    fn has_exactly(&self, keys: &[&str]) -> bool {
        let is_string = |key: &&str| self.members.get(key).is_some_and(|value| value.kind() == Kind::String);
        self.members.iter().count() == keys.len() && keys.iter().all(is_string)
    }

    /// Converts an MCP part to the API's part.
    fn lowered(&self) -> Option<Part<'j>> {
        let member = |key: &str| self.members.get(key)?.as_str().ok();
        if self.kind == "text" {
            return Some(Part::text("input_text", member("text")?));
        }
        let url = format!("data:{};base64,{}", member("mimeType")?, member("data")?);
        Some(Part::Image(ImagePart { image_url: Some(url.into()), rest: Object::default() }))
    }
}
