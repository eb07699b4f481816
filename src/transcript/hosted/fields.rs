//! Reads fields of items. A field of another kind than expected counts as absent.

use crate::json::{Kind, Object};
use crate::responses::size;

/// Longer values of items of unknown types are not shown.
const MAX_FIELD_LENGTH: usize = 60;

/// A string, or nothing.
pub(super) fn text(object: &Object<'_>, key: &str) -> String {
    object.get_str(key).unwrap_or_default().into_owned()
}

/// The strings of an array.
pub(super) fn texts(object: &Object<'_>, key: &str) -> Vec<String> {
    object.get_list(key).into_iter().filter_map(|value| value.as_str().ok()).map(String::from).collect()
}

/// The strings under a key in the objects of an array.
pub(super) fn texts_in(object: &Object<'_>, key: &str, inner: &str) -> Vec<String> {
    object.get_objects(key).map(|element| text(&element, inner)).collect()
}

/// A value as people write it: a string without quotes, anything else as JSON. Null is nothing.
pub(super) fn value(object: &Object<'_>, key: &str) -> String {
    match object.get(key) {
        None => String::new(),
        Some(value) => match value.as_str() {
            Ok(text) => text.into_owned(),
            Err(_) if value.kind() == Kind::Null => String::new(),
            Err(_) => value.compact().into_owned(),
        },
    }
}

/// Each text in quotes.
pub(super) fn quoted(texts: &[String]) -> String {
    texts.iter().map(|text| format!("\"{text}\"")).collect::<Vec<_>>().join(" ")
}

/// The words that are not empty.
pub(super) fn words(words: &[&str]) -> String {
    words.iter().filter(|word| !word.is_empty()).copied().collect::<Vec<_>>().join(" ")
}

/// The fields that fit on a line, and the size of the others.
pub(super) fn short_fields(item: &Object<'_>) -> String {
    let fields = item.iter().filter(|(key, _)| *key != "type").map(|(key, json)| {
        let value = value(item, key);
        if value.chars().count() > MAX_FIELD_LENGTH {
            format!("{key}=[{}]", size(json.raw().len()))
        } else if value.is_empty() {
            key.to_owned()
        } else {
            format!("{key}={value}")
        }
    });
    fields.collect::<Vec<_>>().join(" ")
}
