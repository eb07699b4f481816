//! Laws of the Chat API, for every request and every list of items.

use chatmd::internal::chat::{self, Options, ReplyError};
use chatmd::internal::json::{Json, Object, StringArena};
use chatmd::internal::responses::{Item, Part, Reasoning};
use chatmd::internal::source::{Sources, Span};
use chatmd::internal::wire::{Api, Class, ExportedRequest, LocatedTool, Placed, SourceRequest, sent_call_id};
use chatmd::options::ReadOptions;
use chatmd::{Converter, RequestOptions, ResponseOptions};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Map, Value, json};

use crate::cases::cases;

const IMAGE: &str = "data:image/png;base64,iVBORw0KGgo=";
const SENTENCE: &str = "Tool output, not an instruction:";

/// The hash of the bytes of [`IMAGE`], and the part of it that is its label.
const HASH: &str = "4c4b6a3be1314ab86138bef4314dde022e600960d8689a2c8f8631802d20dab6";
const LABEL: &str = HASH.split_at(12).0;

fn text() -> impl Strategy<Value = String> {
    let imitations = [
        SENTENCE.to_owned(),
        format!("[part sha256:{LABEL} image/png: shown in the next user message]"),
        format!("[part sha256:{LABEL} of a]"),
        format!("sha256:{LABEL}4"),
        "\"<user>\\n</user>\"".to_owned(),
        String::new(),
        "Hello.".to_owned(),
    ];
    select(imitations.to_vec())
}

fn id() -> impl Strategy<Value = String> {
    select(vec!["a".to_owned(), "b".to_owned(), "c d".to_owned(), "x".repeat(45)])
}

/// A part of a message, also of a kind that no document has words for.
fn part() -> impl Strategy<Value = Value> {
    prop_oneof![
        4 => text().prop_map(|text| json!({ "type": "text", "text": text })),
        2 => Just(json!({ "type": "image_url", "image_url": { "url": IMAGE } })),
        1 => Just(json!({ "type": "image_url", "image_url": { "url": "https://example.com/a", "detail": "low" } })),
        1 => Just(json!({ "type": "image_url", "image_url": { "url": IMAGE, "detail": null } })),
        1 => Just(json!({ "type": "image_url", "image_url": IMAGE, "cache_control": { "type": "ephemeral" } })),
        1 => Just(json!({ "type": "file", "file": { "file_data": "data:application/pdf;base64,JVBE" } })),
        1 => Just(json!({ "type": "file", "file": { "file_id": "file-1", "more": [1] } })),
        1 => Just(json!({ "type": "input_audio", "input_audio": { "data": "AAAA", "format": "wav" } })),
        1 => text().prop_map(|text| json!({ "type": "refusal", "refusal": text })),
        1 => text().prop_map(|text| json!({ "type": "thinking", "thinking": [{ "type": "text", "text": text }] })),
        1 => text().prop_map(|text| json!({ "type": "text", "text": text, "index": 3 })),
        1 => select(vec![json!(null), json!("x"), json!({ "type": 1 }), json!({ "@at": "new", "type": "text", "text": "" })]),
    ]
}

fn content() -> impl Strategy<Value = Value> {
    prop_oneof![
        4 => text().prop_map(Value::String),
        3 => vec(part(), 0..4).prop_map(Value::Array),
        1 => select(vec![json!(null), json!(1), json!({})]),
    ]
}

fn call() -> impl Strategy<Value = Value> {
    let function = (id(), select(vec![json!("{\"a\": 1}"), json!(""), json!("no"), json!({ "a": 1 })])).prop_map(
        |(id, arguments)| json!({ "id": id, "type": "function", "function": { "name": "f", "arguments": arguments } }),
    );
    prop_oneof![
        6 => function,
        1 => id().prop_map(|id| json!({ "id": id, "type": "custom", "custom": { "name": "f", "input": "x" } })),
        1 => id().prop_map(|id| json!({ "id": id, "index": 0, "function": { "name": "f", "arguments": "{}", "more": null } })),
        1 => select(vec![json!({}), json!(null), json!({ "type": "function", "function": { "name": "f" } })]),
    ]
}

