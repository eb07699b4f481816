//! Calls, their outputs, and ids that are used twice.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use super::Lint;
use crate::convert::Located;
use crate::diagnostic::{Diagnostics, Hint, Message, Rule, rule};
use crate::document::ResponseKind;
use crate::lint::request::WholeRequest;
use crate::source::Span;

/// A tool call without an output, before another message: `<tool_call …>`, and then `<user>next</user>`
const CALL_WITHOUT_OUTPUT: Rule = rule!("call-without-output" Error Malformed is_allowable);
/// A tool call without an output: `<tool_call …>` at the end of the document
const PENDING_CALL: Rule = rule!("pending-call" Warning Malformed is_allowable);
/// An output without an earlier call of its type: `<tool_response tool_call_id="a">x</tool_response>`
const OUTPUT_WITHOUT_CALL: Rule = rule!("output-without-call" Error Malformed is_allowable);
/// An output before the call that it answers: `<tool_response tool_call_id="a">`, and then `<tool_call tool_call_id="a">`
const OUTPUT_BEFORE_CALL: Rule = rule!("output-before-call" Error Malformed is_allowable);
/// Two items, two calls or two outputs with one id: `<assistant id="a">` twice, `<tool_call tool_call_id="a">` twice
const REPEATED_ID: Rule = rule!("repeated-id" Error Malformed is_allowable);
/// A request for approval without a response: `<!-- chatmd:item {"type":"mcp_approval_request","id":"mcpr_1",…} -->`
const PENDING_APPROVAL: Rule = rule!("pending-approval" Warning Malformed is_allowable is_of_responses);

pub(super) struct Calls;

impl Lint for Calls {
    fn rules(&self) -> &'static [Rule] {
        &[CALL_WITHOUT_OUTPUT, PENDING_CALL, OUTPUT_WITHOUT_CALL, OUTPUT_BEFORE_CALL, REPEATED_ID, PENDING_APPROVAL]
    }

    fn check_request(&self, request: &WholeRequest<'_, '_>, diagnostics: &mut Diagnostics) {
        report_unanswered(request, diagnostics);
        for pair in request.pairs.iter() {
            match (pair.calls.as_slice(), pair.outputs.as_slice()) {
                ([], [output, ..]) => report_unknown_call(&pair.key.call_id, *output, request, diagnostics),
                ([call, ..], [output, ..]) if output < call => {
                    let title = format!("the output of `{}` is before its call", pair.key.call_id);
                    let message = Message::new(title, "too early", "move it after the call")
                        .related(request.items[*call].span, "the call");
                    diagnostics.add(&OUTPUT_BEFORE_CALL, message, request.items[*output].span);
                }
                (_, _) => {}
            }
            for (first, again) in [&pair.calls, &pair.outputs].into_iter().filter_map(|list| list.split_first()) {
                let help = "give each call an id of its own, and one output";
                let message = repeated("call", &pair.key.call_id, request.items[*first].span, help);
                for again in again {
                    diagnostics.add(&REPEATED_ID, message.clone(), request.items[*again].span);
                }
            }
        }
        report_unanswered_approvals(request.items, diagnostics);
    }

    fn check_items(&self, items: &[Located<'_>], diagnostics: &mut Diagnostics) {
        let mut seen: HashMap<Cow<'_, str>, Span> = HashMap::new();
        // A reference has the id of the item that it refers to.
        for located in items.iter().filter(|located| located.item.kind() != "item_reference") {
            let Some(id) = located.item.rest().get_str("id").filter(|id| !id.is_empty()) else { continue };
            if let Some(first) = seen.get(&id) {
                let message = repeated("item", &id, *first, "remove one of the items, or its `id`");
                diagnostics.add(&REPEATED_ID, message, located.span);
            } else {
                seen.insert(id, located.span);
            }
        }
    }
}

fn report_unanswered(request: &WholeRequest<'_, '_>, diagnostics: &mut Diagnostics) {
    for (id, call) in request.unanswered_calls() {
        let element = format!("<tool_response tool_call_id=\"{id}\">");
        let (rule, message) = if call < request.last_message {
            let message = Message::new(
                format!("tool call `{id}` has no output"),
                "not answered",
                format!("add `{element}` before the next message: the API rejects the request without it"),
            );
            (&CALL_WITHOUT_OUTPUT, message)
        } else {
            let message = Message::new(
                format!("tool call `{id}` is waiting for its output"),
                "not answered yet",
                format!("run the tool and add `{element}` before you send the document"),
            );
            (&PENDING_CALL, message.hint(Hint::AnswerCall))
        };
        diagnostics.add(rule, message, request.items[call].span);
    }
}

fn report_unknown_call(id: &str, output: usize, request: &WholeRequest<'_, '_>, diagnostics: &mut Diagnostics) {
    if request.carried_calls.contains(id) {
        return;
    }
    let message = match request.unpaired_call(id) {
        Some(call) => Message::new(
            format!("the output of `{id}` has another type than its call"),
            "another type",
            "give both the same `type`: `function_call`, or `custom_tool_call` for free text",
        )
        .related(request.items[call].span, "the call"),
        None if request.server_has_history => return,
        None => Message::new(
            format!("no tool call before it has the id `{id}`"),
            "answers nothing",
            "add the call before it, or `previous_response_id` if the server keeps that turn",
        ),
    };
    diagnostics.add(&OUTPUT_WITHOUT_CALL, message, request.items[output].span);
}

fn repeated(kind: &str, id: &str, first: Span, help: &str) -> Message {
    Message::new(format!("duplicate {kind} id `{id}`"), "used again here", help).related(first, "first used here")
}

fn report_unanswered_approvals(items: &[Located<'_>], diagnostics: &mut Diagnostics) {
    let members = |kind: &'static str| {
        let items = items.iter().filter(move |located| located.item.kind() == kind);
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
            diagnostics.add(&PENDING_APPROVAL, message, span);
        }
    }
}
