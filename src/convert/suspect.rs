//! Cheap checks of JSON in the body of `<config>`: it is sent as it is, with a warning if the API would reject it.

use std::collections::HashMap;

use super::config::{FIELDS, FieldType, shown};
use crate::json::{Json, Kind, Object};

/// The problems of fields in a body, each in words.
pub(super) fn suspects(body: &Object<'_>) -> Vec<String> {
    let mut suspects = Vec::new();
    for (_, path, field_type) in FIELDS {
        let value = value_at(body, path).filter(|value| value.kind() != Kind::Null);
        if let Some(value) = value.filter(|value| !field_type.accepts(*value)) {
            suspects.push(format!("`{path}` must be {}, found {}", field_type.wanted(), found(value)));
        }
    }
    let tools = body.get("tools").and_then(|tools| tools.array().ok()).unwrap_or_default();
    let repeated = repeated_names(&tools).into_iter();
    suspects.extend(repeated.map(|repeated| format!("two tools are called `{}`", shown(&repeated.name))));
    let is_nameless =
        |tool: &Json<'_>| tool.object().is_ok_and(|tool| is_function(&tool) && tool.get("name").is_none());
    if let Some(index) = tools.iter().position(is_nameless) {
        suspects.push(format!("the function `tools[{index}]` has no `name`"));
    }
    suspects
}

/// A name that an earlier tool has.
#[derive(Debug)]
pub struct RepeatedName {
    /// The index of the earlier tool.
    pub first: usize,
    /// The index of the tool that has it again.
    pub again: usize,
    /// The name.
    pub name: String,
}

/// The functions and custom tools whose name an earlier one has.
pub fn repeated_names(tools: &[Json<'_>]) -> Vec<RepeatedName> {
    let mut seen: HashMap<String, usize> = HashMap::new();
    let mut repeated = Vec::new();
    for (again, tool) in tools.iter().enumerate() {
        let Ok(tool) = tool.object() else { continue };
        let Some(name) = tool.get_str("name").filter(|_| is_function(&tool)) else { continue };
        match seen.get(name.as_ref()) {
            Some(first) => repeated.push(RepeatedName { first: *first, again, name: name.into_owned() }),
            None => {
                seen.insert(name.into_owned(), again);
            }
        }
    }
    repeated
}

/// Whether the model calls a tool by its name.
fn is_function(tool: &Object<'_>) -> bool {
    tool.get_str("type").is_some_and(|kind| matches!(kind.as_ref(), "function" | "custom"))
}

fn value_at<'j>(object: &Object<'j>, path: &str) -> Option<Json<'j>> {
    match path.split_once('.') {
        None => object.get(path),
        Some((first, rest)) => value_at(&object.get(first)?.object().ok()?, rest),
    }
}

fn found(value: Json<'_>) -> String {
    match value.kind() {
        Kind::String => format!("`{}`", shown(&value.as_str().unwrap_or_default())),
        Kind::Boolean | Kind::Number => format!("`{}`", shown(value.raw())),
        Kind::Null | Kind::Array | Kind::Object => value.kind().to_string(),
    }
}

impl FieldType {
    /// The expected value, in words.
    pub(super) fn wanted(self) -> &'static str {
        match self {
            FieldType::Number => "a number",
            FieldType::Integer => "a whole number",
            FieldType::Boolean => "true or false",
            FieldType::Text => "a string",
            FieldType::Object => "a JSON object",
            FieldType::Array | FieldType::List => "a JSON array",
            FieldType::Id | FieldType::ToolChoice => "a string or a JSON object",
            FieldType::TextFormat => "a JSON object with a `type`",
        }
    }

    /// Whether the API takes a value of this type.
    fn accepts(self, value: Json<'_>) -> bool {
        let kind = value.kind();
        match self {
            FieldType::Number => kind == Kind::Number,
            FieldType::Integer => {
                kind == Kind::Number && value.raw().parse::<f64>().is_ok_and(|number| number.fract() == 0.0)
            }
            FieldType::Boolean => kind == Kind::Boolean,
            FieldType::Text => kind == Kind::String,
            FieldType::Object | FieldType::TextFormat => kind == Kind::Object,
            FieldType::Array | FieldType::List => kind == Kind::Array,
            FieldType::Id | FieldType::ToolChoice => matches!(kind, Kind::String | Kind::Object),
        }
    }
}
