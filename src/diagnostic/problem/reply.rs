//! Problems of the JSON, the streams and the sessions that become documents.

use super::problems;
use crate::diagnostic::message::{Hint, Message};

problems! {
    /// Problems of the JSON, the streams and the sessions that become documents. Each variant shows the shortest text that causes it.
    ReplyProblem REPLY

    /// the response `{"object":"response","output":[{"type":"function_call"}]}`
    MalformedJson {
        /// The path of the value.
        path: String,
        /// What is wrong with it.
        message: String,
        /// Whether the input ends before the JSON does.
        is_cut: bool,
    }: "malformed-json" Error Malformed => malformed_json(path, message, *is_cut);

    /// a Chat Completions response
    ForeignInput {
        /// What it is.
        what: &'static str,
        /// What to do.
        help: &'static str,
    }: "foreign-input" Error Malformed => Message::new(*what, "here", *help);

    /// the item `{"type":"function_call","call_id":"c"}`
    MalformedItem {
        /// The path of the wrong value.
        path: String,
        /// What is wrong with it.
        message: String,
    }: "malformed-item" Warning Malformed is_allowable => {
        let what = if path.is_empty() { message.clone() } else { format!("`{path}`: {message}") };
        Message::new(
            format!("malformed item: {what}"),
            "kept as JSON in a comment",
            "it is sent back unchanged; the API may reject it",
        )
    };

    /// the stream `data: {`, and another event after it
    MalformedEvent(message: String): "malformed-event" Warning Malformed is_allowable => Message::new(
        format!("malformed event of the stream: {message}"),
        "here",
        "check what the server sent; the rest of the stream is converted",
    );

    /// the response `{"object":"response","status":"completed","output":[]}`
    NoItems: "no-items" Warning Malformed is_allowable => {
        let title = "the response is complete and has no items";
        Message::new(title, "nothing to write", "the model gave no output: check the request")
    };

    /// the reply `{"choices":[]}`
    NoChoices: "no-items" Error Malformed => Message::new("the reply has no choices", "here", "send the request again");

    /// the reply `{"type":"message","role":"assistant","content":[],"stop_reason":"x"}`
    UnknownStop(reason: String): "unknown-value" Warning Malformed is_allowable => Message::new(
        format!("the model stopped for an unknown reason: `{reason}`"),
        "here",
        "look the reason up in the description of the API; the reply is converted as a complete one",
    );

    /// the request `{"messages":[],"system":"x","seed":1}`
    AmbiguousInput {
        /// The sign of the Messages API.
        messages: String,
        /// The sign of the Chat API.
        chat: String,
    }: "ambiguous-input" Error Malformed => Message::new(
        format!("the request has signs of two APIs: {messages} of the Messages API and {chat} of the Chat API"),
        "here",
        "say which API it is for",
    )
    .hint(Hint::NameApi);

    /// the reply `{"choices":[{"index":0},{"index":1}]}`
    SeveralChoices(count: usize): "several-choices" Error Malformed => Message::new(
        format!("the reply has {count} choices"),
        "here",
        "choose one of them by its index, from 0",
    )
    .hint(Hint::NameChoice);

    /// A line of a session that is not a JSON object
    BrokenLine(why: String): "malformed-event" Warning Malformed is_allowable => Message::new(
        format!("a line of the session cannot be read: {why}"),
        "left out",
        "the other lines are converted; the program that wrote the session may have been stopped here",
    );

    /// A session without messages
    EmptySession: "no-items" Warning Malformed is_allowable => Message::new(
        "the session has no messages",
        "nothing to write",
        "check that this is the file of the session itself, not of a sub-agent",
    );

    /// the request `{"model":"a","model":"b","input":[]}`
    RepeatedKey(key: String): "repeated-field" Warning Malformed is_allowable => {
        Message::new(format!("duplicate key `{key}`"), "ignored", "the last one counts")
    };

    /// a response with `input_transformations`
    UnusedReasoning {
        /// Why the API did not use it.
        why: String,
    }: "unused-reasoning" Warning Malformed is_allowable => Message::new(
        format!("the API did not use this reasoning: {why}"),
        "left out by the API",
        "the answer was made without it; remove it, or undo the change before it",
    );
}

fn malformed_json(path: &str, message: &str, is_cut: bool) -> Message {
    if is_cut && path.is_empty() {
        return Message::new(message, "the input ends here", "the input ends too early: was the download interrupted?");
    }
    if path.is_empty() {
        let help = "responses, streams, requests, items and lists of them can be converted";
        return Message::new(message, "here", help);
    }
    let help = "this is not what the API sends or accepts: fix it where it comes from";
    Message::new(format!("`{path}`: {message}"), "here", help)
}
