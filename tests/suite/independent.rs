//! Requests are accepted by another implementation of the API's types.
//!
//! Every item that the documents of `fixtures/requests` and `fixtures/responses` become is read into the types of
//! `async-openai` and written again: what those types know must come out as it went in. What they do not know
//! is listed here, so that the list cannot grow unseen.

use std::collections::BTreeSet;
use std::fs;

use async_openai::types::responses::{Item, ItemReference};
use chatmd::resources::Directory;
use chatmd::{Api, Converter, Input, RequestOptions};
use serde_json::value::RawValue;
use serde_json::{Map, Value, json};

use crate::run::{directories, name};

/// Items that those types cannot read, by what is strange about them.
const REFUSED: [&str; 41] = [
    "-->",
    "apply_patch_call",
    "apply_patch_call_output",
    "code_interpreter_call",
    "compaction_trigger",
    "computer_call_output",
    "custom_tool_call",
    "function_call",
    "function_call_output hologram input_audio input_file input_image input_text text",
    "function_call_output image",
    "function_call_output input_audio",
    "function_call_output input_audio input_text",
    "function_call_output input_audio text",
    "function_call_output input_image",
    "function_call_output input_text",
    "function_call_output none",
    "image_generation_call",
    "mcp_approval_response",
    "message assistant function_call output_text",
    "message assistant output_audio",
    "message assistant output_text",
    "message critic input_text",
    "message input_text",
    "message output_text",
    "message system",
    "message tool input_text",
    "message user",
    "message user input_audio input_text",
    "message user input_image",
    "message user input_image input_text",
    "message user none",
    "new input_image",
    "none user input_text",
    "odd",
    "reasoning",
    "reasoning input_image",
    "reasoning none summary_text",
    "response.output_item.done",
    "shell_call_output",
    "telepathy_call user thought",
    "x",
];
/// Members that those types do not know.
const DROPPED: [&str; 26] = [
    "- of function_call",
    "- of input_text",
    "- of message",
    "- of output_text",
    "@chat of input_text",
    "@name of message",
    "created_by of function_call_output",
    "end_turn of message",
    "extra of input_text",
    "id of message",
    "later of function_call",
    "later of input_text",
    "later of output_text",
    "later of summary_text",
    "metadata of message",
    "more of input_text",
    "note of function_call",
    "note of message",
    "role of tool_search_output",
    "score of function_call",
    "seen of reasoning_text",
    "sessionId of message",
    "status of custom_tool_call",
    "type of exec",
    "x of computer_screenshot",
    "x of input_image",
];
/// Fixtures with JSON that `serde_json::Value` cannot hold.
const BEYOND: [&str; 5] = [
    "directive-numbers-keep-their-spelling",
    "lone-surrogate-and-a-comment-end",
    "lone-surrogate-in-metadata",
    "metadata-numbers-keep-their-spelling",
    "output-nested-too-deep-is-text",
];
/// Fields that those types add.
const DEFAULTS: [&str; 1] = ["detail \"auto\" of input_image"];

#[test]
fn every_item_reads_as_what_it_is() {
    let mut seen = Seen::default();
    for kind in ["requests", "responses"] {
        for directory in directories(kind).iter().filter(|directory| directory.join("chat.md").exists()) {
            let document =
                Input::from(fs::read(directory.join("chat.md")).unwrap()).with_path(directory.join("chat.md"));
            let files = Directory::of(directory);
            let options = RequestOptions { api: Some(Api::Responses), ..RequestOptions::default() };
            let Ok(sent) = Converter::new().resources(&files).to_input(document, &options) else { continue };
            let items: Vec<&RawValue> = serde_json::from_str(&sent.value).unwrap();
            for item in items {
                seen.look_at(item.get(), name(directory));
            }
        }
    }
    assert!(seen.read > 200, "only {} items", seen.read);
    assert_eq!(seen.refused, REFUSED.map(str::to_owned).into());
    assert_eq!(seen.dropped, DROPPED.map(str::to_owned).into());
    assert_eq!(seen.added, DEFAULTS.map(str::to_owned).into());
    assert_eq!(seen.beyond, BEYOND.map(str::to_owned).into());
}

