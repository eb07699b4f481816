//! Which inputs are detected as sessions of another program.

use chatmd::internal::sessions::{Format, SessionLimits, detect, open};

const CLAUDE: &str =
    r#"{"type":"user","uuid":"1","parentUuid":null,"sessionId":"s","message":{"role":"user","content":"Hello."}}"#;
const CODEX: &str = r#"{"timestamp":"","type":"response_item","payload":{"role":"user","content":"Hello."}}"#;
const ITEM: &str =
    r#"{"type":"message","role":"assistant","sessionId":"s","content":[{"type":"output_text","text":"Hi."}]}"#;

/// The format that both ways to look at a text give.
fn format(text: &str) -> Option<Format> {
    let format = detect(text.as_bytes());
    assert_eq!(open(text.as_bytes(), SessionLimits::default()).unwrap().format, format, "{text}");
    format
}

#[test]
fn a_json_value_over_several_lines_is_not_a_session() {
    for line in [CLAUDE, CODEX, ITEM] {
        for text in [
            format!("{{\n \"object\":\"response\",\"status\":\"completed\",\"output\":[\n{line}\n]}}\n"),
            format!("\u{feff}{{\"output\":\n[\n{line}\n]}}"),
            format!("{{\"output\":[\n{{}},\n{line}]}}\n"),
            format!("{{\"output\":[\r\n{{\"sessionId\":\"\"}},\r\n\r\n{line}\r\n,\r\n{line}\r\n]}}"),
            format!("{{\"a\":\n{line},\n\"b\":\n{line}\n}}"),
        ] {
            assert_eq!(format(&text), None, "{text}");
        }
    }
}

#[test]
fn events_of_a_stream_are_not_a_session() {
    let event = r#"{"type":"response.created","sessionId":"s","response":{"object":"response","status":"in_progress","output":[]}}"#;
    assert_eq!(format(event), None);
    let bare = r#"{"type":"response.created","response":{}}"#;
    let other = r#"{"type":"keepalive","sessionId":"s"}"#;
    assert_eq!(format(&format!("{bare}\n{other}\n")), None);
    let timed = event.replace("\"sessionId\"", "\"payload\":{},\"timestamp\"");
    assert_eq!(format(&format!("{timed}\n{timed}\n")), None);
}

#[test]
fn items_with_the_id_of_a_session_are_not_a_session() {
    let output = r#"{"type":"function_call_output","call_id":"c","output":"x","sessionId":"s"}"#;
    let call = r#"{"type":"function_call","call_id":"c","name":"f","arguments":"{}","sessionId":"s"}"#;
    for text in [ITEM.to_owned(), format!("{ITEM}\n{ITEM}\n"), format!("{call}\n{output}\n{ITEM}\n")] {
        assert_eq!(format(&text), None, "{text}");
    }
}

#[test]
fn a_session_may_begin_with_broken_lines() {
    for (line, expected) in [(CLAUDE, Format::Claude), (CODEX, Format::Codex)] {
        assert_eq!(format(line), Some(expected));
        // The first line is cut at any place.
        for end in 1..line.len() {
            let text = format!("{}\n{line}\n{line}\n", &line[..end]);
            assert_eq!(format(&text), Some(expected), "{text}");
        }
        for text in [format!("{{\"a\":[\n{line}\n{line}\n"), format!("{{}}\n\n{{\"a\":\n{{}}\n{line}\n")] {
            assert_eq!(format(&text), Some(expected), "{text}");
        }
    }
    let quoting = CLAUDE.replace("Hello.", "\\\"response.created\\\"");
    assert_eq!(format(&quoting), Some(Format::Claude));
}
