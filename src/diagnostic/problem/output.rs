//! Problems of the outputs of tools.

use crate::diagnostic::message::Message;
use crate::diagnostic::redact::sanitize_short;
use crate::diagnostic::rule::rules;

/// How many keys a message names, and how much of each.
const MAX_SHOWN_KEYS: usize = 5;
const MAX_SHOWN_KEY_LENGTH: usize = 40;

/// What the body of a tool response must be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ResponseBody {
    /// One image and nothing else.
    OneImage,
    /// `approve` or `deny`, and perhaps a reason.
    Approval,
}

/// Problems of the outputs of tools. Each variant shows the shortest text that causes it.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum OutputProblem {
    /// `<tool_response type="x" tool_call_id="c"></tool_response>`
    UnknownResponseType(String),
    /// `<tool_response type="computer_call" tool_call_id="c">text</tool_response>`
    WrongResponseBody(ResponseBody),
    /// `<tool_response tool_call_id="c" output="json"></tool_response>`
    UnknownOutput,
    /// `<tool_response tool_call_id="c" output="text"><img src="u"/></tool_response>`
    PartInTextOutput,
    /// `<tool_response tool_call_id="c">[{"type":"input_audio"}]</tool_response>`
    UnsupportedMedia {
        /// Which part, from 0.
        index: usize,
        /// Its type.
        kind: String,
    },
    /// `<tool_response tool_call_id="c">{"type":"image","data":"AA==","mimeType":"image/png","x":1}</tool_response>`
    UnsentKeys(Vec<String>),
    /// `<tool_response tool_call_id="c">{"type":"image","data":"AAA","mimeType":"image/png"}</tool_response>`
    RespelledBase64,
    /// `<tool_response tool_call_id="c">[{"type":"x"},{"type":"input_image","image_url":"https://a/b.png"}]</tool_response>`
    StringifiedMedia,
    /// `<tool_response tool_call_id="c">[{"type":"input_text"}]</tool_response>`
    MalformedParts(String),
}

rules! {
    /// Each variant with its rule.
    OUTPUT of OutputProblem;
    "unknown-value" Error Malformed: UnknownResponseType;
    "malformed-body" Error Malformed: WrongResponseBody;
    "unknown-value" Error Malformed: UnknownOutput;
    "part-not-allowed" Error Malformed: PartInTextOutput;
    "unsupported-media" Error Malformed: UnsupportedMedia;
    "unsent-keys" Warning Malformed is_allowable: UnsentKeys;
    "respelled-base64" Note Malformed is_allowable: RespelledBase64;
    "stringified-content" Warning Malformed is_allowable: StringifiedMedia;
    "malformed-body" Error Malformed: MalformedParts;
}

impl OutputProblem {
    /// The problem in words.
    pub(super) fn message(&self) -> Message {
        match self {
            OutputProblem::UnknownResponseType(kind) => unknown_type(kind),
            OutputProblem::WrongResponseBody(wanted) => wrong_body(*wanted),
            OutputProblem::UnknownOutput => Message::new(
                "`output` must be `text` or `content`",
                "unknown value",
                "remove `output` to decide by the body, or write `output=\"text\"` or `output=\"content\"`",
            ),
            OutputProblem::PartInTextOutput => Message::new(
                "an output with `output=\"text\"` holds more than text",
                "not text",
                "remove `output=\"text\"` to send the parts as parts",
            ),
            OutputProblem::UnsupportedMedia { index, kind } => unsupported_media(*index, kind),
            OutputProblem::UnsentKeys(keys) => unsent_keys(keys),
            OutputProblem::RespelledBase64 => Message::new(
                "base64 in this output is sent in the spelling that the API accepts",
                "without line breaks, with `+`, `/` and padding",
                "nothing needs to be done: the bytes are the same",
            ),
            OutputProblem::StringifiedMedia => Message::new(
                "this output has images or files, and is sent as text",
                "has an element that is not a known part",
                "correct or remove that element, or write `output=\"text\"` if it is meant as text",
            ),
            OutputProblem::MalformedParts(what) => Message::new(
                format!("malformed part of this output: {what}"),
                "in this output",
                "fix the part; `output=\"text\"` sends the JSON as text",
            ),
        }
    }
}

fn unknown_type(kind: &str) -> Message {
    Message::new(
        format!("unknown type of tool response `{kind}`"),
        "unknown value",
        "remove `type` for a function; the others are `custom_tool_call`, `computer_call`, `shell_call`, \
         `apply_patch_call` and `mcp_approval_request`",
    )
}

fn wrong_body(wanted: ResponseBody) -> Message {
    match wanted {
        ResponseBody::OneImage => Message::new(
            "the output of a `computer_call` must be one image",
            "not one image",
            "write one `<img …/>` and nothing else: the screenshot",
        ),
        ResponseBody::Approval => Message::new(
            "the answer to an `mcp_approval_request` must be `approve` or `deny`",
            "neither of them",
            "write `approve` or `deny` on the first line; a reason may follow on the next line",
        ),
    }
}

fn unsupported_media(index: usize, kind: &str) -> Message {
    Message::new(
        format!("part {index} of this output is `{kind}`, which the API does not accept"),
        "in this output",
        "remove it or describe it in words; `output=\"content\"` sends it as it is",
    )
}

fn unsent_keys(keys: &[String]) -> Message {
    let mut named: Vec<String> = Vec::new();
    for key in keys {
        let key = format!("`{}`", sanitize_short(key, MAX_SHOWN_KEY_LENGTH));
        if named.contains(&key) {
            continue;
        }
        if named.len() == MAX_SHOWN_KEYS {
            named.push("other keys".to_owned());
            break;
        }
        named.push(key);
    }
    Message::new(
        format!("this output is sent as parts, which cannot express {}", named.join(", ")),
        "sent as parts",
        "put what the model needs in a text part; `output=\"text\"` sends the JSON as text",
    )
}
