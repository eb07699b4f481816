//! The APIs that requests are made for.

use serde::{Deserialize, Serialize};

/// An API that requests are made for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Api {
    /// OpenAI Responses.
    #[default]
    Responses,
    /// Anthropic Messages.
    Messages,
    /// OpenAI Chat Completions, and servers that copy it.
    Chat,
}

/// The properties of an API.
struct Row {
    name: &'static str,
    title: &'static str,
    issuer: &'static str,
    overlay: &'static str,
    list: &'static str,
    max_tokens: &'static str,
}

impl Api {
    /// All APIs.
    pub fn all() -> impl Iterator<Item = Api> {
        [Api::Responses, Api::Messages, Api::Chat].into_iter()
    }

    /// The API of a name: `responses`, `messages`, `chat`.
    pub fn from_name(name: &str) -> Option<Api> {
        Api::all().find(|api| api.name() == name)
    }

    fn row(self) -> &'static Row {
        match self {
            Api::Responses => &Row {
                name: "responses",
                title: "the Responses API",
                issuer: "openai",
                overlay: "@responses",
                list: "input",
                max_tokens: "max_output_tokens",
            },
            Api::Messages => &Row {
                name: "messages",
                title: "the Messages API",
                issuer: "anthropic",
                overlay: "@messages",
                list: "messages",
                max_tokens: "max_tokens",
            },
            Api::Chat => &Row {
                name: "chat",
                title: "the Chat API",
                issuer: "chat",
                overlay: "@chat",
                list: "messages",
                max_tokens: "max_completion_tokens",
            },
        }
    }

    /// Its name in documents and on the command line.
    pub fn name(self) -> &'static str {
        self.row().name
    }

    /// Its name in sentences: `the Messages API`.
    pub fn title(self) -> &'static str {
        self.row().title
    }

    /// The issuer whose signatures, encrypted content and file ids this API accepts.
    pub fn issuer(self) -> &'static str {
        self.row().issuer
    }

    /// The key of members that only this API gets: `@messages`.
    pub fn overlay_key(self) -> &'static str {
        self.row().overlay
    }

    /// The request field that holds the conversation: `input` or `messages`.
    pub fn list_field(self) -> &'static str {
        self.row().list
    }

    /// The request field that limits the length of the answer.
    pub fn max_tokens_field(self) -> &'static str {
        self.row().max_tokens
    }
}

#[cfg(test)]
#[path = "../tests/unit/api.rs"]
mod tests;
