//! Members that only one API gets: `@messages` and `@chat`.

use std::borrow::Cow;
use std::collections::HashSet;

use super::turns::Mark;
use super::{Api, Members};
use crate::json::write::{array, string};
use crate::json::{Json, Object, StringArena};

/// The key of the mark that says where an element goes.
const MARK: &str = "@at";
/// The key of members of the message that an element begins.
const MESSAGE: &str = "@message";
/// The key of the names of members that the API does not get.
const ABSENT: &str = "-";

/// The members of an item, a part, a tool or a request that only one API gets.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Overlay<'j> {
    members: Object<'j>,
}

impl<'j> Overlay<'j> {
    /// An overlay of these members.
    pub fn new(members: Object<'j>) -> Self {
        Self { members }
    }

    /// The members for an API among those of an item or a part.
    pub fn of(members: &Object<'j>, api: Api) -> Self {
        let value = members.get(api.overlay_key()).and_then(|value| value.object().ok());
        Self { members: value.unwrap_or_default() }
    }

    /// Whether there are no members.
    pub fn is_empty(&self) -> bool {
        self.members.is_empty()
    }

    /// Its mark for the division into messages.
    pub fn mark(&self) -> Option<Mark> {
        self.members.get_str(MARK).and_then(|mark| Mark::named(&mark))
    }

    /// The members of the message that the element begins.
    #[must_use]
    pub fn message_members(&self) -> Self {
        let members = self.members.get(MESSAGE).and_then(|value| value.object().ok());
        Self { members: members.unwrap_or_default() }
    }

    /// A member as it is, also one that is never sent, such as `@legacy`.
    pub fn get(&self, key: &str) -> Option<Json<'j>> {
        self.members.get(key)
    }

    /// Its members that are sent.
    pub fn iter(&self) -> impl Iterator<Item = (&str, Json<'j>)> {
        self.members.iter().filter(|(key, _)| !key.starts_with('@') && *key != ABSENT)
    }

    /// Replaces the members of an object by those for the API, and removes the absent ones.
    pub fn apply(&self, object: &mut Members<'j>) {
        object.replace_all(self.iter());
        let absent: HashSet<Cow<'j, str>> = self.absent().collect();
        if !absent.is_empty() {
            object.retain(|key| !absent.contains(key));
        }
    }

    /// The names of the members that the API does not get.
    fn absent(&self) -> impl Iterator<Item = Cow<'j, str>> {
        let names = self.members.get(ABSENT).and_then(|names| names.array().ok()).unwrap_or_default();
        names.into_iter().filter_map(|name| name.as_str().ok())
    }

    /// Whether a member is set or removed.
    pub fn decides(&self, key: &str) -> bool {
        self.get(key).is_some() || self.absent().any(|name| name == key)
    }

    /// The overlay that changes `derived` into `wanted`. It has only the members that differ.
    pub fn between(derived: &Members<'_>, wanted: &Object<'j>, strings: &'j StringArena) -> Self {
        let is_known = |key: &str, value: Json<'_>| derived.get(key).is_some_and(|known| known.is_same_as_json(value));
        let mut members = Object::default();
        for (key, value) in wanted.iter().filter(|(key, value)| !is_known(key, *value)) {
            members.insert(key.to_owned(), value);
        }
        let absent: Vec<&str> = derived.iter().map(|(key, _)| key).filter(|key| wanted.get(key).is_none()).collect();
        if !absent.is_empty() {
            let names = strings.json(|out| array(out, absent, string));
            members.insert(ABSENT, names);
        }
        Self { members }
    }

    /// Sets a member, also one that is never sent.
    pub fn set(&mut self, key: &'static str, value: Json<'j>) {
        self.members.replace(key, value);
    }

    /// Sets the mark.
    pub fn set_mark(&mut self, mark: Option<Mark>, strings: &'j StringArena) {
        if let Some(mark) = mark {
            self.set(MARK, strings.string(mark.name()));
        }
    }

    /// Sets the members of the message that the element begins.
    pub fn set_message(&mut self, message: &Overlay<'j>, strings: &'j StringArena) {
        if !message.is_empty() {
            self.set(MESSAGE, strings.object(&message.members));
        }
    }

    /// Adds members of another overlay.
    pub fn extend(&mut self, other: &Overlay<'j>) {
        for (key, value) in other.members.iter() {
            self.members.replace(key.to_owned(), value);
        }
    }

    /// Adds the key of the API to the members of an item or a part, unless there is nothing to say.
    pub fn insert_into(&self, members: &mut Object<'j>, api: Api, strings: &'j StringArena) {
        if !self.is_empty() {
            members.insert(api.overlay_key(), strings.object(&self.members));
        }
    }

    /// Whether an overlay can hold these members. Keys that begin with `@`, and the key `-`, have another meaning there.
    pub fn can_hold(object: &Object<'_>) -> bool {
        !object.iter().any(|(key, _)| key.starts_with('@') || key == ABSENT)
    }
}

#[cfg(test)]
#[path = "../../tests/unit/wire_overlay.rs"]
mod tests;
