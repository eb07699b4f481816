//! Detects whether the text of a tool response is an array of parts written as JSON.

use std::borrow::Cow;
use std::ops::Range;

use super::foreign::Element;
use super::refused::holds_media;
use crate::diagnostic::{OutputProblem, Problem, ReplyProblem};
use crate::document::OutputHint;
use crate::json::write::ObjectWriter;
use crate::json::{Json, JsonError, Kind, Object, StringArena};
use crate::responses::{Part, ToolOutput};
use crate::syntax::is_whitespace;

/// What the text of an output is.
pub(in crate::convert) enum Detection<'j> {
    /// Plain text.
    Text {
        /// Whether images or files are beside elements that are not known, so that all of it is sent as text.
        has_media: bool,
    },
    /// Parts.
    Parts(Detected<'j>),
    /// Parts, of which one is media that the API does not accept.
    Media {
        /// Which part, from 0.
        index: usize,
        /// Its type.
        kind: String,
        /// Its offset in the text.
        offset: usize,
    },
    /// Parts, of which one does not match its type.
    Malformed(JsonError),
}

impl<'j> Detection<'j> {
    /// The parts, if they can be sent.
    pub(in crate::convert) fn into_parts(self) -> Option<Detected<'j>> {
        if let Detection::Parts(detected) = self { Some(detected) } else { None }
    }
}

/// The parts in a text.
pub(in crate::convert) struct Detected<'j> {
    pub(in crate::convert) parts: Vec<Part<'j>>,
    /// Where in the text each part is.
    pub(in crate::convert) ranges: Vec<Range<usize>>,
    /// The keys in the text that parts cannot express.
    pub(in crate::convert) unsent: Vec<Cow<'j, str>>,
    /// Whether base64 is sent in another spelling.
    pub(in crate::convert) is_respelled: bool,
    /// Keys that an object has twice, and the places of the ignored values.
    pub(in crate::convert) repeated: Vec<(String, Range<usize>)>,
}

/// The output of a tool response's text for display. Whatever cannot be sent is text.
pub fn spelled_output<'t>(text: &'t str, hint: Option<OutputHint>, strings: &'t StringArena) -> ToolOutput<'t> {
    let parts = match hint {
        Some(OutputHint::Text) => None,
        Some(OutputHint::Content) => json_array(text, strings).map(kept_parts),
        None => detect(text, strings).into_parts().map(|detected| detected.parts),
    };
    parts.map_or(ToolOutput::Text(text.into()), ToolOutput::Content)
}

/// The output of a tool that is JSON of parts.
pub struct OutputParts {
    /// The parts as the JSON of an array.
    pub json: String,
    /// What the parts do not have of the text.
    pub problems: Vec<Problem>,
    /// Whether the result says that the tool has failed.
    pub is_error: bool,
}

/// The parts that a text is: an array of parts, or the result of an MCP server. `None` if it is plain text, or if the API
/// does not accept one of its parts.
pub fn output_parts(text: &str) -> Option<OutputParts> {
    let strings = StringArena::default();
    let trimmed = text.trim_matches(is_whitespace);
    let json = Json::parse(trimmed, &strings).ok()?;
    let mut result = json.object().unwrap_or_default();
    let is_error = result.get("isError").is_some_and(|value| value.raw() == "true");
    let mut without_error = String::new();
    if is_error {
        result.take("isError");
        let mut object = ObjectWriter::new(&mut without_error);
        object.members(&result);
        object.end();
    }
    let detected = detect(if is_error { &without_error } else { trimmed }, &strings).into_parts()?;
    let repeated = json.repeated_keys().into_iter();
    let mut problems: Vec<Problem> = repeated.map(|(key, _)| ReplyProblem::RepeatedKey(key).into()).collect();
    if !detected.unsent.is_empty() {
        problems.push(OutputProblem::UnsentKeys(detected.unsent.into_iter().map(Cow::into_owned).collect()).into());
    }
    let mut json = String::new();
    ToolOutput::Content(detected.parts).encode(&mut json);
    Some(OutputParts { json, problems, is_error })
}

/// The JSON array that a text is.
pub(in crate::convert) fn json_array<'t>(text: &'t str, strings: &'t StringArena) -> Option<Json<'t>> {
    let trimmed = text.trim_matches(is_whitespace);
    let json = if trimmed.starts_with('[') { Json::parse(trimmed, strings).ok() } else { None };
    json.filter(|json| json.kind() == Kind::Array)
}

