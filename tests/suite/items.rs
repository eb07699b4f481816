//! Arbitrary items over all shapes of the API, and what a round trip may change.

use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use serde_json::{Map, Value, json};

use crate::generate::text;

/// Texts that a tool response might read as something else.
fn output_text() -> impl Strategy<Value = String> {
    let parts = vec(part(&["input_text", "input_image", "input_file", "input_audio"]), 0..3);
    let png = || json!({ "type": "image", "data": "iVBORw0KGgo=", "mimeType": "image/png" });
    let mcp = prop_oneof![
        Just(png()),
        Just(json!({ "content": [png()], "isError": true, "structuredContent": {} })),
        Just(json!({ "type": "content", "value": [{ "type": "media", "mediaType": "image/png", "data": "AAAA" }] })),
        Just(json!([{ "type": "image", "source": { "type": "base64", "media_type": "image/png", "data": "AAAA" } }])),
        Just(json!([{ "type": "resource", "resource": { "uri": "a/b.pdf", "blob": "AAAA" } }])),
        Just(json!([{ "type": "file-data", "mediaType": "video/mp4", "data": "AAAA" }])),
        Just(json!([{ "type": "text", "text": "x" }])),
        Just(json!({ "content": [{ "type": "image", "data": "AA==", "mimeType": "image/png" }] })),
        Just(json!([{ "type": "audio", "data": "AA==", "mimeType": "audio/wav" }])),
        parts.prop_map(Value::Array),
    ];
    prop_oneof![3 => text(), 1 => mcp.prop_map(|json| json.to_string())]
}

fn scalar() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::Bool),
        any::<i64>().prop_map(Value::from),
        text().prop_map(Value::String)
    ]
}

/// Unknown members.
fn unknown() -> impl Strategy<Value = Map<String, Value>> {
    let value = prop_oneof![
        scalar(),
        vec(scalar(), 0..3).prop_map(Value::Array),
        scalar().prop_map(|value| json!({ "deep": [value] }))
    ];
    let key = prop_oneof![4 => "x_[a-z]{1,3}", 1 => Just("previewurl".to_owned()), 1 => Just("-".to_owned()), 1 => Just(String::new()), 1 => Just("$serde_json::private::Number".to_owned())];
    prop_oneof![3 => Just(Map::new()), 1 => vec((key, value), 1..3).prop_map(|members| members.into_iter().collect())]
}

/// An object with members that may be absent, and unknown ones.
fn object(required: Value, maybe: Vec<(&'static str, BoxedStrategy<Value>)>) -> BoxedStrategy<Value> {
    let (names, values): (Vec<_>, Vec<_>) = maybe.into_iter().map(|(name, value)| (name, option::of(value))).unzip();
    let build = move |(values, unknown): (Vec<Option<Value>>, Map<String, Value>)| {
        let mut object = required.as_object().cloned().unwrap_or_default();
        let members = names.iter().zip(values).filter_map(|(name, value)| Some(((*name).to_owned(), value?)));
        object.extend(members);
        for (key, value) in unknown {
            object.entry(key).or_insert(value);
        }
        Value::Object(object)
    };
    (values, unknown()).prop_map(build).boxed()
}

fn string() -> BoxedStrategy<Value> {
    text().prop_map(Value::String).boxed()
}

fn string_or_null() -> BoxedStrategy<Value> {
    prop_oneof![4 => string(), 1 => Just(Value::Null)].boxed()
}

const FILE_DATA: &[&str] = &["data:application/pdf;base64,JVBERi0=", "data:audio/wav;base64,UklGRg==", "JVBERi0="];

fn part(kinds: &'static [&'static str]) -> impl Strategy<Value = Value> {
    proptest::sample::select(kinds).prop_flat_map(|kind| {
        let lists = || {
            prop_oneof![Just(json!([])), Just(json!([{ "type": "url_citation", "url": "u" }])), Just(Value::Null)]
                .boxed()
        };
        let with_text = |key: &'static str, more: Vec<(&'static str, BoxedStrategy<Value>)>| {
            (text(), object(json!({ "type": kind }), more)).prop_map(move |(text, mut part)| {
                part[key] = Value::String(text);
                part
            })
        };
        match kind {
            "refusal" => with_text("refusal", vec![]).boxed(),
            "output_text" => with_text("text", vec![("annotations", lists()), ("logprobs", lists())]).boxed(),
            "input_image" => {
                let url = prop_oneof![
                    string(),
                    (text(), option::of(Just("low"))).prop_map(|(url, detail)| match detail {
                        Some(detail) => json!({ "url": url, "detail": detail }),
                        None => json!({ "url": url }),
                    }),
                    text().prop_map(|url| json!({ "url": url, "note": "x" })),
                    scalar().prop_map(|url| json!({ "url": url })),
                ];
                let members = vec![
                    ("image_url", url.boxed()),
                    ("file_id", string_or_null()),
                    ("detail", string_or_null()),
                    ("filename", string()),
                ];
                object(json!({ "type": kind }), members)
            }
            "input_file" => {
                let mut members: Vec<_> = ["file_id", "file_url", "filename"].map(|key| (key, string_or_null())).into();
                let data = proptest::sample::select(FILE_DATA).prop_map(|url| json!(url));
                members.push(("file_data", prop_oneof![string_or_null(), data.boxed()].boxed()));
                object(json!({ "type": kind }), members)
            }
            "input_audio" | "unknown_part" => {
                object(json!({ "type": kind }), vec![("data", scalar().boxed()), ("text", string_or_null())])
            }
            _ => with_text("text", vec![]).boxed(),
        }
    })
}

