//! The calls of a document that wait for their outputs.

use std::borrow::Cow;

use super::pairs::{CallKey, Pairs, Side};
use crate::convert::{Context, Request, RequestOptions, Wanted};
use crate::diagnostic::Diagnostics;
use crate::document::{Block, DataKind, Document, ResponseKind};
use crate::json::Object;
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

impl FoundCall {
    /// What the call and its output have in common.
    pub fn key(&self) -> CallKey<'_> {
        CallKey { kind: self.kind, call_id: Cow::Borrowed(&self.call_id) }
    }
}

/// The calls of a document whose imports are expanded, in order. No image or file of a message or an output is read.
pub fn find_calls(document: &Document<'_>, context: &Context<'_>, diagnostics: &mut Diagnostics) -> Vec<FoundCall> {
    // Of other items not even the files are read.
    let is_call =
        |block: &Block<'_>| block.is_data(DataKind::Item) || matches!(Side::of_block(block), Some(Side::Call(_)));
    let blocks = document.blocks.iter().filter(|block| is_call(&block.value)).cloned().collect();
    let candidates = Document { blocks };
    let Some(first) = candidates.blocks.first() else { return Vec::new() };
    let options = RequestOptions::default();
    let request = Request::of(&candidates, context, &options, Wanted::Input, first.span, diagnostics);
    let pairs = Pairs::of_blocks(&document.blocks);
    let calls = request.items.iter().filter_map(|located| {
        let call = call(&located.item, located.span)?;
        let is_answered = pairs.get(&call.key()).is_some_and(|pair| !pair.outputs.is_empty());
        Some(FoundCall { is_answered, ..call })
    });
    calls.collect()
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
