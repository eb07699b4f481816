//! `output-without-call`: an output without an earlier call of its type.

use crate::diagnostic::{Diagnostics, Message, Rule, rule};
use crate::lint::entry::Lint;
use crate::lint::request::WholeRequest;
use crate::source::Span;

/// `<tool_response tool_call_id="a">x</tool_response>`
pub(super) struct OutputWithoutCall<'r> {
    call_id: &'r str,
    /// A call with that id that is of another type.
    other_call: Option<Span>,
}

impl Lint for OutputWithoutCall<'_> {
    const RULE: Rule = rule!("output-without-call" Error Malformed is_allowable);

    fn message(&self) -> Message {
        let call_id = self.call_id;
        match self.other_call {
            Some(call) => Message::new(
                format!("the output of `{call_id}` has another type than its call"),
                "another type",
                "give both the same `type`: `function_call`, or `custom_tool_call` for free text",
            )
            .related(call, "the call"),
            None => Message::new(
                format!("no tool call before it has the id `{call_id}`"),
                "answers nothing",
                "add the call before it, or `previous_response_id` if the server keeps that turn",
            ),
        }
    }

    fn check_request(request: &WholeRequest<'_, '_>, diagnostics: &mut Diagnostics) {
        for pair in request.pairs.iter().filter(|pair| pair.call.is_none()) {
            let Some(output) = pair.output else { continue };
            let is_carried = request.carried_calls.contains(&pair.call_id);
            if !is_carried && (pair.other_call.is_some() || !request.server_has_history) {
                OutputWithoutCall { call_id: &pair.call_id, other_call: pair.other_call }
                    .report(output.span, diagnostics);
            }
        }
    }
}
