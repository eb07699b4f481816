//! Values and types that the API does not take.

use super::items::report;
use crate::convert::Placed;
use crate::diagnostic::{Concern, Diagnostics};
use crate::source::Span;
use crate::wire::{Item, Object, Part, ToolOutput};

const ROLES: &[&str] = &["user", "assistant", "system", "developer"];
const STATUSES: &[&str] = &["in_progress", "completed", "incomplete"];
const DETAILS: &[&str] = &["low", "high", "auto", "original"];
const LONGEST_NAME: usize = 64;
const LONGEST_OUTPUT: usize = 10 * 1024 * 1024;

/// Reports what the API does not know or does not take in an item.
pub(super) fn item(placed: &Placed<'_>, found: &mut Diagnostics) {
    let span = placed.span;
    match &placed.item {
        Item::Message(message) => {
            known("role", Some(message.role.as_ref()), ROLES, span, found);
            parts(placed, "content", &message.content, message.role == "assistant", found);
        }
        Item::ToolResponse(response) => {
            parts(placed, "output", response.output.parts(), false, found);
            let length = match &response.output {
                ToolOutput::Text(text) => text.chars().count(),
                ToolOutput::Content(parts) => parts.iter().map(text_length).max().unwrap_or_default(),
            };
            if length > LONGEST_OUTPUT {
                report(Concern::OutputTooLong { length, most: LONGEST_OUTPUT }, span, found);
            }
        }
        Item::ToolCall(call) => {
            let is_of_name = |b: u8| b.is_ascii_alphanumeric() || b == b'_' || b == b'-';
            if !(1..=LONGEST_NAME).contains(&call.name.len()) || !call.name.bytes().all(is_of_name) {
                report(Concern::ToolName(call.name.to_string()), span, found);
            }
        }
        Item::Reasoning(_) => {}
        // Other kinds have statuses of their own.
        Item::Other(_) => return,
    }
    value("status", placed.item.rest(), STATUSES, span, found);
}

fn parts(placed: &Placed<'_>, list: &str, parts: &[Part<'_>], is_assistant: bool, found: &mut Diagnostics) {
    for (part, span) in parts.iter().zip(places(placed, list, parts.len())) {
        let kind = match part {
            Part::Text(text) => text.kind.as_ref().into(),
            Part::Image(image) => {
                value("detail", &image.rest, DETAILS, span, found);
                "input_image".into()
            }
            Part::Other(members) => members.text("type").unwrap_or_default(),
            Part::Raw(_) => continue,
        };
        let is_given = kind.starts_with("input_");
        let is_said = matches!(kind.as_ref(), "output_text" | "refusal");
        if is_assistant && is_given || !is_assistant && is_said {
            let place = match (&placed.item, is_assistant) {
                (_, true) => "a message of the assistant",
                (Item::ToolResponse(_), _) => "an output",
                (_, false) => "a message to the assistant",
            };
            report(Concern::PartNotAllowed { kind: kind.into_owned(), place }, span, found);
        }
    }
}

/// Where the elements of an item's array are written: those without a place of their own stand where the item does.
pub(super) fn places(placed: &Placed<'_>, list: &str, count: usize) -> impl Iterator<Item = Span> {
    let own = placed.lists.iter().find(|(name, places)| *name == list && places.len() == count);
    (0..count).map(move |index| own.map_or(placed.span, |(_, places)| places[index]))
}

fn value(
    key: &'static str,
    members: &Object<'_>,
    values: &'static [&'static str],
    span: Span,
    found: &mut Diagnostics,
) {
    known(key, members.text(key).as_deref(), values, span, found);
}

fn known(key: &'static str, value: Option<&str>, known: &'static [&'static str], span: Span, found: &mut Diagnostics) {
    if let Some(value) = value.filter(|value| !known.contains(value)) {
        report(Concern::UnknownValue { key, value: value.to_owned(), known }, span, found);
    }
}

fn text_length(part: &Part<'_>) -> usize {
    match part {
        Part::Text(text) => text.text.chars().count(),
        Part::Image(_) | Part::Other(_) | Part::Raw(_) => 0,
    }
}
