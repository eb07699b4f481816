//! `--stateless`: items for an API that keeps nothing.

use super::to_items::Located;
use crate::diagnostic::{Diagnostics, Problem};
use crate::json::Kind;
use crate::responses::Item;

/// Takes an item's id away; false if the item means nothing without what the API would have kept.
pub(super) fn without_state(located: &mut Located<'_>, diagnostics: &mut Diagnostics) -> bool {
    match &mut located.item {
        Item::Message(message) => drop(message.rest.take("id")),
        Item::ToolCall(call) => drop(call.rest.take("id")),
        Item::ToolResponse(response) => drop(response.rest.take("id")),
        Item::Reasoning(reasoning) => {
            reasoning.rest.take("id");
            let sealed = reasoning.rest.get("encrypted_content");
            if sealed.is_none_or(|sealed| sealed.kind() != Kind::String) {
                diagnostics.report(Problem::ReasoningOmitted, located.span);
                return false;
            }
        }
        // A reference is nothing but its id, and an approval is given by the request's.
        Item::Other(other) => {
            let kind = other.text("type").unwrap_or_default();
            if !["item_reference", "mcp_approval_request"].contains(&kind.as_ref()) {
                other.take("id");
            }
        }
    }
    true
}