/// The elements of an array as parts, whatever they are.
pub(in crate::convert) fn kept_parts(array: Json<'_>) -> Vec<Part<'_>> {
    let elements = array.array().unwrap_or_default().into_iter();
    elements.map(|json| Part::decode(json).unwrap_or(Part::Raw(json))).collect()
}

/// Reads the text of an output: texts and images exactly as MCP has them, an array of parts of the API, or any known shapes
/// with media among them are parts.
pub(in crate::convert) fn detect<'j>(text: &'j str, strings: &'j StringArena) -> Detection<'j> {
    let plain = Detection::Text { has_media: false };
    let trimmed = text.trim_matches(is_whitespace);
    if !trimmed.starts_with(['[', '{']) {
        return plain;
    }
    let start = text.len() - text.trim_start_matches(is_whitespace).len();
    let Ok(json) = Json::parse_at(trimmed, start, strings) else { return plain };
    let Some(container) = Container::read(json, strings) else { return plain };
    let elements: Vec<_> = container.elements.iter().map(|json| Element::read(*json, strings)).collect();
    let as_text = || Detection::Text { has_media: container.elements.iter().any(|json| is_media(*json, strings)) };
    if elements.iter().any(Option::is_none) {
        return as_text();
    }
    for (index, (part, element)) in container.elements.iter().zip(&elements).enumerate() {
        if let Some(Element::Refused(kind)) = element {
            return Detection::Media { index, kind: kind.clone(), offset: part.offset() };
        }
    }
    let is_own = container.is_array && elements.iter().all(|element| matches!(element, Some(Element::Part)));
    let mut detected = Detected {
        parts: Vec::new(),
        ranges: container.elements.iter().map(|json| json.range()).collect(),
        unsent: container.unsent.clone(),
        is_respelled: false,
        repeated: Vec::new(),
    };
    let (mut is_plain, mut is_foreign, mut has_media) = (container.is_plain_mcp, false, false);
    for (index, (part, element)) in container.elements.iter().zip(elements).enumerate() {
        if let Some(Element::Foreign(foreign)) = element {
            is_foreign = true;
            is_plain &= foreign.is_plain_mcp;
            has_media |= !matches!(foreign.part, Part::Text(_));
            detected.is_respelled |= foreign.is_respelled;
            detected.unsent.extend(foreign.unsent);
            detected.parts.push(foreign.part);
            continue;
        }
        match Part::decode(*part) {
            Ok(part) => {
                is_plain &= matches!(&part, Part::Text(text) if text.rest.is_empty());
                // Beside a part of the API, all texts are parts.
                has_media |= container.is_array || !matches!(part, Part::Text(_));
                detected.parts.push(part);
            }
            Err(error) if is_own => return Detection::Malformed(error.within_index(index)),
            Err(_) => return as_text(),
        }
    }
    if is_plain && is_foreign || has_media {
        Detection::Parts(Detected { repeated: json.repeated_keys(), ..detected })
    } else {
        plain
    }
}

/// Whether an element is an image or a file that could be sent.
fn is_media<'j>(json: Json<'j>, strings: &'j StringArena) -> bool {
    match Element::read(json, strings) {
        Some(Element::Foreign(foreign)) => !matches!(foreign.part, Part::Text(_)),
        Some(Element::Part) => Part::decode(json).is_ok_and(|part| !matches!(part, Part::Text(_))),
        Some(Element::Refused(_)) | None => false,
    }
}

/// The JSON around the elements of a result.
struct Container<'j> {
    elements: Vec<Json<'j>>,
    is_array: bool,
    /// Whether this is a plain MCP result: parts can express all of it.
    is_plain_mcp: bool,
    unsent: Vec<Cow<'j, str>>,
}

impl<'j> Container<'j> {
    /// An array, an object around one, or one element alone; `None` if there is no element.
    fn read(json: Json<'j>, strings: &'j StringArena) -> Option<Self> {
        if let Ok(elements) = json.array() {
            let container = Container { elements, is_array: true, is_plain_mcp: true, unsent: Vec::new() };
            return (!container.elements.is_empty()).then_some(container);
        }
        let mut members = json.object().ok()?;
        let (key, is_wrapped) = match members.get_str("type").as_deref() {
            Some("content") => ("value", true),
            Some(_) | None => ("content", false),
        };
        let Some(elements) = members.get(key).and_then(|array| array.array().ok()) else {
            let is_known = match Element::read(json, strings)? {
                Element::Part => false,
                Element::Foreign(_) => true,
                Element::Refused(kind) => !kind.starts_with("input_") || holds_media(json),
            };
            let container =
                Container { elements: vec![json], is_array: false, is_plain_mcp: false, unsent: Vec::new() };
            return is_known.then_some(container);
        };
        members.take(key);
        if is_wrapped {
            members.take("type");
        }
        let unsent: Vec<_> = unsent_keys(&members);
        let container = Container { is_array: false, is_plain_mcp: !is_wrapped && unsent.is_empty(), elements, unsent };
        (!container.elements.is_empty()).then_some(container)
    }
}

/// Keys whose data would be lost.
fn unsent_keys<'j>(members: &Object<'j>) -> Vec<Cow<'j, str>> {
    let is_irrelevant = |key: &str, value: Json<'_>| key == "_meta" || key == "isError" && value.raw() == "false";
    let keys = members.iter().filter(|(key, value)| !is_irrelevant(key, *value));
    keys.map(|(key, _)| Cow::Owned(key.to_owned())).collect()
}
