//! A session of Claude Code as a request of its own API.

use std::fs;

use serde_json::{Value, json};

use crate::run::chatmd;

const PNG: &str = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAAC0lEQVR4nGNgAAIAAAUAAXpeqz8AAAAASUVORK5CYII=";

/// The messages of the session, as the API got them.
fn messages() -> Value {
    let image = json!({ "type": "image", "source": { "type": "base64", "media_type": "image/png", "data": PNG } });
    json!([
        { "role": "user", "content": [{ "type": "text", "text": "Look." }, image] },
        { "role": "assistant", "content": [
            { "type": "thinking", "thinking": "First the file.", "signature": "c2lnbmF0dXJl" },
            { "type": "redacted_thinking", "data": "cmVkYWN0ZWQ=" },
            { "type": "text", "text": "I look." },
            { "type": "tool_use", "id": "toolu_1", "name": "Read", "input": { "n": 1 } },
            { "type": "tool_use", "id": "toolu_2", "name": "Read", "input": {} },
        ] },
        { "role": "user", "content": [
            { "type": "tool_result", "tool_use_id": "toolu_1", "content": [
                { "type": "text", "text": "Here:" },
                image,
                { "type": "tool_reference", "tool_name": "more" },
                { "type": "document", "source": { "type": "text", "media_type": "text/plain", "data": "A plain text." } },
            ] },
            { "type": "tool_result", "tool_use_id": "toolu_2", "content": "No such file.", "is_error": true },
        ] },
        { "role": "assistant", "content": [
            { "type": "text", "text": "Black.", "citations": [{ "type": "char_location", "cited_text": "b" }] },
        ] },
        { "role": "user", "content": [{ "type": "text", "text": "Thanks." }] },
    ])
}

/// A session with these messages. Each block of the model has a line of its own.
fn session() -> String {
    let (mut lines, mut parent) = (Vec::new(), Value::Null);
    for (index, message) in messages().as_array().unwrap().iter().enumerate() {
        let blocks = message["content"].as_array().unwrap();
        let is_model = message["role"] == "assistant";
        for chunk in blocks.chunks(if is_model { 1 } else { blocks.len() }) {
            let uuid = json!(format!("u{}", lines.len()));
            let id = format!("msg_{index}");
            let message = json!({ "role": message["role"], "model": "claude-x", "id": id, "content": chunk });
            lines.push(
                json!({ "type": message["role"], "uuid": uuid, "parentUuid": parent, "sessionId": "s", "message": message })
                    .to_string(),
            );
            parent = uuid;
        }
    }
    lines.join("\n") + "\n"
}

#[test]
fn thinking_results_and_images_of_a_session_come_out_as_they_were() {
    let directory = tempfile::tempdir().unwrap();
    let directory = directory.path();
    fs::write(directory.join("s.jsonl"), session()).unwrap();
    let imported = chatmd(directory, &["import", "s.jsonl"], &[], "");
    assert_eq!((imported.code, imported.stderr.as_str()), (Some(0), ""));
    assert!(!imported.stdout.contains("<config"), "{}", imported.stdout);
    let request = |arguments: &[&str]| {
        chatmd(directory, &[&["to-request", "--api", "messages"], arguments].concat(), &[], &imported.stdout)
    };
    let sent = request(&["-m", "claude-x", "--set", "max_tokens=9", "--ledger", "ledger.jsonl"]);
    assert_eq!((sent.code, sent.stderr.as_str()), (Some(0), ""));
    let body: Value = serde_json::from_str(&sent.stdout).unwrap();
    assert_eq!(body, json!({ "model": "claude-x", "max_tokens": 9, "messages": messages() }));
    assert_eq!(fs::read_to_string(directory.join("ledger.jsonl")).unwrap(), "");
    // The errors say how to give what is missing, and which model the session had.
    let failed = request(&[]);
    assert_eq!(failed.code, Some(65));
    for part in ["error[missing-model]", "`--model`", "`claude-x`"] {
        assert!(failed.stderr.contains(part), "{part}: {}", failed.stderr);
    }
    let failed = request(&["-m", "claude-x"]);
    assert_eq!(failed.code, Some(65));
    for part in ["error[missing-max-tokens]", "`--set max_tokens=8192`"] {
        assert!(failed.stderr.contains(part), "{part}: {}", failed.stderr);
    }
}
