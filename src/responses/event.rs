//! The events of a stream.

use std::borrow::Cow;

use super::event_text::EventText;
use crate::json::{Json, JsonError, Kind, Object};

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
    Delta(Target<'j>, TextPosition, EventText<'j>),
    /// `….done` of a text: all of it.
    Text(Target<'j>, TextPosition, EventText<'j>),
    /// `….done` of a part with a text: all of the text, and the part.
    PartDone(Target<'j>, TextPosition, EventText<'j>, Json<'j>),
    /// `….added` of a part, or its `.done` if its type is unknown: the index of the part, and the part.
    Part(Target<'j>, u64, Json<'j>),
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
pub struct TextPosition {
    /// The `content_index`, `summary_index` or `command_index`; 0 where the item has one text.
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
    /// A command of a shell call.
    Command,
    /// The `diff` of a patch.
    Diff,
}

/// Event types that bring a text, without `.delta` and `.done`.
const TEXT_EVENTS: [(&str, TextKind); 10] = [
    ("response.output_text", TextKind::Output),
    ("response.refusal", TextKind::Refusal),
    ("response.reasoning_summary_text", TextKind::Summary),
    ("response.reasoning_text", TextKind::Reasoning),
    ("response.function_call_arguments", TextKind::Arguments),
    ("response.mcp_call_arguments", TextKind::Arguments),
    ("response.custom_tool_call_input", TextKind::Input),
    ("response.code_interpreter_call_code", TextKind::Code),
    ("response.shell_call_command", TextKind::Command),
    ("response.apply_patch_call_operation_diff", TextKind::Diff),
];

impl<'j> StreamEvent<'j> {
    /// Reads an event. `name` is the value of its `event:` line, which is used if the data has no `type`.
    pub fn decode(json: Json<'j>, name: Option<&'j str>) -> Self {
        Self::read(json, name).unwrap_or(StreamEvent::Other)
    }

    /// Like [`Self::decode`], but fails for an event of a known type that does not match its type.
    pub(super) fn read(json: Json<'j>, name: Option<&'j str>) -> Result<Self, JsonError> {
        if json.kind() != Kind::Object {
            return Ok(StreamEvent::Other);
        }
        // Most events are deltas, so what they have is read at once.
        let keys = ["type", "delta", "item_id", "output_index", "content_index", "summary_index", "command_index"];
        let [kind, delta, id, index, content_index, summary_index, command_index] = json.pick(keys)?;
        let Some(kind) = string(kind).or(name.map(Cow::Borrowed)) else {
            let [error] = json.pick(["error"])?;
            let error = error.filter(|error| error.kind() != Kind::Null);
            return Ok(error.map_or(StreamEvent::Other, |_| StreamEvent::Error(json)));
        };
        let target = Target { index: number(index), id: string(id) };
        let part = [summary_index, content_index, command_index].into_iter().find_map(number).unwrap_or_default();
        match kind.as_ref() {
            "response.created" => Ok(StreamEvent::Created),
            "response.output_item.added" => Self::item(json, target, StreamEvent::Added),
            "response.output_item.done" => Self::item(json, target, StreamEvent::Done),
            "response.content_part.added" | "response.reasoning_summary_part.added" => {
                let part_json = member(json, "part")?;
                Ok(part_json.map_or(StreamEvent::Other, |json| StreamEvent::Part(target, part, json)))
            }
            "response.content_part.done" | "response.reasoning_summary_part.done" => {
                let Some(part_json) = member(json, "part")? else { return Ok(StreamEvent::Other) };
                Ok(match part_text(part_json)? {
                    Some((kind, piece)) => StreamEvent::PartDone(target, TextPosition { part, kind }, piece, part_json),
                    None => StreamEvent::Part(target, part, part_json),
                })
            }
            "response.completed" | "response.incomplete" | "response.failed" | "response.cancelled" => {
                let status = Cow::Owned(kind["response.".len()..].to_owned());
                let [response] = json.pick(["response"])?;
                Ok(StreamEvent::End(status, response.filter(|response| response.kind() == Kind::Object)))
            }
            "error" => Ok(StreamEvent::Error(json)),
            other => {
                let known = other.rsplit_once('.').and_then(|(stem, suffix)| {
                    let (_, kind) = TEXT_EVENTS.iter().find(|(known, _)| *known == stem)?;
                    Some((TextPosition { part, kind: *kind }, suffix))
                });
                match known {
                    Some((place, "delta")) => Ok(EventText::read(delta, "delta")?
                        .map_or(StreamEvent::Other, |piece| StreamEvent::Delta(target, place, piece))),
                    Some((place, "done")) => {
                        let key = place.kind.key();
                        let piece = EventText::read(json.pick([key])?[0], key)?;
                        Ok(piece.map_or(StreamEvent::Other, |piece| StreamEvent::Text(target, place, piece)))
                    }
                    Some(_) | None => Ok(StreamEvent::Other),
                }
            }
        }
    }

    fn item(
        json: Json<'j>,
        target: Target<'j>,
        made: impl Fn(Target<'j>, Json<'j>) -> Self,
    ) -> Result<Self, JsonError> {
        let Some(item) = member(json, "item")? else { return Ok(StreamEvent::Other) };
        let [id] = item.pick(["id"])?;
        Ok(made(Target { id: string(id).or(target.id), ..target }, item))
    }
}

/// The items of a response that an event other than the terminal one has.
pub(super) fn output_so_far<'j>(json: Json<'j>, name: Option<&'j str>) -> Vec<Json<'j>> {
    let [kind, response] = json.pick(["type", "response"]).unwrap_or_default();
    let kind = string(kind).or(name.map(Cow::Borrowed));
    if !matches!(kind.as_deref(), Some("response.created" | "response.in_progress" | "response.queued")) {
        return Vec::new();
    }
    let output = response.and_then(|response| response.pick(["output"]).ok());
    output.and_then(|[output]| output?.array().ok()).unwrap_or_default()
}

/// A member that is an object; `None` if it is missing or null.
fn member<'j>(json: Json<'j>, key: &'static str) -> Result<Option<Json<'j>>, JsonError> {
    let [value] = json.pick([key])?;
    let Some(value) = value.filter(|value| value.kind() != Kind::Null) else { return Ok(None) };
    match value.kind() {
        Kind::Object => Ok(Some(value)),
        kind => Err(value.malformed(format!("expected an object, found {kind}")).within(key)),
    }
}

/// The text of a part of a known type.
pub(super) fn part_text(part: Json<'_>) -> Result<Option<(TextKind, EventText<'_>)>, JsonError> {
    let [kind, text, refusal] = part.pick(["type", "text", "refusal"])?;
    let Some(kind) = string(kind).and_then(|kind| TextKind::of_part(&kind)) else { return Ok(None) };
    let text = if kind == TextKind::Refusal { refusal } else { text };
    Ok(EventText::read(text, kind.key())?.map(|piece| (kind, piece)))
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
            TextKind::Arguments | TextKind::Input | TextKind::Code | TextKind::Command | TextKind::Diff => None,
        }
    }

    /// The kind of the text of a part of this type.
    pub(super) fn of_part(part_type: &str) -> Option<Self> {
        let kinds = [TextKind::Output, TextKind::Refusal, TextKind::Summary, TextKind::Reasoning];
        kinds.into_iter().find(|kind| kind.part().is_some_and(|(_, known)| known == part_type))
    }

    /// The key of the text, in its part, in its item, or in the event that has all of it.
    pub(super) fn key(self) -> &'static str {
        match self {
            TextKind::Output | TextKind::Summary | TextKind::Reasoning => "text",
            TextKind::Refusal => "refusal",
            TextKind::Arguments => "arguments",
            TextKind::Input => "input",
            TextKind::Code => "code",
            TextKind::Command => "command",
            TextKind::Diff => "diff",
        }
    }
}

fn string(json: Option<Json<'_>>) -> Option<Cow<'_, str>> {
    json?.as_str().ok()
}

fn number(json: Option<Json<'_>>) -> Option<u64> {
    json?.raw().parse().ok()
}

/// Whether an object is an event of a stream.
pub(super) fn is_event(object: &Object<'_>) -> bool {
    object.get_str("type").is_some_and(|kind| kind.starts_with("response.") || kind == "error")
}

/// Whether an object between events is neither an item nor an event of a response: `keepalive`, which carries nothing, or
/// an error without a type.
pub(super) fn is_signal(object: &Object<'_>) -> bool {
    match object.get("type") {
        Some(_) => object.iter().all(|(key, _)| matches!(key, "type" | "sequence_number")),
        None => object.get("error").is_some() && object.get("role").is_none(),
    }
}
