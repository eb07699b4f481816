//! The types of attributes and of request fields.

use super::config::shown;
use crate::convert::tools::{is_function, repeated_names};
use crate::element::{AttributeKind, Tag};
use crate::json::{Json, Kind, Object};

/// The expected value of a field, in words.
pub(in crate::convert) fn wanted(kind: AttributeKind) -> &'static str {
    match kind {
        AttributeKind::Number => "a number",
        AttributeKind::Integer => "a whole number",
        AttributeKind::Boolean | AttributeKind::Flag | AttributeKind::FlagOrFalse => "true or false",
        AttributeKind::Object | AttributeKind::CacheControl => "a JSON object",
        AttributeKind::Array | AttributeKind::List | AttributeKind::EmptyList => "a JSON array",
        AttributeKind::TextOrObject | AttributeKind::NullableOrObject | AttributeKind::ToolChoice => {
            "a string or a JSON object"
        }
        AttributeKind::TextFormat => "a JSON object with a `type`",
        AttributeKind::Json => "JSON",
        AttributeKind::Api => "`responses`, `messages` or `chat`",
        AttributeKind::Own
        | AttributeKind::Text
        | AttributeKind::Nullable
        | AttributeKind::ItemId
        | AttributeKind::File => "a string",
    }
}

/// Whether the API takes a value of a field.
fn accepts(kind: AttributeKind, value: Json<'_>) -> bool {
    let found = value.kind();
    match kind {
        AttributeKind::Number => found == Kind::Number,
        AttributeKind::Integer => {
            found == Kind::Number && value.raw().parse::<f64>().is_ok_and(|number| number.fract() == 0.0)
        }
        AttributeKind::Boolean | AttributeKind::Flag | AttributeKind::FlagOrFalse => found == Kind::Boolean,
        AttributeKind::Object | AttributeKind::CacheControl | AttributeKind::TextFormat => found == Kind::Object,
        AttributeKind::Array | AttributeKind::List | AttributeKind::EmptyList => found == Kind::Array,
        AttributeKind::TextOrObject | AttributeKind::NullableOrObject | AttributeKind::ToolChoice => {
            matches!(found, Kind::String | Kind::Object)
        }
        AttributeKind::Json => true,
        AttributeKind::Own
        | AttributeKind::Text
        | AttributeKind::Nullable
        | AttributeKind::ItemId
        | AttributeKind::File
        | AttributeKind::Api => found == Kind::String,
    }
}

/// The fields in the body of `<config>` that the API would reject, each in words. They are sent as they are.
pub(in crate::convert) fn wrong_fields(body: &Object<'_>) -> Vec<String> {
    let mut wrong = Vec::new();
    for row in Tag::Config.definition().attributes {
        let Some(path) = row.key else { continue };
        let value = value_at(body, path).filter(|value| value.kind() != Kind::Null);
        if let Some(value) = value.filter(|value| !accepts(row.kind, *value)) {
            wrong.push(format!("`{path}` must be {}, found {}", wanted(row.kind), found(value)));
        }
    }
    let tools = body.get_list("tools");
    let repeated = repeated_names(&tools).into_iter();
    wrong.extend(repeated.map(|repeated| format!("two tools are called `{}`", shown(&repeated.name))));
    let is_nameless =
        |tool: &Json<'_>| tool.object().is_ok_and(|tool| is_function(&tool) && tool.get("name").is_none());
    if let Some(index) = tools.iter().position(is_nameless) {
        wrong.push(format!("the function `tools[{index}]` has no `name`"));
    }
    wrong
}

fn value_at<'j>(object: &Object<'j>, path: &str) -> Option<Json<'j>> {
    match path.split_once('.') {
        None => object.get(path),
        Some((first, rest)) => value_at(&object.get_object(first)?, rest),
    }
}

fn found(value: Json<'_>) -> String {
    match value.kind() {
        Kind::String => format!("`{}`", shown(&value.as_str().unwrap_or_default())),
        Kind::Boolean | Kind::Number => format!("`{}`", shown(value.raw())),
        Kind::Null | Kind::Array | Kind::Object => value.kind().to_string(),
    }
}
