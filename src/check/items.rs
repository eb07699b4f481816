//! How the items of a request belong together: calls and outputs, ids, reasoning and what it led to.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use crate::convert::Placed;
use crate::diagnostic::{Concern, Diagnostics, Problem};
use crate::source::Span;
use crate::wire::{Item, Part};

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
    let last_message = placed.iter().rposition(|one| says_something(&one.item)).unwrap_or_default();
    let answered: HashSet<&str> = outputs.keys().map(|(_, call_id)| call_id.as_ref()).collect();
    let unanswered = calls.iter().filter(|(key, _)| !outputs.contains_key(*key));
    let unanswered: HashMap<&str, Span> = unanswered.map(|((_, id), (_, span))| (id.as_ref(), *span)).collect();
    for (index, one) in placed.iter().enumerate() {
        let Some((side, kind, call_id)) = side(&one.item) else { continue };
        let key = (kind, call_id.clone());
        let id = call_id.into_owned();
        match (side, calls.get(&key), outputs.get(&key)) {
            (Side::Output, Some((call, span)), _) if index < *call => {
                report(Concern::OutputBeforeCall { call_id: id, call: *span }, one.span, found);
            }
            (Side::Output, None, _) => {
                // A call of that id is of another type, and that is told here.
                let other = unanswered.get(id.as_str()).copied();
                if other.is_some() || !keeps_turns {
                    report(Concern::OutputWithoutCall { call_id: id, other }, one.span, found);
                }
            }
            (Side::Call, _, None) if answered.contains(id.as_str()) => {}
            (Side::Call, _, None) if index < last_message => report(Concern::CallWithoutOutput(id), one.span, found),
            (Side::Call, _, None) => report(Concern::CallNotAnswered(id), one.span, found),
            (Side::Call | Side::Output, ..) => {}
        }
    }
}

/// Reports ids that two items share or that are not as long as an id may be.
pub(super) fn ids(placed: &[Placed<'_>], found: &mut Diagnostics) {
    let mut seen: HashMap<Cow<'_, str>, Span> = HashMap::new();
    for one in placed {
        if let Some(id) = one.item.rest().text("id") {
            length("id", &id, one.span, found);
            if one.item.kind() == "item_reference" || id.is_empty() {
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
        if reasoning.rest.text("id").is_some() && !leads_on {
            report(Concern::ReasoningWithoutItem, one.span, found);
        }
    }
}

fn length(key: &'static str, id: &str, span: Span, found: &mut Diagnostics) {
    let length = id.chars().count();
    if length == 0 || length > LONGEST_ID {
        report(Concern::IdLength { key, length, most: LONGEST_ID }, span, found);
    }
}

fn side<'i>(item: &'i Item<'_>) -> Option<(Side, Cow<'i, str>, Cow<'i, str>)> {
    let (side, kind, call_id) = match item {
        Item::ToolCall(call) => (Side::Call, call.kind.call_type().into(), Cow::Borrowed(call.call_id.as_ref())),
        Item::ToolResponse(response) => {
            (Side::Output, response.kind.call_type().into(), Cow::Borrowed(response.call_id.as_ref()))
        }
        Item::Other(members) => {
            let (kind, call_id) = (item.kind(), members.text("call_id")?);
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
    matches!(item.kind().as_ref(), "item_reference" | "compaction")
}

/// Whether an item is a message to the model that says something: the empty one that waits for the next turn does not.
fn says_something(item: &Item<'_>) -> bool {
    let is_empty = |part: &Part<'_>| matches!(part, Part::Text(text) if text.text.trim().is_empty());
    matches!(item, Item::Message(message) if message.role != "assistant" && !message.content.iter().all(is_empty))
}

/// Whether an item is something that a model says or does.
fn is_of_the_model(item: &Item<'_>) -> bool {
    match item {
        Item::Message(message) => message.role == "assistant",
        Item::ToolCall(_) | Item::Reasoning(_) => true,
        Item::ToolResponse(_) => false,
        Item::Other(_) => {
            let kind = item.kind();
            !kind.ends_with("_output") && kind != "mcp_approval_response"
        }
    }
}

/// Adds a concern.
pub(super) fn report(concern: Concern, span: Span, found: &mut Diagnostics) {
    found.report(Problem::Concern(concern), span);
}
