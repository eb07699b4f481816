//! Texts of sessions, which may hold half a surrogate pair.

use std::borrow::Cow;
use std::cell::Cell;

use crate::json::{Json, Object, StringArena, without_lone_surrogates};

/// The texts of a line. Half a surrogate pair, which no text can hold, becomes U+FFFD and is counted.
#[derive(Default)]
pub(super) struct Texts {
    pub(super) strings: StringArena,
    /// How many halves of surrogate pairs were replaced.
    pub(super) replaced: Cell<usize>,
}

impl Texts {
    /// A string; `None` if it is something else.
    pub(super) fn text<'j>(&'j self, json: Json<'j>) -> Option<Cow<'j, str>> {
        match json.as_str() {
            Ok(text) => Some(text),
            Err(error) if error.is_lone_surrogate => self.repaired(json)?.as_str().ok(),
            Err(_) => None,
        }
    }

    /// A member that is a string.
    pub(super) fn member<'j>(&'j self, object: &Object<'j>, key: &str) -> Option<Cow<'j, str>> {
        self.text(object.get(key)?)
    }

    /// A value whose strings hold no half surrogate pairs.
    pub(super) fn repaired<'j>(&'j self, json: Json<'_>) -> Option<Json<'j>> {
        let (repaired, count) = without_lone_surrogates(json.raw());
        self.replaced.set(self.replaced.get() + count);
        Json::parse(self.strings.keep(repaired), &self.strings).ok()
    }
}
