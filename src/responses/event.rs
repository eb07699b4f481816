//! The events of a stream.

use std::borrow::Cow;

use super::payload::present;
use crate::json::{Json, Kind, Object};

/// One event of a stream of the Responses API.
#[derive(Debug, Clone, PartialEq)]
pub enum StreamEvent<'j> {
    /// `response.created`: a response begins.
    Created,
    /// `response.output_item.added`: an item begins.
    Added(Target<'j>, Json<'j>),
    /// `response.output_item.done`: an item, complete.
    Done(Target<'j>, Json<'j>),
    /// `….delta`: more of a text.
    Delta(Target<'j>, Place, Cow<'j, str>),
    /// `….done` of a text or a part: all of the text.
    Text(Target<'j>, Place, Cow<'j, str>),
    /// `response.completed`, `.incomplete`, `.failed` or `.cancelled`: how it ends, and the response, if it is there.
    End(Cow<'j, str>, Option<Json<'j>>),
    /// `error`
    Error(Json<'j>),
    /// Any other event.
    Other,
}

/// Which item an event is about.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct Target<'j> {
    /// Its `output_index`.
    pub index: Option<u64>,
    /// Its id.
    pub id: Option<Cow<'j, str>>,
}

/// Where in its item a text belongs. The order is that of the parts of an item.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// The `content_index` or `summary_index`; 0 where the item has one text.
    pub part: u64,
    /// The kind of text.
    pub kind: TextKind,
}

/// The texts that come in pieces.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum TextKind {
    /// The text of an `output_text` part.
    Output,
    /// The text of a `refusal` part.
    Refusal,
    /// The text of a `summary_text` part.
    Summary,
    /// The text of a `reasoning_text` part.
    Reasoning,
    /// The `arguments` of a function call or an MCP call.
    Arguments,
    /// The `input` of a custom tool call.
    Input,
    /// The `code` of the code interpreter.
    Code,
}

/// Event types that bring a text, without `.delta` and `.done`, and the member in which `.done` has it.
const TEXT_EVENTS: [(&str, TextKind, &str); 8] = [
    ("response.output_text", TextKind::Output, "text"),
    ("response.refusal", TextKind::Refusal, "refusal"),
    ("response.reasoning_summary_text", TextKind::Summary, "text"),
    ("response.reasoning_text", TextKind::Reasoning, "text"),
    ("response.function_call_arguments", TextKind::Arguments, "arguments"),
    ("response.mcp_call_arguments", TextKind::Arguments, "arguments"),
    ("response.custom_tool_call_input", TextKind::Input, "input"),
    ("response.code_interpreter_call_code", TextKind::Code, "code"),
];

/// The types of parts that have a text.
const PART_TYPES: [(&str, TextKind, &str); 4] = [
    ("output_text", TextKind::Output, "text"),
    ("refusal", TextKind::Refusal, "refusal"),
    ("summary_text", TextKind::Summary, "text"),
    ("reasoning_text", TextKind::Reasoning, "text"),
];

impl<'j> StreamEvent<'j> {
    /// Reads an event. `name` is what its `event:` line says, which counts where the data has no `type`.
    pub fn decode(json: Json<'j>, name: Option<&'j str>) -> Self {
        let Ok(event) = json.object() else { return StreamEvent::Other };
        let kind = event.get_str("type").or(name.map(Cow::Borrowed));
        let Some(kind) = kind else {
            return if present(&event, "error").is_some() { StreamEvent::Error(json) } else { StreamEvent::Other };
        };
        match kind.as_ref() {
            "response.created" => StreamEvent::Created,
            "response.output_item.added" => Self::item(&event, StreamEvent::Added),
            "response.output_item.done" => Self::item(&event, StreamEvent::Done),
            "response.content_part.done" | "response.reasoning_summary_part.done" => Self::part(&event),
            "response.completed" | "response.incomplete" | "response.failed" | "response.cancelled" => {
                let status = Cow::Owned(kind["response.".len()..].to_owned());
                StreamEvent::End(status, event.get("response").filter(|response| response.kind() == Kind::Object))
            }
            "error" => StreamEvent::Error(json),
            other => Self::text(&event, other),
        }
    }

    fn item(event: &Object<'j>, made: impl Fn(Target<'j>, Json<'j>) -> Self) -> Self {
        match event.get("item").and_then(|item| Some((item, item.object().ok()?))) {
            Some((item, members)) => {
                let id = members.get_str("id").or_else(|| event.get_str("item_id"));
                made(Target { index: number(event, "output_index"), id }, item)
            }
            None => StreamEvent::Other,
        }
    }

    fn text(event: &Object<'j>, event_type: &str) -> Self {
        let Some((stem, suffix)) = event_type.rsplit_once('.') else { return StreamEvent::Other };
        let Some((_, kind, key)) = TEXT_EVENTS.iter().find(|(known, ..)| *known == stem) else {
            return StreamEvent::Other;
        };
        let (target, place) = (target(event), place(event, *kind));
        match suffix {
            "delta" => {
                event.get_str("delta").map_or(StreamEvent::Other, |delta| StreamEvent::Delta(target, place, delta))
            }
            "done" => event.get_str(key).map_or(StreamEvent::Other, |text| StreamEvent::Text(target, place, text)),
            _ => StreamEvent::Other,
        }
    }

    fn part(event: &Object<'j>) -> Self {
        let read = || {
            let part = event.get("part")?.object().ok()?;
            let part_type = part.get_str("type")?;
            let (_, kind, key) = PART_TYPES.iter().find(|(known, ..)| *known == part_type)?;
            Some(StreamEvent::Text(target(event), place(event, *kind), part.get_str(key)?))
        };
        read().unwrap_or(StreamEvent::Other)
    }
}

impl TextKind {
    /// The array that holds texts of this kind as parts, and the type of such a part; `None` where the text is a member
    /// of the item itself.
    pub(super) fn part(self) -> Option<(&'static str, &'static str)> {
        match self {
            TextKind::Output => Some(("content", "output_text")),
            TextKind::Refusal => Some(("content", "refusal")),
            TextKind::Summary => Some(("summary", "summary_text")),
            TextKind::Reasoning => Some(("content", "reasoning_text")),
            TextKind::Arguments | TextKind::Input | TextKind::Code => None,
        }
    }

    /// The key of the text, in its part or in its item.
    pub(super) fn key(self) -> &'static str {
        match self {
            TextKind::Output | TextKind::Summary | TextKind::Reasoning => "text",
            TextKind::Refusal => "refusal",
            TextKind::Arguments => "arguments",
            TextKind::Input => "input",
            TextKind::Code => "code",
        }
    }
}

fn target<'j>(event: &Object<'j>) -> Target<'j> {
    Target { index: number(event, "output_index"), id: event.get_str("item_id") }
}

fn place(event: &Object<'_>, kind: TextKind) -> Place {
    let part = number(event, "summary_index").or_else(|| number(event, "content_index")).unwrap_or_default();
    Place { part, kind }
}

fn number(event: &Object<'_>, key: &str) -> Option<u64> {
    event.get(key)?.raw().parse().ok()
}

/// Whether an object is an event of a stream.
pub(super) fn is_event(object: &Object<'_>) -> bool {
    object.get_str("type").is_some_and(|kind| kind.starts_with("response.") || kind == "error")
}
