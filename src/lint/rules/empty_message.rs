//! `empty-message`: a message without content.

use crate::diagnostic::{Diagnostics, Message, Rule, rule};
use crate::lint::entry::Lint;
use crate::lint::request::WholeRequest;
use crate::responses::{Item, Part};

/// `<user></user>` before the end of the document
pub(super) struct EmptyMessage {
    role: String,
}

impl Lint for EmptyMessage {
    const RULE: Rule = rule!("empty-message" Error Malformed is_allowable);

    fn message(&self) -> Message {
        let title = format!("empty `{}` message", self.role);
        Message::new(title, "no content", "write something, or remove it")
    }

    fn check_request(request: &WholeRequest<'_, '_>, diagnostics: &mut Diagnostics) {
        let is_empty = |part: &Part<'_>| matches!(part, Part::Text(text) if text.text.is_empty());
        for located in request.items.iter().filter(|_| request.is_whole) {
            let Item::Message(message) = &located.item else { continue };
            // A model may give an empty answer, and the API accepts it as input.
            if message.role != "assistant" && message.content.iter().all(is_empty) {
                EmptyMessage { role: message.role.to_string() }.report(located.span, diagnostics);
            }
        }
    }
}
