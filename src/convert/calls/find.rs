//! The calls of a document that wait for their outputs.

use std::borrow::Cow;

use serde::Serialize;

use super::pairs::{CallKey, Pairs, Side};
use crate::convert::Context;
use crate::diagnostic::Diagnostics;
use crate::document::{Block, DataKind, Document, ResponseKind};
use crate::json::Object;
use crate::responses::Item;
use crate::source::Span;

/// A tool call, or a request for approval, that the caller answers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Call {
    /// The id that the output refers to.
    pub call_id: String,
    /// The name of the tool.
    pub name: String,
    /// The arguments, byte for byte; those of a hosted tool as JSON.
    pub arguments: String,
    /// The type of the item, such as `function_call`.
    #[serde(rename = "type")]
    pub kind: &'static str,
    /// Whether the model goes on without its output, so that the document can be sent.
    #[serde(rename = "async", skip_serializing_if = "std::ops::Not::not")]
    pub is_async: bool,
    /// The line of its opening tag, in the file that it is written in.
    pub line: usize,
    /// The kind of output that it needs.
    #[serde(skip)]
    pub(crate) response: ResponseKind,
    /// Whether the document has an output of the right type.
    #[serde(skip)]
    pub(crate) is_answered: bool,
    /// Where it is written.
    #[serde(skip)]
    pub(crate) span: Span,
}

impl Call {
    /// What the call and its output have in common.
    pub(crate) fn key(&self) -> CallKey<'_> {
        CallKey { kind: self.response, call_id: Cow::Borrowed(&self.call_id) }
    }
}

/// The calls of a document whose imports are expanded, in order. No image or file of a message or an output is read.
pub fn find_calls(document: &Document<'_>, context: &Context<'_>, diagnostics: &mut Diagnostics) -> Vec<Call> {
    // Of other items not even the files are read.
    let is_call =
        |block: &Block<'_>| block.is_data(DataKind::Item) || matches!(Side::of_block(block), Some(Side::Call(_)));
    let blocks = document.blocks.iter().filter(|block| is_call(&block.value)).cloned().collect();
    let candidates = Document { blocks };
    if candidates.blocks.is_empty() {
        return Vec::new();
    }
    let pairs = Pairs::of_blocks(&document.blocks);
    let calls = context.items(&candidates, diagnostics).into_iter().filter_map(|located| {
        let mut call = call(&located.item, located.span, context)?;
        call.is_answered = pairs.get(&call.key()).is_some_and(|pair| !pair.outputs.is_empty());
        Some(call)
    });
    calls.collect()
}

fn call(item: &Item<'_>, span: Span, context: &Context<'_>) -> Option<Call> {
    let response = ResponseKind::from_call_type(&item.kind())?;
    let (call_id, name, arguments) = match item {
        Item::ToolCall(call) => (call.call_id.to_string(), call.name.to_string(), call.input.to_string()),
        Item::Other(members) => {
            let id = members.get_str(response.call_id_key())?;
            let name = members.get_str("name").unwrap_or(Cow::Borrowed(tool_name(response)));
            (id.into_owned(), name.into_owned(), hosted_arguments(members))
        }
        Item::Message(_) | Item::ToolResponse(_) | Item::Reasoning(_) | Item::Foreign(_) => return None,
    };
    let (kind, is_async, line) = (response.call_type(), item.is_async(), context.sources.line_column(span).0);
    Some(Call { call_id, name, arguments, kind, is_async, line, response, is_answered: false, span })
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
