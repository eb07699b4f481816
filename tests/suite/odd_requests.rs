//! Requests with odd fields and odd tools come back from their documents unchanged.

use chatmd::internal::diagnostic::Diagnostics;
use chatmd::internal::document::format;
use chatmd::internal::source::Sources;
use chatmd::{Converter, RequestOptions, ResponseOptions, Whitespace};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Map, Value, json};

use crate::cases::cases;
use crate::generate::text;
use crate::support::read;

/// Keys that fields, attributes and declarations use.
const KEYS: &[&str] = &[
    "name",
    "description",
    "parameters",
    "strict",
    "server_url",
    "server_label",
    "allowed_tools",
    "require_approval",
    "command",
    "agent",
    "schema",
    "input_schema",
    "local",
    "mode",
    "mcp_server",
    "include",
    "includes",
    "container",
    "background",
    "environment",
    "format",
    "tools",
    "declared_as",
    "client_id_env",
    "a b",
    "ochat-x",
    "",
    "-",
    "_x",
];
const TYPES: &[&str] = &[
    "function",
    "function",
    "function",
    "custom",
    "web_search",
    "mcp",
    "shell",
    "hosted",
    "chatml",
    "moderator",
    "",
    "namespace",
    "a type",
    "</tool>",
];
const FIELDS: &[&str] = &[
    "temperature",
    "top_p",
    "max_output_tokens",
    "max_tokens",
    "reasoning",
    "text",
    "tool_choice",
    "parallel_tool_calls",
    "store",
    "include",
    "stream",
    "background",
    "service_tier",
    "previous_response_id",
    "conversation",
    "prompt_cache_key",
    "top_logprobs",
    "metadata",
    "prompt",
    "instructions",
    "id",
    "show_tool_call",
    "reasoning_effort",
    "verbosity",
    "text_format",
    "text.format",
    "-",
    "",
    "<config>",
    "new_field",
];

/// A value that may look like another one.
fn leaf() -> BoxedStrategy<Value> {
    let odd = [
        "true",
        "false",
        "null",
        "1",
        "1.0",
        "[]",
        "[1]",
        "{}",
        "{\"a\":1}",
        "\"a\"",
        "auto",
        "unset",
        "",
        " ",
        "a,b",
        "stdio:x",
    ];
    let values = [
        json!(null),
        json!(true),
        json!(false),
        json!(0),
        json!(1.5),
        json!([]),
        json!({}),
        json!(["a", "b"]),
        json!([1]),
    ];
    prop_oneof![
        select(odd.to_vec()).prop_map(|text| json!(text)),
        select(values.to_vec()),
        text().prop_map(|text| json!(text)),
        text().prop_map(|text| json!({ "a": [{ "b": text }], "type": "json_schema" })),
    ]
    .boxed()
}

fn members(keys: &'static [&'static str], count: usize) -> BoxedStrategy<Map<String, Value>> {
    vec((select(keys), leaf()), 0..count)
        .prop_map(|members| members.into_iter().map(|(key, value)| (key.to_owned(), value)).collect())
        .boxed()
}

fn schema() -> BoxedStrategy<Value> {
    let strict = json!({ "type": "object", "properties": { "a": { "type": "string" } }, "required": ["a"], "additionalProperties": false });
    let loose = json!({ "type": "object", "properties": { "a": { "type": "string", "minLength": 1 } } });
    let described = text().prop_map(|text| json!({ "type": "object", "description": text }));
    prop_oneof![Just(strict), Just(loose), described, leaf()].boxed()
}

fn tool() -> BoxedStrategy<Value> {
    let common = (option::weighted(0.95, select(TYPES)), option::weighted(0.9, text()), option::of(schema()));
    let own = (option::of(prop_oneof![any::<bool>().prop_map(Value::Bool), leaf()]), members(KEYS, 3));
    (common, own)
        .prop_map(|((kind, name, parameters), (strict, mut tool))| {
            let given = [("type", kind.map(Value::from)), ("name", name.map(Value::from)), ("parameters", parameters)];
            for (key, value) in given.into_iter().chain([("strict", strict)]) {
                tool.extend(value.map(|value| (key.to_owned(), value)));
            }
            Value::Object(tool)
        })
        .boxed()
}

fn request() -> BoxedStrategy<Value> {
    let tools = option::weighted(0.8, prop_oneof![9 => vec(tool(), 0..3).prop_map(Value::Array), 1 => leaf()]);
    (
        members(FIELDS, 4),
        tools,
        option::of((members(&["effort", "summary", "x"], 3), members(&["format", "verbosity"], 3))),
    )
        .prop_map(|(mut request, tools, nested)| {
            if let Some((reasoning, text)) = nested {
                request.insert("reasoning".to_owned(), Value::Object(reasoning));
                request.insert("text".to_owned(), Value::Object(text));
            }
            request.extend(tools.map(|tools| ("tools".to_owned(), tools)));
            request.insert("model".to_owned(), json!("m"));
            request.insert("input".to_owned(), json!([]));
            Value::Object(request)
        })
        .boxed()
}

fn document_of(request: &Value) -> String {
    Converter::new().from_response(request.to_string(), &ResponseOptions::default()).unwrap().text
}

proptest! {
    #![proptest_config(cases())]

    #[test]
    fn any_request_comes_back(request in request()) {
        let document = document_of(&request);
        let sources = Sources::new();
        let (read, _) = read(&sources, &document, Whitespace::Layout);
        // An element would give a schema a name.
        let format = &request["text"]["format"];
        let is_unnamed = format["type"] == "json_schema" && format.get("name").is_none();
        prop_assert!(is_unnamed || read.request_metadata().next().is_none(), "{}", document);
        let back = Converter::new().to_request(document.as_str(), &RequestOptions::default());
        let back = back.unwrap_or_else(|error| panic!("{error}\n{document}")).value;
        prop_assert_eq!(serde_json::from_str::<Value>(&back).unwrap(), request, "{}", document);
    }

    #[test]
    fn the_document_of_a_request_is_already_formatted(request in request()) {
        let document = document_of(&request);
        let sources = Sources::new();
        let source = sources.add("document.md", document.clone(), None);
        prop_assert_eq!(format(&sources, source, Whitespace::Layout, &mut Diagnostics::new()), Some(document));
    }
}
