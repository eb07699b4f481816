//! Items that are sent without what is out of date or kept elsewhere.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use super::to_items::Placed;
use crate::diagnostic::{Diagnostics, Problem};
use crate::wire::{Item, Json, Kind, ToolOutput};

/// Leaves of several outputs of a tool for the same file only the newest; the older ones become a short text.
pub(super) fn collapse(items: &mut [Placed<'_>], tool: &str) {
    // A call id may be used again for another file: the call before an output is the one that counts.
    let mut open: HashMap<String, String> = HashMap::new();
    let mut files: Vec<Option<String>> = Vec::new();
    for placed in items.iter() {
        match &placed.item {
            Item::ToolCall(call) if call.name == tool => {
                let file = file_of(&call.input);
                open.remove(call.call_id.as_ref());
                open.extend(file.map(|file| (call.call_id.to_string(), file)));
                files.push(None);
            }
            Item::ToolResponse(response) => files.push(open.get(response.call_id.as_ref()).cloned()),
            _ => files.push(None),
        }
    }
    let mut newer: HashSet<&str> = HashSet::new();
    for (placed, file) in items.iter_mut().zip(&files).rev() {
        let (Item::ToolResponse(response), Some(file)) = (&mut placed.item, file) else { continue };
        if !newer.insert(file) {
            let text = format!("(out of date: a newer output of {tool} for {file} follows)");
            response.output = ToolOutput::Text(Cow::Owned(text));
        }
    }
}

/// The file that a call is about.
fn file_of(arguments: &str) -> Option<String> {
    let arguments = Json::parse(arguments).ok()?.object().ok()?;
    ["path", "file"].iter().find_map(|key| arguments.get(key)?.string().ok()).map(Cow::into_owned)
}

/// Takes an item's id away; false if the item means nothing without what the API would have kept.
pub(super) fn without_state(placed: &mut Placed<'_>, found: &mut Diagnostics) -> bool {
    match &mut placed.item {
        Item::Message(message) => drop(message.rest.take("id")),
        Item::ToolCall(call) => drop(call.rest.take("id")),
        Item::ToolResponse(response) => drop(response.rest.take("id")),
        Item::Reasoning(reasoning) => {
            reasoning.rest.take("id");
            let sealed = reasoning.rest.get("encrypted_content");
            if sealed.is_none_or(|sealed| sealed.kind() != Kind::String) {
                found.report(Problem::ReasoningLeftOut, placed.span);
                return false;
            }
        }
        // A reference is nothing but its id, and an approval is given by the request's.
        Item::Other(other) => {
            let kind = other.get("type").and_then(|kind| kind.string().ok()).unwrap_or_default();
            if !["item_reference", "mcp_approval_request"].contains(&kind.as_ref()) {
                other.take("id");
            }
        }
    }
    true
}
