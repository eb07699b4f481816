//! ochat's description of tool outputs with images.

use chatmd::internal::json::{Json, StringArena};
use chatmd::internal::responses::{Part, ToolOutput};

use super::{IMAGE, MARKERS, PARTS, assert_output, decoded, encoded, items, run};
use crate::json::normalized;
use crate::support::to_input;

/// Every branch and its edges, as JSON.
const OUTPUTS: [&str; 6] = [r#""x""#, r#"[{"type":"input_text","text":"x"}]"#, r#""""#, "[]", r#""[]""#, PARTS];

#[test]
fn type_text_holds_a_string() {
    assert_eq!(encoded(&ToolOutput::Text("plain text".into())), r#""plain text""#);
}

#[test]
fn type_content_holds_parts() {
    let output = ToolOutput::Content(vec![Part::text("input_text", "a"), Part::text("input_text", "b")]);
    assert_eq!(encoded(&output), r#"[{"type":"input_text","text":"a"},{"type":"input_text","text":"b"}]"#);
}

#[test]
fn part_input_text_holds_a_text() {
    let ToolOutput::Content(parts) = decoded(PARTS) else { panic!("not parts") };
    assert_eq!(parts[0], Part::text("input_text", "a"));
}

#[test]
fn part_input_image_holds_a_url_and_an_optional_detail() {
    let ToolOutput::Content(parts) = decoded(PARTS) else { panic!("not parts") };
    let image = |part: &Part<'_>| match part {
        Part::Image(image) => {
            (image.image_url.as_ref().unwrap().text().into_owned(), image.rest.get_str("detail").map(String::from))
        }
        part => panic!("{part:?}"),
    };
    assert_eq!(image(&parts[1]), ("https://example.com/a.png".to_owned(), None));
    assert_eq!(image(&parts[2]), ("u".to_owned(), Some("low".to_owned())));
}

#[test]
fn decode_a_string_as_text() {
    assert_eq!(decoded(r#""plain text""#), ToolOutput::Text("plain text".into()));
}

#[test]
fn decode_an_array_as_content() {
    let output = decoded(r#"[{"type":"input_text","text":"hello"}]"#);
    assert_eq!(output, ToolOutput::Content(vec![Part::text("input_text", "hello")]));
}

#[test]
fn decode_nothing_else() {
    for (json, kind) in [("1", "a number"), ("null", "null"), ("{}", "an object"), ("true", "a boolean")] {
        let arena = StringArena::default();
        let error = ToolOutput::decode(Json::parse(json, &arena).unwrap()).unwrap_err();
        assert!(error.message.contains(kind), "{json}: {error}");
    }
}

#[test]
fn decode_an_image_url_that_is_an_object() {
    let output = decoded(r#"[{"type":"input_image","image_url":{"url":"https://example.com/a.png"}}]"#);
    assert_eq!(encoded(&output), format!("[{IMAGE}]"));
}

#[test]
fn encode_text_as_a_string() {
    assert_eq!(encoded(&decoded(r#""[1]""#)), r#""[1]""#);
}

#[test]
fn encode_content_as_an_array() {
    assert_eq!(encoded(&decoded(PARTS)), PARTS);
}

#[test]
fn round_trip_does_not_collapse_arrays() {
    for json in OUTPUTS {
        assert_eq!(encoded(&decoded(json)), json);
    }
}

#[test]
fn round_trip_through_a_document_keeps_the_branch() {
    for output in OUTPUTS {
        for style in ["json", "items"] {
            let document = run(&["from-response", "--tool-output", style], &items(output)).stdout;
            assert_eq!(normalized(&to_input(&document).unwrap()), normalized(&items(output)), "{document}");
        }
    }
}

#[test]
fn display_text_as_it_is() {
    assert_eq!(decoded(r#""a\n<b>""#).to_display_string(), "a\n<b>");
}

#[test]
fn display_content_as_lines() {
    let output = decoded(r#"[{"type":"input_text","text":"a"},{"type":"input_text","text":"b"}]"#);
    assert_eq!(output.to_display_string(), "a\nb");
}

#[test]
fn display_images_as_markers() {
    assert_eq!(decoded(PARTS).to_display_string(), MARKERS);
}

#[test]
fn display_never_shows_base64_in_full() {
    let json = format!(r#"[{{"type":"input_image","image_url":"data:image/png;base64,{}"}}]"#, "QUFB".repeat(4100));
    assert_eq!(decoded(&json).to_display_string(), "<image src=\"data:image/png;base64,… 12.3 kB\"/>");
}

#[test]
fn persist_text_as_it_is() {
    assert_eq!(decoded(r#""[1, 2]\n""#).to_persisted_string(), "[1, 2]\n");
}

#[test]
fn persist_content_as_json() {
    assert_eq!(decoded(&format!(" [ {IMAGE} ] ")).to_persisted_string(), format!("[{IMAGE}]"));
}

#[test]
fn persist_in_a_document_as_ochat_does() {
    let ran = run(&["from-response", "--tool-output", "json"], &items(PARTS));
    let document = format!("<tool_response tool_call_id=\"c1\">\n{PARTS}\n</tool_response>\n");
    assert_eq!((ran.code, ran.stdout), (Some(0), document));
}

#[test]
fn load_persisted_images() {
    assert_output(&decoded(PARTS).to_persisted_string(), PARTS);
}
