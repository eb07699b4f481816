//! `call-without-output`: a tool call without an output, before another message.

use crate::diagnostic::{Diagnostics, Message, Rule, rule};
use crate::lint::entry::Lint;
use crate::lint::request::WholeRequest;

/// `<tool_call …>` without a `<tool_response …>`, and then `<user>next</user>`
pub(super) struct CallWithoutOutput<'r> {
    call_id: &'r str,
}

impl Lint for CallWithoutOutput<'_> {
    const RULE: Rule = rule!("call-without-output" Error Malformed is_allowable);

    fn message(&self) -> Message {
        let call_id = self.call_id;
        let element = format!("<tool_response tool_call_id=\"{call_id}\">");
        Message::new(
            format!("tool call `{call_id}` has no output"),
            "not answered",
            format!("add `{element}` before the next message: the API rejects the request without it"),
        )
    }

    fn check_request(request: &WholeRequest<'_, '_>, diagnostics: &mut Diagnostics) {
        for pair in &request.pairs {
            if let Some(call) = pair.unanswered_call().filter(|call| call.index < request.last_message) {
                CallWithoutOutput { call_id: &pair.call_id }.report(call.span, diagnostics);
            }
        }
    }
}
