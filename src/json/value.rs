//! JSON as text: read where its meaning is needed, else kept as it is spelled.
//!
//! An object is an ordered list of keys and values; a value is the slice of text it is written in.
//! So numbers keep their spelling and keys their order, and nothing is copied that nobody looks into.

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;

use elsa::FrozenVec;
use serde::Deserialize;
use serde_json::value::RawValue;

use super::object::Object;
use super::scanner::{compact, keyed_strings, too_deep};

/// How deep JSON may nest: `serde_json`'s own limit, counted also where a value is only carried.
pub const MAX_DEPTH: usize = 127;

/// A JSON value as it is spelled.
#[derive(Debug, Clone, Copy)]
pub struct Json<'j> {
    text: &'j str,
    /// Where it stands in the text that it was read from.
    at: usize,
}

/// What sort of value it is.
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

/// JSON that is not what it has to be, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JsonError {
    /// The way to the value: `input[3].output[0].image_url`.
    pub path: String,
    /// What is wrong with it.
    pub message: String,
    /// The byte where it stands, in the text it was read from.
    pub offset: usize,
    /// Whether it is a string that is not text: one with half a surrogate pair.
    pub is_lone_surrogate: bool,
}

/// Texts made on the way that values borrow from. It only grows.
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
    /// `null`
    pub const NULL: Json<'static> = Json { text: "null", at: 0 };

    /// Reads a whole text as one JSON value.
    pub fn parse(text: &'j str) -> Result<Self, JsonError> {
        Self::parse_at(text, 0)
    }

    /// Reads a text that stands at `at` of another one.
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

    /// Reads the first JSON value of a text that stands at `at` of another one, and tells where it ends.
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

    /// JSON that this crate wrote itself: valid, and as deep as it has to be.
    pub(crate) fn written(text: &'j str) -> Self {
        Json { text, at: 0 }
    }

    /// The text it is spelled in.
    pub fn text(self) -> &'j str {
        self.text
    }

    /// Whether it is `[]`.
    pub fn is_empty_array(self) -> bool {
        let inner = self.text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
        inner.is_some_and(|inner| inner.trim().is_empty())
    }

    /// Where it stands in the text that it was read from.
    pub fn offset(self) -> usize {
        self.at
    }

    /// What sort of value it is.
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
    pub fn string(self) -> Result<Cow<'j, str>, JsonError> {
        let plain = self.text.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
        if let Some(plain) = plain.filter(|plain| memchr::memchr(b'\\', plain.as_bytes()).is_none()) {
            return Ok(Cow::Borrowed(plain));
        }
        match self.kind() {
            // Valid JSON has only one string that is no text.
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

    /// The strings in it that are values, at any depth and in order, each with its key as it is spelled; those of an array
    /// have the array's.
    pub fn strings(self) -> impl Iterator<Item = (&'j str, Json<'j>)> {
        let place = move |range: Range<usize>| Json { text: &self.text[range.clone()], at: self.at + range.start };
        keyed_strings(self.text).map(move |(key, range)| (key, place(range)))
    }

    /// The value is not what it has to be.
    pub fn malformed(self, message: impl Into<String>) -> JsonError {
        JsonError::new(message, self.at)
    }

    /// The value without the whitespace between its tokens.
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
    /// Something wrong at a byte.
    pub fn new(message: impl Into<String>, offset: usize) -> Self {
        Self { path: String::new(), message: message.into(), offset, is_lone_surrogate: false }
    }

    /// The same, seen from the object that holds it under `key`.
    #[must_use]
    pub fn within(mut self, key: &str) -> Self {
        let dot = if self.path.is_empty() || self.path.starts_with('[') { "" } else { "." };
        self.path = format!("{key}{dot}{}", self.path);
        self
    }

    /// The same, seen from the array that holds it.
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

/// How far into `outer` its part `inner` begins.
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

/// What `serde_json` says, without the line and column that the caller knows better.
fn without_place(error: &serde_json::Error) -> String {
    let message = error.to_string();
    let end = message.rfind(" at line ").unwrap_or(message.len());
    message[..end].to_owned()
}
