//! Compares values regardless of their spelling.

use std::collections::HashMap;

use super::object::{MAX_LINEAR_SEARCH, Object};
use super::string::is_decoded_to;
use super::value::{Json, Kind};

/// Whether two values are equal, regardless of whitespace, of the order of keys and of how strings are escaped. Numbers
/// are equal if they have the same spelling.
pub fn is_same(one: Json<'_>, other: Json<'_>) -> bool {
    if one.raw() == other.raw() {
        return true;
    }
    match (one.kind(), other.kind()) {
        (Kind::String, Kind::String) => is_same_text(one, other),
        (Kind::Array, Kind::Array) => one.is_same_array(other, is_same),
        (Kind::Object, Kind::Object) => match (one.object(), other.object()) {
            (Ok(one), Ok(other)) => one.is_same_as(&other, |_, one, other| is_same(one, other)),
            // Keys that have no UTF-8 are compared in order.
            (Err(_), Err(_)) => {
                one.children().count() == other.children().count()
                    && one.children().zip(other.children()).all(|(one, other)| is_same(one, other))
            }
            (_, _) => false,
        },
        (_, _) => false,
    }
}

/// Whether a compact text is this value with the same spelling, whatever the order of its keys.
///
/// The text is not indexed. Objects with many keys, repeated keys or escaped keys are not accepted.
pub(crate) fn is_spelled_as(text: &str, json: Json<'_>) -> bool {
    after(json, text).is_some_and(str::is_empty)
}

/// The rest of a text after the value that it begins with.
fn after<'t>(json: Json<'_>, text: &'t str) -> Option<&'t str> {
    match json.kind() {
        Kind::Array => after_elements(json, text.strip_prefix('[')?)?.strip_prefix(']'),
        Kind::Object => after_members(json, text.strip_prefix('{')?)?.strip_prefix('}'),
        Kind::Null | Kind::Boolean | Kind::Number | Kind::String => text.strip_prefix(json.raw()),
    }
}

fn after_elements<'t>(array: Json<'_>, text: &'t str) -> Option<&'t str> {
    array.children().enumerate().try_fold(text, |rest, (index, element)| {
        let rest = if index == 0 { rest } else { rest.strip_prefix(',')? };
        after(element, rest)
    })
}

fn after_members<'t>(object: Json<'_>, text: &'t str) -> Option<&'t str> {
    let count = object.children().count() / 2;
    if count > MAX_LINEAR_SEARCH {
        return None;
    }
    let mut is_met = [false; MAX_LINEAR_SEARCH];
    (0..count).try_fold(text, |rest, index| {
        let rest = if index == 0 { rest } else { rest.strip_prefix(',')? };
        let mut children = object.children();
        let members = std::iter::from_fn(|| Some((children.next()?, children.next()?)));
        let after_key =
            |key: Json<'_>| rest.strip_prefix(key.raw())?.strip_prefix(':').filter(|_| !key.raw().contains('\\'));
        let mut found = members.enumerate().filter_map(|(at, (key, value))| Some((at, value, after_key(key)?)));
        let (at, value, rest) = found.next()?;
        // A key that comes twice has the value of the last one.
        let is_repeated = std::mem::replace(&mut is_met[at], true);
        if is_repeated { None } else { after(value, rest) }
    })
}

fn is_same_text(one: Json<'_>, other: Json<'_>) -> bool {
    match (one.as_str(), other.as_str()) {
        (Ok(one), Ok(other)) => one == other,
        // Half a surrogate pair has no UTF-8.
        (Err(_), Err(_)) => utf16(one.raw()) == utf16(other.raw()),
        (_, _) => false,
    }
}

impl Json<'_> {
    /// Whether it is a string with these characters.
    pub(crate) fn is_text(self, text: &str) -> bool {
        let inside = self.raw().strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
        inside.is_some_and(|inside| is_decoded_to(inside, text))
    }

    /// Whether two arrays have the same number of elements, and `same` holds for each pair.
    pub(crate) fn is_same_array(self, other: Json<'_>, same: impl Fn(Json<'_>, Json<'_>) -> bool) -> bool {
        let (Ok(one), Ok(other)) = (self.array(), other.array()) else { return false };
        one.len() == other.len() && one.into_iter().zip(other).all(|(one, other)| same(one, other))
    }
}

impl Object<'_> {
    /// Whether two objects have the same keys, with values that are the `same` for the key.
    pub(crate) fn is_same_as(&self, other: &Object<'_>, same: impl Fn(&str, Json<'_>, Json<'_>) -> bool) -> bool {
        if self.iter().count() != other.iter().count() {
            return false;
        }
        let many: HashMap<&str, Json<'_>> = other.iter().filter(|_| other.iter().count() > MAX_LINEAR_SEARCH).collect();
        let get = |key: &str| if many.is_empty() { other.get(key) } else { many.get(key).copied() };
        self.iter().all(|(key, one)| get(key).is_some_and(|other| same(key, one, other)))
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
        match rest.next() {
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

#[cfg(test)]
#[path = "../../tests/unit/json_compare.rs"]
mod tests;
