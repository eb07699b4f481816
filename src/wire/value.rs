//! The JSON of a request before it is written. Texts and files are encoded only while the request is written, so that a large
//! text is not copied before.

use std::borrow::Cow;
use std::collections::HashMap;

use crate::json::write::{ObjectWriter, array, string};
use crate::json::{Json, Kind, MAX_LINEAR_SEARCH, Object, StringArena, is_same};
use crate::resources::media::{base64, push_base64};
use crate::responses::ImageUrl;

/// A value of a request.
#[derive(Debug, Clone)]
pub enum Value<'d> {
    /// JSON as it is spelled.
    Json(Json<'d>),
    /// A text.
    Text(Cow<'d, str>),
    /// The URL of an image.
    Url(ImageUrl<'d>),
    /// The content of a file, which is sent in base64.
    File(&'d [u8]),
    /// A list.
    Array(Vec<Value<'d>>),
    /// An object.
    Object(Members<'d>),
}

/// The members of an object of a request, in order.
#[derive(Debug, Clone, Default)]
pub struct Members<'d>(Vec<(Cow<'d, str>, Value<'d>)>);

impl<'d> Value<'d> {
    /// Whether it is null.
    pub fn is_null(&self) -> bool {
        matches!(self, Value::Json(json) if json.kind() == Kind::Null)
    }

    /// Whether it is a list.
    pub fn is_array(&self) -> bool {
        match self {
            Value::Json(json) => json.kind() == Kind::Array,
            Value::Array(_) => true,
            Value::Text(_) | Value::Url(_) | Value::File(_) | Value::Object(_) => false,
        }
    }

    /// Its characters, if it is a string.
    pub fn as_str(&self) -> Option<Cow<'_, str>> {
        match self {
            Value::Json(json) => json.as_str().ok(),
            Value::Text(text) => Some(Cow::Borrowed(text)),
            Value::Url(url) => Some(url.text()),
            Value::File(bytes) => Some(Cow::Owned(base64(bytes))),
            Value::Array(_) | Value::Object(_) => None,
        }
    }

    /// Its members, if it is an object.
    pub fn members(&self) -> Option<Members<'d>> {
        match self {
            Value::Json(json) => json.object().ok().map(Members::from),
            Value::Object(members) => Some(members.clone()),
            Value::Text(_) | Value::Url(_) | Value::File(_) | Value::Array(_) => None,
        }
    }

    /// Writes it.
    pub fn encode(&self, out: &mut String) {
        match self {
            Value::Json(json) => out.push_str(&json.compact()),
            Value::Text(text) => string(out, text),
            Value::Url(url) => url.encode(out),
            Value::File(bytes) => {
                out.push('"');
                push_base64(out, bytes);
                out.push('"');
            }
            Value::Array(values) => array(out, values, |out, value| value.encode(out)),
            Value::Object(members) => members.encode(out),
        }
    }

    /// Converts the value to indexed JSON.
    pub fn to_json<'s>(&self, strings: &'s StringArena) -> Json<'s>
    where
        'd: 's,
    {
        match self {
            Value::Json(json) => *json,
            Value::Text(_) | Value::Url(_) | Value::File(_) | Value::Array(_) | Value::Object(_) => {
                strings.json(|out| self.encode(out))
            }
        }
    }

    /// Whether two values are equal, regardless of their spelling.
    pub fn is_same(&self, other: &Value<'_>) -> bool {
        match (self, other) {
            (Value::Json(json), value) | (value, Value::Json(json)) => value.is_same_as_json(*json),
            (Value::Array(one), Value::Array(other)) => {
                one.len() == other.len() && one.iter().zip(other).all(|(one, other)| one.is_same(other))
            }
            (Value::Object(one), Value::Object(other)) => one.is_same(other),
            (one, other) => one.as_str().is_some_and(|one| other.as_str().is_some_and(|other| one == other)),
        }
    }

    /// Whether the value and the JSON are equal, regardless of their spelling.
    pub fn is_same_as_json(&self, json: Json<'_>) -> bool {
        match self {
            Value::Json(own) => is_same(*own, json),
            Value::Text(text) => json.is_text(text),
            Value::Url(url) => json.is_text(&url.text()),
            Value::File(bytes) => json.is_text(&base64(bytes)),
            Value::Array(values) => json.array().is_ok_and(|other| {
                values.len() == other.len() && values.iter().zip(other).all(|(value, json)| value.is_same_as_json(json))
            }),
            Value::Object(members) => json.object().is_ok_and(|object| members.is_same(&object.into())),
        }
    }
}

impl<'d> Members<'d> {
    /// An object with a type.
    pub fn typed(kind: impl Into<Cow<'d, str>>) -> Self {
        let mut members = Members::default();
        members.insert("type", kind.into());
        members
    }

    /// Adds a key at the end.
    pub fn insert(&mut self, key: impl Into<Cow<'d, str>>, value: impl Into<Value<'d>>) {
        self.0.push((key.into(), value.into()));
    }

    /// Adds a key at the end, if there is a value.
    pub fn insert_some(&mut self, key: impl Into<Cow<'d, str>>, value: Option<impl Into<Value<'d>>>) {
        if let Some(value) = value {
            self.insert(key, value);
        }
    }

    /// Sets the value of a key, in its place if it exists.
    pub fn replace(&mut self, key: impl Into<Cow<'d, str>>, value: impl Into<Value<'d>>) {
        let key = key.into();
        match self.0.iter_mut().find(|(name, _)| *name == key) {
            Some((_, known)) => *known = value.into(),
            None => self.insert(key, value),
        }
    }

    /// Sets the values of many keys, each in its place if it exists.
    pub fn replace_all<'k>(&mut self, members: impl Iterator<Item = (&'k str, Json<'d>)>) {
        let mut places: HashMap<Cow<'d, str>, usize> = HashMap::new();
        for (key, value) in members {
            if self.0.len() <= MAX_LINEAR_SEARCH {
                self.replace(key.to_owned(), value);
                continue;
            }
            if places.is_empty() {
                places = self.0.iter().enumerate().rev().map(|(at, (key, _))| (key.clone(), at)).collect();
            }
            let at = *places.entry(Cow::Owned(key.to_owned())).or_insert(self.0.len());
            match self.0.get_mut(at) {
                Some((_, known)) => *known = value.into(),
                None => self.insert(key.to_owned(), value),
            }
        }
    }

    /// Removes a key and returns its value.
    pub fn take(&mut self, key: &str) -> Option<Value<'d>> {
        let index = self.0.iter().position(|(name, _)| name == key)?;
        Some(self.0.remove(index).1)
    }

    /// Removes the keys that are not kept.
    pub fn retain(&mut self, is_kept: impl Fn(&str) -> bool) {
        self.0.retain(|(key, _)| is_kept(key));
    }

    /// The value of a key.
    pub fn get(&self, key: &str) -> Option<&Value<'d>> {
        self.0.iter().find(|(name, _)| name == key).map(|(_, value)| value)
    }

    /// The value of a key that is a string.
    pub fn get_str(&self, key: &str) -> Option<Cow<'_, str>> {
        self.get(key)?.as_str()
    }

    /// The members in order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Value<'d>)> {
        self.0.iter().map(|(key, value)| (key.as_ref(), value))
    }

    /// The number of members.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are no members.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Writes the object.
    pub fn encode(&self, out: &mut String) {
        let mut writer = ObjectWriter::new(out);
        for (key, value) in self.iter() {
            value.encode(writer.key(key));
        }
        writer.end();
    }

    /// Converts the object to indexed JSON.
    pub fn to_json<'s>(&self, strings: &'s StringArena) -> Json<'s>
    where
        'd: 's,
    {
        strings.json(|out| self.encode(out))
    }

    /// Whether both have the same keys with the same values, in any order.
    pub fn is_same(&self, other: &Members<'_>) -> bool {
        let many: HashMap<&str, &Value<'_>> = other.iter().filter(|_| other.len() > MAX_LINEAR_SEARCH).collect();
        let get = |key: &str| if many.is_empty() { other.get(key) } else { many.get(key).copied() };
        self.len() == other.len() && self.iter().all(|(key, one)| get(key).is_some_and(|other| one.is_same(other)))
    }
}

