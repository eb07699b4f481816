//! The calls of a document that wait for their outputs.

use std::borrow::Cow;
use std::collections::HashSet;

use super::{Context, Request, RequestOptions};
use crate::diagnostic::Diagnostics;
use crate::document::{Block, Document, ResponseKind};
use crate::json::{Json, Object, StringArena};
use crate::responses::Item;
use crate::source::Span;

/// A call, or a request for approval, that the caller answers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundCall {
    /// The id that the output refers to.
    pub call_id: String,
    /// The name of the tool.
    pub name: String,
    /// The arguments, byte for byte; those of a hosted tool as JSON.
    pub arguments: String,
    /// The kind of output that it needs.
    pub kind: ResponseKind,
    /// Whether the model goes on without its output.
    pub is_async: bool,
    /// Whether the document has an output of the right type.
    pub is_answered: bool,
    /// Where it is written.
    pub span: Span,
}

/// The calls of a document whose imports are expanded, in order. No image or file of a message or an output is read.
pub fn find_calls(document: &Document<'_>, context: &Context<'_>, diagnostics: &mut Diagnostics) -> Vec<FoundCall> {
    // Of other items not even the files are read.
    let is_call = |block: &Block<'_>| matches!(block, Block::ToolCall(_) | Block::Item(_)) || own_call(block).is_some();
    let blocks = document.blocks.iter().filter(|block| is_call(&block.value)).cloned().collect();
    let candidates = Document { blocks };
    let Some(first) = candidates.blocks.first() else { return Vec::new() };
    let request = Request::input_of(&candidates, context, &RequestOptions::default(), first.span, diagnostics);
    let answered: HashSet<_> = document.blocks.iter().filter_map(|block| answered_call(&block.value)).collect();
    let calls = request.items.iter().filter_map(|located| {
        let call = call(&located.item, located.span)?;
        let is_answered = answered.contains(&(call.kind, Cow::Borrowed(&call.call_id)));
        Some(FoundCall { is_answered, ..call })
    });
    calls.collect()
}

/// The call that a block answers: the kind of output, and the id of the call.
pub fn answered_call<'d>(block: &'d Block<'_>) -> Option<(ResponseKind, Cow<'d, str>)> {
    if let Block::ToolResponse(response) = block {
        return Some((response.kind, Cow::Borrowed(&response.call_id)));
    }
    carried(block.item_json()?, ResponseKind::from_item_type, ResponseKind::id_key)
}

/// The call that a block is: the kind of output that it needs, and its id.
pub fn own_call<'d>(block: &'d Block<'_>) -> Option<(ResponseKind, Cow<'d, str>)> {
    if let Block::ToolCall(call) = block {
        return Some((ResponseKind::Tool(call.kind), Cow::Borrowed(&call.call_id)));
    }
    carried(block.item_json()?, ResponseKind::from_call_type, ResponseKind::call_id_key)
}

/// The kind and the id in the JSON of an item.
fn carried<'d>(
    json: &str,
    kind: fn(&str) -> Option<ResponseKind>,
    id_key: fn(ResponseKind) -> &'static str,
) -> Option<(ResponseKind, Cow<'d, str>)> {
    let strings = StringArena::default();
    let item = Json::parse(json, &strings).and_then(Json::object).ok()?;
    let kind = kind(&item.get_str("type")?)?;
    let id = item.get_str(id_key(kind))?;
    Some((kind, Cow::Owned(id.into_owned())))
}

/// Whether a block is a call or an output.
pub fn is_call_or_output(block: &Block<'_>) -> bool {
    let is_hosted = |json: &str| {
        let strings = StringArena::default();
        let item = Json::parse(json, &strings).and_then(Json::object).unwrap_or_default();
        item.get_str("type").and_then(|kind| ResponseKind::from_attribute(&kind)).is_some()
    };
    matches!(block, Block::ToolCall(_) | Block::ToolResponse(_)) || block.item_json().is_some_and(is_hosted)
}

fn call(item: &Item<'_>, span: Span) -> Option<FoundCall> {
    let kind = ResponseKind::from_call_type(&item.kind())?;
    let (call_id, name, arguments) = match item {
        Item::ToolCall(call) => (call.call_id.to_string(), call.name.to_string(), call.input.to_string()),
        Item::Other(members) => {
            let id = members.get_str(kind.call_id_key())?;
            let name = members.get_str("name").unwrap_or(Cow::Borrowed(tool_name(kind)));
            (id.into_owned(), name.into_owned(), hosted_arguments(members))
        }
        Item::Message(_) | Item::ToolResponse(_) | Item::Reasoning(_) | Item::Foreign(_) => return None,
    };
    Some(FoundCall { call_id, name, arguments, kind, is_async: item.is_async(), is_answered: false, span })
}

/// The name of a tool whose calls do not name it.
fn tool_name(kind: ResponseKind) -> &'static str {
    match kind {
        ResponseKind::Computer => "computer",
        ResponseKind::Shell => "shell",
        ResponseKind::ApplyPatch => "apply_patch",
        ResponseKind::Tool(_) | ResponseKind::Approval => "",
    }
}

/// The arguments of a hosted call, as text or JSON.
fn hosted_arguments(members: &Object<'_>) -> String {
    let json = ["arguments", "input", "action", "actions", "operation"].iter().find_map(|key| members.get(key));
    json.map_or_else(String::new, |json| json.as_str().unwrap_or_else(|_| json.compact()).into_owned())
}
