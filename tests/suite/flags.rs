//! Edge cases of flags.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::run::{Ran, chatmd};

const CHAT: &str = "<config model=\"m\"/>\n\n<system>\nBe brief.\n</system>\n\n<user>\nHello.\n</user>\n";

fn request(directory: &Path, arguments: &[&str], document: &str) -> (Ran, Value) {
    let ran = chatmd(directory, &[&["to-request"], arguments].concat(), &[("PATH", "/usr/bin:/bin")], document);
    let request = serde_json::from_str(&ran.stdout).unwrap_or_default();
    (ran, request)
}

#[test]
fn set_reaches_into_objects_and_arrays() {
    let directory = tempfile::tempdir().unwrap();
    let (_, set) = request(directory.path(), &["--set", "input.1.role=\"developer\"", "--set", "a.b.c=1.0"], CHAT);
    assert_eq!(set["input"][1]["role"], "developer");
    assert_eq!(set["input"][0]["role"], "system");
    assert_eq!(set["a"], json!({ "b": { "c": 1.0 } }));
    for path in ["input.7.role", "input.x", "model.x"] {
        let (ran, _) = request(directory.path(), &["--set", &format!("{path}=1")], CHAT);
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(65), ""), "{path}");
        assert!(ran.stderr.contains("invalid-option"), "{}", ran.stderr);
    }
}

#[test]
fn paths_of_set_have_one_notation() {
    let directory = tempfile::tempdir().unwrap();
    for (path, right) in [
        ("/temperature", "temperature"),
        ("/reasoning/effort", "reasoning.effort"),
        ("tools[0].name", "tools.0.name"),
        ("input[0].x[1]", "input.0.x.1"),
    ] {
        let (ran, _) = request(directory.path(), &["--set", &format!("{path}=1")], CHAT);
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(65), ""), "{path}");
        assert!(ran.stderr.contains(&format!("cannot set `{path}`: write `{right}`")), "{}", ran.stderr);
    }
    let (_, set) = request(directory.path(), &["--set", "metadata.a/b[c]=\"x\""], CHAT);
    assert_eq!(set["metadata"], json!({ "a/b[c]": "x" }));
}

#[test]
fn tools_file_replaces_declared_tools_of_the_same_name() {
    let directory = tempfile::tempdir().unwrap();
    let tools = json!([
        { "type": "file_search", "vector_store_ids": ["a"] },
        { "type": "file_search", "vector_store_ids": ["b"] },
        { "type": "function", "name": "web_search", "parameters": {}, "strict": false },
        { "type": "function", "name": "grep", "parameters": {}, "strict": false },
    ]);
    fs::write(directory.path().join("tools.json"), tools.to_string()).unwrap();
    let document = "<tool name=\"grep\" command=\"rg\"/><tool type=\"hosted\" name=\"web_search\"/>";
    let (ran, request) = request(directory.path(), &["--model", "m", "--tools", "tools.json"], document);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let expected = json!([tools[3], { "type": "web_search" }, tools[0], tools[1], tools[2]]);
    assert_eq!(request["tools"], expected);
}

#[test]
fn collapse_stale_matches_outputs_to_their_own_calls() {
    let read = |id: &str, name: &str, file: &str, text: &str| {
        format!(
            "<tool_call function_name=\"{name}\" tool_call_id=\"{id}\">\n{{\"path\":\"{file}\"}}\n</tool_call>\n<tool_response tool_call_id=\"{id}\">\n{text}\n</tool_response>\n"
        )
    };
    let document = read("1", "read_file", "a", "old a")
        + &read("1", "write_file", "a", "written")
        + &read("2", "read_file", "a", "new a");
    let directory = tempfile::tempdir().unwrap();
    let (_, items) = request(directory.path(), &["--input-only", "--collapse-stale"], &document);
    let outputs: Vec<&str> = items.as_array().unwrap().iter().filter_map(|item| item["output"].as_str()).collect();
    assert_eq!(outputs, ["(out of date: a newer output of read_file for a follows)", "written", "new a"]);
}

#[test]
fn locate_uses_the_same_shape_as_the_request() {
    let directory = tempfile::tempdir().unwrap();
    fs::write(directory.path().join("chat.md"), CHAT).unwrap();
    let at = |arguments: &[&str]| {
        chatmd(directory.path(), &[&["locate", "chat.md", "input[0]"], arguments].concat(), &[], "").stdout
    };
    assert_eq!(at(&[]), "chat.md:3:1\n<system>\n");
    assert_eq!(at(&["--instructions"]), "chat.md:7:1\n<user>\n");
    let error = r#"{"error":{"message":"no","param":"input[0]"}}"#;
    let shown = chatmd(directory.path(), &["from-response", "--for", "chat.md", "--instructions"], &[], error);
    assert!(shown.code == Some(4) && shown.stderr.contains("chat.md:7:1"), "{}", shown.stderr);
    let missing = chatmd(directory.path(), &["from-response", "--for", "gone.md"], &[], error);
    assert!(missing.code == Some(4) && missing.stderr.contains("API error: no"), "{}", missing.stderr);
}