const PARTS: &[&str] = &[
    "input_text",
    "output_text",
    "refusal",
    "input_image",
    "input_file",
    "input_audio",
    "unknown_part",
    "summary_text",
];

fn id_and_status() -> Vec<(&'static str, BoxedStrategy<Value>)> {
    // Digits only look like the numbering of another program.
    let id = prop_oneof![4 => string_or_null(), 1 => Just(json!("7"))];
    vec![("id", id.boxed()), ("status", string_or_null())]
}

fn message() -> impl Strategy<Value = Value> {
    let content = prop_oneof![1 => string(), 3 => vec(part(PARTS), 0..4).prop_map(Value::Array)];
    let role = proptest::sample::select(&["user", "assistant", "system", "developer", "critic"][..]);
    let mut members = id_and_status();
    members.push(("phase", string_or_null()));
    members.push(("type", Just(json!("message")).boxed()));
    (role, content, object(json!({}), members)).prop_map(|(role, content, mut item)| {
        item["role"] = json!(role);
        item["content"] = content;
        item
    })
}

fn call() -> impl Strategy<Value = Value> {
    let arguments = prop_oneof![4 => string(), 1 => Just(json!({ "a": [1, "é"] }))];
    let members = || {
        let mut members = id_and_status();
        let object = prop_oneof![Just(json!({ "type": "program", "caller_id": "p" })), Just(json!("{}"))];
        members.push(("namespace", string_or_null()));
        members.push(("caller", prop_oneof![string_or_null(), object.boxed()].boxed()));
        members
    };
    let function = (text(), text(), arguments, object(json!({ "type": "function_call" }), members()));
    let custom = (text(), text(), string(), object(json!({ "type": "custom_tool_call" }), members()));
    let function = function.prop_map(|(id, name, arguments, item)| (id, name, "arguments", arguments, item));
    let custom = custom.prop_map(|(id, name, input, item)| (id, name, "input", input, item));
    prop_oneof![function, custom].prop_map(|(call_id, name, key, input, mut item)| {
        item["call_id"] = json!(call_id);
        item["name"] = json!(name);
        item[key] = input;
        item
    })
}

