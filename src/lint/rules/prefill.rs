//! `prefill`: a request of the Messages API that ends with a message of the model.

use crate::diagnostic::{Diagnostics, Message, Rule, rule};
use crate::lint::entry::Lint;
use crate::lint::sent::SentRequest;
use crate::wire::Api;

/// `<assistant>The answer is</assistant>` at the end, for the Messages API
pub(super) struct Prefill;

impl Lint for Prefill {
    const RULE: Rule = rule!("prefill" Warning Malformed is_allowable);

    fn message(&self) -> Message {
        let help = "the newest models reject it: add a `<user>`";
        Message::new("the last message is one of the model", "the model would continue this", help)
    }

    fn check_sent(sent: &SentRequest<'_>, diagnostics: &mut Diagnostics) {
        let messages = sent.messages();
        let last = messages.last().filter(|last| sent.api == Api::Messages && last.is("role", "assistant"));
        if let Some(last) = last {
            Prefill.report(sent.place(&last.pointer, last.json), diagnostics);
        }
    }
}
