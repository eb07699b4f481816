//! Tool outputs for programs that use serde.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de, ser};
use serde_json::value::RawValue;

use super::tool_output::ToolOutput;
use crate::json::{Json, JsonError, StringArena};

/// A [`ToolOutput`] that owns its JSON. It can be a field of a type that is read and written with `serde_json`.
///
/// Both branches, unknown parts and the spelling of numbers stay as they are.
///
/// ```
/// #[derive(serde::Serialize, serde::Deserialize)]
/// struct Output {
///     call_id: String,
///     output: chatmd::internal::responses::OwnedToolOutput,
/// }
///
/// let json = r#"{"call_id":"call_1","output":[{"type":"input_text","text":"1.0"},{"type":"new","n":1.0}]}"#;
/// let read: Output = serde_json::from_str(json)?;
/// assert_eq!(read.output.to_display_string(), "1.0\n<new/>");
/// assert_eq!(serde_json::to_string(&read)?, json);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct OwnedToolOutput {
    /// Valid JSON: a string or an array of parts.
    json: String,
}

impl OwnedToolOutput {
    /// Reads either branch.
    pub fn parse(json: impl Into<String>) -> Result<Self, JsonError> {
        let json = json.into();
        ToolOutput::decode(Json::parse(&json, &StringArena::default())?)?;
        Ok(Self { json })
    }

    /// The JSON as it is spelled.
    pub fn raw(&self) -> &str {
        &self.json
    }

    /// The output, borrowed from this one and from an arena.
    pub fn get<'a>(&'a self, arena: &'a StringArena) -> Result<ToolOutput<'a>, JsonError> {
        ToolOutput::decode(Json::parse(&self.json, arena)?)
    }

    /// See [`ToolOutput::to_display_string`].
    pub fn to_display_string(&self) -> String {
        self.get(&StringArena::default()).map(|output| output.to_display_string()).unwrap_or_default()
    }

    /// See [`ToolOutput::to_persisted_string`].
    pub fn to_persisted_string(&self) -> String {
        self.get(&StringArena::default()).map(|output| output.to_persisted_string()).unwrap_or_default()
    }
}

impl From<&ToolOutput<'_>> for OwnedToolOutput {
    fn from(output: &ToolOutput<'_>) -> Self {
        let mut json = String::new();
        output.encode(&mut json);
        Self { json }
    }
}

impl fmt::Debug for OwnedToolOutput {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Base64 is abridged.
        f.debug_tuple("OwnedToolOutput").field(&self.to_display_string()).finish()
    }
}

impl Serialize for OwnedToolOutput {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let raw: &RawValue = serde_json::from_str(&self.json).map_err(ser::Error::custom)?;
        raw.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for OwnedToolOutput {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let raw = Box::<RawValue>::deserialize(deserializer)?;
        Self::parse(Box::<str>::from(raw)).map_err(de::Error::custom)
    }
}

impl Serialize for ToolOutput<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        OwnedToolOutput::from(self).serialize(serializer)
    }
}
