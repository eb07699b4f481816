//! `check` finds what the public description of the API forbids, at the line that causes it.

use std::fs;

use chatmd::{CheckOptions, Converter, Finding, ResponseOptions};
use serde_json::{Value, json};

use crate::check::check;
use crate::support::fixtures;

/// Objects whose keys are free.
const FREE: [&str; 3] = ["parameters", "schema", "metadata"];
/// Keys without which the API rejects an item, a part or a tool.
const REQUIRED: [&str; 14] = [
    "call_id",
    "name",
    "arguments",
    "input",
    "output",
    "summary",
    "vector_store_ids",
    "container",
    "server_label",
    "action",
    "commands",
    "outcome",
    "syntax",
    "exit_code",
];

/// Each line of a document that is reported, with the rule and the message.
fn reported(document: &str) -> Vec<String> {
    let report = check(document);
    report.iter().map(|finding| format!("{} {}: {}", finding.line(), finding.name(), finding.message())).collect()
}

#[test]
fn a_finding_names_the_place_and_the_value() {
    for (document, expected) in [
        (
            "<config\n  top_p=\"7\"\n  max_tokens=\"3\"/>",
            &[
                "2 invalid-value: `top_p` must be at most 1, found `7`",
                "3 invalid-value: `max_tokens` must be at least 16, found `3`",
            ][..],
        ),
        (
            "<config>\n{\n  \"text\": {\n    \"verbosity\": \"loud\"\n  }\n}\n</config>",
            &["4 unknown-value: `text.verbosity` has an unknown value: `loud`"],
        ),
        ("<config>{\"include\": [1]}</config>", &["1 wrong-type: `include[0]` must be a string, found `1`"]),
        ("<config>{\"tools\": [{\"type\":\"mcp\"}]}</config>", &["1 missing-field: `tools[0]` needs `server_label`"]),
        (
            "<tool type=\"file_search\"\n  vector_store_ids=\"vs_1\"/>",
            &["2 wrong-type: `vector_store_ids` must be an array, found `vs_1`"],
        ),
        (
            "<tool type=\"web_search\">\n{\n  \"user_location\": {\"type\": \"aproximate\"}\n}\n</tool>",
            &["3 unknown-value: `user_location.type` has an unknown value: `aproximate`"],
        ),
        (
            "<tool type=\"mcp\" server_url=\"https://e.com\" authorization=\"1234\">{\"server_label\":\"a\",\"headers\":\"password\"}</tool>",
            &["1 wrong-type: `headers` must be an object, found a string"],
        ),
        (
            "<tool name=\"t\" strict=\"false\">{}</tool>\n<tool name=\"t\" strict=\"false\">{}</tool>",
            &["2 repeated-tool: two tools are called `t`"],
        ),
        (
            "<config>{\"tools\":[{\"type\":\"function\",\"name\":\"t\"},\n{\"type\":\"function\",\"name\":\"t\"}]}</config>",
            &["2 repeated-tool: two tools are called `t`"],
        ),
        (
            "<user>\n<img src=\"https://e.com/a.png\" detail=\"hi\"/>\n</user>",
            &["2 unknown-value: `content[0].detail` has an unknown value: `hi`"],
        ),
        ("<user>\n<!-- chatmd:part {\"typ\": 1} -->\na\n</user>", &["2 unknown-field: unknown field `content[0].typ`"]),
        (
            "<user>a</user>\n\n<!-- chatmd:item {\n  \"type\": \"mcp_call\",\n  \"name\": 1\n} -->",
            &[
                "3 missing-field: `mcp_call` needs `arguments`",
                "3 missing-field: `mcp_call` needs `server_label`",
                "5 wrong-type: `name` must be a string, found `1`",
            ],
        ),
        (
            "<user>a</user>\n\n<!-- chatmd:item {\"type\": \"mcp_cal\"} -->",
            &["3 unknown-value: `type` has an unknown value: `mcp_cal`"],
        ),
    ] {
        let document =
            if document.contains("<user>") { document.to_owned() } else { format!("{document}\n<user>a</user>") };
        assert_eq!(reported(&document), expected, "{document}");
    }
}

#[test]
fn what_is_unknown_is_reported_with_the_date_of_the_description() {
    let schema = include_str!("../../src/schema/create-response.schema.json");
    let title = serde_json::from_str::<Value>(schema).unwrap()["title"].as_str().unwrap().to_owned();
    assert!(title.starts_with("the API of 20") && title.contains(" (openai "), "{title}");
    for document in
        ["<config>{\"stor\":true}</config>", "<user><img src=\"https://e.com/a.png\" detail=\"hi\"/></user>"]
    {
        let report = check(&format!("{document}\n<user>a</user>")).to_string();
        assert!(report.contains(&format!("not in the description of {title}")), "{report}");
    }
}

#[test]
fn what_the_api_takes_is_not_reported() {
    for document in [
        "<config top_p=\"1\" temperature=\"0\" max_tokens=\"16\" reasoning_effort=\"max\" store metadata='{\"a\":\"b\"}'/>",
        "<config model=\"some-new-model\">{\"tool_choice\":null,\"reasoning\":null,\"text\":{\"format\":{\"type\":\"text\"}}}</config>",
        "<config conversation='{\"id\":\"conv_1\"}'/>",
        "<tool mcp_server=\"https://e.com/mcp\" require_approval=\"never\"/>",
        "<tool name=\"read_file\"/>",
        "<user id=\"msg_1\">a</user>",
        "<assistant id=\"msg_1\" phase=\"commentary\">a</assistant>",
    ] {
        assert_eq!(reported(&format!("{document}\n<user>a</user>")), [""; 0], "{document}");
    }
}

