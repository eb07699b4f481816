//! `tool-name`: a tool name that the API does not accept.

use crate::convert::Located;
use crate::diagnostic::{Diagnostics, Message, Rule, rule};
use crate::lint::entry::{Check, Lint};
use crate::responses::Item;

const LONGEST_NAME: usize = 64;

/// `<tool_call function_name="a b" …>`
pub(super) struct ToolName<'r> {
    name: &'r str,
}

impl Lint for ToolName<'_> {
    const RULE: Rule = rule!("tool-name" Error Malformed is_allowable);
    const CHECKS: &'static [Check] = &[Check::Items(check)];

    fn message(&self) -> Message {
        let help = format!("use 1 to {LONGEST_NAME} letters, digits, `_` and `-`");
        Message::new(format!("invalid tool name `{}`", self.name), "not accepted by the API", help)
    }
}

fn check(items: &[Located<'_>], diagnostics: &mut Diagnostics) {
    let is_allowed = |b: u8| b.is_ascii_alphanumeric() || b == b'_' || b == b'-';
    let is_valid = |name: &str| (1..=LONGEST_NAME).contains(&name.len()) && name.bytes().all(is_allowed);
    for located in items {
        if let Item::ToolCall(call) = &located.item
            && !is_valid(&call.name)
        {
            ToolName { name: &call.name }.report(located.span, diagnostics);
        }
    }
}
