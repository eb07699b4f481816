//! Recognizes input that does not belong to the Responses API.

use crate::json::{Kind, Object, is_valid};

/// Input that is not Responses API data.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UnsupportedInput {
    /// What it is.
    pub what: &'static str,
    /// What to do.
    pub help: &'static str,
}

impl UnsupportedInput {
    /// The same in a file that has a name.
    #[must_use]
    pub fn in_file(self) -> Self {
        match self {
            EMPTY => EMPTY_FILE,
            TEXT => TEXT_FILE,
            other => other,
        }
    }
}

const OWN_API: &str = "it is read as data of the Responses API: name its own API, or none";

const CHAT_COMPLETIONS: UnsupportedInput =
    UnsupportedInput { what: "this is Chat Completions API data", help: OWN_API };
const ANTHROPIC: UnsupportedInput = UnsupportedInput { what: "this is Anthropic Messages API data", help: OWN_API };
const GEMINI: UnsupportedInput = UnsupportedInput {
    what: "this is Gemini API data",
    help: "the Responses, the Messages and the Chat API are converted, and no other",
};
pub(super) const PARTS: UnsupportedInput = UnsupportedInput {
    what: "this is an array of content parts, and not of items",
    help: "if it is the output of a tool, `chatmd answer` adds it to a document",
};
const GEMINI_CLI: UnsupportedInput = UnsupportedInput {
    what: "this is a session of the Gemini CLI",
    help: "sessions of Codex and Claude Code can be converted",
};
const MESSAGES: UnsupportedInput = UnsupportedInput {
    what: "this is a request of the Chat Completions or the Anthropic Messages API",
    help: "the Responses API has `input` in place of `messages`",
};
const BEFORE_THE_PIPE: &str = "check the output of the command before the pipe";
const EMPTY: UnsupportedInput = UnsupportedInput { what: "the input is empty", help: BEFORE_THE_PIPE };
const EMPTY_FILE: UnsupportedInput =
    UnsupportedInput { what: "the file is empty", help: "check the program that wrote it, or name another file" };
const HTML: UnsupportedInput = UnsupportedInput {
    what: "this is an HTML page, not a response of the API",
    help: "check the URL and the HTTP status",
};
const DOCUMENT: UnsupportedInput =
    UnsupportedInput { what: "this is a document, not JSON", help: "`chatmd to-request` converts documents" };
const HEADERS: UnsupportedInput =
    UnsupportedInput { what: "HTTP headers come before the body", help: "leave them out: `curl` without `-i`" };
const TEXT: UnsupportedInput =
    UnsupportedInput { what: "this is neither JSON nor a stream of events", help: BEFORE_THE_PIPE };
const TEXT_FILE: UnsupportedInput =
    UnsupportedInput { help: "responses, streams, requests, items and lists of them can be converted", ..TEXT };
const GZIP: UnsupportedInput =
    UnsupportedInput { what: "this is gzip data", help: "unpack it first, or fetch it with `curl --compressed`" };
/// How zstd data starts.
pub(crate) const ZSTD_START: &[u8] = b"\x28\xb5\x2f\xfd";

const ZSTD: UnsupportedInput = UnsupportedInput {
    what: "this is zstd data",
    help: "unpack it first: `zstd -d`; only sessions can be converted without it",
};
const IMAGE: UnsupportedInput =
    UnsupportedInput { what: "this is an image, not JSON", help: "put it in a document: `<img src=\"…\" local/>`" };
const MEDIA: UnsupportedInput = UnsupportedInput {
    what: "this is a WebP image, audio or video, not JSON",
    help: "name the file in a document that refers to it",
};
const PDF: UnsupportedInput = UnsupportedInput {
    what: "this is a PDF file, not JSON",
    help: "put it in a document: `<doc src=\"…\" local file/>`",
};

/// The types of Anthropic's stream events.
const ANTHROPIC_EVENTS: [&str; 6] = [
    "message_start",
    "message_delta",
    "message_stop",
    "content_block_start",
    "content_block_delta",
    "content_block_stop",
];

/// The other API that a body or a stream event belongs to.
pub(super) fn api(object: &Object<'_>) -> Option<UnsupportedInput> {
    let is_array = |key: &str| object.get(key).is_some_and(|value| value.kind() == Kind::Array);
    let kind = object.get_str("type").unwrap_or_default();
    let name = object.get_str("object").unwrap_or_default();
    if name.starts_with("response") || name == "list" {
        None
    } else if object.get("projectHash").is_some() && object.get("sessionId").is_some() {
        Some(GEMINI_CLI)
    } else if is_array("choices") || name.starts_with("chat.completion") {
        Some(CHAT_COMPLETIONS)
    } else if is_array("candidates") || is_array("contents") {
        Some(GEMINI)
    } else if object.get("stop_reason").is_some() && object.get("role").is_some()
        || ANTHROPIC_EVENTS.contains(&kind.as_ref())
    {
        Some(ANTHROPIC)
    } else if is_array("messages") && object.get("input").is_none() {
        Some(MESSAGES)
    } else {
        None
    }
}

/// Identifies a text that is not JSON.
pub(super) fn text(text: &str) -> Option<UnsupportedInput> {
    let text = text.trim_start();
    let head: String = text.chars().take(20).collect::<String>().to_ascii_lowercase();
    if head.is_empty() {
        Some(EMPTY)
    } else if head.starts_with("<!doctype") || head.starts_with("<html") {
        Some(HTML)
    } else if head.starts_with('<') {
        Some(DOCUMENT)
    } else if head.starts_with("http/") {
        Some(HEADERS)
    } else if head.starts_with("%pdf-") {
        Some(PDF)
    } else {
        let may_be_json = text.starts_with(['{', '[', '"']) || is_valid(text);
        (!may_be_json).then_some(TEXT)
    }
}

/// Identifies bytes that are not text.
///
/// ```
/// assert_eq!(chatmd::internal::responses::foreign_bytes(b"\x1f\x8b\x08").unwrap().what, "this is gzip data");
/// assert_eq!(chatmd::internal::responses::foreign_bytes(b"{}"), None);
/// ```
pub fn foreign_bytes(bytes: &[u8]) -> Option<UnsupportedInput> {
    let signatures: [(&[u8], UnsupportedInput); 7] = [
        (b"\x1f\x8b", GZIP),
        (ZSTD_START, ZSTD),
        (b"\x89PNG\r\n\x1a\n", IMAGE),
        (b"\xff\xd8\xff", IMAGE),
        (b"GIF8", IMAGE),
        (b"RIFF", MEDIA),
        (b"%PDF-", PDF),
    ];
    signatures.into_iter().find(|(signature, _)| bytes.starts_with(signature)).map(|(_, foreign)| foreign)
}
