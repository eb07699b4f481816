//! The messages and the reasoning of a request: `no-input`, `no-user-message`, `empty-message`, `reasoning-without-item`.

use super::Lint;
use crate::diagnostic::{Diagnostics, Message, Rule, rule};
use crate::document::ResponseKind;
use crate::lint::request::WholeRequest;
use crate::responses::{Item, Part};

/// A request without input: `<config model="gpt-5"/>` and nothing else
pub(super) struct NoInput;

impl Lint for NoInput {
    fn rule(&self) -> &'static Rule {
        const { &rule!("no-input" Error Malformed is_allowable) }
    }

    fn check_request(&self, request: &WholeRequest<'_, '_>, diagnostics: &mut Diagnostics) {
        if request.is_whole && request.items.is_empty() && !request.has_stored_input() {
            let help = "add `<user>…</user>`; the API rejects a request without input";
            self.report(Message::new("no message to send", "nothing to answer", help), request.place, diagnostics);
        }
    }
}

/// A request without a user message or a tool output: `<assistant>Hello.</assistant>`
pub(super) struct NoUserMessage;

impl Lint for NoUserMessage {
    fn rule(&self) -> &'static Rule {
        const { &rule!("no-user-message" Warning Malformed is_allowable) }
    }

    fn check_request(&self, request: &WholeRequest<'_, '_>, diagnostics: &mut Diagnostics) {
        let is_asked = request.items.iter().any(|located| match &located.item {
            Item::Message(message) => message.role == "user",
            // The model continues after an output. Other items may ask for something, too.
            Item::ToolResponse(_) | Item::Other(_) => true,
            Item::ToolCall(_) | Item::Reasoning(_) | Item::Foreign(_) => false,
        });
        // A request without any input is an error of its own.
        if let Some(last) = request.items.last()
            && request.is_whole
            && !is_asked
            && !request.has_stored_input()
            && request.pairs.iter().next().is_none()
        {
            let message = Message::new("no user message", "nothing to answer", "add `<user>…</user>`");
            self.report(message, last.span, diagnostics);
        }
    }
}

/// A message without content: `<user></user>` before the end of the document
pub(super) struct EmptyMessage;

impl Lint for EmptyMessage {
    fn rule(&self) -> &'static Rule {
        const { &rule!("empty-message" Error Malformed is_allowable) }
    }

    fn check_request(&self, request: &WholeRequest<'_, '_>, diagnostics: &mut Diagnostics) {
        let is_empty = |part: &Part<'_>| matches!(part, Part::Text(text) if text.text.is_empty());
        for located in request.items.iter().filter(|_| request.is_whole) {
            let Item::Message(message) = &located.item else { continue };
            // A model may give an empty answer, and the API accepts it as input.
            if message.role != "assistant" && message.content.iter().all(is_empty) {
                let title = format!("empty `{}` message", message.role);
                let message = Message::new(title, "no content", "write something, or remove it");
                self.report(message, located.span, diagnostics);
            }
        }
    }
}

/// Reasoning without the message or the call that it led to: `<reasoning id="rs_1"></reasoning><user>next</user>`
pub(super) struct ReasoningWithoutItem;

impl Lint for ReasoningWithoutItem {
    fn rule(&self) -> &'static Rule {
        const { &rule!("reasoning-without-item" Error Malformed is_allowable is_of_responses) }
    }

    fn check_request(&self, request: &WholeRequest<'_, '_>, diagnostics: &mut Diagnostics) {
        for (index, located) in request.items.iter().enumerate() {
            let Item::Reasoning(reasoning) = &located.item else { continue };
            let is_followed = request.items.get(index + 1).is_some_and(|next| is_from_model(&next.item));
            if reasoning.rest.get_str("id").is_some() && !is_followed {
                let message = Message::new(
                    "no message and no call follows this reasoning",
                    "without its item",
                    "the API rejects reasoning without the item it came with: add that item, or remove the reasoning",
                );
                self.report(message, located.span, diagnostics);
            }
        }
    }
}

fn is_from_model(item: &Item<'_>) -> bool {
    match item {
        Item::Message(message) => message.role == "assistant",
        Item::ToolCall(_) | Item::Reasoning(_) | Item::Foreign(_) => true,
        Item::ToolResponse(_) => false,
        Item::Other(_) => !ResponseKind::is_output_type(&item.kind()),
    }
}
