//! `reasoning-without-item`: reasoning without the message or the call that it led to.

use crate::diagnostic::{Diagnostics, Message, Rule, rule};
use crate::document::ResponseKind;
use crate::lint::entry::Lint;
use crate::lint::request::WholeRequest;
use crate::responses::Item;

/// `<reasoning id="rs_1"></reasoning><user>next</user>`
pub(super) struct ReasoningWithoutItem;

impl Lint for ReasoningWithoutItem {
    const RULE: Rule = rule!("reasoning-without-item" Error Malformed is_allowable);

    fn message(&self) -> Message {
        Message::new(
            "no message and no call follows this reasoning",
            "without its item",
            "the API rejects reasoning without the item it came with: add that item, or remove the reasoning",
        )
    }

    fn check_request(request: &WholeRequest<'_, '_>, diagnostics: &mut Diagnostics) {
        for (index, located) in request.items.iter().enumerate() {
            let Item::Reasoning(reasoning) = &located.item else { continue };
            let is_followed = request.items.get(index + 1).is_some_and(|next| is_from_model(&next.item));
            if reasoning.rest.get_str("id").is_some() && !is_followed {
                ReasoningWithoutItem.report(located.span, diagnostics);
            }
        }
    }
}

/// Whether an item comes from the model.
fn is_from_model(item: &Item<'_>) -> bool {
    match item {
        Item::Message(message) => message.role == "assistant",
        Item::ToolCall(_) | Item::Reasoning(_) | Item::Foreign(_) => true,
        Item::ToolResponse(_) => false,
        Item::Other(_) => !ResponseKind::is_output_type(&item.kind()),
    }
}