impl<'d> IntoIterator for Members<'d> {
    type Item = (Cow<'d, str>, Value<'d>);
    type IntoIter = std::vec::IntoIter<Self::Item>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl<'d> From<Object<'d>> for Members<'d> {
    fn from(object: Object<'d>) -> Self {
        Members(object.into_iter().map(|(key, value)| (key, Value::Json(value))).collect())
    }
}

impl<'d> From<Json<'d>> for Value<'d> {
    fn from(json: Json<'d>) -> Self {
        Value::Json(json)
    }
}

impl<'d> From<&'d str> for Value<'d> {
    fn from(text: &'d str) -> Self {
        Value::Text(Cow::Borrowed(text))
    }
}

impl From<String> for Value<'_> {
    fn from(text: String) -> Self {
        Value::Text(Cow::Owned(text))
    }
}

impl<'d> From<Cow<'d, str>> for Value<'d> {
    fn from(text: Cow<'d, str>) -> Self {
        Value::Text(text)
    }
}

impl<'d> From<Members<'d>> for Value<'d> {
    fn from(members: Members<'d>) -> Self {
        Value::Object(members)
    }
}

impl<'d> From<Vec<Members<'d>>> for Value<'d> {
    fn from(objects: Vec<Members<'d>>) -> Self {
        Value::Array(objects.into_iter().map(Value::Object).collect())
    }
}
