//! Errors in JSON, with their places.

use std::fmt;

use serde_json::value::RawValue;

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
    /// Whether the text ends before the JSON does.
    pub is_cut: bool,
}

impl JsonError {
    /// An error at an offset.
    pub fn new(message: impl Into<String>, offset: usize) -> Self {
        Self { path: String::new(), message: message.into(), offset, is_lone_surrogate: false, is_cut: false }
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

    /// Why a text that starts at offset `at` of another one is not JSON. The scan only finds that it is malformed;
    /// `serde_json` describes it.
    pub(super) fn malformed(text: &str, at: usize) -> Self {
        match serde_json::from_str::<&RawValue>(text) {
            Ok(_) => Self::new("malformed JSON", at),
            Err(error) => Self::from_serde(&error, text, at),
        }
    }

    /// Why the first value of a text is not JSON.
    pub(super) fn malformed_first(text: &str, at: usize) -> Self {
        match serde_json::Deserializer::from_str(text).into_iter::<&RawValue>().next() {
            Some(Err(error)) => Self::from_serde(&error, text, at),
            Some(Ok(_)) | None => Self::new("expected a value", at),
        }
    }

    /// Why a valid JSON string at offset `at` is not text: only half a surrogate pair is not.
    pub(super) fn lone_surrogate(string: &str, at: usize) -> Self {
        let offset = match serde_json::from_str::<String>(string) {
            Ok(_) => 0,
            Err(error) => offset_of(string, error.line(), error.column()),
        };
        let message = "half a surrogate pair is not a character";
        Self { is_lone_surrogate: true, ..Self::new(message, at + offset) }
    }

    /// Why the object at offset `at` cannot be read: its key `string` is not text.
    pub(super) fn malformed_key(string: &str, at: usize) -> Self {
        let error = serde_json::from_str::<String>(string).err();
        Self::new(error.as_ref().map_or_else(|| "malformed key".to_owned(), without_place), at)
    }

    fn from_serde(error: &serde_json::Error, text: &str, at: usize) -> Self {
        let offset = offset_of(text, error.line(), error.column());
        let is_after_comma = text[..offset].trim_ascii_end().ends_with(',');
        if is_after_comma && text[offset..].starts_with([']', '}']) {
            return Self::new("trailing comma", at + offset);
        }
        Self { is_cut: error.is_eof(), ..Self::new(without_place(error), at + offset) }
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

fn offset_of(text: &str, line: usize, column: usize) -> usize {
    let line_start = text.split_inclusive('\n').take(line.saturating_sub(1)).map(str::len).sum::<usize>();
    let mut offset = (line_start + column.saturating_sub(1)).min(text.len());
    while !text.is_char_boundary(offset) {
        offset -= 1;
    }
    offset
}

/// `serde_json`'s message in plain words, without its line and column, which are relative to a part of the text.
fn without_place(error: &serde_json::Error) -> String {
    let message = error.to_string();
    let message = &message[..message.rfind(" at line ").unwrap_or(message.len())];
    let plain = match message {
        "EOF while parsing a value" => "the JSON ends where a value should be",
        "EOF while parsing an object" => "an object is not closed with `}`",
        "EOF while parsing a list" => "an array is not closed with `]`",
        "EOF while parsing a string" => "a string is not closed with `\"`",
        "expected ident" | "expected value" => "expected a value",
        "key must be a string" => "a key must be a string in quotes",
        "trailing characters" => "there is more text after the JSON",
        "invalid escape" => "invalid escape sequence in a string",
        other if other.starts_with("control character") => {
            "a control character in a string must be written as an escape"
        }
        other => other,
    };
    plain.to_owned()
}
