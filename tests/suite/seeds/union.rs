//! The tool-output union: a string or an array of parts, and neither becomes the other.

use chatmd::json::{Json, StringArena};
use chatmd::responses::{Part, ToolOutput};

use super::{IMAGE, assert_items, from_response};
use crate::json::normalized;

fn decoded(json: &str) -> ToolOutput<'_> {
    let arena = Box::leak(Box::default());
    ToolOutput::decode(Json::parse(json, arena).unwrap()).unwrap()
}

fn encoded(output: &ToolOutput<'_>) -> String {
    let mut out = String::new();
    output.encode(&mut out);
    out
}

#[test]
fn a_string_decodes_as_text() {
    assert_eq!(decoded(r#""plain text""#), ToolOutput::Text("plain text".into()));
}

#[test]
fn an_array_decodes_as_content() {
    let output = decoded(r#"[{"type":"input_text","text":"hello"}]"#);
    assert_eq!(output, ToolOutput::Content(vec![Part::text("input_text", "hello")]));
}

#[test]
fn other_json_is_an_error_that_names_its_type() {
    for (json, diagnostics) in [("1", "a number"), ("null", "null"), ("{}", "an object"), ("true", "a boolean")] {
        let arena = StringArena::default();
        let error = ToolOutput::decode(Json::parse(json, &arena).unwrap()).unwrap_err();
        assert!(error.message.contains(diagnostics), "{json}: {error}");
    }
}

#[test]
fn absent_null_and_given_detail_are_kept() {
    for detail in ["", r#","detail":null"#, r#","detail":"high""#, r#","detail":"original""#] {
        let json = format!(r#"[{{"type":"input_image","image_url":"u"{detail}}}]"#);
        assert_eq!(encoded(&decoded(&json)), json);
    }
}

#[test]
fn an_image_url_may_be_an_object_with_url() {
    let output = decoded(r#"[{"type":"input_image","image_url":{"url":"https://example.com/a.png"}}]"#);
    assert_eq!(encoded(&output), format!("[{IMAGE}]"));
}

#[test]
fn encoding_preserves_the_branch() {
    for json in [r#""x""#, r#"[{"type":"input_text","text":"x"}]"#, r#""""#, "[]", r#""[]""#] {
        assert_eq!(encoded(&decoded(json)), json);
    }
}

#[test]
fn unknown_parts_and_keys_are_kept() {
    let json = r#"[{"type":"hologram","depth":1.0},{"type":"input_text","text":"a","later":[null]}]"#;
    assert_eq!(normalized(&encoded(&decoded(json))), normalized(json));
}

#[test]
fn text_is_displayed_as_it_is() {
    assert_eq!(decoded(r#""a\n<b>""#).to_display_string(), "a\n<b>");
}

#[test]
fn content_is_displayed_as_lines_with_markers_for_images() {
    let json = format!(
        r#"[{{"type":"input_text","text":"a"}},{IMAGE},{{"type":"input_image","image_url":"u","detail":"low"}}]"#
    );
    let lines = "a\n<image src=\"https://example.com/a.png\"/>\n<image src=\"u\" detail=\"low\"/>";
    assert_eq!(decoded(&json).to_display_string(), lines);
}

#[test]
fn base64_is_never_displayed_in_full() {
    let json = format!(r#"[{{"type":"input_image","image_url":"data:image/png;base64,{}"}}]"#, "QUFB".repeat(4100));
    let shown = decoded(&json).to_display_string();
    assert_eq!(shown, "<image src=\"data:image/png;base64,… 12.3 kB\"/>");
}

#[test]
fn text_is_persisted_as_it_is() {
    assert_eq!(decoded(r#""[1, 2]\n""#).to_persisted_string(), "[1, 2]\n");
}

#[test]
fn content_is_persisted_as_its_json_array() {
    assert_eq!(decoded(&format!(" [ {IMAGE} ] ")).to_persisted_string(), format!("[{IMAGE}]"));
}

#[test]
fn persisted_content_is_recovered_on_load() {
    let persisted = decoded(&format!("[{IMAGE}]")).to_persisted_string();
    let document = format!("<tool_response tool_call_id=\"c1\">\n{persisted}\n</tool_response>");
    assert_items(&document, &format!(r#"[{{"type":"function_call_output","call_id":"c1","output":[{IMAGE}]}}]"#));
}

#[test]
fn items_decode_as_content_and_text_as_text() {
    let document = "<tool_response tool_call_id=\"c1\"><img src=\"https://example.com/a.png\"/></tool_response>";
    assert_items(document, &format!(r#"[{{"type":"function_call_output","call_id":"c1","output":[{IMAGE}]}}]"#));
    let document = "<tool_response tool_call_id=\"c1\">plain text</tool_response>";
    assert_items(document, r#"[{"type":"function_call_output","call_id":"c1","output":"plain text"}]"#);
}

#[test]
fn text_and_content_stay_distinct_through_a_document() {
    for output in [r#""x""#, r#"[{"type":"input_text","text":"x"}]"#, r#""""#, "[]", &format!("[{IMAGE}]")] {
        let items = format!(r#"[{{"type":"function_call_output","call_id":"c1","output":{output}}}]"#);
        for style in ["json", "items"] {
            assert_items(&from_response(&items, &["--tool-output", style]).stdout, &items);
        }
    }
}
