//! Tests of `src/stream/cut.rs`.

use super::close;

fn closed(event: &str) -> Option<String> {
    close(event, &["delta", "text"]).map(|(json, _)| json)
}

#[test]
fn complete_values_and_the_beginning_of_a_text_are_left() {
    for (event, expected) in [
        (r#"{"type":"a","delta":"Hel"#, r#"{"type":"a","delta":"Hel"}"#),
        (r#"{"type":"a","delta":"Hel","#, r#"{"type":"a","delta":"Hel"}"#),
        (r#"{"type":"a","id":"Hel"#, r#"{"type":"a"}"#),
        (r#"{"type":"a","index":1"#, r#"{"type":"a"}"#),
        (r#"{"type":"a","index":1,"de"#, r#"{"type":"a","index":1}"#),
        (r#"{"item":{"id":"x","content":[{"text":"a\"b"#, r#"{"item":{"id":"x","content":[{"text":"a\"b"}]}}"#),
        (r#"{"item":{"content":[{"text":"ab"},{"image":"ab"#, r#"{"item":{"content":[{"text":"ab"},{}]}}"#),
        (r#"{"a":{"delta":"x"},"b":tr"#, r#"{"a":{"delta":"x"}}"#),
    ] {
        assert_eq!(closed(event).as_deref(), Some(expected), "{event}");
    }
    assert_eq!(closed(""), None);
}

#[test]
fn a_text_ends_with_its_last_whole_character() {
    for (text, expected) in [
        ("a\\", "a"),
        ("a\\n", "a\\n"),
        ("a\\u00", "a"),
        ("a\\u00e9", "a\\u00e9"),
        ("a\\ud83d", "a"),
        ("a\\ud83d\\", "a"),
        ("a\\ud83d\\ude0", "a"),
        ("a\\ud83d\\ude00", "a\\ud83d\\ude00"),
        ("a\\ud83d b", "a\\ud83d b"),
        ("a\\\\", "a\\\\"),
        ("\\\\u00", "\\\\u00"),
    ] {
        assert_eq!(closed(&format!("{{\"delta\":\"{text}")), Some(format!("{{\"delta\":\"{expected}\"}}")), "{text}");
    }
}
