//! Values and types that the API does not take.

use super::items::report;
use crate::convert::Located;
use crate::diagnostic::{Diagnostics, Lint};
use crate::json::Object;
use crate::responses::{Item, Part, ToolOutput};
use crate::source::Span;

const ROLES: &[&str] = &["user", "assistant", "system", "developer"];
const STATUSES: &[&str] = &["in_progress", "completed", "incomplete"];
const DETAILS: &[&str] = &["low", "high", "auto", "original"];
const LONGEST_NAME: usize = 64;
const LONGEST_OUTPUT: usize = 10 * 1024 * 1024;

/// Reports what the API does not know or does not take in an item.
pub(super) fn item(located: &Located<'_>, diagnostics: &mut Diagnostics) {
    let span = located.span;
    match &located.item {
        Item::Message(message) => {
            known("role", Some(message.role.as_ref()), ROLES, span, diagnostics);
            parts(located, "content", &message.content, message.role == "assistant", diagnostics);
        }
        Item::ToolResponse(response) => {
            parts(located, "output", response.output.parts(), false, diagnostics);
            let length = match &response.output {
                ToolOutput::Text(text) => text.chars().count(),
                ToolOutput::Content(parts) => parts.iter().map(text_length).max().unwrap_or_default(),
            };
            if length > LONGEST_OUTPUT {
                report(Lint::OutputTooLong { length, most: LONGEST_OUTPUT }, span, diagnostics);
            }
        }
        Item::ToolCall(call) => {
            let is_of_name = |b: u8| b.is_ascii_alphanumeric() || b == b'_' || b == b'-';
            if !(1..=LONGEST_NAME).contains(&call.name.len()) || !call.name.bytes().all(is_of_name) {
                report(Lint::ToolName(call.name.to_string()), span, diagnostics);
            }
        }
        Item::Reasoning(_) => {}
        // Other kinds have statuses of their own.
        Item::Other(_) => return,
    }
    value("status", located.item.rest(), STATUSES, span, diagnostics);
}

fn parts(located: &Located<'_>, list: &str, parts: &[Part<'_>], is_assistant: bool, diagnostics: &mut Diagnostics) {
    for (part, span) in parts.iter().zip(places(located, list, parts.len())) {
        let kind = match part {
            Part::Text(text) => text.kind.as_ref().into(),
            Part::Image(image) => {
                value("detail", &image.rest, DETAILS, span, diagnostics);
                "input_image".into()
            }
            Part::Other(members) => members.text("type").unwrap_or_default(),
            Part::Raw(_) => continue,
        };
        let is_given = kind.starts_with("input_");
        let is_said = matches!(kind.as_ref(), "output_text" | "refusal");
        if is_assistant && is_given || !is_assistant && is_said {
            let place = match (&located.item, is_assistant) {
                (_, true) => "a message of the assistant",
                (Item::ToolResponse(_), _) => "an output",
                (_, false) => "a message to the assistant",
            };
            report(Lint::PartNotAllowed { kind: kind.into_owned(), place }, span, diagnostics);
        }
    }
}

/// Where the elements of an item's array are written: those without a place of their own stand where the item does.
pub(super) fn places(located: &Located<'_>, list: &str, count: usize) -> impl Iterator<Item = Span> {
    let own = located.lists.iter().find(|(name, places)| *name == list && places.len() == count);
    (0..count).map(move |index| own.map_or(located.span, |(_, places)| places[index]))
}

fn value(
    key: &'static str,
    members: &Object<'_>,
    values: &'static [&'static str],
    span: Span,
    diagnostics: &mut Diagnostics,
) {
    known(key, members.text(key).as_deref(), values, span, diagnostics);
}

fn known(
    key: &'static str,
    value: Option<&str>,
    known: &'static [&'static str],
    span: Span,
    diagnostics: &mut Diagnostics,
) {
    if let Some(value) = value.filter(|value| !known.contains(value)) {
        report(Lint::UnknownValue { key, value: value.to_owned(), known }, span, diagnostics);
    }
}

fn text_length(part: &Part<'_>) -> usize {
    match part {
        Part::Text(text) => text.text.chars().count(),
        Part::Image(_) | Part::Other(_) | Part::Raw(_) => 0,
    }
}
