//! `from-response --follow` shows a stream as it arrives, with the same document and exit code as without it.

use std::io::{Read, Write};
use std::process::{Child, Command, Output, Stdio};
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

use crate::run::{chatmd, directories, name};

/// A stream of these events.
fn stream(events: &[Value]) -> String {
    let one = |event: &Value| format!("event: {}\ndata: {event}\n\n", event["type"].as_str().unwrap());
    events.iter().map(one).collect::<Vec<_>>().concat()
}

fn message(status: &str, text: &str) -> Value {
    let content =
        if text.is_empty() { json!([]) } else { json!([{ "type": "output_text", "text": text, "annotations": [] }]) };
    json!({ "type": "message", "id": "m1", "role": "assistant", "status": status, "content": content })
}

fn delta(text: &str) -> Value {
    json!({ "type": "response.output_text.delta", "output_index": 0, "delta": text })
}

/// The start of a message.
fn begin() -> Vec<Value> {
    let added = json!({ "type": "response.output_item.added", "output_index": 0, "item": message("in_progress", "") });
    vec![added, delta("Hé"), delta("llo")]
}

/// The rest of the message, and a call.
fn end() -> Vec<Value> {
    let call = json!({ "type": "function_call", "call_id": "c", "name": "look", "arguments": "{}" });
    vec![
        json!({ "type": "response.output_item.done", "output_index": 0, "item": message("completed", "Héllo.") }),
        json!({ "type": "response.output_item.added", "output_index": 1, "item": { "type": "function_call", "name": "look" } }),
        json!({ "type": "response.output_item.done", "output_index": 1, "item": call }),
        json!({ "type": "response.completed", "response": { "object": "response", "status": "completed", "output": [] } }),
    ]
}