#[test]
fn only_ascii_whitespace_is_trimmed_before_detection() {
    let directory = tempfile::tempdir().unwrap();
    let array = "[{\"type\":\"input_text\",\"text\":\"x\"}]";
    let output = |text: &str| {
        let document = format!("<tool_response tool_call_id=\"c\">{text}</tool_response>");
        request(directory.path(), &["--input-only"], &document).1[0]["output"].clone()
    };
    assert!(output(&format!("\t {array} \n")).is_array());
    assert_eq!(output(&format!("\u{a0}{array}")), format!("\u{a0}{array}"));
}

#[test]
fn every_refused_file_is_reported() {
    let directory = tempfile::tempdir().unwrap();
    let document = "<user><img src=\"gone.png\" local/><agent src=\"a.md\" local>x</agent></user>";
    let (ran, _) = request(directory.path(), &["--input-only"], document);
    assert!(ran.stderr.contains("missing-file") && ran.stderr.contains("agent-refused"), "{}", ran.stderr);
    let (ran, _) = request(directory.path(), &["--input-only", "--root", "no-such-directory"], CHAT);
    assert!(ran.code != Some(0) && ran.stderr.contains("no-such-directory"), "{}", ran.stderr);
}

#[cfg(unix)]
#[test]
fn last_lines_of_a_failed_program_are_shown() {
    let directory = tempfile::tempdir().unwrap();
    let script = "i=0; while [ $i -lt 60000 ]; do echo 'a line of noise that goes on and on' >&2; i=$((i+1)); done; echo THE REASON >&2; exit 3";
    fs::write(directory.path().join("fetch.sh"), script).unwrap();
    let document = "<user><doc src=\"https://example.com\"/></user>";
    let (ran, _) = request(directory.path(), &["--input-only", "--fetch-command", "sh fetch.sh"], document);
    assert_eq!(ran.code, Some(74));
    assert!(ran.stderr.contains("THE REASON"), "{}", ran.stderr);
}

#[cfg(unix)]
#[test]
fn media_of_a_linked_document_is_found_and_not_rewritten() {
    let png = "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
    let items =
        json!([{ "type": "message", "role": "user", "content": [{ "type": "input_image", "image_url": png }] }])
            .to_string();
    let directory = tempfile::tempdir().unwrap();
    fs::create_dir_all(directory.path().join("deep/er")).unwrap();
    fs::write(directory.path().join("deep/er/real.md"), "").unwrap();
    std::os::unix::fs::symlink("deep/er/real.md", directory.path().join("chat.md")).unwrap();
    let append = ["from-response", "--root", ".", "--media", "pics", "--append", "chat.md"];
    assert_eq!(chatmd(directory.path(), &append, &[], &items).code, Some(65), "this is not a reply");
    assert!(!directory.path().join("pics").exists());
    assert_eq!(chatmd(directory.path(), &[&append[..], &["--any"]].concat(), &[], &items).code, Some(0));
    let back =
        chatmd(&directory.path().join("deep"), &["to-request", "--input-only", "--root", "..", "er/real.md"], &[], "");
    assert_eq!(
        serde_json::from_str::<Value>(&back.stdout).unwrap(),
        serde_json::from_str::<Value>(&items).unwrap(),
        "{}",
        back.stderr
    );
}

/// Only a stream may end inside a character. Any other input is reported as invalid UTF-8.
#[test]
fn invalid_utf8_is_never_dropped() {
    use std::io::Write;
    let run = |bytes: &[u8]| {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_chatmd"));
        command.arg("from-response").stdin(std::process::Stdio::piped()).stdout(std::process::Stdio::piped());
        let mut child = command.stderr(std::process::Stdio::piped()).spawn().unwrap();
        child.stdin.take().unwrap().write_all(bytes).unwrap();
        child.wait_with_output().unwrap()
    };
    let array = run(b"[{\"role\":\"user\",\"content\":\"x\"}]\xe2\x80");
    assert_eq!((array.status.code(), array.stdout.len()), (Some(65), 0));
    assert!(String::from_utf8_lossy(&array.stderr).contains("not-utf8"));
    let stream = run(b"data: {\"type\":\"response.output_item.done\",\"output_index\":0,\"item\":{\"role\":\"user\",\"content\":\"x\"}}\n\ndata: {\"a\":\"\xe2\x80");
    assert_eq!((stream.status.code(), stream.stdout.as_slice()), (Some(5), &b"<user>\nx\n</user>\n"[..]));
}
