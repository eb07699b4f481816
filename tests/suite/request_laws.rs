//! Laws of requests: each comes back from a document unchanged, and its tools satisfy the API's rules.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use serde_json::Value;
use tempfile::TempDir;

use crate::json::normalized;
use crate::run::{Ran, chatmd, directories, flags, name};

#[test]
fn a_request_becomes_a_document_and_the_same_request() {
    let mut seen = 0;
    for (directory, request) in requests() {
        for mode in ["layout", "verbatim"] {
            let document = chatmd(&directory, &["from-response", "--whitespace", mode, "request.json"], &[], "");
            assert_eq!((document.code, document.stderr.as_str()), (Some(0), ""), "{}", name(&directory));
            let back = elsewhere(&["--whitespace", mode], &document.stdout);
            assert_eq!((back.code, back.stderr.as_str()), (Some(0), ""), "{}: {}", name(&directory), document.stdout);
            assert_eq!(normalized(&back.stdout), normalized(&canonical(&request)), "{} {mode}", name(&directory));
        }
        seen += 1;
    }
    assert!(seen >= 50, "only {seen} requests");
}

#[test]
fn attributes_are_used_where_they_can_express_a_field() {
    for (fixture, expected, unexpected) in [
        (
            "config-of-every-field",
            &["<config model=\"gpt-5\" max_tokens=\"2000\"", "top_logprobs=\"5\""][..],
            "\"store\"",
        ),
        ("tools-that-are-built-in", &["<tool name=\"read_dir\"", "<tool name=\"meta_refine\""], "chatmd:request"),
        ("tools-that-are-hosted", &["<tool type=\"web_search\"", "<tool type=\"image_generation\""], "chatmd:"),
        ("tool-with-a-body", &["<tool name=\"t\" description=\"d\">\n{"], "strict"),
        (
            "tool-strict-explicit",
            &["\"a\" strict=\"true\">", "\"b\" strict=\"false\">", "\"c\" strict>", "\"d\" strict=\"unset\">"],
            "type=\"function\"",
        ),
        ("tool-of-fields", &["<tool type=\"function\" name=\"t\" description=\"d\" strict>\n{"], "chatmd:"),
        ("config-body", &["<config model=\"gpt-5\" temperature=\"1.0\" top_logprobs=\"3\">\n{"], "chatmd:"),
        ("config-body-joins-attributes", &["reasoning_effort=\"low\" reasoning_summary=\"auto\""], "{"),
        ("tool-of-a-server-without-a-label", &["mcp_server=\"https://mcp.example.com:8080/v1\""], "chatmd:request"),
        ("flag-instructions", &["<system instructions>"], "chatmd:request"),
    ] {
        let directory = directories("requests").into_iter().find(|directory| name(directory) == fixture).unwrap();
        let document = chatmd(&directory, &["from-response", "request.json"], &[], "").stdout;
        for words in expected {
            assert!(document.contains(words), "{fixture}: no {words} in {document}");
        }
        assert!(!document.contains(unexpected), "{fixture}: {unexpected} in {document}");
    }
}

#[test]
fn every_function_says_whether_it_is_strict() {
    let mut seen = BTreeSet::new();
    for (directory, request) in requests() {
        // Tools of a file are sent unchanged, and an author may set `strict`.
        let is_given = flags(&directory).iter().any(|flag| flag == "--tools");
        let chat = fs::read_to_string(directory.join("chat.md")).unwrap();
        if is_given || chat.contains(" strict") || chat.contains("\"strict\"") {
            continue;
        }
        for tool in tools(&sent(&directory, &request)) {
            if tool["type"] == "function" {
                let strict = tool["strict"].as_bool().unwrap_or_else(|| panic!("{}: {tool}", name(&directory)));
                let name = tool["name"].as_str().unwrap().to_owned();
                assert!(!strict || loose(&tool["parameters"]).is_none(), "{name}: {:?}", loose(&tool["parameters"]));
                seen.insert((name, strict));
            }
        }
    }
    assert!(seen.len() > 15 && seen.iter().any(|(_, strict)| !strict), "{seen:?}");
}

