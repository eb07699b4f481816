//! Finds the API that JSON belongs to by its content.

use super::Api;
use crate::json::{Json, Kind, Object};

/// Request fields that only the Messages API has.
const MESSAGES_FIELDS: [&str; 4] = ["system", "output_config", "stop_sequences", "anthropic_version"];
/// Request fields that only the Chat API has.
const CHAT_FIELDS: [&str; 13] = [
    "response_format",
    "max_completion_tokens",
    "n",
    "stop",
    "stream_options",
    "reasoning_effort",
    "reasoning",
    "provider",
    "seed",
    "logprobs",
    "frequency_penalty",
    "presence_penalty",
    "functions",
];

/// What a JSON object of the Messages or the Chat API is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// The body of a request.
    Request,
    /// A whole reply.
    Reply,
    /// An event of a stream.
    Event,
    /// An error.
    Error,
    /// A line of the results of a batch.
    BatchResult,
}

/// The API of a JSON object.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Detected {
    /// It belongs to this API.
    Api(Api, Form),
    /// A request with a sign of each API.
    Ambiguous {
        /// The sign of the Messages API.
        messages: String,
        /// The sign of the Chat API.
        chat: String,
    },
}

/// The API that an object belongs to; `None` if it is neither of the Messages nor of the Chat API.
pub fn detect(object: &Object<'_>) -> Option<Detected> {
    let text = |key: &str| object.get_str(key).unwrap_or_default();
    let is_array = |key: &str| object.get(key).is_some_and(|value| value.kind() == Kind::Array);
    let (kind, name) = (text("type"), text("object"));
    // A session of the Gemini CLI has messages, too.
    if name.starts_with("response") || name == "list" || object.get("projectHash").is_some() {
        None
    } else if kind == "message" && object.get("role").is_some() && object.get("stop_reason").is_some() {
        Some(Detected::Api(Api::Messages, Form::Reply))
    } else if is_messages_event(&kind) {
        Some(Detected::Api(Api::Messages, Form::Event))
    } else if kind == "error" && object.get("error").is_some() && object.get("sequence_number").is_none() {
        Some(Detected::Api(Api::Messages, Form::Error))
    } else if object.get("custom_id").is_some() && object.get("result").is_some() {
        Some(Detected::Api(Api::Messages, Form::BatchResult))
    } else if name == "chat.completion.chunk" {
        Some(Detected::Api(Api::Chat, Form::Event))
    } else if name == "chat.completion" || is_array("choices") {
        Some(Detected::Api(Api::Chat, if is_chunk(object) { Form::Event } else { Form::Reply }))
    } else if is_array("messages") {
        of_request(object)
    } else {
        None
    }
}

/// The API of an event of a stream, by its members and the value of its `event:` line. Events that several APIs have, such
/// as errors, belong to none.
pub fn detect_event(event: &Object<'_>, name: Option<&str>) -> Option<Api> {
    let kind = event.get_str("type").or(name.map(Into::into)).unwrap_or_default();
    match detect(event) {
        Some(Detected::Api(Api::Chat, Form::Event | Form::Reply)) => Some(Api::Chat),
        Some(Detected::Api(api, Form::Event)) => Some(api),
        _ if kind.starts_with("response.") => Some(Api::Responses),
        _ if is_messages_event(&kind) => Some(Api::Messages),
        _ => None,
    }
}

/// Whether a type is that of an event of the Messages API.
fn is_messages_event(kind: &str) -> bool {
    matches!(kind, "message_start" | "message_delta" | "message_stop") || kind.starts_with("content_block_")
}

/// Whether the choices of an object are deltas.
fn is_chunk(object: &Object<'_>) -> bool {
    let choices = elements(object.get("choices"));
    choices.iter().any(|choice| choice.get("delta").is_some() && choice.get("message").is_none())
}

/// The API of a request with `messages`. Without another sign, one with `input` too belongs to neither API.
fn of_request(object: &Object<'_>) -> Option<Detected> {
    let messages = elements(object.get("messages"));
    let tools = elements(object.get("tools"));
    match (messages_sign(object, &messages, &tools), chat_sign(object, &messages, &tools)) {
        (Some(messages), Some(chat)) => Some(Detected::Ambiguous { messages, chat }),
        (Some(_), None) => Some(Detected::Api(Api::Messages, Form::Request)),
        (None, Some(_)) => Some(Detected::Api(Api::Chat, Form::Request)),
        (None, None) => {
            let is_claude = object.get_str("model").is_some_and(|model| model.starts_with("claude"));
            match is_claude && object.get("max_tokens").is_some() {
                true => Some(Detected::Api(Api::Messages, Form::Request)),
                false if object.get("input").is_some() => None,
                false => Some(Detected::Api(Api::Chat, Form::Request)),
            }
        }
    }
}

/// The objects in an array.
fn elements(array: Option<Json<'_>>) -> Vec<Object<'_>> {
    let elements = array.and_then(|array| array.array().ok()).unwrap_or_default();
    elements.into_iter().filter_map(|element| element.object().ok()).collect()
}

fn field(object: &Object<'_>, names: &[&'static str]) -> Option<String> {
    names.iter().find(|name| object.get(name).is_some()).map(|name| format!("`{name}`"))
}

/// The first of the parts of all messages for which `sign` gives one.
fn of_parts(messages: &[Object<'_>], sign: impl Fn(&Object<'_>, &str) -> bool) -> Option<String> {
    messages.iter().flat_map(|message| elements(message.get("content"))).find_map(|part| {
        let kind = part.get_str("type")?;
        sign(&part, &kind).then(|| format!("a part of type `{kind}`"))
    })
}

fn messages_sign(object: &Object<'_>, messages: &[Object<'_>], tools: &[Object<'_>]) -> Option<String> {
    let is_own_tool = |tool: &&Object<'_>| {
        tool.get("input_schema").is_some() || tool.get_str("type").is_some_and(|kind| is_dated(&kind))
    };
    let is_own_part = |part: &Object<'_>, kind: &str| match kind {
        "tool_use" | "tool_result" => true,
        "image" | "document" => part.get("source").is_some(),
        "thinking" => part.get("signature").is_some(),
        _ => false,
    };
    field(object, &MESSAGES_FIELDS)
        .or_else(|| tools.iter().find(is_own_tool).map(|_| "a tool with `input_schema` or a dated type".to_owned()))
        .or_else(|| of_parts(messages, is_own_part))
}

fn chat_sign(object: &Object<'_>, messages: &[Object<'_>], tools: &[Object<'_>]) -> Option<String> {
    let of_role = |message: &Object<'_>| {
        let role = message.get_str("role").filter(|role| ["tool", "developer", "function"].contains(&role.as_ref()))?;
        Some(format!("the role `{role}`"))
    };
    let is_call = |message: &Object<'_>| message.get("tool_calls").is_some();
    field(object, &CHAT_FIELDS)
        .or_else(|| messages.iter().find_map(of_role))
        .or_else(|| messages.iter().any(is_call).then(|| "`tool_calls`".to_owned()))
        .or_else(|| {
            tools.iter().any(|tool| tool.get("function").is_some()).then(|| "a tool with `function`".to_owned())
        })
        .or_else(|| of_parts(messages, |_, kind| ["image_url", "file", "input_audio"].contains(&kind)))
}

/// Whether a type ends with a date: `web_search_20250305`.
fn is_dated(kind: &str) -> bool {
    let date = kind.rsplit_once("_20").map_or("", |(_, date)| date);
    date.len() == 6 && date.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
#[path = "../../tests/unit/wire_detect.rs"]
mod tests;
