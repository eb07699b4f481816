//! The type of the value that an attribute of `<tool>` gives a field of the API.

use std::borrow::Cow;

use super::Context;
use crate::json::{Json, Kind, is_valid};

/// The attributes of `<tool>` whose fields the API types as strings.
const TOOL_STRINGS: &[&str] = &[
    "action",
    "authorization",
    "background",
    "connector_id",
    "description",
    "execution",
    "input_fidelity",
    "model",
    "moderation",
    "name",
    "output_format",
    "quality",
    "search_context_size",
    "server_description",
    "server_label",
    "server_url",
    "size",
    "tunnel_id",
];

/// The attributes of `<tool>` whose fields the API types as a string or an object.
const TOOL_STRINGS_OR_OBJECTS: &[&str] = &["container", "environment", "require_approval"];

/// Whether the API types the field of an attribute as a string, so that it is one whatever it looks like.
fn is_string(attribute: &str) -> bool {
    TOOL_STRINGS.contains(&attribute)
}

fn is_string_or_object(attribute: &str) -> bool {
    TOOL_STRINGS_OR_OBJECTS.contains(&attribute)
}

/// Whether the text of an attribute is JSON, and not a string.
fn is_json(attribute: &str, text: &str) -> bool {
    let text = text.trim_start();
    let may_be = !is_string_or_object(attribute) || text.starts_with(['{', 'n']);
    may_be && !is_string(attribute) && !text.starts_with('"') && is_valid(text)
}

impl<'d> Context<'d> {
    /// The value of an attribute: JSON if it is a boolean, null, number, array or object, and the field is not a string.
    pub(super) fn attribute_value(&self, attribute: &str, text: &'d str) -> Json<'d> {
        let json = Json::parse(text, self.strings).ok().filter(|_| is_json(attribute, text));
        json.unwrap_or_else(|| self.strings.string(text))
    }
}

/// The text of an attribute that gives exactly this value; `None` if it has to be written as JSON.
pub(super) fn attribute_text<'j>(attribute: &str, value: Json<'j>) -> Option<Cow<'j, str>> {
    match value.kind() {
        Kind::String => value.as_str().ok().filter(|text| !is_json(attribute, text)),
        Kind::Boolean | Kind::Number if !is_string(attribute) && !is_string_or_object(attribute) => {
            Some(value.compact())
        }
        Kind::Boolean | Kind::Number | Kind::Null | Kind::Array | Kind::Object => None,
    }
}
