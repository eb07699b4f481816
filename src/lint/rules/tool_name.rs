//! `tool-name`: a tool name that the API does not accept.

use crate::convert::{Located, LocatedTool};
use crate::diagnostic::{Diagnostics, Message, Rule, rule};
use crate::lint::api::{MAX_NAME_LENGTH, is_name};
use crate::lint::entry::Lint;
use crate::responses::Item;

/// `<tool_call function_name="a b" …>`
pub(super) struct ToolName<'r> {
    name: &'r str,
}

impl Lint for ToolName<'_> {
    const RULE: Rule = rule!("tool-name" Error Malformed is_allowable);

    fn message(&self) -> Message {
        let help = format!("use 1 to {MAX_NAME_LENGTH} letters, digits, `_` and `-`");
        Message::new(format!("invalid tool name `{}`", self.name), "not accepted by the API", help)
    }

    fn check_items(items: &[Located<'_>], diagnostics: &mut Diagnostics) {
        for located in items {
            if let Item::ToolCall(call) = &located.item
                && !is_name(&call.name)
            {
                ToolName { name: &call.name }.report(located.span, diagnostics);
            }
        }
    }

    fn check_tools(tools: &[LocatedTool<'_>], diagnostics: &mut Diagnostics) {
        for tool in tools {
            let Ok(members) = tool.json.object() else { continue };
            let is_named = members.get_str("type").is_some_and(|kind| matches!(kind.as_ref(), "function" | "custom"));
            if let Some(name) = members.get_str("name").filter(|name| is_named && !is_name(name)) {
                ToolName { name: &name }.report(tool.span, diagnostics);
            }
        }
    }
}
