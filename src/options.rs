//! Options of conversions and checks. They can be read from and written to any format of serde.

use serde::{Deserialize, Serialize};

use crate::api::Api;

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
    pub chat: ChatOptions,
    /// Whether changes that keep the meaning are reported too.
    pub changes: bool,
}

/// Options of a request of the Chat API.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ChatOptions {
    /// Where the images and files of tool outputs go.
    pub tool_images: ToolImages,
    /// The role of all system and developer messages.
    pub system_role: Option<SystemRole>,
    /// Reasoning of Chat servers is not sent.
    pub without_reasoning: bool,
}

/// Where the images and files of tool outputs go.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ToolImages {
    /// Into a user message after the outputs.
    #[default]
    Hoist,
    /// Into the outputs, which only some servers take.
    Inline,
}

/// The role of system messages.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SystemRole {
    /// `system`
    System,
    /// `developer`
    Developer,
}

impl SystemRole {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            SystemRole::System => "system",
            SystemRole::Developer => "developer",
        }
    }
}

/// What the caller knows about the input.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ReadOptions {
    /// The API. Without it, the content decides.
    pub api: Option<Api>,
    /// Which of several choices of the Chat API is read.
    pub choice: Option<u64>,
}

/// How a document is checked.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct CheckOptions {
    /// The API that the document is checked for. It overrides the document's.
    pub api: Option<Api>,
    /// The API if neither the document nor `api` names one.
    pub default_api: Option<Api>,
    /// Whether changes that keep the meaning are reported too.
    pub changes: bool,
    /// Whether the text is a fragment: a file that is imported into bodies.
    pub fragment: bool,
    /// Whether the document must have the same meaning for ochat.
    pub portable: bool,
    /// The names of the rules whose violations are not reported.
    pub allowed: Vec<String>,
}

/// Which of a response's own fields are kept.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Envelope {
    /// None of them.
    #[default]
    None,
    /// The model and the usage.
    Usage,
    /// All of them.
    All,
}

/// How the parts of a tool output are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum OutputStyle {
    /// As their JSON array.
    Json,
    /// As images, documents and text.
    #[default]
    Items,
}

/// Which whitespace of a body is content.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Whitespace {
    /// All but the line breaks that lay out a block.
    #[default]
    Layout,
    /// All of it.
    Verbatim,
}

/// How much may be imported.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// How deep imports may nest.
    pub depth: usize,
    /// How many imports there may be in all.
    pub imports: usize,
    /// How many bytes they may have in all.
    pub bytes: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { depth: 128, imports: 10_000, bytes: 16 << 20 }
    }
}
