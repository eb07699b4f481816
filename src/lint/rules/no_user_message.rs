//! `no-user-message`: a request without a user message or a tool output.

use crate::diagnostic::{Diagnostics, Message, Rule, rule};
use crate::lint::entry::Lint;
use crate::lint::request::WholeRequest;
use crate::responses::Item;

/// `<assistant>Hello.</assistant>`
pub(super) struct NoUserMessage;

impl Lint for NoUserMessage {
    const RULE: Rule = rule!("no-user-message" Warning Malformed is_allowable);

    fn message(&self) -> Message {
        Message::new("no user message", "nothing to answer", "add `<user>…</user>`")
    }

    fn check_request(request: &WholeRequest<'_, '_>, diagnostics: &mut Diagnostics) {
        let is_asked = request.items.iter().any(|located| match &located.item {
            Item::Message(message) => message.role == "user",
            // The model continues after an output. Other items may ask for something, too.
            Item::ToolResponse(_) | Item::Other(_) => true,
            Item::ToolCall(_) | Item::Reasoning(_) | Item::Foreign(_) => false,
        });
        let is_stored = request.server_has_history || request.is_set("prompt");
        // A request without any input is an error of its own.
        if let Some(last) = request.items.last()
            && request.is_whole
            && !is_asked
            && !is_stored
            && request.pairs.is_empty()
        {
            NoUserMessage.report(last.span, diagnostics);
        }
    }
}
