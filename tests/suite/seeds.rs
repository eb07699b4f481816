//! Basic rules of the conversion, one test per rule.

mod union;

use chatmd::json::{Json, StringArena};
use chatmd::responses::Item;

use crate::json::normalized;
use crate::run::{Ran, chatmd};
use crate::support::fixtures;

const IMAGE: &str = r#"{"type":"input_image","image_url":"https://example.com/a.png"}"#;

/// The items of a document.
#[track_caller]
fn assert_items(document: &str, items: &str) {
    let ran = to_request(document, &["--input-only"]);
    assert_eq!(ran.code, Some(0), "{document}: {}", ran.stderr);
    assert_eq!(normalized(&ran.stdout), normalized(items), "{document}");
}

fn to_request(document: &str, flags: &[&str]) -> Ran {
    let args: Vec<&str> = ["to-request"].iter().chain(flags).copied().collect();
    chatmd(&fixtures(), &args, &[], document)
}

/// The document of a reply.
fn from_response(reply: &str, flags: &[&str]) -> Ran {
    let args: Vec<&str> = ["from-response"].iter().chain(flags).copied().collect();
    chatmd(&fixtures(), &args, &[], reply)
}

mod messages {
    use super::*;

    #[test]
    fn content_is_always_an_array() {
        let document = "<user>a</user><system>b</system><developer>c</developer><assistant>d</assistant>";
        let ran = to_request(document, &["--input-only"]);
        assert_eq!(ran.stdout.matches("\"content\":[{\"type\":").count(), 4, "{}", ran.stdout);
    }