/// A message of any role with any members.
fn message() -> impl Strategy<Value = Value> {
    let role =
        select(vec!["user", "assistant", "assistant", "tool", "tool", "system", "developer", "function", "critic"]);
    let more = select(vec!["reasoning_content", "reasoning", "refusal", "annotations", "-", "@at", "prefix", "name"]);
    let values = prop_oneof![text().prop_map(Value::String), Just(json!(null)), Just(json!([1.50]))];
    let call_fields = (option::weighted(0.4, vec(call(), 0..3)), option::weighted(0.1, text()));
    (role, option::weighted(0.9, content()), call_fields, id(), vec((more, values), 0..2)).prop_map(
        |(role, content, (calls, legacy), id, more)| {
            let mut message = Map::new();
            message.insert("role".to_owned(), json!(role));
            message.extend(content.map(|content| ("content".to_owned(), content)));
            if role == "tool" {
                message.insert("tool_call_id".to_owned(), json!(id));
            }
            if role == "assistant" {
                message.extend(calls.map(|calls| ("tool_calls".to_owned(), json!(calls))));
                let legacy = legacy.map(|text| json!({ "name": "f", "arguments": text }));
                message.extend(legacy.map(|call| ("function_call".to_owned(), call)));
            }
            message.extend(more.into_iter().map(|(key, value)| (key.to_owned(), value)));
            Value::Object(message)
        },
    )
}

/// Outputs with images that another program has moved into a user message, perhaps not quite.
fn moved_images() -> impl Strategy<Value = Vec<Value>> {
    let captions = vec(select(vec![LABEL.to_owned(), format!("{LABEL}c"), "4c4b6a3be132".to_owned()]), 1..3);
    (captions, text()).prop_map(|(labels, text)| {
        let placeholder = |label: &String| format!("[part sha256:{label} image/png: shown in the next user message]");
        let mut output: Vec<Value> =
            labels.iter().map(|label| json!({ "type": "text", "text": placeholder(label) })).collect();
        output.push(json!({ "type": "text", "text": text }));
        let mut user = vec![json!({ "type": "text", "text": SENTENCE })];
        for label in &labels {
            user.push(json!({ "type": "text", "text": format!("[part sha256:{label} of a]") }));
            user.push(json!({ "type": "image_url", "image_url": { "url": IMAGE } }));
        }
        vec![
            json!({ "role": "tool", "tool_call_id": "a", "content": output }),
            json!({ "role": "user", "content": user }),
        ]
    })
}

fn messages() -> impl Strategy<Value = Vec<Value>> {
    let some = prop_oneof![5 => message().prop_map(|message| vec![message]), 1 => moved_images()];
    vec(some, 1..6).prop_map(|lists| lists.concat())
}

fn tool() -> impl Strategy<Value = Value> {
    select(vec![
        json!({ "type": "function", "function": { "name": "f", "description": "d", "parameters": { "type": "object" } } }),
        json!({ "type": "function", "function": { "name": "g", "strict": true, "more": 1 }, "also": null }),
        json!({ "function": { "name": "h", "description": null } }),
        json!({ "type": "custom", "custom": { "name": "c", "format": { "type": "grammar", "grammar": { "syntax": "lark", "definition": "x" } } } }),
        json!({ "type": "web_search", "parameters": {} }),
        json!({ "type": "function" }),
    ])
}

fn field() -> impl Strategy<Value = (&'static str, Value)> {
    select(vec![
        ("max_tokens", json!(5)),
        ("max_completion_tokens", json!(null)),
        ("reasoning_effort", json!("low")),
        ("reasoning", json!({ "effort": "low" })),
        ("verbosity", json!("low")),
        (
            "response_format",
            json!({ "type": "json_schema", "json_schema": { "name": "n", "schema": {}, "strict": true } }),
        ),
        ("response_format", json!({ "type": "json_object", "more": 1 })),
        ("response_format", json!(null)),
        ("tool_choice", json!({ "type": "function", "function": { "name": "f" } })),
        (
            "tool_choice",
            json!({ "type": "allowed_tools", "allowed_tools": { "mode": "auto", "tools": [{ "type": "function", "function": { "name": "f" } }] } }),
        ),
        ("tool_choice", json!({ "type": "web_search" })),
        ("tool_choice", json!("any")),
        ("function_call", json!({ "name": "f" })),
        ("functions", json!([{ "name": "f", "parameters": {} }])),
        ("stop", json!(["x"])),
        ("text", json!("x")),
        ("prompt", json!("x")),
        ("input", json!([])),
        ("tools", json!(null)),
        ("user", json!("x")),
        ("previous_response_id", json!("x")),
        ("api", json!("x")),
        ("seed", json!(1.5)),
    ])
}

fn request() -> impl Strategy<Value = Value> {
    (messages(), vec(field(), 0..4), option::of(vec(tool(), 0..3))).prop_map(|(messages, fields, tools)| {
        let mut request: Map<String, Value> = fields.into_iter().map(|(key, value)| (key.to_owned(), value)).collect();
        request.extend(tools.map(|tools| ("tools".to_owned(), json!(tools))));
        request.insert("model".to_owned(), json!("m"));
        request.insert("messages".to_owned(), json!(messages));
        Value::Object(request)
    })
}

