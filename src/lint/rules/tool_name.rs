//! `tool-name`: a tool name that the API does not accept.

use crate::convert::Located;
use crate::diagnostic::{Diagnostics, Message, Rule, rule};
use crate::lint::api::{MAX_NAME_LENGTH, is_name, is_name_of};
use crate::lint::sent::SentRequest;
use crate::responses::Item;
use crate::wire::{Api, LocatedTool};

/// `<tool_call function_name="a b" …>`
pub(super) const TOOL_NAME: Rule = rule!("tool-name" Error Malformed is_allowable is_of_responses);

fn message(name: &str, longest: usize) -> Message {
    let help = format!("use 1 to {longest} letters, digits, `_` and `-`");
    Message::new(format!("invalid tool name `{name}`"), "not accepted by the API", help)
}

pub(super) fn check_item(located: &Located<'_>, diagnostics: &mut Diagnostics) {
    if let Item::ToolCall(call) = &located.item
        && !is_name(&call.name)
    {
        diagnostics.add(&TOOL_NAME, message(&call.name, MAX_NAME_LENGTH), located.span);
    }
}

pub(super) fn check_sent(sent: &SentRequest<'_>, diagnostics: &mut Diagnostics) {
    let longest = match sent.api {
        Api::Messages => 2 * MAX_NAME_LENGTH,
        Api::Chat | Api::Responses => MAX_NAME_LENGTH,
    };
    let calls = sent.messages().into_iter().flat_map(|message| {
        let blocks = message.list("content").into_iter().filter(|block| block.is("type", "tool_use"));
        blocks.chain(message.list("tool_calls")).collect::<Vec<_>>()
    });
    for named in sent.tools().into_iter().chain(calls) {
        let inner = ["function", "custom"].iter().find_map(|key| named.object.get_object(key));
        let name = inner.as_ref().unwrap_or(&named.object).get_str("name").unwrap_or_default();
        if !is_name_of(&name, longest) {
            diagnostics.add(&TOOL_NAME, message(&name, longest), sent.place(&named));
        }
    }
}

pub(super) fn check_tool(tool: &LocatedTool<'_>, diagnostics: &mut Diagnostics) {
    let Ok(members) = tool.json.object() else { return };
    let is_named = members.get_str("type").is_some_and(|kind| matches!(kind.as_ref(), "function" | "custom"));
    if let Some(name) = members.get_str("name").filter(|name| is_named && !is_name(name)) {
        diagnostics.add(&TOOL_NAME, message(&name, MAX_NAME_LENGTH), tool.span);
    }
}
