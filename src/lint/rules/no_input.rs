//! `no-input`: a request without input.

use crate::diagnostic::{Diagnostics, Message, Rule, rule};
use crate::lint::entry::Lint;
use crate::lint::request::WholeRequest;

/// `<config model="gpt-5"/>` and nothing else
pub(super) struct NoInput;

impl Lint for NoInput {
    const RULE: Rule = rule!("no-input" Error Malformed is_allowable);

    fn message(&self) -> Message {
        Message::new(
            "no message to send",
            "nothing to answer",
            "add `<user>…</user>`; the API rejects a request without input",
        )
    }

    fn check_request(request: &WholeRequest<'_, '_>, diagnostics: &mut Diagnostics) {
        let is_stored = request.server_has_history || request.is_set("prompt");
        if request.is_whole && request.items.is_empty() && !is_stored {
            NoInput.report(request.place, diagnostics);
        }
    }
}