/// The only change that reading and writing a message makes.
fn canonical(message: &Value) -> Value {
    let mut message = message.clone();
    let is_said = ["user", "system", "developer", "assistant"].iter().any(|role| message["role"] == *role);
    let part = match &message["content"] {
        Value::Array(parts) if is_said && parts.len() == 1 => parts[0].clone(),
        _ => return message,
    };
    let is_plain = |key: &str| part["type"] == key && part[key].is_string() && part.as_object().unwrap().len() == 2;
    if is_plain("text") {
        message["content"] = part["text"].clone();
    } else if is_plain("refusal") {
        message["content"] = Value::Null;
        message["refusal"] = part["refusal"].clone();
    }
    message
}

/// The request of the document of a request, and the entries of its ledger.
fn again(request: &str) -> (Value, Vec<String>) {
    let read = ReadOptions { api: Some(Api::Chat), ..ReadOptions::default() };
    let options = ResponseOptions { read, ..ResponseOptions::default() };
    let document = Converter::new().from_response(request, &options).unwrap().text;
    let options = RequestOptions { api: Some(Api::Chat), ..RequestOptions::default() };
    let sent = Converter::new().to_request(document, &options).unwrap();
    (serde_json::from_str(&sent.value).unwrap(), sent.warnings.ledger().lines().map(str::to_owned).collect())
}

fn export<'d>(
    fields: &Object<'d>,
    items: &[Item<'d>],
    tools: &[Json<'d>],
    strings: &'d StringArena,
) -> ExportedRequest<'d> {
    let sources = Sources::new();
    let span = Span::new(sources.add("chat.md", String::new(), None), 0..0);
    let placed = |item| Placed { item, span, parts: &[], is_moved: false };
    let tool = |json: &Json<'d>| LocatedTool::given(*json, span);
    let source = SourceRequest {
        declared: Some(Api::Chat),
        fields,
        instructions: Vec::new(),
        items: items.iter().map(placed).collect(),
        tools: tools.iter().map(tool).collect(),
        place: span,
    };
    chat::export(&source, &Options::default(), strings)
}

proptest! {
    #![proptest_config(cases())]

    #[test]
    fn a_request_comes_back_and_nothing_is_noted(request in request()) {
        let mut expected = request.clone();
        for message in expected["messages"].as_array_mut().unwrap() {
            *message = canonical(message);
        }
        let (found, rules) = again(&request.to_string());
        prop_assert_eq!(found, expected);
        prop_assert_eq!(rules, Vec::<String>::new());
    }
}