fn response() -> impl Strategy<Value = Value> {
    let output = prop_oneof![
        4 => output_text().prop_map(Value::String),
        6 => vec(part(PARTS), 0..4).prop_map(Value::Array),
        1 => Just(Value::Null),
    ];
    let kind = proptest::sample::select(&["function_call_output", "custom_tool_call_output"][..]);
    let call = prop_oneof![4 => text().prop_map(|id| json!({ "call_id": id })), 1 => output_without_call()];
    (kind, call, output, object(json!({}), id_and_status())).prop_map(|(kind, call, output, mut item)| {
        item["type"] = json!(kind);
        item["output"] = output;
        item.as_object_mut().unwrap().extend(call.as_object().cloned().unwrap_or_default());
        item
    })
}

/// The id of the call and the name of an output that answers no call.
fn output_without_call() -> impl Strategy<Value = Value> {
    object(json!({}), vec![("call_id", Just(Value::Null).boxed()), ("name", string_or_null())])
}

/// A change of settings, sometimes one that no attribute can express.
fn update() -> impl Strategy<Value = Value> {
    let reasoning = string_or_null().prop_map(|effort| json!({ "effort": effort })).boxed();
    let text = string_or_null().prop_map(|kind| json!({ "format": { "type": kind } })).boxed();
    object(
        json!({ "type": "configuration_update" }),
        vec![("reasoning", reasoning), ("text", text), ("id", string_or_null())],
    )
}

/// Outputs of the API's own tools, most of them odd in some way.
fn hosted_output() -> impl Strategy<Value = Value> {
    let screenshot = object(
        json!({ "type": "computer_screenshot" }),
        vec![("image_url", string_or_null()), ("file_id", string_or_null()), ("detail", string_or_null())],
    );
    let outcome = prop_oneof![
        3 => Just(json!({ "type": "exit", "exit_code": 0 })),
        1 => Just(json!({ "type": "exit", "exit_code": 1 })),
        1 => Just(json!({ "type": "timeout" })),
    ];
    let stdout = prop_oneof![3 => string(), 1 => Just(json!(" [1]\n"))];
    let stderr = prop_oneof![3 => Just(json!("")), 1 => string()];
    let chunk =
        (stdout, stderr, outcome, object(json!({}), vec![])).prop_map(|(stdout, stderr, outcome, mut chunk)| {
            chunk["stdout"] = stdout;
            chunk["stderr"] = stderr;
            chunk["outcome"] = outcome;
            chunk
        });
    let reason = prop_oneof![string_or_null(), Just(json!("")), Just(json!("\nno"))];
    let odd = prop_oneof![Just(Value::Null), string(), Just(json!([]))].boxed();
    let kinds: Vec<(&str, BoxedStrategy<Value>)> = vec![
        ("computer_call_output", prop_oneof![4 => screenshot, 1 => odd.clone()].boxed()),
        ("shell_call_output", prop_oneof![4 => vec(chunk, 0..3).prop_map(Value::Array), 1 => odd.clone()].boxed()),
        ("apply_patch_call_output", odd),
    ];
    let outputs: Vec<BoxedStrategy<Value>> = kinds
        .into_iter()
        .map(|(kind, output)| {
            let mut members = id_and_status();
            members.extend([("call_id", string_or_null()), ("output", output)]);
            object(json!({ "type": kind }), members)
        })
        .collect();
    let mut members = id_and_status();
    let approve = prop_oneof![4 => any::<bool>().prop_map(Value::Bool), 1 => scalar()];
    members.extend([("approval_request_id", string()), ("approve", approve.boxed()), ("reason", reason.boxed())]);
    let approval = object(json!({ "type": "mcp_approval_response" }), members);
    prop_oneof![3 => proptest::strategy::Union::new(outputs), 1 => approval]
}

fn reasoning() -> impl Strategy<Value = Value> {
    const KINDS: &[&str] = &["summary_text", "reasoning_text", "text"];
    let list = || prop_oneof![1 => Just(Value::Null), 4 => vec(part(KINDS), 0..3).prop_map(Value::Array)].boxed();
    let mut members = id_and_status();
    let long = prop_oneof![string_or_null(), Just(json!("x".repeat(200))), Just(json!("x".repeat(1200)))];
    members.extend([("summary", list()), ("content", list()), ("encrypted_content", long.boxed())]);
    object(json!({ "type": "reasoning" }), members)
}

