//! How the items of a request belong together: calls and outputs, ids, reasoning and what it led to.

use std::borrow::Cow;
use std::collections::HashMap;

use crate::convert::Located;
use crate::diagnostic::{Diagnostics, Lint, Problem};
use crate::responses::{Item, Part};
use crate::source::Span;

const LONGEST_ID: usize = 64;

/// The tools whose calls the caller answers; an output is of the type of its call and `_output`.
const ANSWERED: [&str; 3] = ["computer_call", "shell_call", "apply_patch_call"];

/// What an item is to a call id.
enum Side {
    Call,
    Output,
}

/// A call and its output: which item each is, and where.
#[derive(Clone, Copy, Default)]
struct Pair {
    call: Option<(usize, Span)>,
    output: Option<(usize, Span)>,
}

/// Reports calls and outputs that do not pair up. `keeps_turns`: the server may know calls that are not here.
pub(super) fn pairs(located: &[Located<'_>], keeps_turns: bool, diagnostics: &mut Diagnostics) {
    let keeps_turns = keeps_turns || located.iter().any(|one| stands_for_others(&one.item));
    let mut pairs: HashMap<(Cow<'_, str>, Cow<'_, str>), Pair> = HashMap::new();
    for (index, one) in located.iter().enumerate() {
        let Some((side, kind, call_id)) = side(&one.item) else { continue };
        let pair = pairs.entry((call_id.clone(), kind)).or_default();
        let place = match side {
            Side::Call => &mut pair.call,
            Side::Output => &mut pair.output,
        };
        match place {
            Some((_, first)) => {
                report(Lint::DuplicateCallId { call_id: call_id.into_owned(), first: *first }, one.span, diagnostics);
            }
            None => *place = Some((index, one.span)),
        }
    }
    // A call and an output that share an id and nothing else are told once, at the output.
    let is_alone = |(_, pair): &(_, &Pair)| pair.call.is_none() || pair.output.is_none();
    let mut alone: HashMap<&str, Pair> = HashMap::new();
    for ((call_id, _), pair) in pairs.iter().filter(is_alone) {
        let both = alone.entry(call_id.as_ref()).or_default();
        (both.call, both.output) = (both.call.or(pair.call), both.output.or(pair.output));
    }
    let last_message = located.iter().rposition(|one| says_something(&one.item)).unwrap_or_default();
    for ((call_id, _), pair) in &pairs {
        let other = alone.get(call_id.as_ref()).copied().unwrap_or_default();
        let id = call_id.clone().into_owned();
        match (pair.call, pair.output) {
            (Some((at, call)), Some((answered_at, output))) if answered_at < at => {
                report(Lint::OutputBeforeCall { call_id: id, call }, output, diagnostics);
            }
            (None, Some((_, output))) if other.call.is_some() || !keeps_turns => {
                let other = other.call.map(|(_, call)| call);
                report(Lint::OutputWithoutCall { call_id: id, other }, output, diagnostics);
            }
            (Some(_), None) if other.output.is_some() => {}
            (Some((at, call)), None) if at < last_message => report(Lint::CallWithoutOutput(id), call, diagnostics),
            (Some((_, call)), None) => report(Lint::PendingCall(id), call, diagnostics),
            (None | Some(_), None | Some(_)) => {}
        }
    }
}

/// Reports ids that two items share or that are not as long as an id may be.
pub(super) fn ids(located: &[Located<'_>], diagnostics: &mut Diagnostics) {
    let mut seen: HashMap<Cow<'_, str>, Span> = HashMap::new();
    for one in located {
        if let Some(id) = one.item.rest().text("id") {
            length("id", &id, one.span, diagnostics);
            if one.item.kind() == "item_reference" || id.is_empty() {
                continue;
            }
            if let Some(first) = seen.get(&id) {
                report(Lint::DuplicateId { id: id.into_owned(), first: *first }, one.span, diagnostics);
            } else {
                seen.insert(id, one.span);
            }
        }
        if let Some((_, _, call_id)) = side(&one.item) {
            length("tool_call_id", &call_id, one.span, diagnostics);
        }
    }
}

/// Reports reasoning that no item of the same turn follows.
pub(super) fn reasoning(located: &[Located<'_>], diagnostics: &mut Diagnostics) {
    for (index, one) in located.iter().enumerate() {
        let Item::Reasoning(reasoning) = &one.item else { continue };
        let leads_on = located.get(index + 1).is_some_and(|next| is_of_the_model(&next.item));
        if reasoning.rest.text("id").is_some() && !leads_on {
            report(Lint::ReasoningWithoutItem, one.span, diagnostics);
        }
    }
}

fn length(key: &'static str, id: &str, span: Span, diagnostics: &mut Diagnostics) {
    let length = id.chars().count();
    if length == 0 || length > LONGEST_ID {
        report(Lint::IdLength { key, length, most: LONGEST_ID }, span, diagnostics);
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
pub(super) fn report(lint: Lint, span: Span, diagnostics: &mut Diagnostics) {
    diagnostics.report(Problem::Lint(lint), span);
}
