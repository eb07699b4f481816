//! Parts of messages and outputs.

use std::borrow::Cow;

use crate::convert::{Located, audio_or_video_file, is_refused_type};
use crate::diagnostic::{Diagnostics, Message, Rule, rule};
use crate::json::{Json, Object};
use crate::lint::request::parts;
use crate::resources::media::{file_type, is_audio_or_video};
use crate::responses::{Item, Part};

/// Types of items, here and in other APIs, that are mistaken for parts.
const ITEMS: [&str; 11] = [
    "function_call",
    "function_call_output",
    "custom_tool_call",
    "custom_tool_call_output",
    "tool_call",
    "tool_use",
    "tool_result",
    "tool-call",
    "tool-result",
    "reasoning",
    "message",
];

/// A part of a type that is not allowed where it is: `<assistant><!-- chatmd:part {"type":"input_text"} -->x</assistant>`,
/// `<assistant><!-- chatmd:part {"type":"function_call",…} --></assistant>`
const PART_NOT_ALLOWED: Rule = rule!("part-not-allowed" Error Malformed is_allowable);
/// Audio or video in a message or an output: `<user><!-- chatmd:part {"type":"input_audio",…} --></user>`
const UNSUPPORTED_PART: Rule = rule!("unsupported-part" Error Malformed is_allowable);
/// An annotation that points beyond its text: `<!-- chatmd:part {"annotations":[{"start_index":0,"end_index":99,…}]} -->x`
const ANNOTATION_RANGE: Rule = rule!("annotation-range" Warning Malformed is_allowable);

pub(super) const RULES: &[Rule] = &[PART_NOT_ALLOWED, UNSUPPORTED_PART, ANNOTATION_RANGE];

pub(super) fn check_item(located: &Located<'_>, diagnostics: &mut Diagnostics) {
    for (part, span) in parts(located) {
        if let Some(message) = not_allowed(&located.item, part) {
            diagnostics.add(&PART_NOT_ALLOWED, message, span);
        }
        if let Some(message) = unsupported(part) {
            diagnostics.add(&UNSUPPORTED_PART, message, span);
        }
        if let Some(message) = annotation_range(part) {
            diagnostics.add(&ANNOTATION_RANGE, message, span);
        }
    }
}

/// Why a part is not allowed in an item.
fn not_allowed(item: &Item<'_>, part: &Part<'_>) -> Option<Message> {
    let (place, is_from_model) = match item {
        Item::Message(message) if message.role == "assistant" => ("an assistant message", true),
        Item::Message(_) => ("a message to the model", false),
        Item::ToolResponse(_) => ("an output", false),
        Item::ToolCall(_) | Item::Reasoning(_) | Item::Other(_) | Item::Foreign(_) => return None,
    };
    let kind = kind(part);
    let is_input = kind.starts_with("input_");
    let is_output = matches!(kind.as_ref(), "output_text" | "refusal");
    if is_from_model && is_input || !is_from_model && is_output {
        return Some(Message::new(
            format!("`{kind}` is not allowed in {place}"),
            "wrong type",
            "an assistant message holds `output_text` or `refusal`; others hold `input_text`, `input_image` or `input_file`",
        ));
    }
    is_item(&kind).then(|| item_as_part(&kind))
}

fn item_as_part(kind: &str) -> Message {
    Message::new(
        format!("`{kind}` is a part of a message"),
        "not a part",
        "the API rejects the request: calls, outputs and reasoning are items of their own, `<tool_call>`, \
         `<tool_response>` and `<reasoning>`",
    )
}

/// Warns of parts of a converted item that are items themselves. The request is written, as the JSON that it comes from.
pub(super) fn check_converted(located: &Located<'_>, diagnostics: &mut Diagnostics) {
    for (part, span) in parts(located) {
        let kind = kind(part);
        if is_item(&kind) {
            let rule = const { &rule!("part-not-allowed" Warning Malformed is_allowable) };
            diagnostics.add(rule, item_as_part(&kind), span);
        }
    }
}

/// Whether a part of this type is an item.
pub(in crate::lint) fn is_item(kind: &str) -> bool {
    ITEMS.contains(&kind)
}

/// The type of a part; empty if it has none.
fn kind<'p>(part: &'p Part<'_>) -> Cow<'p, str> {
    match part {
        Part::Text(text) => Cow::Borrowed(text.kind.as_ref()),
        Part::Image(_) => Cow::Borrowed("input_image"),
        Part::Other(members) => members.get_str("type").unwrap_or_default(),
        Part::Raw(_) => Cow::Borrowed(""),
    }
}

/// Why the API does not accept a part of audio or video.
fn unsupported(part: &Part<'_>) -> Option<Message> {
    let Part::Other(members) = part else { return None };
    let kind = match members.get_str("type")? {
        kind if is_unsupported(&kind) => format!("`{kind}`"),
        kind if kind == "input_file" && is_media_file(members) => "an `input_file` with audio or video".to_owned(),
        _ => return None,
    };
    let title = format!("the API does not accept {kind}");
    Some(Message::new(title, "not accepted", "remove it, or send a transcript as text"))
}

/// Whether a part of this type is audio or video.
pub(in crate::lint) fn is_unsupported(kind: &str) -> bool {
    is_refused_type(kind) || kind == "output_audio"
}

/// Whether a file is audio or video by its content or by the end of its URL.
fn is_media_file(file: &Object<'_>) -> bool {
    let is_named = |url: &str| {
        let path = url.split(['?', '#']).next().unwrap_or_default();
        is_audio_or_video(file_type(&[], path))
    };
    audio_or_video_file(file).is_some() || file.get_str("file_url").is_some_and(|url| is_named(&url))
}

/// Says that an annotation points beyond its text.
fn annotation_range(part: &Part<'_>) -> Option<Message> {
    let Part::Text(text) = part else { return None };
    let annotations = text.rest.get_list("annotations");
    if annotations.is_empty() {
        return None;
    }
    let length = text.text.chars().count();
    let end = annotations.into_iter().filter_map(last).find(|end| *end > length)?;
    Some(Message::new(
        format!("an annotation ends at character {end} of a text of {length}"),
        "points beyond the text",
        "the text was changed: change the annotation too, or remove it",
    ))
}

/// The last character that an annotation points at, as an index or as the end of a range.
fn last(annotation: Json<'_>) -> Option<usize> {
    let annotation = annotation.object().ok()?;
    let indexes =
        ["start_index", "end_index", "index"].iter().filter_map(|key| annotation.get(key)?.raw().parse().ok());
    // The position of a citation in a list is not a place in the text.
    indexes.filter(|_| annotation.get_str("type").is_some_and(|kind| kind != "file_path")).max()
}