#[test]
fn what_is_loose_is_found() {
    for (schema, reason) in [
        (
            r#"{"type":"object","properties":{"a":{"type":"string"}},"required":["a"],"additionalProperties":false}"#,
            None,
        ),
        (r#"{"type":"object","properties":{},"required":[]}"#, Some("additionalProperties")),
        (
            r#"{"type":"object","properties":{},"required":[],"additionalProperties":true}"#,
            Some("additionalProperties"),
        ),
        (r#"{"type":"object","properties":{"a":{}},"required":[],"additionalProperties":false}"#, Some("required")),
        (r#"{"type":"array","items":{"type":"object"}}"#, Some("additionalProperties")),
        (
            r#"{"type":"object","properties":{"a":{"anyOf":[{"type":["object","null"]}]}},"required":["a"],"additionalProperties":false}"#,
            Some("additionalProperties"),
        ),
    ] {
        let diagnostics = loose(&serde_json::from_str(schema).unwrap());
        assert_eq!(diagnostics, reason, "{schema}");
    }
}

#[test]
fn invalid_numbers_are_errors_that_name_the_attribute() {
    for (attribute, values) in [
        (
            "temperature",
            &[
                "", "warm", "true", "null", "\"1\"", "[1]", "0,5", ".5", "1.", "+1", "01", "0x1", "NaN", "Infinity",
                "1 2",
            ][..],
        ),
        ("top_p", &["high", "1e", "--1", "½"]),
        ("max_tokens", &["many", "1.5", "-1", "1_000", "1 000", "99999999999999999999999", "{}"]),
        ("max_tool_calls", &["few", "0.5"]),
        ("top_logprobs", &["five", "-5"]),
    ] {
        for value in values {
            let ran = elsewhere(&[], &format!("<config model=\"m\" {attribute}='{value}'/><user>Hello.</user>"));
            assert_eq!((ran.code, ran.stdout.as_str()), (Some(65), ""), "{attribute}={value}");
            assert!(ran.stderr.contains(&format!("`{attribute}`")), "{attribute}={value}: {}", ran.stderr);
        }
    }
}

#[test]
fn warnings_about_what_is_left_out_are_errors_when_strict() {
    for document in [
        "<config model=\"m\"/><config model=\"n\"/><user>Hello.</user>",
        "<config model=\"m\"/><tool mcp_server=\"stdio:server\"/><user>Hello.</user>",
        "<config model=\"m\" colour=\"red\"/><user>Hello.</user>",
        "<config model=\"m\"/><reasoning id=\"r\">Think.</reasoning>",
    ] {
        let [warned, refused] =
            [&["--stateless"][..], &["--stateless", "--strict"]].map(|flags| elsewhere(flags, document));
        assert!(warned.code == Some(0) && warned.stderr.starts_with("warning["), "{document}: {}", warned.stderr);
        assert_eq!((refused.code, refused.stdout.as_str()), (Some(65), ""), "{document}");
    }
}

/// The fixtures that become a whole request, and the request.
fn requests() -> impl Iterator<Item = (std::path::PathBuf, String)> {
    let all = directories("requests").into_iter();
    all.filter_map(|directory| {
        fs::read_to_string(directory.join("request.json")).ok().map(|request| (directory, request))
    })
}

/// The request of a fixture. Another test compares it with the expected one.
fn sent(directory: &Path, request: &str) -> Value {
    let flags = flags(directory);
    let args: Vec<&str> = ["to-request", "chat.md"].into_iter().chain(flags.iter().map(String::as_str)).collect();
    let ran = chatmd(directory, &args, &[], "");
    assert_eq!(normalized(&ran.stdout), normalized(request), "{}", name(directory));
    serde_json::from_str(&ran.stdout).unwrap()
}

fn tools(request: &Value) -> Vec<Value> {
    request["tools"].as_array().cloned().unwrap_or_default()
}

/// A string `input` is one message of the user.
fn canonical(request: &str) -> String {
    request.replace(
        r#""input": "Bye.""#,
        r#""input": [{"type":"message","role":"user","content":[{"type":"input_text","text":"Bye."}]}]"#,
    )
}

/// What strict rules forbid in a schema: an object that allows more, a property that may be absent.
fn loose(schema: &Value) -> Option<&'static str> {
    if let Value::Array(schemas) = schema {
        return schemas.iter().find_map(loose);
    }
    let schema = schema.as_object()?;
    let is_object = match schema.get("type") {
        Some(Value::Array(types)) => types.iter().any(|kind| kind == "object"),
        kind => kind.is_some_and(|kind| kind == "object"),
    };
    if is_object && schema.get("additionalProperties") != Some(&Value::Bool(false)) {
        return Some("additionalProperties");
    }
    let properties = schema.get("properties").and_then(Value::as_object);
    let required = schema.get("required").and_then(Value::as_array);
    let is_required = |key: &String| required.is_some_and(|required| required.iter().any(|name| name == key));
    if !properties.is_none_or(|properties| properties.keys().all(is_required)) {
        return Some("required");
    }
    let inner = properties.into_iter().flat_map(serde_json::Map::values);
    let more = ["items", "anyOf", "$defs"].iter().filter_map(|key| schema.get(*key));
    inner.chain(more).find_map(loose)
}

/// Converts a document far from the files of its fixture.
fn elsewhere(flags: &[&str], document: &str) -> Ran {
    let directory = TempDir::new().unwrap();
    let args: Vec<&str> = ["to-request"].iter().chain(flags).copied().collect();
    chatmd(directory.path(), &args, &[], document)
}
