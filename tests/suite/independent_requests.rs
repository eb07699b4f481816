//! Every request of the fixtures is what another implementation of the API's types takes for a request.
//!
//! Each `request.json` is read into `async-openai`'s `CreateResponse` and written again: fields that those types
//! know come out unchanged, including tools. Fields that they require beyond the API, do not know or add are listed here.

use std::collections::BTreeSet;
use std::fs;

use async_openai::types::responses::CreateResponse;
use serde_json::{Value, json};

use crate::independent::{completed, without_nulls};
use crate::run::{directories, name};

/// Requests that those types cannot read, and why.
const REFUSED: [&str; 10] = [
    // Those types require a tool's name in addition to its server.
    "config-choice-of-a-server: data did not match any variant of untagged enum ToolChoiceParam",
    "config-strings-stay-strings: unknown variant `null`, expected one of `none`, `minimal`, `low`, `medium`, `high`, `xhigh`, `max`",
    "request-with-a-tool-without-type: unknown variant ``, expected one of `function`, `file_search`, `computer_use_preview`, `web_search`, `web_search_2025_08_26`, `mcp`, `code_interpreter`, `programmatic_tool_calling`, `image_generation`, `local_shell`, `shell`, `custom`, `computer`, `namespace`, `tool_search`, `web_search_preview`, `web_search_preview_2025_03_11`, `apply_patch`",
    // Those types are older than these members.
    "members-of-november-2026: data did not match any variant of untagged enum InputParam",
    // What the documents say is sent, also what the API would reject.
    "flag-stateless-of-carried-reasoning: data did not match any variant of untagged enum InputParam",
    "request-with-a-schema-without-a-name: missing field `name`",
    "request-with-names-that-are-null: unknown variant `null`, expected one of `file_search_call.results`, `web_search_call.results`, `web_search_call.action.sources`, `message.input_image.image_url`, `computer_call_output.output.image_url`, `code_interpreter_call.outputs`, `reasoning.encrypted_content`, `message.output_text.logprobs`",
    "request-with-tool-fields-that-are-strings-or-objects: data did not match any variant of untagged enum CodeInterpreterToolContainer",
    "tool-fields-that-are-strings-or-objects: unknown variant `1`, expected one of `windows`, `mac`, `linux`, `ubuntu`, `browser`",
    "tool-without-a-description: missing field `description`",
];
/// Items that need no id, except for those types.
const NAMELESS: [&str; 3] = ["reasoning", "web_search_call", "custom_tool_call"];
/// Fields that those types do not know.
const DROPPED: [&str; 5] = ["@api", "@x", "max_tokens_key", "tools[web_search].@issuer", "user"];
/// Fields that those types add: a `text` with only a verbosity gets the default format.
const ADDED: [&str; 1] = ["text.format"];

#[test]
fn every_request_reads_as_what_it_is() {
    let (mut read, mut refused, mut seen) = (0, BTreeSet::new(), Seen::default());
    for directory in directories("requests").iter().chain(&directories("responses")) {
        let Ok(text) = fs::read_to_string(directory.join("request.json")) else { continue };
        let is_of_other_api = fs::read_to_string(directory.join("chat.md")).is_ok_and(|text| text.contains(" api="));
        if is_of_other_api {
            continue;
        }
        let sent = with_more(without_nulls(serde_json::from_str(&text).unwrap()));
        match serde_json::from_value::<CreateResponse>(sent.clone()) {
            Ok(request) => {
                read += 1;
                let again = without_nulls(serde_json::to_value(request).unwrap());
                for key in sent.as_object().unwrap().keys().filter(|key| *key != "input") {
                    seen.compare(key, &sent[key], &again[key], name(directory));
                }
                let keys = again.as_object().unwrap().keys().filter(|key| sent.get(key).is_none());
                seen.added.extend(keys.cloned());
            }
            Err(error) => drop(refused.insert(format!("{}: {error}", name(directory)))),
        }
    }
    assert!(read >= 45, "only {read} requests");
    assert_eq!(refused, REFUSED.map(str::to_owned).into());
    assert_eq!(seen.dropped, DROPPED.map(str::to_owned).into());
    assert_eq!(seen.added, ADDED.map(str::to_owned).into());
}

#[derive(Default)]
struct Seen {
    dropped: BTreeSet<String>,
    added: BTreeSet<String>,
}

impl Seen {
    /// Values that both have must be equal; values that only one has are noted by their paths.
    fn compare(&mut self, path: &str, sent: &Value, again: &Value, fixture: &str) {
        match (sent, again) {
            (_, Value::Null) => drop(self.dropped.insert(path.to_owned())),
            (Value::Object(one), Value::Object(other)) => {
                for (key, value) in one {
                    self.compare(&format!("{path}.{key}"), value, &again[key], fixture);
                }
                let added = other.keys().filter(|key| !one.contains_key(*key));
                self.added.extend(added.map(|key| format!("{path}.{key}")));
            }
            (Value::Array(one), Value::Array(other)) => {
                assert_eq!(one.len(), other.len(), "{path} of {fixture}");
                for (one, other) in one.iter().zip(other) {
                    let kind = one["type"].as_str().unwrap_or_default();
                    self.compare(&format!("{path}[{kind}]"), one, other, fixture);
                }
            }
            // Those types have numbers of their own width.
            (Value::Number(one), Value::Number(other)) => {
                let (one, other) = (one.as_f64().unwrap(), other.as_f64().unwrap());
                assert!((one - other).abs() < 1e-6, "{path} of {fixture}: {one} and {other}");
            }
            _ => assert_eq!(sent, again, "{path} of {fixture}"),
        }
    }
}

/// A request with what those types want beyond the API: an input, also beside `previous_response_id`, all that
/// makes an output message of an assistant's one, ids where the API does without, and a `format` of custom tools.
fn with_more(mut request: Value) -> Value {
    let fields = request.as_object_mut().unwrap();
    if let Some(items) = fields.entry("input").or_insert(json!([])).as_array_mut() {
        *items = items.drain(..).map(completed).collect();
        for item in items {
            if NAMELESS.iter().any(|kind| item["type"] == *kind) {
                item.as_object_mut().unwrap().entry("id").or_insert(json!("id_0"));
            }
        }
    }
    for tool in fields.get_mut("tools").and_then(Value::as_array_mut).into_iter().flatten() {
        if tool["type"] == "custom" {
            tool.as_object_mut().unwrap().entry("format").or_insert(json!({"type": "text"}));
        }
    }
    request
}
