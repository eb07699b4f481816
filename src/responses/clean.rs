//! Removes client-only keys, which the API rejects, from JSON that is kept undecoded.
//!
//! Items and parts that are read are cleaned when they are read. These functions do the same for those that are kept
//! whole: items of unknown types, and malformed ones.

use super::content::{CLIENT_IMAGE_KEY, CLIENT_PART_KEY, Part, flatten_image_url};
use super::item::{CLIENT_ITEM_KEY, text_type};
use crate::json::write::{self, ObjectWriter};
use crate::json::{Json, Kind, Object};

/// Writes the members of an item that is kept whole.
pub(super) fn write_item(object: &mut ObjectWriter<'_>, item: &Object<'_>) {
    let kind = item.get_str("type").unwrap_or_default();
    let is_output = kind == "function_call_output" || kind == "custom_tool_call_output";
    let has = |key: &str| item.get(key).is_some();
    let is_message = kind == "message" || !has("type") && has("role") && has("content");
    for (key, value) in item.iter() {
        match (key, value.kind()) {
            (CLIENT_ITEM_KEY, _) => {}
            (CLIENT_PART_KEY, _) if is_message => {}
            ("content", Kind::Array) => write_parts(object.key(key), value),
            ("output", Kind::Array) if is_output => write_parts(object.key(key), value),
            ("content", Kind::String) if kind == "message" => {
                let text_type = text_type(&item.get_str("role").unwrap_or_default());
                let out = object.key(key);
                out.push('[');
                let mut part = ObjectWriter::new(out);
                part.text("type", text_type);
                part.json("text", value);
                part.end();
                out.push(']');
            }
            ("arguments", Kind::Object) if kind == "function_call" => object.text("arguments", &value.compact()),
            _ => object.json(key, value),
        }
    }
}

fn write_parts(out: &mut String, parts: Json<'_>) {
    write::array(out, parts.array().unwrap_or_default(), |out, json| match Part::decode(json) {
        Ok(part) => part.encode(out),
        Err(_) => write_part(out, json),
    });
}

/// Writes a part that is kept whole.
pub(super) fn write_part(out: &mut String, json: Json<'_>) {
    let Ok(mut part) = json.object() else {
        out.push_str(&json.compact());
        return;
    };
    part.take(CLIENT_PART_KEY);
    if part.get_str("type").is_some_and(|kind| kind == "input_image") {
        part.take(CLIENT_IMAGE_KEY);
        flatten_image_url(&mut part);
    }
    let mut object = ObjectWriter::new(out);
    object.members(&part);
    object.end();
}