#[derive(Default)]
struct Seen {
    read: usize,
    refused: BTreeSet<String>,
    dropped: BTreeSet<String>,
    added: BTreeSet<String>,
    beyond: BTreeSet<String>,
}

impl Seen {
    fn look_at(&mut self, item: &str, fixture: &str) {
        let Ok(item) = serde_json::from_str::<Value>(item) else {
            self.beyond.insert(fixture.to_owned());
            return;
        };
        let sent = completed(without_nulls(item));
        match read(sent.clone()) {
            Ok(again) => {
                self.read += 1;
                self.compare(&sent, &without_nulls(again), fixture);
            }
            Err(_) => drop(self.refused.insert(strangeness(&sent))),
        }
    }

    /// Values that both have must be equal; values that only one has are noted.
    fn compare(&mut self, sent: &Value, again: &Value, fixture: &str) {
        match (sent, again) {
            (Value::Object(sent), Value::Object(again)) => {
                let kind = sent.get("type").and_then(Value::as_str).unwrap_or("an object");
                for (key, value) in sent {
                    match again.get(key) {
                        Some(other) => self.compare(value, other, fixture),
                        None => drop(self.dropped.insert(format!("{key} of {kind}"))),
                    }
                }
                let added = again.iter().filter(|(key, _)| !sent.contains_key(*key));
                self.added.extend(added.map(|(key, value)| format!("{key} {value} of {kind}")));
            }
            (Value::Array(sent), Value::Array(again)) if sent.len() == again.len() => {
                for (one, other) in sent.iter().zip(again) {
                    self.compare(one, other, fixture);
                }
            }
            // Those types have numbers of their own width.
            (Value::Number(sent), Value::Number(again)) => assert_eq!(sent.as_f64(), again.as_f64(), "{fixture}"),
            _ => assert_eq!(sent, again, "{fixture}"),
        }
    }
}

/// An item read into those types and written again.
fn read(item: Value) -> serde_json::Result<Value> {
    if item["type"] == "item_reference" || item["type"].is_null() {
        return serde_json::from_value::<ItemReference>(item).and_then(serde_json::to_value);
    }
    serde_json::from_value::<Item>(item).and_then(serde_json::to_value)
}

/// An item with what those types want beyond the API.
pub(crate) fn completed(mut item: Value) -> Value {
    if item["type"] == "message" && item["role"] == "assistant" {
        let message = item.as_object_mut().unwrap();
        message.entry("id").or_insert(json!("msg_0"));
        message.entry("status").or_insert(json!("completed"));
        for part in message["content"].as_array_mut().unwrap().iter_mut().filter_map(Value::as_object_mut) {
            if part["type"] == "output_text" {
                part.entry("annotations").or_insert(json!([]));
            }
        }
    }
    item
}

/// Null and absent are one to those types.
pub(crate) fn without_nulls(json: Value) -> Value {
    match json {
        Value::Object(members) => {
            let kept = members.into_iter().filter(|(_, value)| !value.is_null());
            Value::Object(kept.map(|(key, value)| (key, without_nulls(value))).collect::<Map<_, _>>())
        }
        Value::Array(elements) => Value::Array(elements.into_iter().map(without_nulls).collect()),
        other => other,
    }
}

/// An item's type, its role if it is a message, and the types of its parts.
fn strangeness(item: &Value) -> String {
    let text = |value: &Value| value.as_str().unwrap_or("none").to_owned();
    let parts = ["content", "output", "summary"].iter().filter_map(|key| item[*key].as_array()).flatten();
    let mut words = vec![text(&item["type"])];
    words.extend(item["role"].as_str().map(str::to_owned));
    words.extend(parts.map(|part| text(&part["type"])).collect::<BTreeSet<_>>());
    words.join(" ")
}
