//! Prepares items for an API that stores nothing.

use super::to_items::Located;
use crate::diagnostic::{Diagnostics, Problem};
use crate::json::Kind;
use crate::responses::Item;

/// Removes an item's id. Returns false if the item is useless without data that the API would have stored.
pub(super) fn without_state(located: &mut Located<'_>, diagnostics: &mut Diagnostics) -> bool {
    match &mut located.item {
        Item::Message(message) => drop(message.rest.take("id")),
        Item::ToolCall(call) => drop(call.rest.take("id")),
        Item::ToolResponse(response) => drop(response.rest.take("id")),
        Item::Reasoning(reasoning) => {
            reasoning.rest.take("id");
            let encrypted = reasoning.rest.get("encrypted_content");
            if encrypted.is_none_or(|encrypted| encrypted.kind() != Kind::String) {
                diagnostics.report(Problem::ReasoningOmitted, located.span);
                return false;
            }
        }
        // A reference consists of its id, and an approval refers to the request's id.
        Item::Other(other) => {
            let kind = other.get_str("type").unwrap_or_default();
            if !["item_reference", "mcp_approval_request"].contains(&kind.as_ref()) {
                other.take("id");
            }
        }
    }
    true
}
