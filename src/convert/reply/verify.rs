//! Which JSON of an item is the same, so that nothing is lost: used where the spelling differs.
//!
//! It knows the few changes that a round trip may make, and shares no code with the conversion.

use crate::json::{Json, Kind, Object, is_same};

/// Whether an item is written as the canonical form of the original one.
pub(in crate::convert) fn is_canonical(original: Json<'_>, written: Json<'_>) -> bool {
    let (Ok(mut original), Ok(written)) = (original.object(), written.object()) else {
        return is_same(original, written);
    };
    original.take("toolusedata");
    let is_message =
        original.get("type").is_none() && ["role", "content"].iter().all(|key| original.get(key).is_some());
    if is_message || is(&original, "type", "message") {
        original.take("previewurl");
    }
    if is_message && written.get("type").is_some() {
        original.insert("type", Json::scalar("\"message\""));
    }
    let kind = original.get_str("type").unwrap_or_default().into_owned();
    let text_type = if is(&original, "role", "assistant") { "output_text" } else { "input_text" };
    original.is_same_as(&written, |key, original, written| match (kind.as_str(), key, original.kind()) {
        ("message", "content", Kind::String) => is_one_text(original, written, text_type),
        (_, "content", Kind::Array) | ("function_call_output" | "custom_tool_call_output", "output", Kind::Array) => {
            original.is_same_array(written, is_canonical_part)
        }
        ("function_call", "arguments", Kind::Object) => written.as_str().is_ok_and(|text| text == original.compact()),
        (_, _, _) => is_same(original, written),
    })
}

/// Whether a text is written as an array with one text part.
fn is_one_text(text: Json<'_>, written: Json<'_>, text_type: &str) -> bool {
    let parts = written.array().unwrap_or_default();
    let [part] = parts.as_slice() else { return false };
    let Ok(part) = part.object() else { return false };
    part.iter().count() == 2
        && is(&part, "type", text_type)
        && part.get("text").is_some_and(|written| is_same(text, written))
}

fn is_canonical_part(original: Json<'_>, written: Json<'_>) -> bool {
    let (Ok(mut part), Ok(written_part)) = (original.object(), written.object()) else {
        return is_same(original, written);
    };
    part.take("previewurl");
    if is(&part, "type", "input_image") {
        part.take("filename");
        if let Some(mut inner) = part.get_object("image_url")
            && let (Some(url), detail) = (inner.take("url"), inner.take("detail"))
            && inner.is_empty()
        {
            part.replace("image_url", url);
            if let (Some(detail), None) = (detail, part.get("detail")) {
                part.insert("detail", detail);
            }
        }
    }
    part.is_same_as(&written_part, |_, one, other| is_same(one, other))
}

/// Whether a member is this text.
fn is(object: &Object<'_>, key: &str, text: &str) -> bool {
    object.get_str(key).is_some_and(|value| value == text)
}
