//! The body that the Messages or the Chat API would send without streaming.

use std::borrow::Cow;

use super::text::{EventText, TextPieces};
use crate::json::write::{ObjectWriter, string};
use crate::json::{Json, JsonError, Kind, Object};

/// The bodies that the API would send without streaming, one for each reply.
#[derive(Debug, Default)]
pub struct Streamed<'j> {
    /// One body for each reply.
    pub bodies: Vec<StreamedBody<'j>>,
    /// The events that could not be read.
    pub malformed: Vec<JsonError>,
    /// Something of an event is not in a body: an event could not be read, or the end of the stream cuts it.
    pub is_partial: bool,
}

impl Streamed<'_> {
    /// Records an event that could not be read.
    pub(crate) fn skip(&mut self, error: Option<JsonError>) {
        self.is_partial = true;
        self.malformed.extend(error);
    }

    /// Whether data is missing only because the end of the stream cuts an event: no event is malformed. An event whose text
    /// is in a body up to the cut is not missing.
    pub(crate) fn is_only_cut(&self) -> bool {
        self.is_partial && self.malformed.is_empty()
    }
}

/// One reply of a stream.
#[derive(Debug)]
pub struct StreamedBody<'j> {
    /// The body.
    pub json: Json<'j>,
    /// Where each part of the body begins, and the offset in the stream of the first event about it.
    pub starts: Vec<(usize, usize)>,
    /// How it ended.
    pub end: StreamEnd<'j>,
}

/// How a reply of a stream ended.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum StreamEnd<'j> {
    /// It is complete.
    Complete,
    /// The stream ended before the reply did.
    Cut,
    /// The API reported an error.
    Error(Json<'j>),
}

/// The members of an object that arrive in pieces. Texts are joined; for other members the last value is kept.
#[derive(Debug, Default)]
pub(crate) struct StreamedObject<'j> {
    members: Vec<Member<'j>>,
    /// The offset in the stream of its first value.
    start: Option<usize>,
    /// The errors of its texts.
    errors: Vec<JsonError>,
}

#[derive(Debug)]
struct Member<'j> {
    key: String,
    json: Json<'j>,
    /// Its text, if it came in pieces. It replaces the JSON.
    text: Option<TextPieces>,
}

impl<'j> StreamedObject<'j> {
    /// Takes the members of an object.
    pub(crate) fn extend(&mut self, object: &Object<'j>) {
        for (key, value) in object.iter() {
            self.set(key, value);
        }
    }

    /// Sets a member. Null does not replace another value.
    pub(crate) fn set(&mut self, key: &str, json: Json<'j>) {
        if json.offset() > 0 {
            self.start.get_or_insert(json.offset());
        }
        let member = self.member(key);
        if json.kind() != Kind::Null {
            (member.json, member.text) = (json, None);
        }
    }

    /// Sets a member unless it has a value that is not empty.
    pub(crate) fn set_once(&mut self, key: &str, json: Json<'j>) {
        let member = self.member(key);
        if member.text.is_none() && matches!(member.json.raw(), "null" | "\"\"") {
            self.set(key, json);
        }
    }

    /// Adds to the text of a member.
    pub(crate) fn push(&mut self, key: &str, text: &EventText<'_>) {
        self.start.get_or_insert(text.offset);
        let error = self.pieces(key).push(text);
        self.errors.extend(error);
    }

    /// Adds characters to the text of a member.
    pub(crate) fn push_str(&mut self, key: &str, text: &str) {
        self.pieces(key).push_str(text);
    }

    /// The value of a member that is not a text in pieces.
    pub(crate) fn get(&self, key: &str) -> Option<Json<'j>> {
        self.members.iter().find(|member| member.key == key && member.text.is_none()).map(|member| member.json)
    }

    /// The text of a member.
    pub(crate) fn text(&self, key: &str) -> Option<Cow<'_, str>> {
        let member = self.members.iter().find(|member| member.key == key)?;
        member.text.as_deref().map(Cow::Borrowed).or_else(|| member.json.as_str_lossy())
    }

    /// Removes a member.
    pub(crate) fn remove(&mut self, key: &str) {
        self.members.retain(|member| member.key != key);
    }

    pub(crate) fn start(&self) -> usize {
        self.start.unwrap_or_default()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.members.is_empty()
    }

    /// Writes an object with all members. JSON keeps its spelling. Adds the errors of their texts to `errors`.
    pub(crate) fn write(mut self, out: &mut String, errors: &mut Vec<JsonError>) {
        let mut writer = ObjectWriter::new(out);
        self.write_members(&mut writer, errors);
        writer.end();
    }

    /// Writes all members.
    pub(crate) fn write_members(&mut self, writer: &mut ObjectWriter<'_>, errors: &mut Vec<JsonError>) {
        errors.append(&mut self.errors);
        for Member { key, json, text } in &mut self.members {
            let out = writer.key(key);
            match text {
                None => out.push_str(json.raw()),
                Some(text) => {
                    errors.extend(text.end());
                    string(out, text);
                }
            }
        }
    }

    fn member(&mut self, key: &str) -> &mut Member<'j> {
        let at = self.members.iter().position(|member| member.key == key).unwrap_or(self.members.len());
        if at == self.members.len() {
            self.members.push(Member { key: key.to_owned(), json: Json::NULL, text: None });
        }
        &mut self.members[at]
    }

    /// The text of a member. Starts with the member's current string; any other value is replaced.
    fn pieces(&mut self, key: &str) -> &mut TextPieces {
        let Member { json, text, .. } = self.member(key);
        text.get_or_insert_with(|| {
            let mut pieces = TextPieces::default();
            if let Ok(Some(start)) = EventText::read(Some(*json)) {
                pieces.push(&start);
            }
            pieces
        })
    }
}
