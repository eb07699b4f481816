//! Options of a request.

use serde::{Deserialize, Serialize};

use crate::chat;
use crate::wire::Api;

/// Options of a request.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct RequestOptions {
    /// The API of the request. It overrides the document's.
    pub api: Option<Api>,
    /// The API if neither the document nor `api` names one. Without it, the Responses API.
    pub default_api: Option<Api>,
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
    /// Options of the Chat API.
    pub chat: chat::Options,
    /// Whether changes that keep the meaning are reported too.
    pub changes: bool,
}
