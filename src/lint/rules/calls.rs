//! Calls and outputs: `call-without-output`, `pending-call`, `output-without-call`, `output-before-call`, `repeated-id`,
//! `pending-approval`.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use super::Lint;
use crate::convert::Located;
use crate::diagnostic::{Diagnostics, Hint, Message, Rule, rule};
use crate::document::ResponseKind;
use crate::lint::request::WholeRequest;
use crate::source::Span;

/// A tool call without an output, before another message: `<tool_call …>`, and then `<user>next</user>`
pub(super) struct CallWithoutOutput;

impl Lint for CallWithoutOutput {
    fn rule(&self) -> &'static Rule {
        const { &rule!("call-without-output" Error Malformed is_allowable) }
    }

    fn check_request(&self, request: &WholeRequest<'_, '_>, diagnostics: &mut Diagnostics) {
        for (id, call) in request.unanswered_calls().filter(|(_, call)| *call < request.last_message) {
            let element = format!("<tool_response tool_call_id=\"{id}\">");
            let message = Message::new(
                format!("tool call `{id}` has no output"),
                "not answered",
                format!("add `{element}` before the next message: the API rejects the request without it"),
            );
            self.report(message, request.items[call].span, diagnostics);
        }
    }
}

/// A tool call without an output: `<tool_call …>` at the end of the document
pub(super) struct PendingCall;

impl Lint for PendingCall {
    fn rule(&self) -> &'static Rule {
        const { &rule!("pending-call" Warning Malformed is_allowable) }
    }

    fn check_request(&self, request: &WholeRequest<'_, '_>, diagnostics: &mut Diagnostics) {
        for (id, call) in request.unanswered_calls().filter(|(_, call)| *call >= request.last_message) {
            let element = format!("<tool_response tool_call_id=\"{id}\">");
            let message = Message::new(
                format!("tool call `{id}` is waiting for its output"),
                "not answered yet",
                format!("run the tool and add `{element}` before you send the document"),
            );
            self.report(message.hint(Hint::AnswerCall), request.items[call].span, diagnostics);
        }
    }
}

/// An output without an earlier call of its type: `<tool_response tool_call_id="a">x</tool_response>`
pub(super) struct OutputWithoutCall;

impl Lint for OutputWithoutCall {
    fn rule(&self) -> &'static Rule {
        const { &rule!("output-without-call" Error Malformed is_allowable) }
    }

    fn check_request(&self, request: &WholeRequest<'_, '_>, diagnostics: &mut Diagnostics) {
        let is_carried = |id: &Cow<'_, str>| request.carried_calls.contains(id);
        for pair in request.pairs.iter().filter(|pair| pair.calls.is_empty() && !is_carried(&pair.key.call_id)) {
            let id = &pair.key.call_id;
            let message = match request.unpaired_call(id) {
                Some(call) => Message::new(
                    format!("the output of `{id}` has another type than its call"),
                    "another type",
                    "give both the same `type`: `function_call`, or `custom_tool_call` for free text",
                )
                .related(request.items[call].span, "the call"),
                None if request.server_has_history => continue,
                None => Message::new(
                    format!("no tool call before it has the id `{id}`"),
                    "answers nothing",
                    "add the call before it, or `previous_response_id` if the server keeps that turn",
                ),
            };
            if let Some(output) = pair.outputs.first() {
                self.report(message, request.items[*output].span, diagnostics);
            }
        }
    }
}

/// An output before the call that it answers: `<tool_response tool_call_id="a">`, and then `<tool_call tool_call_id="a">`
pub(super) struct OutputBeforeCall;

impl Lint for OutputBeforeCall {
    fn rule(&self) -> &'static Rule {
        const { &rule!("output-before-call" Error Malformed is_allowable) }
    }

    fn check_request(&self, request: &WholeRequest<'_, '_>, diagnostics: &mut Diagnostics) {
        for pair in request.pairs.iter() {
            if let ([call, ..], [output, ..]) = (pair.calls.as_slice(), pair.outputs.as_slice())
                && output < call
            {
                let title = format!("the output of `{}` is before its call", pair.key.call_id);
                let message = Message::new(title, "too early", "move it after the call")
                    .related(request.items[*call].span, "the call");
                self.report(message, request.items[*output].span, diagnostics);
            }
        }
    }
}

/// Two items, two calls or two outputs with one id: `<assistant id="a">` twice, `<tool_call tool_call_id="a">` twice
pub(super) struct RepeatedId;

impl RepeatedId {
    fn message(kind: &str, id: &str, first: Span, help: &str) -> Message {
        Message::new(format!("duplicate {kind} id `{id}`"), "used again here", help).related(first, "first used here")
    }
}

impl Lint for RepeatedId {
    fn rule(&self) -> &'static Rule {
        const { &rule!("repeated-id" Error Malformed is_allowable) }
    }

    fn check_request(&self, request: &WholeRequest<'_, '_>, diagnostics: &mut Diagnostics) {
        let span = |index: &usize| request.items[*index].span;
        for pair in request.pairs.iter() {
            for (first, again) in [&pair.calls, &pair.outputs].into_iter().filter_map(|list| list.split_first()) {
                let help = "give each call an id of its own, and one output";
                let message = Self::message("call", &pair.key.call_id, span(first), help);
                for again in again {
                    self.report(message.clone(), span(again), diagnostics);
                }
            }
        }
    }

    fn check_items(&self, items: &[Located<'_>], diagnostics: &mut Diagnostics) {
        let mut seen: HashMap<Cow<'_, str>, Span> = HashMap::new();
        // A reference has the id of the item that it refers to.
        for located in items.iter().filter(|located| located.item.kind() != "item_reference") {
            let Some(id) = located.item.rest().get_str("id").filter(|id| !id.is_empty()) else { continue };
            if let Some(first) = seen.get(&id) {
                let message = Self::message("item", &id, *first, "remove one of the items, or its `id`");
                self.report(message, located.span, diagnostics);
            } else {
                seen.insert(id, located.span);
            }
        }
    }
}

/// A request for approval without a response: `<!-- chatmd:item {"type":"mcp_approval_request","id":"mcpr_1",…} -->`
pub(super) struct PendingApproval;

impl Lint for PendingApproval {
    fn rule(&self) -> &'static Rule {
        const { &rule!("pending-approval" Warning Malformed is_allowable is_of_responses) }
    }

    fn check_request(&self, request: &WholeRequest<'_, '_>, diagnostics: &mut Diagnostics) {
        let members = |kind: &'static str| {
            let items = request.items.iter().filter(move |located| located.item.kind() == kind);
            items.map(|located| (located.item.rest(), located.span))
        };
        let kind = ResponseKind::Approval;
        let answered: HashSet<_> =
            members(kind.item_type()).filter_map(|(response, _)| response.get_str(kind.id_key())).collect();
        for (asked, span) in members(kind.call_type()) {
            if let Some(id) = asked.get_str(kind.call_id_key()).filter(|id| !answered.contains(id)) {
                let message = Message::new(
                    format!("`{id}` is waiting for approval"),
                    "not answered yet",
                    "add an item of type `mcp_approval_response` with this `approval_request_id` and `approve`",
                );
                self.report(message, span, diagnostics);
            }
        }
    }
}
