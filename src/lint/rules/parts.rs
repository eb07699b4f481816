//! Parts of messages and outputs: `part-not-allowed`, `unsupported-part`, `annotation-range`.

use std::borrow::Cow;

use super::Lint;
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
pub(super) struct PartNotAllowed;

impl Lint for PartNotAllowed {
    fn rule(&self) -> &'static Rule {
        const { &rule!("part-not-allowed" Error Malformed is_allowable) }
    }

    fn check_items(&self, items: &[Located<'_>], diagnostics: &mut Diagnostics) {
        for located in items {
            let (place, is_from_model) = match &located.item {
                Item::Message(message) if message.role == "assistant" => ("an assistant message", true),
                Item::Message(_) => ("a message to the model", false),
                Item::ToolResponse(_) => ("an output", false),
                Item::ToolCall(_) | Item::Reasoning(_) | Item::Other(_) | Item::Foreign(_) => continue,
            };
            for (part, span) in parts(located) {
                let kind = kind(part);
                let is_input = kind.starts_with("input_");
                let is_output = matches!(kind.as_ref(), "output_text" | "refusal");
                if is_from_model && is_input || !is_from_model && is_output {
                    let message = Message::new(
                        format!("`{kind}` is not allowed in {place}"),
                        "wrong type",
                        "an assistant message holds `output_text` or `refusal`; others hold `input_text`, `input_image` \
                         or `input_file`",
                    );
                    self.report(message, span, diagnostics);
                } else if is_item(&kind) {
                    self.report(item_as_part(&kind), span, diagnostics);
                }
            }
        }
    }
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
pub(in crate::lint) fn report_items_as_parts(located: &Located<'_>, diagnostics: &mut Diagnostics) {
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

/// Audio or video in a message or an output: `<user><!-- chatmd:part {"type":"input_audio",…} --></user>`
pub(super) struct UnsupportedPart;

impl Lint for UnsupportedPart {
    fn rule(&self) -> &'static Rule {
        const { &rule!("unsupported-part" Error Malformed is_allowable) }
    }

    fn check_items(&self, items: &[Located<'_>], diagnostics: &mut Diagnostics) {
        for (part, span) in items.iter().flat_map(parts) {
            let Part::Other(members) = part else { continue };
            let kind = match members.get_str("type") {
                Some(kind) if is_unsupported(&kind) => format!("`{kind}`"),
                Some(kind) if kind == "input_file" && is_media_file(members) => {
                    "an `input_file` with audio or video".to_owned()
                }
                Some(_) | None => continue,
            };
            let title = format!("the API does not accept {kind}");
            let message = Message::new(title, "not accepted", "remove it, or send a transcript as text");
            self.report(message, span, diagnostics);
        }
    }
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

/// An annotation that points beyond its text: `<!-- chatmd:part {"annotations":[{"start_index":0,"end_index":99,…}]} -->x`
pub(super) struct AnnotationRange;

impl Lint for AnnotationRange {
    fn rule(&self) -> &'static Rule {
        const { &rule!("annotation-range" Warning Malformed is_allowable) }
    }

    fn check_items(&self, items: &[Located<'_>], diagnostics: &mut Diagnostics) {
        for (part, span) in items.iter().flat_map(parts) {
            let Part::Text(text) = part else { continue };
            let annotations = text.rest.get_list("annotations");
            if annotations.is_empty() {
                continue;
            }
            let length = text.text.chars().count();
            if let Some(end) = annotations.into_iter().filter_map(last).find(|end| *end > length) {
                let message = Message::new(
                    format!("an annotation ends at character {end} of a text of {length}"),
                    "points beyond the text",
                    "the text was changed: change the annotation too, or remove it",
                );
                self.report(message, span, diagnostics);
            }
        }
    }
}

/// The last character that an annotation points at, as an index or as the end of a range.
fn last(annotation: Json<'_>) -> Option<usize> {
    let annotation = annotation.object().ok()?;
    let indexes =
        ["start_index", "end_index", "index"].iter().filter_map(|key| annotation.get(key)?.raw().parse().ok());
    // The position of a citation in a list is not a place in the text.
    indexes.filter(|_| annotation.get_str("type").is_some_and(|kind| kind != "file_path")).max()
}
