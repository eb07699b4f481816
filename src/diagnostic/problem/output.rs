//! Problems of the outputs of tools.

use super::problems;
use crate::diagnostic::message::Message;
use crate::diagnostic::redact::sanitize_short;

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

problems! {
    /// Problems of the outputs of tools. Each variant shows the shortest text that causes it.
    OutputProblem OUTPUT

    /// `<tool_response type="x" tool_call_id="c"></tool_response>`
    UnknownResponseType(kind: String): "unknown-value" Error Malformed => Message::new(
        format!("unknown type of tool response `{kind}`"),
        "unknown value",
        "remove `type` for a function; the others are `custom_tool_call`, `computer_call`, `shell_call`, \
         `apply_patch_call` and `mcp_approval_request`",
    );

    /// `<tool_response type="computer_call" tool_call_id="c">text</tool_response>`
    WrongResponseBody(wanted: ResponseBody): "malformed-body" Error Malformed => match wanted {
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
    };

    /// `<tool_response tool_call_id="c" output="json"></tool_response>`
    UnknownOutput: "unknown-value" Error Malformed => Message::new(
        "`output` must be `text` or `content`",
        "unknown value",
        "remove `output` to decide by the body, or write `output=\"text\"` or `output=\"content\"`",
    );

    /// `<tool_response tool_call_id="c" output="text"><img src="u"/></tool_response>`
    PartInTextOutput: "part-not-allowed" Error Malformed => Message::new(
        "an output with `output=\"text\"` holds more than text",
        "not text",
        "remove `output=\"text\"` to send the parts as parts",
    );

    /// `<tool_response tool_call_id="c">[{"type":"input_audio"}]</tool_response>`
    UnsupportedMedia {
        /// Which part, from 0.
        index: usize,
        /// Its type.
        kind: String,
    }: "unsupported-media" Error Malformed => Message::new(
        format!("part {index} of this output is `{kind}`, which the API does not accept"),
        "in this output",
        "remove it or describe it in words; `output=\"content\"` sends it as it is",
    );

    /// `<tool_response tool_call_id="c">{"type":"image","data":"AA==","mimeType":"image/png","x":1}</tool_response>`
    UnsentKeys(keys: Vec<String>): "unsent-keys" Warning Malformed is_allowable => unsent_keys(keys);

    /// `<tool_response tool_call_id="c">{"type":"image","data":"AAA","mimeType":"image/png"}</tool_response>`
    RespelledBase64: "respelled-base64" Note Malformed is_allowable => Message::new(
        "base64 in this output is sent in the spelling that the API accepts",
        "without line breaks, with `+`, `/` and padding",
        "nothing needs to be done: the bytes are the same",
    );

    /// `<tool_response tool_call_id="c">[{"type":"x"},{"type":"input_image","image_url":"https://a/b.png"}]</tool_response>`
    StringifiedMedia: "stringified-content" Warning Malformed is_allowable => Message::new(
        "this output has images or files, and is sent as text",
        "has an element that is not a known part",
        "correct or remove that element, or write `output=\"text\"` if it is meant as text",
    );

    /// `<tool_response tool_call_id="c">[{"type":"input_text"}]</tool_response>`
    MalformedParts(what: String): "malformed-body" Error Malformed => Message::new(
        format!("malformed part of this output: {what}"),
        "in this output",
        "fix the part; `output=\"text\"` sends the JSON as text",
    );
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
