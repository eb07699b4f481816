//! `part-not-allowed`: a content part of a type that is not allowed where it is.

use std::borrow::Cow;

use crate::convert::Located;
use crate::diagnostic::{Diagnostics, Message, Rule, rule};
use crate::lint::entry::Lint;
use crate::lint::request::parts;
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

pub(super) enum PartNotAllowed<'r> {
    /// `<assistant><!-- chatmd:part {"type":"input_text"} -->x</assistant>`
    Part { kind: Cow<'r, str>, place: &'static str },
    /// `<assistant><!-- chatmd:part {"type":"function_call",…} --></assistant>`
    Item { kind: Cow<'r, str>, is_converted: bool },
}

impl Lint for PartNotAllowed<'_> {
    const RULE: Rule = rule!("part-not-allowed" Error Malformed is_allowable);

    fn message(&self) -> Message {
        match self {
            Self::Part { kind, place } => Message::new(
                format!("`{kind}` is not allowed in {place}"),
                "wrong type",
                "an assistant message holds `output_text` or `refusal`; others hold `input_text`, `input_image` or `input_file`",
            ),
            Self::Item { kind, .. } => Message::new(
                format!("`{kind}` is a part of a message"),
                "not a part",
                "the API rejects the request: calls, outputs and reasoning are items of their own, `<tool_call>`, \
                 `<tool_response>` and `<reasoning>`",
            ),
        }
    }

    fn rule(&self) -> &'static Rule {
        match self {
            // The request is written, as the JSON that it comes from.
            Self::Item { is_converted: true, .. } => {
                const { &rule!("part-not-allowed" Warning Malformed is_allowable) }
            }
            Self::Part { .. } | Self::Item { .. } => const { &Self::RULE },
        }
    }

    fn check_items(items: &[Located<'_>], diagnostics: &mut Diagnostics) {
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
                    PartNotAllowed::Part { kind, place }.report(span, diagnostics);
                } else if is_item(&kind) {
                    PartNotAllowed::Item { kind, is_converted: false }.report(span, diagnostics);
                }
            }
        }
    }
}

/// Warns of parts of a converted item that are items themselves.
pub(in crate::lint) fn report_items_as_parts(located: &Located<'_>, diagnostics: &mut Diagnostics) {
    for (part, span) in parts(located) {
        let kind = kind(part);
        if is_item(&kind) {
            PartNotAllowed::Item { kind, is_converted: true }.report(span, diagnostics);
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
