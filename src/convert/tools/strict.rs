//! The rules that the API's strict mode has for the parameters of a function.

use std::collections::HashSet;

use crate::json::{Json, Object};

/// The keywords that may occur.
pub(super) const KEYWORDS: [&str; 22] = [
    "type",
    "properties",
    "required",
    "additionalProperties",
    "items",
    "enum",
    "const",
    "anyOf",
    "$ref",
    "$defs",
    "definitions",
    "title",
    "description",
    "pattern",
    "format",
    "multipleOf",
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "minItems",
    "maxItems",
];

/// A place in parameters that breaks the rules of strict mode.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StrictViolation {
    /// Its path: `parameters.properties.city`.
    pub path: String,
    /// What strict mode requires there.
    pub requirement: &'static str,
}

/// The first place in the parameters of a function that breaks the rules of strict mode.
pub fn strict_violation(parameters: Json<'_>) -> Option<StrictViolation> {
    let root = parameters.object().ok();
    let is_object = root.is_some_and(|root| root.get_str("type").is_some_and(|kind| kind == "object"));
    if is_object { schema_violation(parameters, "parameters") } else { Some(broken("parameters", "must be an object")) }
}

fn broken(path: impl Into<String>, requirement: &'static str) -> StrictViolation {
    StrictViolation { path: path.into(), requirement }
}

fn schema_violation(schema: Json<'_>, path: &str) -> Option<StrictViolation> {
    let Ok(schema) = schema.object() else { return Some(broken(path, "must be an object")) };
    if let Some((keyword, _)) = schema.iter().find(|(keyword, _)| !KEYWORDS.contains(keyword)) {
        return Some(broken(format!("{path}.{keyword}"), "is not allowed"));
    }
    object_violation(&schema, path).or_else(|| schema.iter().find_map(|(keyword, value)| inner(keyword, value, path)))
}

/// An object allows no more than its properties and requires all of them.
fn object_violation(schema: &Object<'_>, path: &str) -> Option<StrictViolation> {
    let properties = schema.get_object("properties");
    if properties.is_none() && !may_be_object(schema) {
        return None;
    }
    if schema.get("additionalProperties").is_none_or(|value| value.raw() != "false") {
        return Some(broken(path, "needs `additionalProperties: false`"));
    }
    let required = schema.get_list("required");
    let required: HashSet<_> = required.into_iter().filter_map(|name| name.as_str().ok()).collect();
    let properties = properties.unwrap_or_default();
    let (optional, _) = properties.iter().find(|(name, _)| !required.contains(*name))?;
    Some(broken(format!("{path}.properties.{optional}"), "must be in `required`"))
}

/// Whether the `type` of a schema is, or includes, `object`.
pub(super) fn may_be_object(schema: &Object<'_>) -> bool {
    let is_object = |kind: Json<'_>| kind.as_str().is_ok_and(|kind| kind == "object");
    schema.get("type").is_some_and(|kind| match kind.array() {
        Ok(kinds) => kinds.into_iter().any(is_object),
        Err(_) => is_object(kind),
    })
}

/// The first violation in the schemas that a keyword holds.
fn inner(keyword: &str, value: Json<'_>, path: &str) -> Option<StrictViolation> {
    let path = format!("{path}.{keyword}");
    match inner_schemas(keyword, value) {
        Ok(schemas) => schemas.iter().find_map(|(step, schema)| schema_violation(*schema, &format!("{path}{step}"))),
        Err(requirement) => Some(broken(path, requirement)),
    }
}

/// The schemas that the value of a keyword holds, each with its step of the path. The error is what the value must be.
pub(super) fn inner_schemas<'j>(keyword: &str, value: Json<'j>) -> Result<Vec<(String, Json<'j>)>, &'static str> {
    match keyword {
        "properties" | "$defs" | "definitions" => {
            let schemas = value.object().map_err(|_| "must be an object")?;
            Ok(schemas.iter().map(|(name, schema)| (format!(".{name}"), schema)).collect())
        }
        "anyOf" => {
            let schemas = value.array().map_err(|_| "must be an array")?.into_iter().enumerate();
            Ok(schemas.map(|(index, schema)| (format!("[{index}]"), schema)).collect())
        }
        "items" => Ok(vec![(String::new(), value)]),
        _ => Ok(Vec::new()),
    }
}
