//! Prepares items for an API that stores nothing.

use crate::convert::to_items::Located;
use crate::diagnostic::{Diagnostics, ElementProblem};
use crate::json::Kind;
use crate::responses::Item;

/// Removes an item's id. Returns false if the item is useless without data that the API would have stored.
pub(in crate::convert) fn without_state(located: &mut Located<'_>, diagnostics: &mut Diagnostics) -> bool {
    match &mut located.item {
        Item::Message(message) => drop(message.rest.take("id")),
        Item::ToolCall(call) => drop(call.rest.take("id")),
        Item::ToolResponse(response) => drop(response.rest.take("id")),
        Item::Reasoning(reasoning) => drop(reasoning.rest.take("id")),
        Item::Foreign(_) => {}
        // A reference consists of its id, and an approval refers to the request's id.
        Item::Other(other) => {
            let kind = other.get_str("type").unwrap_or_default();
            if !["item_reference", "mcp_approval_request"].contains(&kind.as_ref()) {
                other.take("id");
            }
        }
    }
    // Reasoning that is not what its type says is kept whole, as another item.
    let encrypted = located.item.rest().get("encrypted_content");
    let is_useless = located.item.kind() == "reasoning" && encrypted.is_none_or(|text| text.kind() != Kind::String);
    if is_useless {
        diagnostics.report(ElementProblem::ReasoningOmitted, located.span);
    }
    !is_useless
}
