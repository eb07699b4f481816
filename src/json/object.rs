//! JSON objects: keys and values in order.

use std::borrow::Cow;
use std::collections::HashSet;
use std::ops::Range;

use super::error::JsonError;
use super::value::{Json, Kind};

/// Up to this many members, a linear search for repeated keys is faster than a set.
pub(crate) const MAX_LINEAR_SEARCH: usize = 16;

/// The members of a JSON object, in order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Object<'j> {
    members: Vec<(Cow<'j, str>, Json<'j>)>,
    /// Earlier values of repeated keys.
    repeated: Vec<(Cow<'j, str>, Json<'j>)>,
}

impl<'j> Object<'j> {
    /// The members of a value that is an object.
    pub(super) fn read(json: Json<'j>) -> Result<Self, JsonError> {
        let mut members = Vec::with_capacity(json.max_members().min(MAX_LINEAR_SEARCH));
        let mut children = json.children();
        while let (Some(key), Some(value)) = (children.next(), children.next()) {
            let key = key.as_str().map_err(|_| JsonError::malformed_key(key.raw(), json.offset()))?;
            members.push((key, value));
        }
        if !has_repeated(&members) {
            return Ok(Object { members, repeated: Vec::new() });
        }
        let mut seen = HashSet::with_capacity(members.len());
        let is_last = |member: &(Cow<'j, str>, _)| seen.insert(member.0.clone());
        let (mut members, repeated): (Vec<_>, Vec<_>) = members.into_iter().rev().partition(is_last);
        members.reverse();
        Ok(Object { members, repeated })
    }

    /// The value of a key.
    pub fn get(&self, key: &str) -> Option<Json<'j>> {
        self.members.iter().find(|(name, _)| name == key).map(|(_, value)| *value)
    }

    /// The value of a key that is not null.
    pub fn get_present(&self, key: &str) -> Option<Json<'j>> {
        self.get(key).filter(|value| value.kind() != Kind::Null)
    }

    /// The value of a key that is a string.
    pub fn get_str(&self, key: &str) -> Option<Cow<'j, str>> {
        self.get(key)?.as_str().ok()
    }

    /// The value of a key that is a whole number.
    pub fn get_index(&self, key: &str) -> Option<u64> {
        self.get(key)?.raw().parse().ok()
    }

    /// The value of a key that is an object.
    pub fn get_object(&self, key: &str) -> Option<Object<'j>> {
        self.get(key)?.object().ok()
    }

    /// The elements of the value of a key; none if it is not an array.
    pub fn get_list(&self, key: &str) -> Vec<Json<'j>> {
        self.get(key).and_then(|value| value.array().ok()).unwrap_or_default()
    }

    /// The objects among the elements of the value of a key.
    pub fn get_objects(&self, key: &str) -> impl Iterator<Item = Object<'j>> + use<'j> {
        self.get_list(key).into_iter().filter_map(|element| element.object().ok())
    }

    /// Removes a key and returns its value.
    pub fn take(&mut self, key: &str) -> Option<Json<'j>> {
        let index = self.members.iter().position(|(name, _)| name == key)?;
        let (_, value) = self.members.remove(index);
        if self.members.is_empty() {
            // Usually all members are taken; release the memory.
            self.members = Vec::new();
        }
        Some(value)
    }

    /// Removes a key whose value is a string. Any other value stays.
    pub fn take_str(&mut self, key: &str) -> Option<Cow<'j, str>> {
        let text = self.get_str(key)?;
        self.take(key);
        Some(text)
    }

    /// Removes the keys that are not kept.
    pub fn retain(&mut self, is_kept: impl Fn(&str) -> bool) {
        self.members.retain(|(key, _)| is_kept(key));
    }

    /// Adds a key at the end.
    pub fn insert(&mut self, key: impl Into<Cow<'j, str>>, value: Json<'j>) {
        self.members.push((key.into(), value));
    }

    /// Sets the value of a key, and moves the key to the end.
    pub fn put(&mut self, key: impl Into<Cow<'j, str>>, value: Json<'j>) {
        let key = key.into();
        self.take(&key);
        self.insert(key, value);
    }

    /// Sets the value of a key, in its place if it exists.
    pub fn replace(&mut self, key: impl Into<Cow<'j, str>>, value: Json<'j>) {
        let key = key.into();
        match self.members.iter_mut().find(|(name, _)| *name == key) {
            Some((_, known)) => *known = value,
            None => self.insert(key, value),
        }
    }

    /// Removes a key that must exist and be a string.
    pub fn take_string(&mut self, key: &'static str, whole: Json<'j>) -> Result<Cow<'j, str>, JsonError> {
        let value = self.take(key).ok_or_else(|| whole.malformed("is missing").within(key))?;
        value.as_str().map_err(|error| error.within(key))
    }

    /// The members in order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, Json<'j>)> {
        self.members.iter().map(|(key, value)| (key.as_ref(), *value))
    }

    /// Whether there are no members.
    pub fn is_empty(&self) -> bool {
        self.members.is_empty()
    }

    /// Earlier values of repeated keys, which are ignored.
    pub fn repeated(&self) -> impl Iterator<Item = (&str, Json<'j>)> {
        self.repeated.iter().map(|(key, value)| (key.as_ref(), *value))
    }
}

impl<'j> IntoIterator for Object<'j> {
    type Item = (Cow<'j, str>, Json<'j>);
    type IntoIter = std::vec::IntoIter<Self::Item>;

    fn into_iter(self) -> Self::IntoIter {
        self.members.into_iter()
    }
}

impl Json<'_> {
    /// The keys that an object in the value has twice, and the places of the ignored values. The `input` of a tool is kept
    /// as it is spelled.
    pub fn repeated_keys(self) -> Vec<(String, Range<usize>)> {
        let (mut found, mut open) = (Vec::new(), vec![self]);
        while let Some(json) = open.pop() {
            open.extend(json.array().unwrap_or_default());
            let object = json.object().unwrap_or_default();
            found.extend(object.repeated().map(|(key, value)| (key.to_owned(), value.range())));
            open.extend(object.iter().filter(|(key, _)| *key != "input").map(|(_, value)| value));
        }
        found
    }
}

/// Whether a key comes twice.
fn has_repeated(members: &[(Cow<'_, str>, Json<'_>)]) -> bool {
    let mut keys = members.iter().map(|(key, _)| key.as_ref());
    if members.len() <= MAX_LINEAR_SEARCH {
        return keys.enumerate().any(|(at, key)| members[..at].iter().any(|(earlier, _)| earlier == key));
    }
    let mut seen = HashSet::with_capacity(members.len());
    !keys.all(|key| seen.insert(key))
}
