//! `pending-call`: a tool call without an output, at the end of the document.

use crate::diagnostic::{Diagnostics, Hint, Message, Rule, rule};
use crate::lint::entry::Lint;
use crate::lint::request::WholeRequest;

/// `<tool_call …>` at the end of the document
pub(super) struct PendingCall<'r> {
    call_id: &'r str,
}

impl Lint for PendingCall<'_> {
    const RULE: Rule = rule!("pending-call" Warning Malformed is_allowable);

    fn message(&self) -> Message {
        let call_id = self.call_id;
        Message::new(
            format!("tool call `{call_id}` is waiting for its output"),
            "not answered yet",
            format!("run the tool and add `<tool_response tool_call_id=\"{call_id}\">` before you send the document"),
        )
        .hint(Hint::AnswerCall)
    }

    fn check_request(request: &WholeRequest<'_, '_>, diagnostics: &mut Diagnostics) {
        for pair in &request.pairs {
            if let Some(call) = pair.unanswered_call().filter(|call| call.index >= request.last_message) {
                PendingCall { call_id: &pair.call_id }.report(call.span, diagnostics);
            }
        }
    }
}
