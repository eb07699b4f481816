//! The events of a stream: one table says which event brings which text of which item.

use std::borrow::Cow;

use crate::json::{Json, JsonError, Kind, Object};
use crate::stream::TextStep::{Element, Key};
use crate::stream::{Event, EventText, Place, TextStep, find_texts};

/// A text that comes in pieces.
#[derive(Debug, PartialEq)]
pub(crate) struct TextRow {
    /// The type of its events, without `.delta` and `.done`.
    event: &'static str,
    /// The key of the whole text in its `.done` event.
    key: &'static str,
    /// The type of its item.
    pub(crate) item: &'static str,
    /// Where it is in its item.
    pub(crate) path: &'static [TextStep],
}

const ARGUMENTS: &[TextStep] = &[Key("arguments")];
pub(crate) const OUTPUT_TEXT: &[TextStep] = &[Key("content"), Element("output_text"), Key("text")];
pub(crate) const REFUSAL: &[TextStep] = &[Key("content"), Element("refusal"), Key("refusal")];

/// All texts that come in pieces.
#[rustfmt::skip]
pub(super) static TEXTS: [TextRow; 10] = [
    TextRow { event: "response.output_text", key: "text", item: "message", path: OUTPUT_TEXT },
    TextRow { event: "response.refusal", key: "refusal", item: "message", path: REFUSAL },
    TextRow { event: "response.reasoning_summary_text", key: "text", item: "reasoning", path: &[Key("summary"), Element("summary_text"), Key("text")] },
    TextRow { event: "response.reasoning_text", key: "text", item: "reasoning", path: &[Key("content"), Element("reasoning_text"), Key("text")] },
    TextRow { event: "response.function_call_arguments", key: "arguments", item: "function_call", path: ARGUMENTS },
    TextRow { event: "response.mcp_call_arguments", key: "arguments", item: "mcp_call", path: ARGUMENTS },
    TextRow { event: "response.custom_tool_call_input", key: "input", item: "custom_tool_call", path: &[Key("input")] },
    TextRow { event: "response.code_interpreter_call_code", key: "code", item: "code_interpreter_call", path: &[Key("code")] },
    TextRow { event: "response.shell_call_command", key: "command", item: "shell_call", path: &[Key("action"), Key("commands"), Element("")] },
    TextRow { event: "response.apply_patch_call_operation_diff", key: "diff", item: "apply_patch_call", path: &[Key("operation"), Key("diff")] },
];
/// The keys of these texts, in events and in items.
pub(super) const TEXT_KEYS: &[&str] =
    &["delta", "text", "refusal", "arguments", "input", "code", "command", "commands", "diff"];

