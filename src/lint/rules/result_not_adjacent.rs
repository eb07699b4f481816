//! `result-not-adjacent`: a result that is not directly after its call, as these APIs require.

use std::collections::{HashMap, HashSet};

use super::Lint;
use crate::diagnostic::{Diagnostics, Message, Rule, rule};
use crate::lint::sent::{SentRequest, Value};
use crate::wire::Api;

/// `<tool_response tool_call_id="a"><!-- chatmd:fields {"@messages":{"@at":"new"}} -->…` after a `<user>`
pub(super) struct ResultNotAdjacent;

impl Lint for ResultNotAdjacent {
    fn rule(&self) -> &'static Rule {
        const { &rule!("result-not-adjacent" Error Malformed is_allowable) }
    }

    fn check_sent(&self, sent: &SentRequest<'_>, diagnostics: &mut Diagnostics) {
        let help = "the API rejects the request: remove `@at`, or move the element";
        let messages = sent.messages();
        let all: HashSet<String> = messages.iter().flat_map(|message| called(message, sent.api)).collect();
        let mut open: HashSet<String> = HashSet::new();
        for message in &messages {
            let results = results(message, sent.api);
            let late = results.iter().filter(|(id, _)| all.contains(id.as_str()) && !open.contains(id.as_str()));
            for (_, result) in late {
                let message = Message::new("this result is not directly after its call", "too late", help);
                self.report(message, sent.place(result), diagnostics);
            }
            if let Some(other) = before_results(message, sent.api) {
                let title = "this is before the tool results of its message";
                self.report(Message::new(title, "before results", help), sent.place(&other), diagnostics);
            }
            // Several messages of Chat hold the results of one turn.
            if sent.api == Api::Messages || !message.is("role", "tool") {
                open = called(message, sent.api).into_iter().collect();
            }
        }
    }
}

/// The ids of the calls in a message.
fn called(message: &Value<'_>, api: Api) -> Vec<String> {
    let calls = match api {
        Api::Messages => message.list("content").into_iter().filter(|block| block.is("type", "tool_use")).collect(),
        Api::Chat | Api::Responses => message.list("tool_calls"),
    };
    calls.iter().filter_map(|call| Some(call.object.get_str("id")?.into_owned())).collect()
}

/// The results in a message by the ids of their calls.
fn results<'s>(message: &Value<'s>, api: Api) -> HashMap<String, Value<'s>> {
    let by_id = |value: Value<'s>, key: &str| Some((value.object.get_str(key)?.into_owned(), value));
    match api {
        Api::Messages => {
            let blocks = message.list("content").into_iter().filter(|block| block.is("type", "tool_result"));
            blocks.filter_map(|block| by_id(block, "tool_use_id")).collect()
        }
        Api::Chat | Api::Responses => {
            let (pointer, json, object) = (message.pointer.clone(), message.json, message.object.clone());
            by_id(Value { pointer, json, object }, "tool_call_id").into_iter().collect()
        }
    }
}

/// The first block of a message of the Messages API, if results follow a block of another type.
fn before_results<'s>(message: &Value<'s>, api: Api) -> Option<Value<'s>> {
    let mut blocks = message.list("content");
    let is_result = |block: &Value<'_>| block.is("type", "tool_result");
    let other = blocks.iter().position(|block| !is_result(block)).filter(|_| api == Api::Messages)?;
    blocks[other..].iter().any(is_result).then(|| blocks.swap_remove(other))
}