    #[test]
    fn instructions_are_joined_by_a_blank_line_and_leave_the_input() {
        let document = "<system instructions>A.</system><developer instructions>B.</developer><user>Hi.</user>";
        let ran = to_request(document, &["--model", "m"]);
        let message = r#"{"type":"message","role":"user","content":[{"type":"input_text","text":"Hi."}]}"#;
        let expected = format!(r#"{{"model":"m","instructions":"A.\n\nB.","input":[{message}]}}"#);
        assert_eq!(normalized(&ran.stdout), normalized(&expected));
    }

    #[test]
    fn a_model_is_required() {
        let ran = to_request("<user>Hi.</user>", &[]);
        assert_eq!((ran.code, ran.stderr.contains("model is required")), (Some(65), true), "{}", ran.stderr);
    }

    #[test]
    fn images_have_a_url_base64_or_a_file_id_and_detail() {
        let document = "<user><img src=\"https://example.com/a.png\"/><img src=\"data:image/png;base64,iVBORw0=\" detail=\"low\"/><img file_id=\"file-1\" detail=\"high\"/></user>";
        let parts = format!(
            r#"{IMAGE},{{"type":"input_image","image_url":"data:image/png;base64,iVBORw0=","detail":"low"}},{{"type":"input_image","file_id":"file-1","detail":"high"}}"#
        );
        assert_items(document, &format!(r#"[{{"type":"message","role":"user","content":[{parts}]}}]"#));
    }

    #[test]
    fn a_tool_call_is_never_content_of_a_message() {
        for call in [
            "<tool_call function_name=\"f\" tool_call_id=\"c\">{}</tool_call>",
            "<tool_response tool_call_id=\"c\">x</tool_response>",
        ] {
            let ran = to_request(&format!("<user>a {call}</user>"), &["--input-only"]);
            assert_eq!((ran.code, ran.stdout.as_str()), (Some(65), ""), "{call}");
        }
    }
}

mod media {
    use super::*;

    #[test]
    fn images_in_tool_results_are_structured_not_text() {
        let result = r#"[{"type":"text","text":"shot"},{"type":"image","data":"iVBORw0=","mimeType":"image/png"}]"#;
        let parts = r#"{"type":"input_text","text":"shot"},{"type":"input_image","image_url":"data:image/png;base64,iVBORw0="}"#;
        let document = format!("<tool_response tool_call_id=\"c1\">{result}</tool_response>");
        assert_items(&document, &format!(r#"[{{"type":"function_call_output","call_id":"c1","output":[{parts}]}}]"#));
    }

    #[test]
    fn text_json_and_error_results_stay_strings() {
        for result in [
            "done",
            r#"{"rows":[1,2]}"#,
            r#"{"error":"boom"}"#,
            r#"{"content":[{"type":"text","text":"a"}],"isError":true}"#,
        ] {
            let item = format!(r#"[{{"type":"function_call_output","call_id":"c1","output":{result:?}}}]"#);
            assert_items(&format!("<tool_response tool_call_id=\"c1\">{result}</tool_response>"), &item);
        }
    }

    #[test]
    fn unsupported_media_is_an_error_with_its_type() {
        for (kind, part) in [
            ("input_audio", r#"{"type":"input_audio","input_audio":{"data":"AAAA","format":"wav"}}"#),
            ("input_video", r#"{"type":"input_video","video_url":"https://example.com/a.mp4"}"#),
            ("audio", r#"{"type":"audio","data":"AAAA","mimeType":"audio/wav"}"#),
        ] {
            let ran =
                to_request(&format!("<tool_response tool_call_id=\"c1\">[{part}]</tool_response>"), &["--input-only"]);
            assert_eq!((ran.code, ran.stdout.as_str()), (Some(65), ""), "{kind}");
            assert!(ran.stderr.contains(&format!("`{kind}`")) && ran.stderr.contains("<stdin>:1:"), "{}", ran.stderr);
        }
    }
}

mod responses {
    use super::*;

    /// Reads an item and writes it again.
    fn cleaned(item: &str) -> String {
        let mut out = String::new();
        Item::decode(Json::parse(item, &StringArena::default()).unwrap()).unwrap().encode(&mut out);
        normalized(&out)
    }

    #[test]
    fn a_message_is_typed_and_its_content_an_array() {
        let message = r#"{"type":"message","role":"user","content":[{"type":"input_text","text":"a"}]}"#;
        assert_eq!(cleaned(r#"{"role":"user","content":"a"}"#), normalized(message));
    }

    #[test]
    fn a_file_keeps_its_name_and_its_data() {
        let message = r#"{"type":"message","role":"user","content":[{"type":"input_file","file_data":"JVBERi0=","filename":"a.pdf"}]}"#;
        assert_eq!(cleaned(message), normalized(message));
    }

    #[test]
    fn arguments_are_a_json_string() {
        let call = r#"{"type":"function_call","call_id":"c1","name":"f","arguments":{"query":"test"}}"#;
        assert_eq!(cleaned(call), normalized(&call.replace(r#"{"query":"test"}"#, r#""{\"query\":\"test\"}""#)));
    }

    #[test]
    fn status_is_optional_and_kept() {
        for status in ["", r#","status":"in_progress""#, r#","status":"completed""#, r#","status":"incomplete""#] {
            let call = format!(r#"{{"type":"function_call","call_id":"c1","name":"f","arguments":"{{}}"{status}}}"#);
            assert_eq!(cleaned(&call), normalized(&call));
        }
    }

    #[test]
    fn client_only_fields_are_removed() {
        let image = r#"{"type":"message","role":"user","content":[{"type":"input_image","image_url":"u","filename":"a.png","previewurl":"p"}]}"#;
        let clean = r#"{"type":"message","role":"user","content":[{"type":"input_image","image_url":"u"}]}"#;
        assert_eq!(cleaned(image), normalized(clean));
        let call = r#"{"type":"function_call","call_id":"c1","name":"f","arguments":"{}","toolusedata":{"a":1}}"#;
        assert_eq!(cleaned(call), normalized(&call.replace(r#","toolusedata":{"a":1}"#, "")));
    }

    #[test]
    fn an_output_is_text_images_or_an_error_in_a_string() {
        for output in
            [r#""main.go\nutil.go""#, &format!("[{IMAGE}]"), r#""{\"ok\":\"false\",\"error\":\"File not found\"}""#]
        {
            let items = format!(r#"[{{"type":"function_call_output","call_id":"c1","output":{output}}}]"#);
            let ran = from_response(&items, &[]);
            assert_eq!(ran.code, Some(0), "{}", ran.stderr);
            assert!(!ran.stdout.contains("output="), "the body says it all: {}", ran.stdout);
            assert_items(&ran.stdout, &items);
        }
    }
}