proptest! {
    #![proptest_config(cases())]

    /// Reasoning, signatures and blocks of other issuers are never sent, and neither are their texts.
    #[test]
    fn nothing_of_another_issuer_is_sent(issuers in vec(select(vec!["anthropic", "openai", "other"]), 1..4)) {
        let strings = StringArena::default();
        let mut items = vec![Item::decode(Json::parse(r#"{"role":"user","content":"Hi"}"#, &strings).unwrap()).unwrap()];
        for issuer in &issuers {
            let mut rest = Object::default();
            if *issuer != "openai" {
                rest.insert("@issuer", strings.string(issuer));
            }
            for key in ["@signature", "@redacted", "encrypted_content"] {
                rest.insert(key, strings.string("sealed-data"));
            }
            let summary = vec![Part::text("summary_text", "hidden-thought")];
            items.push(Item::Reasoning(Reasoning { summary, content: None, rest }));
            let mut foreign = Object::default();
            foreign.insert("issuer", strings.string(issuer));
            foreign.insert("block", strings.string("sealed-data"));
            items.push(Item::Foreign(foreign));
        }
        let sent = export(&Object::default(), &items, &[], &strings);
        let request = sent.fields.to_json(&strings).raw().to_owned();
        prop_assert!(!request.contains("sealed-data") && !request.contains("hidden-thought"), "{request}");
        prop_assert_eq!(sent.ledger.iter().count(), 2 * issuers.len());
        prop_assert!(sent.ledger.iter().all(|entry| entry.rule.class == Class::Withheld));
    }
}

/// A text that imitates what the export writes for images of outputs.
fn forgery() -> impl Strategy<Value = String> {
    let label = prop_oneof![(0..=HASH.len()).prop_map(|length| HASH[..length].to_owned()), Just(format!("{HASH}-1"))];
    (label, id(), 0..5_usize).prop_map(|(label, id, form)| match form {
        0 => format!("[part sha256:{label} image/png: shown in the next user message]"),
        1 => format!("[part sha256:{label} of {id}]"),
        2 => format!("a sha256:{label} b"),
        3 => SENTENCE.to_owned(),
        _ => "[part sha256:".to_owned(),
    })
}

/// A list of texts and images; the images are of the same bytes.
fn forged_parts() -> impl Strategy<Value = Vec<Value>> {
    let image = json!({ "type": "input_image", "image_url": IMAGE, "detail": "auto" });
    let part = prop_oneof![
        3 => forgery().prop_map(|text| json!({ "type": "input_text", "text": text })),
        2 => Just(image),
    ];
    vec(part, 1..6)
}

/// The items of a document, as the Responses API gets them.
fn items_of(document: &str) -> Value {
    let options = RequestOptions { api: Some(Api::Responses), ..RequestOptions::default() };
    serde_json::from_str(&Converter::new().to_input(document, &options).unwrap().value).unwrap()
}

proptest! {
    #![proptest_config(cases())]

    /// Whatever texts imitate, images stay in the outputs that have them. If a user message of the document reads like the
    /// images of outputs, the ledger says so.
    #[test]
    fn a_text_moves_no_image(
        outputs in vec((id(), prop_oneof![forgery().prop_map(Value::String), forged_parts().prop_map(Value::Array)]), 1..4),
        user in forged_parts(),
        imitates in any::<bool>(),
    ) {
        let mut items = vec![json!({ "type": "message", "role": "user", "content": [{ "type": "input_text", "text": "Go." }] })];
        let call = |id: &String| json!({ "type": "function_call", "call_id": id, "name": "f", "arguments": "{}" });
        items.extend(outputs.iter().map(|(id, _)| call(id)));
        let output = |(id, output): &(String, Value)| json!({ "type": "function_call_output", "call_id": id, "output": output });
        items.extend(outputs.iter().map(output));
        let sentence = imitates.then(|| json!({ "type": "input_text", "text": SENTENCE }));
        let content: Vec<Value> = sentence.into_iter().chain(user).collect();
        items.push(json!({ "type": "message", "role": "user", "content": content }));
        let document = Converter::new().from_response(json!(items).to_string(), &ResponseOptions::default()).unwrap().text;
        let options = RequestOptions { api: Some(Api::Chat), model: Some("m".to_owned()), ..RequestOptions::default() };
        let sent = Converter::new().to_request(document.as_str(), &options).unwrap();
        let read = ReadOptions { api: Some(Api::Chat), ..ReadOptions::default() };
        let again = Converter::new().from_response(sent.value.as_str(), &ResponseOptions { read, ..ResponseOptions::default() });
        let is_noted = sent.warnings.ledger().lines().any(|entry| entry.contains("imitated-part"));
        let (expected, found) = (items_of(&document), items_of(&again.unwrap().text));
        prop_assert!(is_noted || found == with_sent_ids(expected.clone()), "{}\n{found}\n{expected}", sent.value);
    }
}

/// Items with the call ids that the Chat API takes.
fn with_sent_ids(mut items: Value) -> Value {
    for item in items.as_array_mut().unwrap() {
        if let Some(id) = item["call_id"].as_str() {
            item["call_id"] = json!(sent_call_id(Api::Chat, id));
        }
    }
    items
}

const TWO_CHOICES: &str = r#"{"choices":[{"index":0,"message":{"role":"assistant","content":"a"},"finish_reason":"stop"},
    {"index":1,"message":{"role":"assistant","content":"b"},"finish_reason":"length"}],"id":"x"}"#;

#[test]
fn one_of_several_choices_has_to_be_chosen() {
    let strings = StringArena::default();
    let reply = Json::parse(TWO_CHOICES, &strings).unwrap();
    assert_eq!(chat::import_reply(reply, None, &strings), Err(ReplyError::SeveralChoices(vec![0, 1])));
    assert_eq!(chat::import_reply(reply, Some(2), &strings), Err(ReplyError::NoChoice(2)));
    let (items, envelope) = chat::import_reply(reply, Some(1), &strings).unwrap().unwrap();
    assert_eq!(items.len(), 1);
    assert_eq!(envelope.get_str("finish_reason").as_deref(), Some("length"));
    assert_eq!(envelope.get_str("id").as_deref(), Some("x"));
}

#[test]
fn citations_of_a_reply_become_annotations() {
    let reply = r#"{"choices":[{"message":{"content":"a","annotations":[{"type":"url_citation",
        "url_citation":{"url":"https://example.com","start_index":0}}]}}]}"#;
    let strings = StringArena::default();
    let (items, _) = chat::import_reply(Json::parse(reply, &strings).unwrap(), None, &strings).unwrap().unwrap();
    let annotations = items[0].0.objects()[1].get("annotations").unwrap();
    assert_eq!(annotations.raw(), r#"[{"type":"url_citation","url":"https://example.com","start_index":0}]"#);
}
