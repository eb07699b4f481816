//! Texts of a stream, which may be cut inside a character.

use std::borrow::Cow;
use std::ops::Deref;

use crate::json::{Json, JsonError, Kind, REPLACEMENT, decode_lossy};

/// A text of an event. Half a surrogate pair in it is U+FFFD.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct EventText<'j> {
    text: Cow<'j, str>,
    /// Its offset in the input.
    pub(crate) offset: usize,
    /// The text as written and what is wrong with it, if it has half a surrogate pair.
    broken: Option<(&'j str, JsonError)>,
}

impl<'j> EventText<'j> {
    /// Reads a string; `None` if it is missing or null.
    pub(crate) fn read(json: Option<Json<'j>>) -> Result<Option<Self>, JsonError> {
        let Some(json) = json.filter(|json| json.kind() != Kind::Null) else { return Ok(None) };
        let (text, broken) = match json.as_str() {
            Ok(text) => (text, None),
            Err(error) => match json.as_str_lossy() {
                Some(text) => (text, Some((json.inside(), error))),
                None => return Err(error),
            },
        };
        Ok(Some(Self { text, offset: json.offset(), broken }))
    }

    /// Its text, and what is wrong with it.
    pub(crate) fn into_text(self) -> (Cow<'j, str>, Option<JsonError>) {
        (self.text, self.broken.map(|(_, error)| error))
    }
}

impl Deref for EventText<'_> {
    type Target = str;

    fn deref(&self) -> &str {
        &self.text
    }
}

/// The pieces of one text, concatenated. Surrogate pairs that are split between two pieces are joined.
#[derive(Debug, Default)]
pub(crate) struct TextPieces {
    text: String,
    /// Where each piece ends.
    ends: Vec<usize>,
    /// The first half of a pair at the end of the last piece, as written, and the error if no other half comes.
    half: Option<(String, JsonError)>,
}

impl TextPieces {
    /// Adds a piece. Returns what is wrong with the text so far.
    pub(crate) fn push(&mut self, piece: &EventText<'_>) -> Option<JsonError> {
        let Some((raw, error)) = &piece.broken else {
            let lost = self.end();
            self.text.push_str(piece);
            self.ends.push(self.text.len());
            return lost;
        };
        let (before, earlier) = self.half.take().unzip();
        let raw = [before.as_deref().unwrap_or_default(), raw].concat();
        let decoded = decode_lossy(&raw);
        self.text.push_str(&decoded.text);
        self.ends.push(self.text.len());
        self.half = decoded.half.map(|half| (half.to_owned(), error.clone()));
        (decoded.replaced > 0).then(|| earlier.unwrap_or_else(|| error.clone()))
    }

    /// Adds characters.
    pub(crate) fn push_str(&mut self, text: &str) {
        self.text.push_str(text);
        self.ends.push(self.text.len());
    }

    /// Ends the text: half a pair at its end has no other half. Returns what is wrong with it.
    pub(crate) fn end(&mut self) -> Option<JsonError> {
        let (_, error) = self.half.take()?;
        self.text.push(REPLACEMENT);
        Some(error)
    }

    /// The text, and where each piece ends.
    pub(crate) fn into_parts(self) -> (String, Vec<usize>) {
        (self.text, self.ends)
    }
}

impl Deref for TextPieces {
    type Target = str;

    fn deref(&self) -> &str {
        &self.text
    }
}

/// A text without its whitespace, which servers add and remove.
pub(crate) fn without_spaces(text: &str) -> String {
    text.split_whitespace().collect()
}
