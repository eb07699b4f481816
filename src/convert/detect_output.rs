//! Detects whether the text of a tool response is an array of parts written as JSON.

use std::borrow::Cow;
use std::ops::Range;

use super::foreign_parts::{ConvertedPart, Element, read_element};
use super::refused_media::{holds_media, refused_type};
use crate::document::OutputHint;
use crate::json::write::ObjectWriter;
use crate::json::{Json, JsonError, Kind, Object, StringArena};
use crate::responses::{Part, ToolOutput};
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
    /// A part that does not match its type.
    Malformed(JsonError),
}

/// The parts in a text.
pub(super) struct Detected<'j> {
    pub(super) parts: Vec<Part<'j>>,
    /// Where in the text each part is.
    pub(super) ranges: Vec<Range<usize>>,
    /// The keys in the text that parts cannot express.
    pub(super) unsent: Vec<Cow<'j, str>>,
    /// Whether base64 is sent in another spelling.
    pub(super) is_respelled: bool,
    /// Keys that a part has twice, and the places of the ignored values.
    pub(super) repeated: Vec<(String, Range<usize>)>,
}

/// The output of a tool response's text for display. Whatever cannot be sent is text.
pub fn spelled_output<'t>(text: &'t str, hint: Option<OutputHint>, strings: &'t StringArena) -> ToolOutput<'t> {
    let parts = match hint {
        Some(OutputHint::Text) => None,
        Some(OutputHint::Content) => json_array(text, strings).map(kept_parts),
        None => detect(text, strings).ok().flatten().map(|detected| detected.parts),
    };
    parts.map_or(ToolOutput::Text(text.into()), ToolOutput::Content)
}

/// The output of a tool that is JSON of parts.
pub struct OutputParts {
    /// The parts as the JSON of an array.
    pub json: String,
    /// The keys that parts cannot express.
    pub unsent: Vec<String>,
    /// Whether the result says that the tool has failed.
    pub is_error: bool,
}

/// The parts that a text is: an array of parts, or the result of an MCP server. `None` if it is plain text, or if the API
/// does not accept one of its parts.
pub fn output_parts(text: &str) -> Option<OutputParts> {
    let strings = StringArena::default();
    let trimmed = text.trim_matches(is_whitespace);
    let mut result = Json::parse(trimmed, &strings).and_then(Json::object).unwrap_or_default();
    let is_error = result.get("isError").is_some_and(|value| value.raw() == "true");
    let mut without_error = String::new();
    if is_error {
        result.take("isError");
        let mut object = ObjectWriter::new(&mut without_error);
        object.members(&result);
        object.end();
    }
    let detected = detect(if is_error { &without_error } else { trimmed }, &strings).ok().flatten()?;
    let mut json = String::new();
    ToolOutput::Content(detected.parts).encode(&mut json);
    let unsent = detected.unsent.into_iter().map(Cow::into_owned).collect();
    Some(OutputParts { json, unsent, is_error })
}

/// The JSON array that a text is.
pub(super) fn json_array<'t>(text: &'t str, strings: &'t StringArena) -> Option<Json<'t>> {
    let trimmed = text.trim_matches(is_whitespace);
    let json = if trimmed.starts_with('[') { Json::parse(trimmed, strings).ok() } else { None };
    json.filter(|json| json.kind() == Kind::Array)
}

