//! JSON objects: keys and values in order.

use std::borrow::Cow;
use std::collections::HashSet;
use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

use super::value::{Json, JsonError};

/// The members of a JSON object, in order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Object<'j> {
    members: Vec<(Cow<'j, str>, Json<'j>)>,
    /// Earlier values of repeated keys.
    repeated: Vec<(Cow<'j, str>, Json<'j>)>,
}

impl<'j> Object<'j> {
    /// Sets the offset of every value.
    pub(super) fn place(&mut self, at: impl Fn(&str) -> usize) {
        for (_, value) in self.members.iter_mut().chain(&mut self.repeated) {
            *value = value.placed(at(value.raw()));
        }
    }

    /// The value of a key.
    pub fn get(&self, key: &str) -> Option<Json<'j>> {
        self.members.iter().find(|(name, _)| name == key).map(|(_, value)| *value)
    }

    /// The value of a key that is a string.
    pub fn get_str(&self, key: &str) -> Option<Cow<'j, str>> {
        self.get(key)?.as_str().ok()
    }

    /// Removes a key and returns its value.
    pub fn take(&mut self, key: &str) -> Option<Json<'j>> {
        let index = self.members.iter().position(|(name, _)| name == key)?;
        Some(self.members.remove(index).1)
    }

    /// Adds a key at the end.
    pub fn insert(&mut self, key: impl Into<Cow<'j, str>>, value: Json<'j>) {
        self.members.push((key.into(), value));
    }

    /// Sets the value of a key, in its place if it exists.
    pub fn replace(&mut self, key: &'static str, value: Json<'j>) {
        match self.members.iter_mut().find(|(name, _)| name == key) {
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

impl<'de> Deserialize<'de> for Object<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Members;
        impl<'de> Visitor<'de> for Members {
            type Value = Object<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Object<'de>, A::Error> {
                let mut members = Vec::new();
                while let Some((key, raw)) = map.next_entry::<Key<'de>, &'de RawValue>()? {
                    members.push((key.0, Json::unplaced(raw)));
                }
                let mut seen = HashSet::with_capacity(members.len());
                let last = |member: &(Cow<'de, str>, _)| seen.insert(member.0.clone());
                let (mut members, repeated): (Vec<_>, Vec<_>) = members.into_iter().rev().partition(last);
                members.reverse();
                Ok(Object { members, repeated })
            }
        }
        deserializer.deserialize_map(Members)
    }
}

/// A key, borrowed where it has no escapes.
struct Key<'j>(Cow<'j, str>);

impl<'de> Deserialize<'de> for Key<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Text;
        impl<'de> Visitor<'de> for Text {
            type Value = Key<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a key")
            }

            fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Key<'de>, E> {
                Ok(Key(Cow::Borrowed(text)))
            }

            fn visit_str<E>(self, text: &str) -> Result<Key<'de>, E> {
                Ok(Key(Cow::Owned(text.to_owned())))
            }
        }
        deserializer.deserialize_str(Text)
    }
}
