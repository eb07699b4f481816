//! Reasoning that the API did not use is a warning at its line in the document.

use serde_json::{Value, json};

use super::{folder_with, start};
use crate::run::chatmd;

const DOCUMENT: &str = "<user>\nA.\n</user>\n\n<reasoning id=\"rs_1\" encrypted_content=\"x\"></reasoning>\n\n<!-- chatmd:item {\"type\":\"reasoning\",\"id\":\"rs_2\"} -->\n\n<user>\nB.\n</user>\n";

fn body() -> Value {
    let removed = |id: &str, reason: &str| json!({"type":"reasoning","id":id,"action":"removed","reason":reason});
    json!({"object":"response","status":"completed","output":[
        {"type":"message","id":"m1","role":"assistant","status":"completed","content":[{"type":"output_text","text":"Hi."}]}],
        "input_transformations":[
            removed("rs_1", "prefix_mismatch"), removed("rs_2", "model_mismatch"), removed("rs_9", "of_next_year")]})
}

fn assert_warnings(stderr: &str) {
    for (line, why) in [(5, "the text before it has changed since"), (7, "another model wrote it")] {
        let expected = format!("the API did not use this reasoning: {why}\n --> chat.md:{line}:1\n");
        assert!(stderr.contains(&expected), "no {expected} in {stderr}");
    }
    assert!(stderr.contains("warning: the API did not use the reasoning `rs_9`: of_next_year\n"), "{stderr}");
}

#[test]
fn body_and_stream_warn_at_the_line() {
    let stream = format!("data: {}\n\n", json!({"type":"response.completed","response":body()}));
    for input in [body().to_string(), stream] {
        for flags in [&[][..], &["--strict"]] {
            let directory = folder_with(DOCUMENT);
            let output = start(directory.path(), flags, &input).wait_with_output().unwrap();
            assert_eq!(output.status.code(), Some(0));
            assert_warnings(&String::from_utf8(output.stderr).unwrap());
            let written = std::fs::read_to_string(directory.path().join("chat.md")).unwrap();
            assert!(written.contains("\nHi.\n"), "{written}");
        }
    }
}

#[test]
fn without_a_document_the_ids_are_named() {
    let directory = folder_with(DOCUMENT);
    let ran = chatmd(directory.path(), &["from-response"], &[], &body().to_string());
    for id in ["rs_1", "rs_2", "rs_9"] {
        assert!(ran.stderr.contains(&format!("the API did not use the reasoning `{id}`")), "{}", ran.stderr);
    }
}