fn start() -> Child {
    Command::new(env!("CARGO_BIN_EXE_chatmd"))
        .args(["--color", "never", "from-response", "--follow"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

/// Follows a stream that arrives in chunks, each a little later than the last one.
fn follow(pieces: &[&[u8]]) -> Output {
    let mut child = start();
    let mut stdin = child.stdin.take().unwrap();
    for piece in pieces {
        stdin.write_all(piece).unwrap();
        stdin.flush().unwrap();
        thread::sleep(Duration::from_millis(1));
    }
    drop(stdin);
    child.wait_with_output().unwrap()
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap()
}

/// The text shown for a stream that arrives at once.
fn shown(events: &[Value]) -> String {
    text(&follow(&[stream(events).as_bytes()]).stderr).to_owned()
}

#[test]
fn stream_is_shown_and_then_converted() {
    let stream = stream(&[begin(), end()].concat());
    for size in [7, 64, 100_000] {
        let output = follow(&stream.as_bytes().chunks(size).collect::<Vec<_>>());
        assert_eq!(output.status.code(), Some(0));
        assert_eq!(text(&output.stderr), "Héllo\nlook {}\n");
        let document = "<assistant id=\"m1\" status=\"completed\">\nHéllo.\n</assistant>\n\n<tool_call function_name=\"look\" tool_call_id=\"c\">\n{}\n</tool_call>\n";
        assert_eq!(text(&output.stdout), document);
    }
}

#[test]
fn follow_gives_the_same_document_and_exit_code() {
    let mut count = 0;
    for directory in directories("responses") {
        for file in ["stream.sse", "response.json"] {
            let Ok(input) = std::fs::read(directory.join(file)) else { continue };
            let plain = chatmd(&directory, &["from-response", file], &[], "");
            for pieces in [1, 7] {
                let followed = follow(&input.chunks(input.len().div_ceil(pieces).max(1)).collect::<Vec<_>>());
                let case = format!("{} in {pieces} pieces", name(&directory));
                assert_eq!(
                    (followed.status.code(), text(&followed.stdout)),
                    (plain.code, plain.stdout.as_str()),
                    "{case}"
                );
                count += 1;
            }
        }
    }
    assert!(count > 100, "only {count} runs");
}

#[test]
fn unfinished_message_is_kept_as_incomplete() {
    let document = "<assistant id=\"m1\" status=\"incomplete\">\nHéllo\n</assistant>\n";
    for rest in ["", "data: {\"type\":\"response.output_te", "event: respon"] {
        let output = follow(&[stream(&begin()).as_bytes(), rest.as_bytes()]);
        assert_eq!((output.status.code(), text(&output.stdout)), (Some(5), document), "{rest}");
        assert_eq!(
            text(&output.stderr),
            "Héllo\nwarning: the stream ended before the response did\nnote: whatever has arrived was converted\n",
            "the warning is on a line of its own"
        );
    }
}

#[cfg(unix)]
#[test]
fn ctrl_c_keeps_what_has_arrived() {
    let mut child = start();
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(stream(&begin()).as_bytes()).unwrap();
    stdin.flush().unwrap();
    // When the text is shown, it was read.
    let mut shown = String::new();
    let mut stderr = child.stderr.take().unwrap();
    while !shown.contains("llo") {
        let mut piece = [0; 64];
        let length = stderr.read(&mut piece).unwrap();
        assert!(length > 0, "ended with {shown:?}");
        shown.push_str(&String::from_utf8_lossy(&piece[..length]));
    }
    let killed = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(killed.success());
    // The pipe stays open: only the interrupt ends the run.
    let output = child.wait_with_output().unwrap();
    drop(stdin);
    assert_eq!(output.status.code(), Some(130));
    assert_eq!(text(&output.stdout), "<assistant id=\"m1\" status=\"incomplete\">\nHéllo\n</assistant>\n");
}

#[test]
fn follow_converts_input_that_is_not_a_stream() {
    let output = follow(&[br#"[{"role":"user","content":"x"}]"#]);
    assert_eq!((output.status.code(), text(&output.stdout)), (Some(0), "<user>\nx\n</user>\n"));
}

#[test]
fn refusals_and_other_parts_are_shown_on_separate_lines() {
    let part = |kind: &str, index: u32, text: &str| json!({ "type": format!("response.{kind}.delta"), "output_index": 0, "content_index": index, "delta": text });
    let shown = shown(&[part("output_text", 0, "one"), part("output_text", 1, "two"), part("refusal", 2, "no")]);
    assert!(shown.starts_with("one\ntwo\nno\nwarning: "), "{shown}");
}

#[test]
fn message_without_deltas_is_shown_when_it_is_done() {
    let done =
        json!({ "type": "response.output_item.done", "output_index": 0, "item": message("completed", "At once.") });
    assert!(shown(&[done]).starts_with("At once.\nwarning: "));
}

#[test]
fn byte_order_mark_and_multiline_data_are_decoded() {
    let event =
        "\u{feff}data: {\"type\":\"response.output_text.delta\",\ndata: \"output_index\":0,\"delta\":\"hello\"}\n\n";
    let output = follow(&[event.as_bytes()]);
    assert!(text(&output.stderr).starts_with("hello\n"), "{}", text(&output.stderr));
}

#[test]
fn followed_text_is_sanitized() {
    let shown = shown(&[delta("a\u{202e}b\u{1b}[31mc\u{9b}2Jd\u{7}")]);
    assert!(shown.starts_with("a\\u{202e}b\\u{1b}[31mc\\u{9b}2Jd\\u{7}\n"), "{shown:?}");
}

#[test]
fn secrets_in_the_message_of_a_late_error_are_not_shown() {
    let key = format!("sk-proj-{}", "a1B2".repeat(10));
    let error = json!({ "type": "error", "message": format!("bad key {key}") });
    let shown = shown(&[delta("text"), error]);
    assert!(shown.contains("warning: API error: bad key") && !shown.contains(&key), "{shown}");
}

#[test]
fn stream_over_the_limit_is_cut() {
    let text = stream(&begin()) + &stream(&[delta(" and more")]).repeat(1000);
    let limit = (stream(&begin()).len() + 10).to_string();
    let directory = tempfile::tempdir().unwrap();
    let args = ["from-response", "--follow", "--max-stream-bytes", &limit];
    let ran = chatmd(directory.path(), &args, &[], &text);
    assert_eq!(ran.code, Some(5));
    assert!(ran.stdout.contains("H\u{e9}llo") && !ran.stdout.contains("more"), "{}", ran.stdout);
    assert!(ran.stderr.contains(&format!("more than {limit} bytes")), "{}", ran.stderr);
    assert!(ran.stderr.contains("`from-response --max-stream-bytes`"), "{}", ran.stderr);
}
