//! What the Messages and the Chat API reject.

use std::collections::{HashMap, HashSet};

use crate::diagnostic::{Diagnostics, Message, Rule, rule};
use crate::lint::sent::{SentRequest, Value};
use crate::wire::Api;

/// A result that is not directly after its call: `<tool_response tool_call_id="a"><!-- chatmd:fields
/// {"@messages":{"@at":"new"}} -->…` after a `<user>`
const RESULT_NOT_ADJACENT: Rule = rule!("result-not-adjacent" Error Malformed is_allowable);
/// A request of the Messages API that ends with a message of the model: `<assistant>The answer is</assistant>` at the end
const PREFILL: Rule = rule!("prefill" Warning Malformed is_allowable);
/// A text of white space alone, which the Messages API rejects:
/// `<user><!-- chatmd:part --> <img src="https://example.com/a.png"/></user>`
const BLANK_TEXT: Rule = rule!("blank-text" Error Malformed is_allowable);
/// Parameters of a tool that are not an object: `<tool name="f">{"type":"string"}</tool>`
const INVALID_SCHEMA: Rule = rule!("invalid-schema" Error Malformed);

pub(super) const RULES: &[Rule] = &[RESULT_NOT_ADJACENT, PREFILL, BLANK_TEXT, INVALID_SCHEMA];

pub(super) fn check_sent(sent: &SentRequest<'_>, diagnostics: &mut Diagnostics) {
    let messages = sent.messages();
    report_misplaced_results(&messages, sent, diagnostics);
    if sent.api == Api::Messages {
        if let Some(last) = messages.last().filter(|last| last.is("role", "assistant")) {
            let help = "the newest models reject it: add a `<user>`";
            let label = "the model would continue this message";
            let message = Message::new("the last message is from the model", label, help);
            diagnostics.add(&PREFILL, message, sent.place(last));
        }
        let is_blank = |text: &str| text.trim().is_empty();
        for block in sent.blocks().iter().filter(|block| block.is("type", "text")) {
            if block.object.get_str("text").is_some_and(|text| is_blank(&text)) {
                let help = "the API rejects the request: write something, or remove it";
                let message = Message::new("a text of white space alone", "blank", help);
                diagnostics.add(&BLANK_TEXT, message, sent.place(block));
            }
        }
    }
    for tool in sent.tools() {
        report_schema(&tool, sent, diagnostics);
    }
}

fn report_schema(tool: &Value<'_>, sent: &SentRequest<'_>, diagnostics: &mut Diagnostics) {
    let function = tool.object.get_object("function");
    let own = function.as_ref().unwrap_or(&tool.object);
    let schema = own.get("input_schema").or_else(|| own.get("parameters").filter(|_| function.is_some()));
    let kind = schema.and_then(|schema| schema.object().ok()).map(|schema| schema.get_str("type"));
    // An empty schema accepts everything.
    if let Some(kind) = kind.filter(|kind| kind.as_deref() != Some("object"))
        && (kind.is_some() || sent.api == Api::Messages)
    {
        let name = own.get_str("name").unwrap_or_default();
        let message = Message::new(
            format!("the parameters of `{name}` are not of `\"type\": \"object\"`"),
            "this schema",
            "the API rejects the request: write a schema of an object",
        );
        diagnostics.add(&INVALID_SCHEMA, message, sent.place(tool));
    }
}

fn report_misplaced_results(messages: &[Value<'_>], sent: &SentRequest<'_>, diagnostics: &mut Diagnostics) {
    let help = "the API rejects the request: remove `@at`, or move the element";
    let all: HashSet<String> = messages.iter().flat_map(|message| called(message, sent.api)).collect();
    let mut open: HashSet<String> = HashSet::new();
    for message in messages {
        let results = results(message, sent.api);
        let late = results.iter().filter(|(id, _)| all.contains(id.as_str()) && !open.contains(id.as_str()));
        for (_, result) in late {
            let message = Message::new("this result is not directly after its call", "too late", help);
            diagnostics.add(&RESULT_NOT_ADJACENT, message, sent.place(result));
        }
        if let Some(other) = before_results(message, sent.api) {
            let title = "this is before the tool results of its message";
            diagnostics.add(&RESULT_NOT_ADJACENT, Message::new(title, "before results", help), sent.place(&other));
        }
        // Several messages of Chat hold the results of one turn.
        if sent.api == Api::Messages || !message.is("role", "tool") {
            open = called(message, sent.api).into_iter().collect();
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
    let (mut results, key) = match api {
        Api::Messages => (message.list("content"), "tool_use_id"),
        Api::Chat | Api::Responses => (vec![message.clone()], "tool_call_id"),
    };
    results.retain(|result| api != Api::Messages || result.is("type", "tool_result"));
    results.into_iter().filter_map(|result| Some((result.object.get_str(key)?.into_owned(), result))).collect()
}

/// The first block of a message of the Messages API, if results follow a block of another type.
fn before_results<'s>(message: &Value<'s>, api: Api) -> Option<Value<'s>> {
    let mut blocks = message.list("content");
    let is_result = |block: &Value<'_>| block.is("type", "tool_result");
    let other = blocks.iter().position(|block| !is_result(block)).filter(|_| api == Api::Messages)?;
    blocks[other..].iter().any(is_result).then(|| blocks.swap_remove(other))
}