/// One event of a stream of the Responses API. A delta need not live longer than its event.
#[derive(Debug)]
pub(crate) enum StreamEvent<'e, 'j> {
    /// `response.created`: a response begins. A response that is read again from its middle has items already.
    Created(Vec<Json<'j>>),
    /// `response.in_progress`, `response.queued`: the items so far.
    Progress(Vec<Json<'j>>),
    /// `response.output_item.added`: an item begins.
    Added(Target<'e>, Json<'j>),
    /// `response.output_item.done`: an item, complete.
    Done(Target<'e>, Json<'j>),
    /// `….delta`: more of a text at an index of its item.
    Delta(Target<'e>, &'static TextRow, u64, EventText<'e>),
    /// `….done` of a text: all of it.
    Text(Target<'e>, &'static TextRow, u64, EventText<'j>),
    /// `….added` and `….done` of a part: the index of the part, the part, and whether it is complete.
    Part(Target<'e>, u64, Json<'j>, bool),
    /// `response.completed`, `.incomplete`, `.failed` or `.cancelled`: how it ends, and the response, if it is there.
    End(String, Option<Json<'j>>),
    /// `error`
    Error(Json<'j>),
    /// Any other event.
    Other,
}

/// Which item an event is about.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub(crate) struct Target<'e> {
    /// Its `output_index`.
    pub(crate) index: Option<u64>,
    /// Its id.
    pub(crate) id: Option<Cow<'e, str>>,
}

impl<'e, 'j> StreamEvent<'e, 'j> {
    /// Reads an event. An event of a known type that does not match its type is an error.
    pub(crate) fn read(event: &Event<'e, 'j>) -> Result<Self, JsonError> {
        if event.json.kind() != Kind::Object {
            return Ok(StreamEvent::Other);
        }
        // Most events are deltas, so what they have is read at once.
        let keys = ["type", "delta", "item_id", "output_index", "content_index", "summary_index", "command_index"];
        let [kind, delta, id, index, content_index, summary_index, command_index] = event.json.pick(keys)?;
        let Some(kind) = string(kind).or(event.name.map(Cow::Borrowed)) else {
            let error = member(event.keep(), "error").unwrap_or_default();
            return Ok(error.map_or(StreamEvent::Other, |_| StreamEvent::Error(event.keep())));
        };
        let target = Target { index: number(index), id: string(id) };
        let index = [summary_index, content_index, command_index].into_iter().find_map(number).unwrap_or_default();
        let row = || {
            let (stem, suffix) = kind.rsplit_once('.')?;
            Some((TEXTS.iter().find(|row| row.event == stem)?, suffix))
        };
        match (kind.as_ref(), row()) {
            (_, Some((row, "delta"))) => {
                let delta = EventText::read(delta).map_err(|error| error.within("delta"))?;
                Ok(delta.map_or(StreamEvent::Other, |delta| StreamEvent::Delta(target, row, index, delta)))
            }
            (_, Some((row, "done"))) => {
                let text = EventText::read(event.keep().pick([row.key])?[0]).map_err(|error| error.within(row.key))?;
                Ok(text.map_or(StreamEvent::Other, |text| StreamEvent::Text(target, row, index, text)))
            }
            (kind, _) => Self::of_response(kind, target, index, event.keep()),
        }
    }

    /// Reads an event that does not bring a text alone.
    fn of_response(kind: &str, target: Target<'e>, index: u64, json: Json<'j>) -> Result<Self, JsonError> {
        let object = |key| member(json, key)?.map(|value| require_object(value, key)).transpose();
        Ok(match kind {
            "response.created" => StreamEvent::Created(output(json)),
            "response.in_progress" | "response.queued" => StreamEvent::Progress(output(json)),
            "response.output_item.added" | "response.output_item.done" => match object("item")? {
                Some(item) if kind.ends_with("added") => StreamEvent::Added(target, item),
                Some(item) => StreamEvent::Done(target, item),
                None => StreamEvent::Other,
            },
            "response.content_part.added"
            | "response.content_part.done"
            | "response.reasoning_summary_part.added"
            | "response.reasoning_summary_part.done" => match object("part")? {
                Some(part) => StreamEvent::Part(target, index, part, kind.ends_with("done")),
                None => StreamEvent::Other,
            },
            "response.completed" | "response.incomplete" | "response.failed" | "response.cancelled" => {
                let response = member(json, "response")?.filter(|response| response.kind() == Kind::Object);
                StreamEvent::End(kind["response.".len()..].to_owned(), response)
            }
            "error" => StreamEvent::Error(json),
            _ => StreamEvent::Other,
        })
    }
}

/// The texts of an item that come in pieces.
pub(crate) fn item_texts(item: Json<'_>) -> Vec<(Place, EventText<'_>)> {
    let item_type = item.pick(["type"]).ok().and_then(|[kind]| string(kind)).unwrap_or_default();
    let rows = TEXTS.iter().filter(|row| row.item == item_type);
    rows.flat_map(|row| find_texts(item, row.path)).collect()
}

/// The text of a part of a known type.
pub(super) fn part_text(part: Json<'_>) -> Option<(&'static TextRow, EventText<'_>)> {
    let row = part_row(&string(part.pick(["type"]).ok()?[0])?)?;
    Some((row, EventText::read(part.pick([row.key]).ok()?[0]).ok()??))
}

/// The key of the text of a part of a known type.
pub(super) fn part_text_key(part_type: &str) -> Option<&'static str> {
    part_row(part_type).map(|row| row.key)
}

fn part_row(part_type: &str) -> Option<&'static TextRow> {
    let is_part = |row: &&TextRow| matches!(row.path, [Key(_), Element(known), Key(_)] if *known == part_type);
    TEXTS.iter().find(is_part)
}

/// The items of a response that an event other than the terminal one has.
fn output(json: Json<'_>) -> Vec<Json<'_>> {
    let response = member(json, "response").ok().flatten();
    let output = response.and_then(|response| member(response, "output").ok()?).and_then(|output| output.array().ok());
    output.unwrap_or_default().into_iter().filter(|item| item.kind() == Kind::Object).collect()
}

/// A member that exists and is not null.
fn member<'j>(json: Json<'j>, key: &'static str) -> Result<Option<Json<'j>>, JsonError> {
    let [value] = json.pick([key])?;
    Ok(value.filter(|value| value.kind() != Kind::Null))
}

fn require_object<'j>(value: Json<'j>, key: &'static str) -> Result<Json<'j>, JsonError> {
    match value.kind() {
        Kind::Object => Ok(value),
        kind => Err(value.malformed(format!("expected an object, found {kind}")).within(key)),
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
