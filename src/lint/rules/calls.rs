//! Calls, their outputs, and ids that are used twice.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use crate::convert::Located;
use crate::diagnostic::{Diagnostics, Hint, Message, Rule, rule};
use crate::document::ResponseKind;
use crate::lint::request::{WholeRequest, side};
use crate::responses::{Item, Part};
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

pub(super) const RULES: &[Rule] =
    &[CALL_WITHOUT_OUTPUT, PENDING_CALL, OUTPUT_WITHOUT_CALL, OUTPUT_BEFORE_CALL, REPEATED_ID, PENDING_APPROVAL];

pub(super) fn check_request(whole: &WholeRequest<'_, '_>, diagnostics: &mut Diagnostics) {
    let items = &whole.request.items;
    // A call may be answered by an output of another type.
    let mut lone_calls: HashMap<&str, usize> = HashMap::new();
    let mut lone_outputs: HashSet<&str> = HashSet::new();
    for pair in whole.pairs.iter() {
        match (pair.calls.as_slice(), pair.outputs.as_slice()) {
            ([call, ..], []) => _ = lone_calls.entry(&pair.key.call_id).or_insert(*call),
            ([], _) => _ = lone_outputs.insert(&pair.key.call_id),
            (_, _) => {}
        }
    }
    let carried: HashSet<_> = items.iter().filter_map(|located| carried_call(&located.item)).collect();
    let last_message = items.iter().rposition(|located| is_message_to_model(&located.item)).unwrap_or_default();
    for pair in whole.pairs.iter() {
        let id = pair.key.call_id.as_ref();
        match (pair.calls.as_slice(), pair.outputs.as_slice()) {
            ([call, ..], []) if !lone_outputs.contains(id) && !items[*call].item.is_async() => {
                let (rule, message) = unanswered(id, *call < last_message);
                diagnostics.add(rule, message, items[*call].span);
            }
            ([], [output, ..]) if !carried.contains(id) => {
                let call = lone_calls.get(id).map(|call| items[*call].span);
                if call.is_some() || !whole.server_has_history {
                    diagnostics.add(&OUTPUT_WITHOUT_CALL, unknown_call(id, call), items[*output].span);
                }
            }
            ([call, ..], [output, ..]) if output < call => {
                let title = format!("the output of `{id}` is before its call");
                let message =
                    Message::new(title, "too early", "move it after the call").related(items[*call].span, "the call");
                diagnostics.add(&OUTPUT_BEFORE_CALL, message, items[*output].span);
            }
            (_, _) => {}
        }
        for (first, again) in [&pair.calls, &pair.outputs].into_iter().filter_map(|list| list.split_first()) {
            let message = repeated("call", id, items[*first].span, "give each call an id of its own, and one output");
            for again in again {
                diagnostics.add(&REPEATED_ID, message.clone(), items[*again].span);
            }
        }
    }
    report_unanswered_approvals(items, diagnostics);
}

pub(super) fn check_items(items: &[Located<'_>], diagnostics: &mut Diagnostics) {
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

fn unanswered(id: &str, is_before_message: bool) -> (&'static Rule, Message) {
    let element = format!("<tool_response tool_call_id=\"{id}\">");
    if is_before_message {
        let help = format!("add `{element}` before the next message: the API rejects the request without it");
        (&CALL_WITHOUT_OUTPUT, Message::new(format!("tool call `{id}` has no output"), "not answered", help))
    } else {
        let title = format!("tool call `{id}` is waiting for its output");
        let help = format!("run the tool and add `{element}` before you send the document");
        (&PENDING_CALL, Message::new(title, "not answered yet", help).hint(Hint::AnswerCall))
    }
}

/// `call` is a call with this id, which has another type.
fn unknown_call(id: &str, call: Option<Span>) -> Message {
    match call {
        Some(call) => Message::new(
            format!("the output of `{id}` has another type than its call"),
            "another type",
            "give both the same `type`: `function_call`, or `custom_tool_call` for free text",
        )
        .related(call, "the call"),
        None => Message::new(
            format!("no tool call before it has the id `{id}`"),
            "answers nothing",
            "add the call before it, or `previous_response_id` if the server keeps that turn",
        ),
    }
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

/// The call id of a carried item that is not an output. An output of another type may answer it.
fn carried_call<'i>(item: &'i Item<'_>) -> Option<Cow<'i, str>> {
    match item {
        Item::Other(members) => {
            members.get_str("call_id").filter(|_| side(item).is_none() && !ResponseKind::is_output_type(&item.kind()))
        }
        Item::Message(_) | Item::ToolCall(_) | Item::ToolResponse(_) | Item::Reasoning(_) | Item::Foreign(_) => None,
    }
}

/// Whether an item is a message to the model with content. An empty one only waits for the next turn.
fn is_message_to_model(item: &Item<'_>) -> bool {
    let is_empty = |part: &Part<'_>| matches!(part, Part::Text(text) if text.text.trim().is_empty());
    matches!(item, Item::Message(message) if message.role != "assistant" && !message.content.iter().all(is_empty))
}
