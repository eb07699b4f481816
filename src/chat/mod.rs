//! The Chat Completions API: requests and replies as items, and items as requests.
//!
//! Pure functions between items and JSON. What the API cannot say is an entry of the ledger.

mod export;
mod fields;
mod fold;
mod hoist;
mod import;
mod live;
mod notes;
mod part;
mod reply;
mod request;
mod stream;
mod tools;

use serde::{Deserialize, Serialize};

pub use import::import_request;
pub(crate) use live::live;
pub use reply::{Reply, ReplyError, import_reply};
pub use request::export;
pub use stream::read_stream;

/// Options of a request of the Chat API.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Options {
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
