//! Options of a request.

use serde::{Deserialize, Serialize};

/// Options of a request.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct RequestOptions {
    /// The model. It overrides the document's.
    pub model: Option<String>,
    /// The model if neither the document nor `model` names one.
    pub default_model: Option<String>,
    /// All system and developer messages become instructions.
    pub instructions: bool,
    /// Asks for a stream.
    pub stream: bool,
    /// The API stores nothing: no ids are sent, and only encrypted reasoning.
    pub stateless: bool,
    /// Of several outputs of this tool for the same file, send only the newest.
    pub collapse_stale: Option<String>,
    /// The JSON of an array of tools, added to the declared ones.
    pub tools: Option<String>,
    /// The name of the tools' file in messages.
    pub tools_name: Option<String>,
    /// Fields by their path, and the JSON of their values. They override everything else.
    pub set: Vec<(String, String)>,
    /// Whether to make a source map.
    pub source_map: bool,
}
