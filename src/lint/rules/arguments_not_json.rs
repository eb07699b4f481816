//! `arguments-not-json`: a function call whose arguments are not JSON.

use crate::convert::Located;
use crate::diagnostic::{Diagnostics, Message, Rule, rule};
use crate::json::is_valid;
use crate::lint::entry::Lint;
use crate::responses::{Item, ToolKind};

/// `<tool_call function_name="f" tool_call_id="c">{"a":</tool_call>`
pub(super) struct ArgumentsNotJson<'r> {
    name: &'r str,
}

impl Lint for ArgumentsNotJson<'_> {
    const RULE: Rule = rule!("arguments-not-json" Warning Malformed is_allowable);

    fn message(&self) -> Message {
        Message::new(
            format!("the arguments of `{}` are not JSON", self.name),
            "called here",
            "models do write such calls; if you wrote it, fix the arguments, or add `type=\"custom_tool_call\"` for free text",
        )
    }

    fn check_items(items: &[Located<'_>], diagnostics: &mut Diagnostics) {
        for located in items {
            if let Item::ToolCall(call) = &located.item
                && call.kind == ToolKind::Function
                && !is_valid(&call.input)
            {
                ArgumentsNotJson { name: &call.name }.report(located.span, diagnostics);
            }
        }
    }
}
