//! The words for values and types in messages.

use crate::diagnostic::sanitize_short;
use crate::json::{Json, Kind};
use crate::schema::{Type, described_api};

/// Instead of a longer value, its type is shown.
const MAX_SHOWN_LENGTH: usize = 32;
/// A longer list of known values is cut.
const MAX_KNOWN_VALUES: usize = 12;
/// Values that are never shown.
const CONFIDENTIAL: [&str; 5] = ["authorization", "headers", "encrypted_content", "value", "data"];

/// The types as a phrase: `a string or an array`. `null` is mentioned only if it is the only type.
pub(in crate::lint) fn types(types: &[Type]) -> String {
    let is_mentioned = |kind: &&Type| **kind != Type::Null || types.len() == 1;
    let words: Vec<&str> = types.iter().filter(is_mentioned).map(|kind| word(*kind)).collect();
    words.join(" or ")
}

fn word(kind: Type) -> &'static str {
    match kind {
        Type::Null => "null",
        Type::Boolean => "true or false",
        Type::Integer => "a whole number",
        Type::Number => "a number",
        Type::String => "a string",
        Type::Array => "an array",
        Type::Object => "an object",
    }
}

/// A value: itself if it is short and not confidential, else its type.
pub(in crate::lint) fn value(name: &str, value: Json<'_>) -> String {
    let is_confidential = name.split(['.', '[', ']']).any(|key| CONFIDENTIAL.contains(&key));
    let text = match value.kind() {
        Kind::String => value.as_str().map(std::borrow::Cow::into_owned).unwrap_or_default(),
        Kind::Boolean | Kind::Number => value.raw().to_owned(),
        Kind::Null | Kind::Array | Kind::Object => return value.kind().to_string(),
    };
    match text.as_str() {
        "" => "an empty string".to_owned(),
        _ if is_confidential || text.len() > MAX_SHOWN_LENGTH => value.kind().to_string(),
        text => format!("`{}`", sanitize_short(text, MAX_SHOWN_LENGTH)),
    }
}

/// Says that a description lacks something, and of which date the description is.
pub(in crate::lint) fn undescribed() -> String {
    format!("not in the description of {}", described_api())
}

/// The known values or keys: all of them, or the first ones.
pub(in crate::lint) fn known(known: &[&str]) -> String {
    let shown = known.len().min(MAX_KNOWN_VALUES);
    let more = if known.len() > shown { ", …" } else { "" };
    format!("`{}`{more}", known[..shown].join("`, `"))
}
