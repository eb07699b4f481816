//! ochat's plan for tool outputs with images: the codec, and everything that reads an output.

use std::fs;

use chatmd::internal::responses::{Part, ToolOutput};

use super::{IMAGE, MARKERS, PARTS, assert_output, decoded, encoded, items, run};
use crate::json::normalized;
use crate::run::chatmd;

const CALL: &str = "<tool_call function_name=\"look\" tool_call_id=\"c1\">\n{}\n</tool_call>\n";

#[test]
fn codec_reads_a_string_as_text() {
    assert_eq!(decoded(r#""done""#), ToolOutput::Text("done".into()));
}

#[test]
fn codec_reads_each_part_by_its_type() {
    let ToolOutput::Content(parts) = decoded(PARTS) else { panic!("not parts") };
    assert!(matches!(parts.as_slice(), [Part::Text(_), Part::Image(_), Part::Image(_)]), "{parts:?}");
}

#[test]
fn codec_keeps_absent_and_given_detail() {
    for detail in ["", r#","detail":"high""#, r#","detail":"low""#, r#","detail":"auto""#] {
        let json = format!(r#"[{{"type":"input_image","image_url":"u"{detail}}}]"#);
        assert_eq!(encoded(&decoded(&json)), json);
    }
}

/// The plan knows only the two types; these would be lost or refused there.
#[test]
fn codec_keeps_other_parts_keys_and_details() {
    for json in [
        r#"[{"type":"hologram","depth":1.0},{"type":"input_text","text":"a","later":[null]}]"#,
        r#"[{"type":"input_image","image_url":"u","detail":null}]"#,
        r#"[{"type":"input_image","image_url":"u","detail":"original"}]"#,
        r#"[{"type":"input_file","file_id":"file-1"}]"#,
    ] {
        assert_eq!(normalized(&encoded(&decoded(json))), normalized(json));
    }
}

#[test]
fn codec_writes_the_branch_that_it_read() {
    for json in [r#""x""#, r#"[{"type":"input_text","text":"x"}]"#] {
        assert_eq!(encoded(&decoded(json)), json);
    }
}

#[test]
fn helper_displays_text_as_it_is() {
    assert_eq!(decoded(r#""a""#).to_display_string(), "a");
}

#[test]
fn helper_displays_content_as_text_with_placeholders() {
    assert_eq!(decoded(PARTS).to_display_string(), MARKERS);
}

#[test]
fn helper_persists_text_unchanged() {
    assert_eq!(decoded(r#""{\"a\": 1}""#).to_persisted_string(), "{\"a\": 1}");
}

#[test]
fn helper_persists_content_so_that_images_are_recovered() {
    let persisted = decoded(PARTS).to_persisted_string();
    assert_eq!(persisted, PARTS);
    assert_output(&persisted, PARTS);
}

#[test]
fn consumer_show_marks_images() {
    let document = format!("{CALL}\n<tool_response tool_call_id=\"c1\">\n{PARTS}\n</tool_response>\n");
    let ran = run(&["show", "--plain"], &document);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert!(ran.stdout.contains("[image https://example.com/a.png]"), "{}", ran.stdout);
    assert!(!ran.stdout.contains("input_image"), "the JSON is not shown: {}", ran.stdout);
}

#[test]
fn consumer_append_keeps_images() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("chat.md");
    fs::write(&path, CALL).unwrap();
    let output = items(&format!("[{IMAGE}]"));
    let ran = chatmd(directory.path(), &["from-response", "--append", "chat.md"], &[], &output);
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
    let response = "<tool_response tool_call_id=\"c1\">\n<img src=\"https://example.com/a.png\"/>\n</tool_response>\n";
    assert_eq!(fs::read_to_string(&path).unwrap(), format!("{CALL}\n{response}"));
    let back = chatmd(directory.path(), &["to-request", "--input-only", "chat.md"], &[], "");
    let call = r#"{"type":"function_call","call_id":"c1","name":"look","arguments":"{}"},"#;
    assert_eq!(normalized(&back.stdout), normalized(&output.replacen('[', &format!("[{call}"), 1)));
}
