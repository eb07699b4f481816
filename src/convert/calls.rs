//! The calls of a document that wait for their outputs.

use std::borrow::Cow;
use std::collections::HashSet;

use super::Context;
use super::to_items::to_items;
use crate::diagnostic::Diagnostics;
use crate::document::{Block, Document, ToolKind};
use crate::json::Object;
use crate::responses::Item;
use crate::source::Span;

/// Every type of call that the caller answers, with the type of its output and the name of a call that has none.
const CALL_TYPES: [(&str, &str, &str); 6] = [
    ("function_call", "function_call_output", ""),
    ("custom_tool_call", "custom_tool_call_output", ""),
    ("computer_call", "computer_call_output", "computer"),
    ("shell_call", "shell_call_output", "shell"),
    ("apply_patch_call", "apply_patch_call_output", "apply_patch"),
    ("mcp_approval_request", "mcp_approval_response", ""),
];

/// A call, or a request for approval, that the caller answers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundCall {
    /// The id that the output refers to.
    pub call_id: String,
    /// The name of the tool.
    pub name: String,
    /// The arguments, byte for byte; those of a hosted tool as JSON.
    pub arguments: String,
    /// The type of the item.
    pub kind: &'static str,
    /// Whether the document has an output of the right type.
    pub is_answered: bool,
    /// Where it is written.
    pub span: Span,
}

/// The calls of a document whose imports are expanded, in order. No image or file of a message or an output is read.
pub fn find_calls(document: &Document<'_>, context: &Context<'_>, diagnostics: &mut Diagnostics) -> Vec<FoundCall> {
    let is_call = |block: &Block<'_>| match block {
        Block::ToolCall(_) | Block::Item(_) => true,
        Block::Message(_)
        | Block::ToolResponse(_)
        | Block::Reasoning(_)
        | Block::Declaration(_)
        | Block::Import(_)
        | Block::Request(_)
        | Block::Comment(_) => false,
    };
    let blocks = document.blocks.iter().filter(|block| is_call(&block.value)).cloned().collect();
    let candidates = Document { blocks };
    let items = to_items(&candidates, context, false, diagnostics);
    let mut answered: HashSet<(&str, Cow<'_, str>)> = HashSet::new();
    for block in &document.blocks {
        if let Block::ToolResponse(response) = &block.value {
            answered.insert((call_type(response.kind), Cow::Borrowed(&response.call_id)));
        }
    }
    answered.extend(items.iter().filter_map(|located| answer(&located.item)));
    let calls = items.iter().filter_map(|located| {
        let call = call(&located.item, located.span)?;
        let is_answered = answered.contains(&(call.kind, Cow::Borrowed(&call.call_id)));
        Some(FoundCall { is_answered, ..call })
    });
    calls.collect()
}

fn call_type(kind: ToolKind) -> &'static str {
    super::to_items::kind(kind).call_type()
}

/// The type of the call that an item answers, and its id.
fn answer<'i>(item: &'i Item<'_>) -> Option<(&'static str, Cow<'i, str>)> {
    let kind = item.kind();
    let (call, ..) = CALL_TYPES.iter().find(|(_, output, _)| *output == kind)?;
    match item {
        Item::ToolResponse(response) => Some((call, Cow::Borrowed(response.call_id.as_ref()))),
        Item::Other(members) => {
            let id = members.get_str("call_id").or_else(|| members.get_str("approval_request_id"))?;
            Some((call, id))
        }
        Item::Message(_) | Item::ToolCall(_) | Item::Reasoning(_) => None,
    }
}

fn call(item: &Item<'_>, span: Span) -> Option<FoundCall> {
    let kind = item.kind();
    let (kind, _, default_name) = *CALL_TYPES.iter().find(|(call, ..)| *call == kind)?;
    let call = match item {
        Item::ToolCall(call) => FoundCall {
            call_id: call.call_id.to_string(),
            name: call.name.to_string(),
            arguments: call.input.to_string(),
            kind,
            is_answered: false,
            span,
        },
        Item::Other(members) => {
            let id = members.get_str("call_id").or_else(|| members.get_str("id"))?;
            let name = members.get_str("name").unwrap_or(Cow::Borrowed(default_name));
            let (call_id, name) = (id.into_owned(), name.into_owned());
            FoundCall { call_id, name, arguments: hosted_arguments(members), kind, is_answered: false, span }
        }
        Item::Message(_) | Item::ToolResponse(_) | Item::Reasoning(_) => return None,
    };
    Some(call)
}

/// What a hosted tool shall do: the string or JSON that says so.
fn hosted_arguments(members: &Object<'_>) -> String {
    let json = ["arguments", "input", "action", "actions", "operation"].iter().find_map(|key| members.get(key));
    json.map_or_else(String::new, |json| json.as_str().unwrap_or_else(|_| json.compact()).into_owned())
}
