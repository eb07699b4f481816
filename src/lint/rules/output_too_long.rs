//! `output-too-long`: a tool output with more text than the API accepts.

use crate::convert::Located;
use crate::diagnostic::{Diagnostics, Message, Rule, rule, thousands};
use crate::lint::entry::{Check, Lint};
use crate::responses::{Item, Part, ToolOutput};

const MAX_OUTPUT_LENGTH: usize = 10 * 1024 * 1024;

/// `<tool_response …>` with 11 MB of text
pub(super) struct OutputTooLong {
    length: usize,
}

impl Lint for OutputTooLong {
    const RULE: Rule = rule!("output-too-long" Error Malformed is_allowable);
    const CHECKS: &'static [Check] = &[Check::Items(check)];

    fn message(&self) -> Message {
        let most = thousands(MAX_OUTPUT_LENGTH);
        Message::new(
            format!("this output has {} characters", thousands(self.length)),
            "too long",
            format!("the API accepts at most {most}: shorten it, or upload it and use its file id"),
        )
    }
}

fn check(items: &[Located<'_>], diagnostics: &mut Diagnostics) {
    for located in items {
        let Item::ToolResponse(response) = &located.item else { continue };
        let length = match &response.output {
            ToolOutput::Text(text) => text.chars().count(),
            ToolOutput::Content(parts) => parts.iter().map(text_length).max().unwrap_or_default(),
        };
        if length > MAX_OUTPUT_LENGTH {
            OutputTooLong { length }.report(located.span, diagnostics);
        }
    }
}

fn text_length(part: &Part<'_>) -> usize {
    match part {
        Part::Text(text) => text.text.chars().count(),
        Part::Image(_) | Part::Other(_) | Part::Raw(_) => 0,
    }
}
