//! `chatmd check --fix` makes the parameters of a function strict where that keeps their meaning.

use crate::check::{check, rule_names};

/// The fixed schema of a tool. `None` if there is no fix.
fn fixed(schema: &str) -> Option<String> {
    let document = |schema: &str| format!("<tool name=\"t\">\n{schema}\n</tool>\n\n<user>\na\n</user>\n");
    let text = document(schema);
    let report = check(&text);
    assert_eq!(report.iter().map(chatmd::Finding::name).collect::<Vec<_>>(), ["loose-schema"], "{schema}");
    if !report.has_fixes() {
        return None;
    }
    let fixed = report.fix(&text);
    assert_eq!(rule_names(&fixed), [""; 0], "{fixed}");
    let body = fixed.strip_prefix("<tool name=\"t\">\n").unwrap().split("\n</tool>").next().unwrap().to_owned();
    assert_eq!(fixed, document(&body), "nothing else changes");
    Some(body)
}

#[test]
fn optional_properties_may_be_null_and_are_required() {
    for (property, expected) in [
        (r#"{"type":"string"}"#, r#"{"type":["string", "null"]}"#),
        (r#"{"type": "string", "description": "x"}"#, r#"{"type": ["string", "null"], "description": "x"}"#),
        (r#"{"type":["string","integer"]}"#, r#"{"type":["string","integer","null"]}"#),
        (r#"{"type":["string","null"]}"#, r#"{"type":["string","null"]}"#),
        (r#"{"type":"string","enum":["a","b"]}"#, r#"{"type":["string", "null"],"enum":["a","b",null]}"#),
        (r#"{"type":["string","null"],"enum":["a",null]}"#, r#"{"type":["string","null"],"enum":["a",null]}"#),
        (r#"{"enum":["a"]}"#, r#"{"enum":["a", null]}"#),
        (r#"{"const": "a"}"#, r#"{"anyOf": [{"const": "a"}, {"type": "null"}]}"#),
        (r##"{"$ref":"#"}"##, r##"{"anyOf":[{"$ref":"#"},{"type":"null"}]}"##),
        (r#"{"anyOf":[{"type":"string"}]}"#, r#"{"anyOf":[{"type":"string"},{"type":"null"}]}"#),
        (r#"{"anyOf":[{"type":"string"},{"type":"null"}]}"#, r#"{"anyOf":[{"type":"string"},{"type":"null"}]}"#),
        (r#"{"description":"any"}"#, r#"{"description":"any"}"#),
        (
            r#"{"type":"array","items":{"type":"object","properties":{}}}"#,
            r#"{"type":["array", "null"],"items":{"type":"object","properties":{},"additionalProperties":false}}"#,
        ),
    ] {
        let schema = format!(r#"{{"type":"object","properties":{{"a":{property}}},"additionalProperties":false}}"#);
        let comma = if property.contains(": ") { " " } else { "" };
        let strict = format!(
            r#"{{"type":"object","properties":{{"a":{expected}}},"additionalProperties":false,{comma}"required":{comma}["a"]}}"#
        );
        assert_eq!(fixed(&schema), Some(strict), "{schema}");
    }
}

#[test]
fn a_schema_keeps_its_layout() {
    let schema = "{\n  \"type\": \"object\",\n  \"properties\": {\n    \"a\": {\"type\": \"string\"},\n    \"b\": {\n      \"type\": \"object\",\n      \"properties\": {\"c\": {\"type\": \"number\"}},\n      \"required\": [\"c\"]\n    }\n  },\n  \"required\": [\n    \"b\"\n  ]\n}";
    let strict = "{\n  \"type\": \"object\",\n  \"properties\": {\n    \"a\": {\"type\": [\"string\", \"null\"]},\n    \"b\": {\n      \"type\": \"object\",\n      \"properties\": {\"c\": {\"type\": \"number\"}},\n      \"required\": [\"c\"],\n      \"additionalProperties\": false\n    }\n  },\n  \"required\": [\n    \"b\",\n    \"a\"\n  ],\n  \"additionalProperties\": false\n}";
    assert_eq!(fixed(schema).as_deref(), Some(strict));
    assert_eq!(fixed(&schema.replace('\n', "\r\n")), Some(strict.replace('\n', "\r\n")));
}

#[test]
fn a_schema_that_would_change_its_meaning_is_left_alone() {
    for schema in [
        r#"{"type":"object"}"#,
        r#"{"type":"string"}"#,
        r#"{"type":"object","properties":{"a":{"type":"object"}},"required":["a"]}"#,
        r#"{"type":"object","properties":{},"additionalProperties":true}"#,
        r#"{"type":"object","properties":{},"additionalProperties":{"type":"string"}}"#,
        r#"{"type":"object","properties":{"a":{"type":"string","default":"x"}}}"#,
        r#"{"type":"object","properties":{"a":{"type":"string","minLength":1}},"required":["a"]}"#,
        r#"{"type":"object","properties":{"a":{"oneOf":[{"type":"string"}]}}}"#,
        r#"{"type":"object","properties":{"a":true}}"#,
        r#"{"type":"object","properties":[]}"#,
        r#"{"type":"object","properties":{"a":{"type":"string"}},"required":"a"}"#,
    ] {
        assert_eq!(fixed(schema), None, "{schema}");
    }
}

#[test]
fn only_the_body_of_the_tool_is_changed() {
    let fields = "<tool type=\"function\" name=\"t\">{\"defer_loading\":true,\"parameters\":{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"string\"}}}}</tool><user>a</user>";
    let report = check(fields);
    assert_eq!(
        report.fix(fields),
        "<tool type=\"function\" name=\"t\">{\"defer_loading\":true,\"parameters\":{\"type\":\"object\",\"properties\":{\"a\":{\"type\":[\"string\", \"null\"]}},\"required\":[\"a\"],\"additionalProperties\":false}}</tool><user>a</user>"
    );
    for text in [
        "<tool name=\"t\">RAW|{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"string\"}}}|RAW</tool><user>a</user>",
        "<tool name=\"t\">{\"type\":\"object\",<!-- no -->\"properties\":{\"a\":{\"type\":\"string\"}}}</tool><user>a</user>",
        "<tool name=\"t\" strict=\"false\">{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"string\"}}}</tool><user>a</user>",
    ] {
        assert!(!check(text).has_fixes(), "{text}");
    }
    let strict = "<tool name=\"t\" strict=\"true\">{\"type\":\"object\",\"properties\":{}}</tool><user>a</user>";
    assert!(check(strict).fix(strict).contains("\"additionalProperties\":false"));
}