/// Calls whose results are images, as base64 or as something that only looks like it.
fn generated() -> impl Strategy<Value = Value> {
    const RESULTS: &[&str] = &[
        "iVBORw0KGgoAAAAN",
        "iVBORw0KGgoAAAANSUhEUg==",
        "iVBORw0KGgoAAAANSUhEUh==",
        "data:image/png;base64,iVBORw0KGgo=",
        "data:image/png;charset=x;base64,iVBORw0KGgo=",
        "data:text/plain,iVBORw0KGgo=",
        "not base64",
    ];
    let result = proptest::sample::select(RESULTS).prop_map(|result| json!(result)).boxed();
    let long = Just(json!("QUFB".repeat(300)));
    let file = prop_oneof![Just(json!({ "chatmd:file": "a" })), Just(json!([{ "deep": { "chatmd:file": 1 } }]))];
    let output = prop_oneof![4 => result.clone(), 1 => long, 1 => file].boxed();
    let outputs = vec(output.clone(), 0..3).prop_map(Value::Array).boxed();
    object(json!({ "type": "image_generation_call" }), vec![("id", string()), ("result", output), ("outputs", outputs)])
}

fn other() -> impl Strategy<Value = Value> {
    let kind =
        proptest::sample::select(&["web_search_call", "item_reference", "tool_search_call", "never_heard_of_it"][..]);
    kind.prop_flat_map(|kind| {
        object(
            json!({ "type": kind }),
            vec![("id", string_or_null()), ("arguments", scalar().boxed()), ("role", string())],
        )
    })
}

/// Any item.
pub(crate) fn item() -> impl Strategy<Value = Value> {
    // At the end of a document, such a message would be the placeholder for the next turn.
    let empty = Just(json!({ "type": "message", "role": "user", "content": [] }));
    prop_oneof![1 => empty, 3 => message(), 2 => call(), 3 => response(), 2 => hosted_output(), 2 => reasoning(), 1 => update(), 1 => other(), 1 => generated()]
}

/// The only changes that a round trip may make.
pub(crate) fn canonical(item: &Value) -> Value {
    let mut item = item.clone();
    let Some(members) = item.as_object_mut() else { return item };
    members.remove("toolusedata");
    if !members.contains_key("type") && members.contains_key("role") && members.contains_key("content") {
        members.insert("type".into(), json!("message"));
    }
    let kind = members.get("type").and_then(Value::as_str).unwrap_or_default().to_owned();
    let role = members.get("role").and_then(Value::as_str).unwrap_or_default().to_owned();
    let is_message = kind == "message";
    if is_message {
        members.remove("previewurl");
    }
    if let (true, Some(text)) = (is_message, members.get("content").and_then(Value::as_str)) {
        let text_type = if role == "assistant" { "output_text" } else { "input_text" };
        let content = json!([{ "type": text_type, "text": text }]);
        members.insert("content".into(), content);
    }
    members.get_mut("content").and_then(Value::as_array_mut).into_iter().flatten().for_each(canonical_part);
    if kind == "function_call_output" || kind == "custom_tool_call_output" {
        members.get_mut("output").and_then(Value::as_array_mut).into_iter().flatten().for_each(canonical_part);
    }
    if let (true, Some(Value::Object(arguments))) = (kind == "function_call", members.get("arguments")) {
        let arguments = serde_json::to_string(arguments).unwrap();
        members.insert("arguments".into(), json!(arguments));
    }
    item
}

fn canonical_part(part: &mut Value) {
    let Some(part) = part.as_object_mut() else { return };
    part.remove("previewurl");
    if part.get("type") != Some(&json!("input_image")) {
        return;
    }
    part.remove("filename");
    if let Some(Value::Object(inner)) = part.get("image_url").cloned()
        && inner.keys().all(|key| key == "url" || key == "detail")
    {
        part.insert("image_url".into(), inner["url"].clone());
        if let Some(detail) = inner.get("detail") {
            part.entry("detail").or_insert(detail.clone());
        }
    }
}
