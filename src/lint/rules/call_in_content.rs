//! `call-in-content`: a call, an output or reasoning as a part of a message.

use crate::convert::Located;
use crate::diagnostic::{Diagnostics, Message, Rule, rule};
use crate::lint::entry::{Check, Lint};
use crate::lint::request::parts;
use crate::responses::Part;

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

/// `<assistant><!-- chatmd:part {"type":"function_call",…} --></assistant>`
pub(super) struct CallInContent {
    kind: String,
}

impl Lint for CallInContent {
    const RULE: Rule = rule!("call-in-content" Error Malformed is_allowable);
    const CHECKS: &'static [Check] = &[Check::Items(check)];

    fn message(&self) -> Message {
        Message::new(
            format!("`{}` is a part of a message", self.kind),
            "not a part",
            "the API rejects the request: calls, outputs and reasoning are items of their own, `<tool_call>`, `<tool_response>` and \
             `<reasoning>`",
        )
    }
}

/// Whether a part of this type is an item.
pub(in crate::lint) fn is_item(kind: &str) -> bool {
    ITEMS.contains(&kind)
}

fn check(items: &[Located<'_>], diagnostics: &mut Diagnostics) {
    for located in items {
        for (part, span) in parts(located) {
            let Part::Other(members) = part else { continue };
            if let Some(kind) = members.get_str("type").filter(|kind| is_item(kind)) {
                CallInContent { kind: kind.into_owned() }.report(span, diagnostics);
            }
        }
    }
}
