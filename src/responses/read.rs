//! Detects the kind of a text, and reads it.

use super::event::{is_event, is_signal};
use super::foreign;
use super::payload::{Failure, Payload, completion_of};
use super::stream;
use crate::json::{Json, JsonError, Kind, Object, StringArena, begins_like_json, is_valid};
use crate::outcome::{ApiError, error_of};
use crate::stream::is_stream;

/// How many keys a message names, and how much of each.
const MAX_SHOWN_KEYS: usize = 5;
const MAX_SHOWN_KEY_LENGTH: usize = 40;

/// Reads a text. Its kind is detected from its content.
pub fn read<'j>(text: &'j str, strings: &'j StringArena) -> Result<Payload<'j>, Failure> {
    let start = text.len() - text.trim_start_matches('\u{feff}').len();
    let body = &text[start..];
    let first = body.trim_start_matches([' ', '\t', '\r', '\n']);
    if is_stream(first) {
        return stream::read(body, start, strings);
    }
    match Json::parse_at(body, start, strings) {
        Ok(json) => read_json(json, strings),
        Err(error) => match foreign::text(first) {
            Some(foreign) => Err(Failure::Unsupported(foreign)),
            None => read_several(body, start, strings).unwrap_or(Err(error.into())),
        },
    }
}

/// Whether a text begins like something that [`read`] reads, and not like a document.
pub fn is_payload(text: &str) -> bool {
    let text = text.trim_start_matches('\u{feff}').trim_ascii_start();
    begins_like_json(text) || is_stream(text)
}

/// Removes the character at the end that a cut left incomplete. After complete JSON, such bytes are not from a cut.
pub fn without_partial_character(bytes: &mut Vec<u8>) {
    // Only a byte that begins a character and those after it can be incomplete.
    let last = bytes.iter().rposition(|byte| byte & 0xc0 != 0x80).unwrap_or_default();
    if std::str::from_utf8(&bytes[last..]).is_err()
        && let Err(error) = std::str::from_utf8(bytes)
        && error.error_len().is_none()
        && let Ok(text) = std::str::from_utf8(&bytes[..error.valid_up_to()])
        && !is_valid(text)
    {
        bytes.truncate(error.valid_up_to());
    }
}

/// Reads a JSON value.
pub fn read_json<'j>(json: Json<'j>, strings: &'j StringArena) -> Result<Payload<'j>, Failure> {
    if json.kind() == Kind::Array {
        return read_array(json, strings);
    }
    let mut object = json.object()?;
    if let Some(foreign) = foreign::api(&object) {
        return Err(Failure::Unsupported(foreign));
    }
    if is_response(&object) {
        return read_responses([object]);
    }
    if object.get_str("object").as_deref() == Some("list") {
        let data = object.take("data").ok_or_else(|| json.malformed("is missing").within("data"))?;
        return read_items(data, "data");
    }
    if object.get("custom_id").is_some() {
        return read_batch_line(&object, json, strings);
    }
    if is_event(&object) {
        return stream::read_events([json], strings);
    }
    if let Some(error) = error_of(&object, json) {
        return Err(Failure::Api(ApiError::decode(error)));
    }
    if is_item(&object) {
        let mut payload = Payload::default();
        payload.push(vec![json], "");
        return Ok(payload);
    }
    if object.get("input").is_some() || object.get("model").is_some() {
        return read_request(object, strings);
    }
    let message = "neither a response, a request, an item, a list, a stream nor an API error";
    Err(json.malformed(message).into())
}

fn is_response(object: &Object<'_>) -> bool {
    object.get_str("object").is_some_and(|name| name.starts_with("response"))
}

/// Whether an object is a content part, which is not an item.
fn is_bare_part(object: &Object<'_>) -> bool {
    const TYPES: [&str; 15] = [
        "input_text",
        "input_image",
        "input_file",
        "input_audio",
        "output_text",
        "text",
        "image",
        "image_url",
        "image-data",
        "file-data",
        "media",
        "document",
        "audio",
        "resource",
        "resource_link",
    ];
    object.get("role").is_none() && object.get_str("type").is_some_and(|kind| TYPES.contains(&kind.as_ref()))
}

fn is_item(object: &Object<'_>) -> bool {
    object.get_str("type").is_some() || object.get("role").is_some()
}

/// An array of events, of responses or of items.
fn read_array<'j>(json: Json<'j>, strings: &'j StringArena) -> Result<Payload<'j>, Failure> {
    let elements = json.array()?;
    let Some(objects) = objects(&elements) else {
        return read_items(json, "input");
    };
    // Some servers put the body of an error into an array.
    if let ([only], [object]) = (&elements[..], &objects[..])
        && !is_event(object)
        && !is_item(object)
        && let Some(error) = error_of(object, *only)
    {
        return Err(Failure::Api(ApiError::decode(error)));
    }
    if !objects.is_empty() && objects.iter().all(is_bare_part) {
        return Err(Failure::Unsupported(foreign::PARTS));
    }
    read_all(&elements, objects, strings).unwrap_or_else(|| read_items(json, "input"))
}

/// The members of values that are all objects.
fn objects<'j>(values: &[Json<'j>]) -> Option<Vec<Object<'j>>> {
    values.iter().map(|value| value.object().ok()).collect()
}

