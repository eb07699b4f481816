//! Compares the items of a written document with the original ones, so that nothing is lost.
//!
//! It knows the few changes that a round trip may make, and shares no code with the conversion.

use std::collections::{BTreeSet, HashMap};

use crate::json::{Json, Kind, StringArena};

/// JSON with its objects unordered, its strings decoded and its numbers as spelled.
#[derive(Debug, Clone, PartialEq)]
enum Value {
    /// A number, a boolean or null.
    Spelled(String),
    Text(String),
    /// A string with half a surrogate pair, which has no UTF-8.
    Utf16(Vec<u16>),
    Array(Vec<Value>),
    Object(HashMap<String, Value>),
}

/// The indexes of the items whose canonical form is not what was written.
pub(super) fn differences(originals: &[Json<'_>], written: &str) -> BTreeSet<usize> {
    let strings = StringArena::default();
    let written = Json::parse(written, &strings).and_then(Json::array).unwrap_or_default();
    let length = originals.len().max(written.len());
    let is_different = |index: &usize| match (originals.get(*index), written.get(*index)) {
        (Some(original), Some(written)) => canonical(*original) != value(*written),
        (_, _) => true,
    };
    (0..length).filter(is_different).collect()
}

/// Whether two requests have the same members apart from `input`, which both must have or both must lack.
pub(super) fn same_fields(request: Json<'_>, written: &str, lacks_input: bool) -> bool {
    let strings = StringArena::default();
    let written = Json::parse(written, &strings).map(value);
    let (Value::Object(original), Ok(Value::Object(mut written))) = (value(request), written) else {
        return false;
    };
    written.remove("input").is_none() == lacks_input && original == written
}

fn value(json: Json<'_>) -> Value {
    match json.kind() {
        Kind::Null | Kind::Boolean | Kind::Number => Value::Spelled(json.raw().to_owned()),
        Kind::String => match json.as_str() {
            Ok(text) => Value::Text(text.into_owned()),
            Err(_) => Value::Utf16(utf16(json.raw())),
        },
        Kind::Array => Value::Array(json.array().unwrap_or_default().into_iter().map(value).collect()),
        Kind::Object => {
            let members = json.object().unwrap_or_default();
            Value::Object(members.iter().map(|(key, json)| (key.to_owned(), value(json))).collect())
        }
    }
}

/// The UTF-16 code units of a JSON string, including its quotes.
fn utf16(json: &str) -> Vec<u16> {
    let mut units = Vec::with_capacity(json.len());
    let mut rest = json.chars();
    while let Some(c) = rest.next() {
        if c != '\\' {
            units.extend(c.encode_utf16(&mut [0; 2]).iter());
            continue;
        }
        let escaped = rest.next();
        match escaped {
            Some('u') => {
                let digits: String = rest.by_ref().take(4).collect();
                units.extend(u16::from_str_radix(&digits, 16));
            }
            Some('n') => units.push(0x0a),
            Some('r') => units.push(0x0d),
            Some('t') => units.push(0x09),
            Some('b') => units.push(0x08),
            Some('f') => units.push(0x0c),
            Some(c) => units.extend(c.encode_utf16(&mut [0; 2]).iter()),
            None => {}
        }
    }
    units
}

fn canonical(json: Json<'_>) -> Value {
    let Value::Object(mut item) = value(json) else { return value(json) };
    item.remove("toolusedata");
    if !item.contains_key("type") && item.contains_key("role") && item.contains_key("content") {
        item.insert("type".to_owned(), Value::Text("message".to_owned()));
    }
    let is =
        |item: &HashMap<String, Value>, key: &str, text: &str| item.get(key) == Some(&Value::Text(text.to_owned()));
    if let Some(Value::Array(parts)) = item.get_mut("content") {
        parts.iter_mut().for_each(canonical_part);
    }
    if is(&item, "type", "message") {
        let kind = if is(&item, "role", "assistant") { "output_text" } else { "input_text" };
        if let Some(content) = item.remove("content") {
            item.insert("content".to_owned(), canonical_content(content, kind));
        }
    }
    let is_response = is(&item, "type", "function_call_output") || is(&item, "type", "custom_tool_call_output");
    if let (true, Some(Value::Array(parts))) = (is_response, item.get_mut("output")) {
        parts.iter_mut().for_each(canonical_part);
    }
    let arguments =
        json.object().ok().and_then(|item| item.get("arguments")).filter(|json| json.kind() == Kind::Object);
    if let (true, Some(arguments)) = (is(&item, "type", "function_call"), arguments) {
        item.insert("arguments".to_owned(), Value::Text(arguments.compact().into_owned()));
    }
    Value::Object(item)
}

fn canonical_content(content: Value, text_type: &str) -> Value {
    match content {
        Value::Text(text) => {
            let members = [("type", Value::Text(text_type.to_owned())), ("text", Value::Text(text))];
            Value::Array(vec![Value::Object(members.map(|(key, value)| (key.to_owned(), value)).into())])
        }
        other => other,
    }
}

fn canonical_part(part: &mut Value) {
    let Value::Object(part) = part else { return };
    part.remove("previewurl");
    if part.get("type") != Some(&Value::Text("input_image".to_owned())) {
        return;
    }
    part.remove("filename");
    if let Some(Value::Object(mut inner)) = part.get("image_url").cloned()
        && let Some(url) = inner.remove("url")
    {
        part.insert("image_url".to_owned(), url);
        if let Some(detail) = inner.remove("detail") {
            part.entry("detail".to_owned()).or_insert(detail);
        }
    }
}
