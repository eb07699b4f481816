//! JSON values as slices of their text.
//!
//! Numbers keep their spelling, objects keep the order of their keys, and nothing is copied until it is decoded.

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;

use elsa::FrozenVec;
use serde::Deserialize;
use serde_json::value::RawValue;

use super::object::Object;
use super::scanner::{compact, keyed_strings, too_deep};

/// Maximum nesting depth: `serde_json`'s own limit, also applied to values that are not decoded.
pub const MAX_DEPTH: usize = 127;

/// A JSON value as it is spelled.
#[derive(Debug, Clone, Copy)]
pub struct Json<'j> {
    text: &'j str,
    /// Its offset in the text that it was read from.
    at: usize,
}

/// The type of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// `null`
    Null,
    /// `true`, `false`
    Boolean,
    /// `1`
    Number,
    /// `"a"`
    String,
    /// `[]`
    Array,
    /// `{}`
    Object,
}

/// JSON that is malformed or has the wrong type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JsonError {
    /// The path of the value: `input[3].output[0].image_url`.
    pub path: String,
    /// What is wrong with it.
    pub message: String,
    /// Its offset in the text that it was read from.
    pub offset: usize,
    /// Whether it is a string with half a surrogate pair, which is not text.
    pub is_lone_surrogate: bool,
}

/// An arena of generated strings that values borrow from. It only grows.
#[derive(Default)]
pub struct StringArena(FrozenVec<String>);

impl StringArena {
    /// Keeps a text as long as the arena lives.
    pub fn keep(&self, text: String) -> &str {
        self.0.push_get(text)
    }

    /// Keeps a string as JSON.
    pub fn string(&self, text: &str) -> Json<'_> {
        let mut json = String::with_capacity(text.len() + 2);
        super::write::string(&mut json, text);
        Json { text: self.keep(json), at: 0 }
    }

    /// Keeps an object.
    pub fn object(&self, object: &Object<'_>) -> Json<'_> {
        self.json(|out| {
            let mut writer = super::write::ObjectWriter::new(out);
            writer.members(object);
            writer.end();
        })
    }

    /// Keeps the JSON that `write` writes, which must be valid.
    pub(crate) fn json(&self, write: impl FnOnce(&mut String)) -> Json<'_> {
        let mut json = String::new();
        write(&mut json);
        Json::written(self.keep(json))
    }
}

impl<'j> Json<'j> {
    /// `[]`
    pub const EMPTY_ARRAY: Json<'static> = Json { text: "[]", at: 0 };
    /// `true`
    pub const TRUE: Json<'static> = Json { text: "true", at: 0 };
    /// `false`
    pub const FALSE: Json<'static> = Json { text: "false", at: 0 };
    /// `null`
    pub const NULL: Json<'static> = Json { text: "null", at: 0 };

    /// Reads a whole text as one JSON value.
    pub fn parse(text: &'j str) -> Result<Self, JsonError> {
        Self::parse_at(text, 0)
    }

    /// Reads a text that starts at offset `at` of another one.
    pub fn parse_at(text: &'j str, at: usize) -> Result<Self, JsonError> {
        let raw: &RawValue = serde_json::from_str(text).map_err(|error| {
            let offset = offset_of(text, error.line(), error.column());
            JsonError::new(without_place(&error), at + offset)
        })?;
        let json = Json { text, at }.inner(raw);
        match too_deep(json.text) {
            Some(deep) => Err(JsonError::new(format!("JSON nests more than {MAX_DEPTH} deep"), json.at + deep)),
            None => Ok(json),
        }
    }

    /// Reads the first JSON value of a text that starts at offset `at` of another one. Also returns where it ends.
    pub fn parse_first(text: &'j str, at: usize) -> Result<(Self, usize), JsonError> {
        let mut values = serde_json::Deserializer::from_str(text).into_iter::<&RawValue>();
        let raw = match values.next() {
            Some(Ok(raw)) => raw,
            Some(Err(error)) => {
                let offset = offset_of(text, error.line(), error.column());
                return Err(JsonError::new(without_place(&error), at + offset));
            }
            None => return Err(JsonError::new("expected a value", at)),
        };
        let end = values.byte_offset();
        Ok((Self::parse_at(raw.get(), at + distance(text, raw.get()))?, end))
    }

    /// JSON that this crate wrote itself, so it is valid. Its depth is not checked.
    pub(crate) fn written(text: &'j str) -> Self {
        Json { text, at: 0 }
    }

