//! The messages and the reasoning of a request.

use crate::diagnostic::{Diagnostics, Message, Rule, rule};
use crate::document::ResponseKind;
use crate::lint::request::WholeRequest;
use crate::responses::{Item, Part};

/// A request without input: `<config model="gpt-5"/>` and nothing else
const NO_INPUT: Rule = rule!("no-input" Error Malformed is_allowable);
/// A request without a user message or a tool output: `<assistant>Hello.</assistant>`
const NO_USER_MESSAGE: Rule = rule!("no-user-message" Warning Malformed is_allowable);
/// A message without content: `<user></user>` before the end of the document
const EMPTY_MESSAGE: Rule = rule!("empty-message" Error Malformed is_allowable);
/// Reasoning without the message or the call that it led to: `<reasoning id="rs_1"></reasoning><user>next</user>`
const REASONING_WITHOUT_ITEM: Rule = rule!("reasoning-without-item" Error Malformed is_allowable is_of_responses);

pub(super) const RULES: &[Rule] = &[REASONING_WITHOUT_ITEM, NO_INPUT, NO_USER_MESSAGE, EMPTY_MESSAGE];

pub(super) fn check_request(whole: &WholeRequest<'_, '_>, diagnostics: &mut Diagnostics) {
    report_lone_reasoning(whole, diagnostics);
    if !whole.is_whole {
        return;
    }
    match whole.request.items.last() {
        _ if whole.has_stored_input() => {}
        None => {
            let help = "add `<user>…</user>`; the API rejects a request without input";
            let message = Message::new("no message to send", "nothing to answer", help);
            diagnostics.add(&NO_INPUT, message, whole.request.place);
        }
        Some(last) if !is_asked(whole) && whole.pairs.iter().next().is_none() => {
            let message = Message::new("no user message", "nothing to answer", "add `<user>…</user>`");
            diagnostics.add(&NO_USER_MESSAGE, message, last.span);
        }
        Some(_) => {}
    }
    report_empty_messages(whole, diagnostics);
}

/// Whether an item may ask the model for something.
fn is_asked(whole: &WholeRequest<'_, '_>) -> bool {
    whole.request.items.iter().any(|located| match &located.item {
        Item::Message(message) => message.role == "user",
        // The model continues after an output. Other items may ask for something, too.
        Item::ToolResponse(_) | Item::Other(_) => true,
        Item::ToolCall(_) | Item::Reasoning(_) | Item::Foreign(_) => false,
    })
}

fn report_empty_messages(whole: &WholeRequest<'_, '_>, diagnostics: &mut Diagnostics) {
    let is_empty = |part: &Part<'_>| matches!(part, Part::Text(text) if text.text.is_empty());
    for located in &whole.request.items {
        let Item::Message(message) = &located.item else { continue };
        // A model may give an empty answer, and the API accepts it as input.
        if message.role != "assistant" && message.content.iter().all(is_empty) {
            let title = format!("empty `{}` message", message.role);
            let message = Message::new(title, "no content", "write something, or remove it");
            diagnostics.add(&EMPTY_MESSAGE, message, located.span);
        }
    }
}

fn report_lone_reasoning(whole: &WholeRequest<'_, '_>, diagnostics: &mut Diagnostics) {
    for (index, located) in whole.request.items.iter().enumerate() {
        let Item::Reasoning(reasoning) = &located.item else { continue };
        let is_followed = whole.request.items.get(index + 1).is_some_and(|next| is_from_model(&next.item));
        if reasoning.rest.get_str("id").is_some() && !is_followed {
            let message = Message::new(
                "no message and no call follows this reasoning",
                "without its item",
                "the API rejects reasoning without the item it came with: add that item, or remove the reasoning",
            );
            diagnostics.add(&REASONING_WITHOUT_ITEM, message, located.span);
        }
    }
}

fn is_from_model(item: &Item<'_>) -> bool {
    match item {
        Item::Message(message) => message.role == "assistant",
        Item::ToolCall(_) | Item::Reasoning(_) | Item::Foreign(_) => true,
        Item::ToolResponse(_) => false,
        Item::Other(_) => !ResponseKind::is_output_type(&item.kind()),
    }
}
