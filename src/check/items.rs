//! How the items of a request belong together: calls and outputs, ids, reasoning and what it led to.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use crate::convert::Placed;
use crate::diagnostic::{Concern, Diagnostics, Problem};
use crate::source::Span;
use crate::wire::{Item, Json, Object, Part};

const LONGEST_ID: usize = 64;

/// The tools whose calls the caller answers; an output is of the type of its call and `_output`.
const ANSWERED: [&str; 3] = ["computer_call", "shell_call", "apply_patch_call"];

/// What an item is to a call id.
enum Side {
    Call,
    Output,
}

/// Reports calls and outputs that do not pair up. `keeps_turns`: the server may know calls that are not here.
pub(super) fn pairs(placed: &[Placed<'_>], keeps_turns: bool, found: &mut Diagnostics) {
    let keeps_turns = keeps_turns || placed.iter().any(|one| stands_for_others(&one.item));
    let mut calls: HashMap<(Cow<'_, str>, Cow<'_, str>), (usize, Span)> = HashMap::new();
    let mut outputs: HashMap<(Cow<'_, str>, Cow<'_, str>), (usize, Span)> = HashMap::new();
    for (index, one) in placed.iter().enumerate() {
        let Some((side, kind, call_id)) = side(&one.item) else { continue };
        let known = match side {
            Side::Call => &mut calls,
            Side::Output => &mut outputs,
        };
        if let Some((_, first)) = known.get(&(kind.clone(), call_id.clone())) {
            report(Concern::DuplicateCallId { call_id: call_id.into_owned(), first: *first }, one.span, found);
        } else {
            known.insert((kind, call_id), (index, one.span));
        }
    }
    let of_other_type: HashMap<&str, Span> = calls
        .iter()
        .filter(|(key, _)| !outputs.contains_key(*key))
        .map(|((_, call_id), (_, span))| (call_id.as_ref(), *span))
        .collect();
    let answered: HashSet<&str> = outputs.keys().map(|(_, call_id)| call_id.as_ref()).collect();
    let last_message = placed.iter().rposition(|one| says_something(&one.item)).unwrap_or_default();
    for (key, (index, span)) in &calls {
        let call_id = key.1.to_string();
        match outputs.get(key) {
            // The output is of another type, which is told there.
            None if answered.contains(key.1.as_ref()) => {}
            None if *index < last_message => report(Concern::CallWithoutOutput(call_id), *span, found),
            None => report(Concern::CallNotAnswered(call_id), *span, found),
            Some((output, output_span)) if output < index => {
                report(Concern::OutputBeforeCall { call_id, call: *span }, *output_span, found);
            }
            Some(_) => {}
        }
    }
    for (key, (_, span)) in outputs.iter().filter(|(key, _)| !calls.contains_key(*key)) {
        let other = of_other_type.get(key.1.as_ref()).copied();
        if other.is_some() || !keeps_turns {
            report(Concern::OutputWithoutCall { call_id: key.1.to_string(), other }, *span, found);
        }
    }
}

/// Reports ids that two items share or that are not as long as an id may be.
pub(super) fn ids(placed: &[Placed<'_>], found: &mut Diagnostics) {
    let mut seen: HashMap<Cow<'_, str>, Span> = HashMap::new();
    for one in placed {
        if let Some(id) = string(members(&one.item), "id") {
            length("id", &id, one.span, found);
            if kind_of(&one.item) == "item_reference" || id.is_empty() {
                continue;
            }
            if let Some(first) = seen.get(&id) {
                report(Concern::DuplicateId { id: id.into_owned(), first: *first }, one.span, found);
            } else {
                seen.insert(id, one.span);
            }
        }
        if let Some((_, _, call_id)) = side(&one.item) {
            length("call_id", &call_id, one.span, found);
        }
    }
}

/// Reports reasoning that no item of the same turn follows.
pub(super) fn reasoning(placed: &[Placed<'_>], found: &mut Diagnostics) {
    for (index, one) in placed.iter().enumerate() {
        let Item::Reasoning(reasoning) = &one.item else { continue };
        let leads_on = placed.get(index + 1).is_some_and(|next| is_of_the_model(&next.item));
        if string(&reasoning.rest, "id").is_some() && !leads_on {
            report(Concern::ReasoningWithoutItem, one.span, found);
        }
    }
}

fn length(key: &'static str, id: &str, span: Span, found: &mut Diagnostics) {
    let length = id.chars().count();
    if length == 0 || length > LONGEST_ID {
        report(Concern::IdLength { key, length }, span, found);
    }
}

fn side<'i>(item: &'i Item<'_>) -> Option<(Side, Cow<'i, str>, Cow<'i, str>)> {
    let (side, kind, call_id) = match item {
        Item::ToolCall(call) => (Side::Call, call.kind.call_type().into(), Cow::Borrowed(call.call_id.as_ref())),
        Item::ToolResponse(response) => {
            (Side::Output, response.kind.call_type().into(), Cow::Borrowed(response.call_id.as_ref()))
        }
        Item::Other(members) => {
            let (kind, call_id) = (kind_of(item), string(members, "call_id")?);
            let of_call = kind.strip_suffix("_output").map(str::to_owned);
            match of_call {
                Some(call) if ANSWERED.contains(&call.as_str()) => (Side::Output, call.into(), call_id),
                None if ANSWERED.contains(&kind.as_ref()) => (Side::Call, kind, call_id),
                _ => return None,
            }
        }
        Item::Message(_) | Item::Reasoning(_) => return None,
    };
    Some((side, kind, call_id))
}

/// Whether an item stands for turns that are kept elsewhere.
fn stands_for_others(item: &Item<'_>) -> bool {
    matches!(kind_of(item).as_ref(), "item_reference" | "compaction")
}

/// Whether an item is a message that says something: the empty one that waits for the next turn does not.
fn says_something(item: &Item<'_>) -> bool {
    let is_empty = |part: &Part<'_>| matches!(part, Part::Text(text) if text.text.trim().is_empty());
    matches!(item, Item::Message(message) if !message.content.iter().all(is_empty))
}

/// Whether an item is something that a model says or does.
fn is_of_the_model(item: &Item<'_>) -> bool {
    match item {
        Item::Message(message) => message.role == "assistant",
        Item::ToolCall(_) | Item::Reasoning(_) => true,
        Item::ToolResponse(_) => false,
        Item::Other(_) => {
            let kind = kind_of(item);
            !kind.ends_with("_output") && kind != "mcp_approval_response"
        }
    }
}

fn kind_of<'i>(item: &'i Item<'_>) -> Cow<'i, str> {
    match item {
        Item::Message(_) => "message".into(),
        Item::ToolCall(call) => call.kind.call_type().into(),
        Item::ToolResponse(response) => response.kind.output_type().into(),
        Item::Reasoning(_) => "reasoning".into(),
        Item::Other(members) => string(members, "type").unwrap_or_default(),
    }
}

/// The members of an item that are not read.
pub(super) fn members<'i, 'j>(item: &'i Item<'j>) -> &'i Object<'j> {
    match item {
        Item::Message(message) => &message.rest,
        Item::ToolCall(call) => &call.rest,
        Item::ToolResponse(response) => &response.rest,
        Item::Reasoning(reasoning) => &reasoning.rest,
        Item::Other(members) => members,
    }
}

/// A member that is a string.
pub(super) fn string<'j>(members: &Object<'j>, key: &str) -> Option<Cow<'j, str>> {
    members.get(key).map(Json::string)?.ok()
}

/// Adds a concern.
pub(super) fn report(concern: Concern, span: Span, found: &mut Diagnostics) {
    found.report(Problem::Concern(concern), span);
}