/// Values that are all events, or all responses. Between events may be objects that carry nothing, such as `keepalive`.
fn read_all<'j>(
    values: &[Json<'j>],
    objects: Vec<Object<'j>>,
    strings: &'j StringArena,
) -> Option<Result<Payload<'j>, Failure>> {
    if objects.is_empty() {
        None
    } else if objects.iter().any(is_event) && objects.iter().all(|object| is_event(object) || is_signal(object)) {
        Some(stream::read_events(values.iter().copied(), strings))
    } else if objects.iter().all(is_response) {
        Some(read_responses(objects))
    } else {
        objects.iter().find_map(foreign::api).map(|foreign| Err(Failure::Unsupported(foreign)))
    }
}

/// JSON values one after the other, such as JSON lines; `None` if the text is something else.
fn read_several<'j>(text: &'j str, at: usize, strings: &'j StringArena) -> Option<Result<Payload<'j>, Failure>> {
    let (first, rest) = Json::parse_first(text, at, strings).ok()?;
    let object = first.object().ok()?;
    if rest == text.len() {
        return None;
    }
    if object.get("custom_id").is_some() {
        let message = "more than one line of Batch results: `chatmd batch results` converts them";
        return Some(Err(JsonError::new(message, at + rest).into()));
    }
    let (mut values, mut end) = (vec![first], rest);
    while !text[end..].trim_ascii_start().is_empty() {
        match Json::parse_first(&text[end..], at + end, strings) {
            Ok((value, length)) => {
                values.push(value);
                end += length;
            }
            // A stream may be cut or damaged: its other lines still count.
            Err(_) if is_event(&object) || is_signal(&object) => return Some(stream::read(text, at, strings)),
            Err(error) => return Some(Err(error.into())),
        }
    }
    let read = objects(&values).and_then(|objects| read_all(&values, objects, strings));
    Some(read.unwrap_or_else(|| {
        let stranger = values.iter().find(|value| !value.object().is_ok_and(|object| is_item(&object)));
        if let Some(stranger) = stranger {
            return Err(stranger.malformed(unknown_lines(&object, !is_item(&object))).into());
        }
        let mut payload = Payload::default();
        payload.push(values, "");
        Ok(payload)
    }))
}

/// The message for JSON lines that are neither items nor events.
fn unknown_lines(first: &Object<'_>, is_first: bool) -> String {
    if !is_first {
        return "neither an item nor an event of a stream".to_owned();
    }
    let key = |key: &str| format!("`{}`", key.chars().take(MAX_SHOWN_KEY_LENGTH).collect::<String>());
    let keys: Vec<String> = first.iter().map(|(name, _)| key(name)).take(MAX_SHOWN_KEYS).collect();
    let keys = if keys.is_empty() { "no keys".to_owned() } else { format!("the keys {}", keys.join(", ")) };
    format!(
        "unknown kind of JSON lines: the first line has {keys}; known kinds are Codex rollouts, Claude Code sessions, events \
         of a stream and items"
    )
}

/// Whole response objects.
fn read_responses<'j>(objects: impl IntoIterator<Item = Object<'j>>) -> Result<Payload<'j>, Failure> {
    let mut payload = Payload::default();
    for mut object in objects {
        let completion = completion_of(object.get_str("status").as_deref(), &object);
        let output = object.take("output").filter(|output| output.kind() != Kind::Null);
        let items = output.map(Json::array).transpose().map_err(|error| error.within("output"))?.unwrap_or_default();
        payload.add_response(items, [object], completion);
    }
    payload.unless_failed()
}

fn read_items<'j>(json: Json<'j>, name: &'static str) -> Result<Payload<'j>, Failure> {
    let mut payload = Payload::default();
    payload.push(json.array().map_err(|error| error.within(name))?, name);
    Ok(payload)
}

fn read_request<'j>(mut object: Object<'j>, strings: &'j StringArena) -> Result<Payload<'j>, Failure> {
    let mut payload = match object.get("input") {
        Some(input) if input.kind() == Kind::String => {
            input.as_str().map_err(|error| error.within("input"))?;
            let message = format!(r#"{{"role":"user","content":{}}}"#, input.raw());
            let mut payload = Payload::default();
            payload.push(vec![Json::parse_at(strings.keep(message), input.offset(), strings)?], "input");
            payload
        }
        Some(input) if input.kind() == Kind::Array => read_items(input, "input")?,
        Some(input) => {
            let message = format!("expected a string or an array of items, found {}", input.kind());
            return Err(input.malformed(message).within("input").into());
        }
        None => Payload::default(),
    };
    payload.lacks_input = object.take("input").is_none();
    payload.request = Some(object);
    Ok(payload)
}

/// One line of Batch results: the response is inside.
fn read_batch_line<'j>(object: &Object<'j>, json: Json<'j>, strings: &'j StringArena) -> Result<Payload<'j>, Failure> {
    if let Some(error) = object.get_present("error") {
        return Err(Failure::Api(ApiError::decode(error)));
    }
    let response = object.get_present("response").ok_or_else(|| json.malformed("is missing").within("response"))?;
    let inner = response.object().map_err(|error| error.within("response"))?;
    let body =
        inner.get_present("body").ok_or_else(|| response.malformed("is missing").within("body").within("response"))?;
    read_json(body, strings)
}