    /// Its text as written.
    pub fn raw(self) -> &'j str {
        self.text
    }

    /// Whether it is `[]`.
    pub fn is_empty_array(self) -> bool {
        let inner = self.text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
        inner.is_some_and(|inner| inner.trim().is_empty())
    }

    /// Its offset in the text that it was read from.
    pub fn offset(self) -> usize {
        self.at
    }

    /// The type of a value.
    pub fn kind(self) -> Kind {
        match self.text.as_bytes().first() {
            Some(b'n') | None => Kind::Null,
            Some(b't' | b'f') => Kind::Boolean,
            Some(b'"') => Kind::String,
            Some(b'[') => Kind::Array,
            Some(b'{') => Kind::Object,
            Some(_) => Kind::Number,
        }
    }

    /// The characters of a string.
    pub fn as_str(self) -> Result<Cow<'j, str>, JsonError> {
        let plain = self.text.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
        if let Some(plain) = plain.filter(|plain| memchr::memchr(b'\\', plain.as_bytes()).is_none()) {
            return Ok(Cow::Borrowed(plain));
        }
        match self.kind() {
            // In valid JSON only half a surrogate pair is not text.
            Kind::String => serde_json::from_str(self.text).map(Cow::Owned).map_err(|error| {
                let offset = offset_of(self.text, error.line(), error.column());
                let message = "half a surrogate pair is not a character";
                JsonError { is_lone_surrogate: true, ..JsonError::new(message, self.at + offset) }
            }),
            kind => Err(self.malformed(format!("expected a string, found {kind}"))),
        }
    }

    /// The elements of an array.
    pub fn array(self) -> Result<Vec<Json<'j>>, JsonError> {
        match self.kind() {
            Kind::Array => {
                let elements: Vec<&RawValue> = self.read()?;
                Ok(elements.into_iter().map(|raw| self.inner(raw)).collect())
            }
            kind => Err(self.malformed(format!("expected an array, found {kind}"))),
        }
    }

    /// The members of an object.
    pub fn object(self) -> Result<Object<'j>, JsonError> {
        match self.kind() {
            Kind::Object => {
                let mut object: Object<'j> = self.read()?;
                object.place(|value| self.at + distance(self.text, value));
                Ok(object)
            }
            kind => Err(self.malformed(format!("expected an object, found {kind}"))),
        }
    }

    /// Every string value at any depth, in order, with its nearest enclosing key as written.
    pub fn strings(self) -> impl Iterator<Item = (&'j str, Json<'j>)> {
        let place = move |range: Range<usize>| Json { text: &self.text[range.clone()], at: self.at + range.start };
        keyed_strings(self.text).map(move |(key, range)| (key, place(range)))
    }

    /// An error at this value.
    pub fn malformed(self, message: impl Into<String>) -> JsonError {
        JsonError::new(message, self.at)
    }

    /// Its text without whitespace between tokens.
    pub fn compact(self) -> Cow<'j, str> {
        compact(self.text)
    }

    pub(super) fn unplaced(raw: &'j RawValue) -> Self {
        Json { text: raw.get(), at: 0 }
    }

    pub(super) fn placed(self, at: usize) -> Self {
        Json { at, ..self }
    }

    fn inner(self, raw: &'j RawValue) -> Self {
        Json { text: raw.get(), at: self.at + distance(self.text, raw.get()) }
    }

    fn read<T: Deserialize<'j>>(self) -> Result<T, JsonError> {
        serde_json::from_str(self.text).map_err(|error| self.malformed(without_place(&error)))
    }
}

impl PartialEq for Json<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

impl Eq for Json<'_> {}

impl JsonError {
    /// An error at an offset.
    pub fn new(message: impl Into<String>, offset: usize) -> Self {
        Self { path: String::new(), message: message.into(), offset, is_lone_surrogate: false }
    }

    /// Adds the key of the enclosing object to the path.
    #[must_use]
    pub fn within(mut self, key: &str) -> Self {
        let dot = if self.path.is_empty() || self.path.starts_with('[') { "" } else { "." };
        self.path = format!("{key}{dot}{}", self.path);
        self
    }

    /// Adds the index in the enclosing array to the path.
    #[must_use]
    pub fn within_index(self, index: usize) -> Self {
        self.within(&format!("[{index}]"))
    }
}

impl fmt::Display for JsonError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.path.as_str() {
            "" => f.write_str(&self.message),
            path => write!(f, "`{path}`: {}", self.message),
        }
    }
}

impl std::error::Error for JsonError {}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Kind::Null => "null",
            Kind::Boolean => "a boolean",
            Kind::Number => "a number",
            Kind::String => "a string",
            Kind::Array => "an array",
            Kind::Object => "an object",
        })
    }
}

/// The offset of `inner` in `outer`, which it is a slice of.
fn distance(outer: &str, inner: &str) -> usize {
    (inner.as_ptr() as usize).saturating_sub(outer.as_ptr() as usize)
}

fn offset_of(text: &str, line: usize, column: usize) -> usize {
    let line_start = text.split_inclusive('\n').take(line.saturating_sub(1)).map(str::len).sum::<usize>();
    let mut offset = (line_start + column.saturating_sub(1)).min(text.len());
    while !text.is_char_boundary(offset) {
        offset -= 1;
    }
    offset
}

/// `serde_json`'s message without its line and column, which are relative to a part of the text.
fn without_place(error: &serde_json::Error) -> String {
    let message = error.to_string();
    let end = message.rfind(" at line ").unwrap_or(message.len());
    message[..end].to_owned()
}