/// Changes that leave a request valid: a string is input too, an object is read as arguments, and these may be absent.
const ALLOWED: [(&str, &str); 4] = [
    ("type", "/input"),
    ("type", "/input/3/arguments"),
    ("missing", "/input/7/action"),
    ("missing", "/input/10/output"),
];

/// One broken request: what is broken, and the JSON.
pub(crate) struct Mutation {
    pub(crate) pointer: String,
    pub(crate) what: &'static str,
    pub(crate) request: Value,
}

/// Breaks one field of a request in each way that the description forbids.
pub(crate) fn mutations(request: &Value) -> Vec<Mutation> {
    let mut mutations = Vec::new();
    visit(request, "", &mut |pointer, value| {
        let (parent, key) = pointer.rsplit_once('/').unwrap_or_default();
        if pointer.is_empty() || FREE.iter().any(|free| parent.contains(&format!("/{free}"))) {
            return;
        }
        let mut push = |what, change: &dyn Fn(&mut Value)| {
            let mut request = request.clone();
            change(request.pointer_mut(parent).unwrap());
            mutations.push(Mutation { pointer: pointer.to_owned(), what, request });
        };
        let wrong = match value {
            Value::String(_) => json!({"wrong": 1}),
            Value::Number(_) | Value::Bool(_) | Value::Array(_) => json!("maybe"),
            Value::Object(_) => json!(7),
            Value::Null => return,
        };
        // A string is content too, and names a container.
        if !(matches!(key, "content" | "output") && value.is_array()) {
            push("type", &|parent| *parent.pointer_mut(&format!("/{key}")).unwrap() = wrong.clone());
        }
        if key.parse::<usize>().is_err() {
            push("name", &|parent| {
                let value = parent.as_object_mut().unwrap().remove(key).unwrap();
                parent[format!("{key}x")] = value;
            });
            let is_in_list = parent.starts_with("/input/") || parent.starts_with("/tools/");
            if is_in_list && REQUIRED.contains(&key) {
                push("missing", &|parent| drop(parent.as_object_mut().unwrap().remove(key)));
            }
        }
    });
    let ranges = [
        ("top_p", json!(1.5)),
        ("temperature", json!(-1)),
        ("max_output_tokens", json!(1)),
        ("top_logprobs", json!(21)),
    ];
    for (key, value) in ranges {
        let mut request = request.clone();
        request[key] = value;
        mutations.push(Mutation { pointer: format!("/{key}"), what: "range", request });
    }
    mutations
}

fn visit(value: &Value, pointer: &str, visitor: &mut impl FnMut(&str, &Value)) {
    visitor(pointer, value);
    match value {
        Value::Array(elements) => {
            elements.iter().enumerate().for_each(|(at, one)| visit(one, &format!("{pointer}/{at}"), visitor));
        }
        Value::Object(members) => {
            members.iter().for_each(|(key, one)| visit(one, &format!("{pointer}/{key}"), visitor));
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// Whether `check` reports something about a mutation, at a line of what was changed.
fn is_found(mutation: &Mutation) -> Result<(), String> {
    let converter = Converter::new();
    let reply = converter.from_response(mutation.request.to_string().as_str(), &ResponseOptions::default());
    // A request that cannot be converted counts as found.
    let Ok(reply) = reply else { return Ok(()) };
    let document = reply.text;
    let report = converter.check(document.as_str(), &CheckOptions::default());
    let lines: Vec<usize> = report.iter().map(Finding::line).collect();
    if lines.is_empty() {
        return Err(format!("{} of {} is not found", mutation.what, mutation.pointer));
    }
    let name = mutation.pointer.split('/').nth(1).unwrap();
    let place = |pointer: &str| converter.locate(document.as_str(), &chatmd::RequestOptions::default(), pointer).ok();
    let element: String = match name {
        "input" | "tools" => mutation.pointer.split('/').take(3).collect::<Vec<_>>().join("/"),
        name => format!("/{name}"),
    };
    let Some(first) = place(&element).and_then(|output| Some(output.value?.place.line)) else {
        return Ok(());
    };
    // The next element starts after a blank line.
    let length = document.lines().skip(first - 1).take_while(|line| !line.is_empty()).count();
    let is_right = |line: &usize| (first..first + length).contains(line);
    if lines.iter().any(is_right) {
        Ok(())
    } else {
        Err(format!("{} of {} is found at {lines:?}, not at {first}", mutation.what, mutation.pointer))
    }
}

#[test]
fn nearly_every_broken_field_is_found_at_its_line() {
    let request: Value = serde_json::from_slice(&fs::read(fixtures().join("checks/request.json")).unwrap()).unwrap();
    let document = Converter::new().from_response(request.to_string().as_str(), &ResponseOptions::default()).unwrap();
    assert_eq!(reported(&document.text), [""; 0], "{}", document.text);
    let mut mutations = mutations(&request);
    mutations.retain(|mutation| !ALLOWED.contains(&(mutation.what, mutation.pointer.as_str())));
    assert!(mutations.len() > 200, "{}", mutations.len());
    let missed: Vec<String> = mutations.iter().filter_map(|mutation| is_found(mutation).err()).collect();
    assert!(missed.len() * 20 <= mutations.len(), "{} of {}\n{}", missed.len(), mutations.len(), missed.join("\n"));
}