/// The elements of an array as parts, whatever they are.
pub(super) fn kept_parts(array: Json<'_>) -> Vec<Part<'_>> {
    let elements = array.array().unwrap_or_default().into_iter();
    elements.map(|json| Part::decode(json).unwrap_or(Part::Raw(json))).collect()
}

/// The parts in a text; `None` if it is plain text.
pub(super) fn detect<'j>(text: &'j str, strings: &'j StringArena) -> Result<Option<Detected<'j>>, Refusal> {
    let trimmed = text.trim_matches(is_whitespace);
    if !trimmed.starts_with(['[', '{']) {
        return Ok(None);
    }
    let start = text.len() - text.trim_start_matches(is_whitespace).len();
    let json = Json::parse_at(trimmed, start, strings).ok();
    let Some(container) = json.and_then(Container::read) else { return Ok(None) };
    let repeated = repeated(&container.elements);
    let mut elements = Vec::new();
    for json in &container.elements {
        match PartOrigin::of(*json) {
            Some(origin) => elements.push(origin),
            None => return Ok(None),
        }
    }
    let refused = |(index, origin): (usize, &PartOrigin<'_>)| match origin {
        PartOrigin::Refused(kind) => Some((index, kind.clone())),
        PartOrigin::Responses | PartOrigin::Foreign(_) => None,
    };
    if let Some((index, kind)) = elements.iter().enumerate().find_map(refused) {
        return Err(Refusal::Media { index, kind, offset: container.elements[index].offset() });
    }
    if container.is_array && elements.iter().all(|origin| matches!(origin, PartOrigin::Responses)) {
        let parts = decode_all(&container.elements).map_err(Refusal::Malformed)?;
        return Ok(Some(Detected {
            parts,
            ranges: container.ranges(),
            unsent: Vec::new(),
            is_respelled: false,
            repeated,
        }));
    }
    Ok(lowered(container, elements, strings).map(|detected| Detected { repeated, ..detected }))
}

/// The keys that an element has twice.
fn repeated(elements: &[Json<'_>]) -> Vec<(String, Range<usize>)> {
    let objects: Vec<Object<'_>> = elements.iter().filter_map(|json| json.object().ok()).collect();
    let place = |value: Json<'_>| value.offset()..value.offset() + value.raw().len();
    let all = objects.iter().flat_map(Object::repeated);
    all.map(|(key, value)| (key.to_owned(), place(value))).collect()
}

/// Whether a text has images or files beside elements that are not known, so that all of it is sent as text.
pub(super) fn stringifies_media(text: &str, strings: &StringArena) -> bool {
    let trimmed = text.trim_matches(is_whitespace);
    if !trimmed.starts_with(['[', '{']) {
        return false;
    }
    let container = Json::parse(trimmed, strings).ok().and_then(Container::read);
    let is_media = |json: &Json<'_>| match PartOrigin::of(*json) {
        Some(PartOrigin::Foreign(foreign)) => foreign.part.is_media(),
        Some(PartOrigin::Responses) => Part::decode(*json).is_ok_and(|part| !matches!(part, Part::Text(_))),
        Some(PartOrigin::Refused(_)) | None => false,
    };
    container.is_some_and(|container| container.elements.iter().any(is_media))
}

/// The parts of another program: texts and images exactly as MCP has them, or any known shapes and parts of the API
/// with media among them.
fn lowered<'j>(
    container: Container<'j>,
    elements: Vec<PartOrigin<'j>>,
    strings: &'j StringArena,
) -> Option<Detected<'j>> {
    let ranges = container.ranges();
    let (mut parts, mut unsent) = (Vec::new(), container.unsent);
    let (mut is_plain, mut is_foreign, mut has_media) = (container.is_plain_mcp, false, false);
    let mut is_respelled = false;
    for (json, origin) in container.elements.into_iter().zip(elements) {
        match origin {
            PartOrigin::Foreign(foreign) => {
                is_foreign = true;
                is_plain &= foreign.is_plain_mcp;
                has_media |= foreign.part.is_media();
                is_respelled |= foreign.is_respelled;
                unsent.extend(foreign.unsent);
                parts.push(foreign.part.into_part(strings));
            }
            PartOrigin::Responses => {
                let part = Part::decode(json).ok()?;
                is_plain &= matches!(&part, Part::Text(text) if text.rest.is_empty());
                // Beside a part of the API, all texts are parts.
                has_media |= container.is_array || !matches!(part, Part::Text(_));
                parts.push(part);
            }
            PartOrigin::Refused(_) => return None,
        }
    }
    (is_plain && is_foreign || has_media).then_some(Detected {
        parts,
        ranges,
        unsent,
        is_respelled,
        repeated: Vec::new(),
    })
}

fn decode_all<'j>(elements: &[Json<'j>]) -> Result<Vec<Part<'j>>, JsonError> {
    let parts = elements.iter().enumerate();
    parts.map(|(index, json)| Part::decode(*json).map_err(|error| error.within_index(index))).collect()
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
    fn read(json: Json<'j>) -> Option<Self> {
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
            let is_known = match PartOrigin::of(json)? {
                PartOrigin::Responses => false,
                PartOrigin::Foreign(_) => true,
                PartOrigin::Refused(kind) => !kind.starts_with("input_") || holds_media(json),
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

    fn ranges(&self) -> Vec<Range<usize>> {
        self.elements.iter().map(|json| json.offset()..json.offset() + json.raw().len()).collect()
    }
}

/// Keys whose data would be lost.
fn unsent_keys<'j>(members: &Object<'j>) -> Vec<Cow<'j, str>> {
    let is_irrelevant = |key: &str, value: Json<'_>| key == "_meta" || key == "isError" && value.raw() == "false";
    let keys = members.iter().filter(|(key, value)| !is_irrelevant(key, *value));
    keys.map(|(key, _)| Cow::Owned(key.to_owned())).collect()
}

/// Which API an element comes from.
enum PartOrigin<'j> {
    /// The Responses API.
    Responses,
    /// Another API, such as MCP.
    Foreign(ConvertedPart<'j>),
    /// Media of this type, which the API does not accept.
    Refused(String),
}

impl<'j> PartOrigin<'j> {
    fn of(json: Json<'j>) -> Option<Self> {
        let members = json.object().ok()?;
        let kind = members.get("type")?.as_str().ok()?;
        Some(match kind.as_ref() {
            "input_audio" | "input_video" => PartOrigin::Refused(kind.into_owned()),
            "input_text" => PartOrigin::Responses,
            "input_image" | "input_file" => {
                let refused = Part::decode(json).ok().and_then(|part| refused_type(&part));
                refused.map_or(PartOrigin::Responses, PartOrigin::Refused)
            }
            _ => match read_element(json)? {
                Element::Part(foreign) => PartOrigin::Foreign(foreign),
                Element::Refused(kind) => PartOrigin::Refused(kind),
            },
        })
    }
}
