//! `output-before-call`: an output before the call that it answers.

use crate::diagnostic::{Diagnostics, Message, Rule, rule};
use crate::lint::entry::Lint;
use crate::lint::request::WholeRequest;
use crate::source::Span;

/// `<tool_response tool_call_id="a">`, and then `<tool_call tool_call_id="a">`
pub(super) struct OutputBeforeCall<'r> {
    call_id: &'r str,
    call: Span,
}

impl Lint for OutputBeforeCall<'_> {
    const RULE: Rule = rule!("output-before-call" Error Malformed is_allowable);

    fn message(&self) -> Message {
        let title = format!("the output of `{}` is before its call", self.call_id);
        Message::new(title, "too early", "move it after the call").related(self.call, "the call")
    }

    fn check_request(request: &WholeRequest<'_, '_>, diagnostics: &mut Diagnostics) {
        for pair in &request.pairs {
            if let (Some(call), Some(output)) = (pair.call, pair.output)
                && output.index < call.index
            {
                OutputBeforeCall { call_id: &pair.call_id, call: call.span }.report(output.span, diagnostics);
            }
        }
    }
}
