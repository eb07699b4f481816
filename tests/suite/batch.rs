//! `batch`: many documents, in order, independent of each other.

mod appended;

use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::run::chatmd;

fn document(text: &str) -> String {
    format!("<config model=\"m\"/>\n\n<user>\n{text}\n</user>\n")
}

fn directory(count: usize) -> TempDir {
    let directory = tempfile::tempdir().unwrap();
    for index in 0..count {
        fs::write(directory.path().join(format!("{index:05}.md")), document(&format!("question {index}"))).unwrap();
    }
    directory
}

fn names(count: usize) -> Vec<String> {
    (0..count).map(|index| format!("{index:05}.md")).collect()
}

fn lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn result(path: &str, text: &str) -> String {
    let message = json!({ "type": "message", "id": "m", "role": "assistant", "status": "completed", "content": [{ "type": "output_text", "text": text, "annotations": [] }] });
    let body = json!({ "object": "response", "status": "completed", "output": [message] });
    json!({ "id": "b", "custom_id": path, "response": { "status_code": 200, "body": body }, "error": null }).to_string()
        + "\n"
}

fn read(directory: &Path, name: &str) -> String {
    fs::read_to_string(directory.join(name)).unwrap()
}

#[test]
fn requests_are_printed_in_the_order_of_the_documents() {
    let count = 600;
    let directory = directory(count);
    let names = names(count);
    let arguments: Vec<&str> = ["batch", "requests"].into_iter().chain(names.iter().map(String::as_str)).collect();
    let ran = chatmd(directory.path(), &arguments, &[], "");
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
    let lines = lines(&ran.stdout);
    assert_eq!(lines.len(), count);
    for (index, line) in lines.iter().enumerate() {
        assert_eq!(
            (&line["custom_id"], &line["method"], &line["url"]),
            (&json!(names[index]), &json!("POST"), &json!("/v1/responses"))
        );
        assert_eq!(line["body"]["input"][0]["content"][0]["text"], format!("question {index}"));
    }
}

#[test]
fn failed_document_stops_the_batch_unless_keep_going() {
    let directory = directory(3);
    fs::write(directory.path().join("00001.md"), "<user>").unwrap();
    let all = ["batch", "requests", "00000.md", "00001.md", "00002.md"];
    let ran = chatmd(directory.path(), &all, &[], "");
    assert_eq!((ran.code, lines(&ran.stdout).len()), (Some(65), 1));
    assert!(ran.stderr.contains("00001.md") && ran.stderr.contains("unclosed-element"), "{}", ran.stderr);
    let ran = chatmd(directory.path(), &[&all[..], &["--keep-going", "missing.md"]].concat(), &[], "");
    assert_eq!((ran.code, lines(&ran.stdout).len()), (Some(65), 2));
    assert!(ran.stderr.contains("missing.md"), "{}", ran.stderr);
}

#[test]
fn names_of_documents_are_shown_as_they_are() {
    let directory = directory(0);
    let name = format!("{}.md", "0123456789abcdef".repeat(4));
    fs::write(directory.path().join(&name), "<user>").unwrap();
    let ran = chatmd(directory.path(), &["batch", "requests", &name], &[], "");
    assert!(ran.stderr.starts_with(&format!("{name}: error[unclosed-element]")), "{}", ran.stderr);
}

#[test]
fn result_that_is_not_a_reply_is_refused() {
    let directory = directory(1);
    let line = json!({ "custom_id": "00000.md", "response": { "body": { "model": "m", "input": "x" } } });
    fs::write(directory.path().join("out.jsonl"), line.to_string()).unwrap();
    let ran = chatmd(directory.path(), &["batch", "results", "out.jsonl"], &[], "");
    assert_eq!(ran.code, Some(65));
    assert!(
        ran.stderr.contains("out.jsonl:1: 00000.md: this is a request body; only replies are appended"),
        "{}",
        ran.stderr
    );
    assert_eq!(read(directory.path(), "00000.md"), document("question 0"));
}

#[test]
fn api_error_in_the_results_is_reported() {
    let directory = directory(1);
    let error = json!({ "custom_id": "00000.md", "response": null, "error": { "message": "expired", "code": "batch_expired" } });
    fs::write(directory.path().join("out.jsonl"), error.to_string()).unwrap();
    let ran = chatmd(directory.path(), &["batch", "results", "out.jsonl"], &[], "");
    assert_eq!(ran.code, Some(4));
    assert!(ran.stderr.contains("out.jsonl:1: 00000.md: API error (batch_expired): expired"), "{}", ran.stderr);
    assert_eq!(read(directory.path(), "00000.md"), document("question 0"));
}

#[test]
fn line_filters_write_one_line_per_line() {
    let directory = tempfile::tempdir().unwrap();
    let documents: String =
        (0..3).map(|id| json!({ "id": id, "document": document(&format!("q{id}")) }).to_string() + "\n").collect();
    let ran = chatmd(directory.path(), &["batch", "requests", "-"], &[], &documents);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let requests = lines(&ran.stdout);
    assert_eq!(requests.len(), 3);
    assert_eq!(
        (&requests[2]["id"], &requests[2]["request"]["input"][0]["content"][0]["text"]),
        (&json!(2), &json!("q2"))
    );
    let responses: String = ["a", "b"]
        .map(|id| json!({ "id": id, "response": { "object": "response", "output": [{ "role": "assistant", "content": id }] } }).to_string() + "\n")
        .concat();
    let ran = chatmd(directory.path(), &["batch", "results", "-"], &[], &(responses.clone() + "{\"id\":\"c\"}\n"));
    assert_eq!(ran.code, Some(65));
    let documents = lines(&ran.stdout);
    assert_eq!(documents[1], json!({ "id": "b", "document": "<assistant>\nb\n</assistant>\n" }));
    assert!(ran.stderr.contains("line 3: `response` is missing"), "{}", ran.stderr);
    let ran = chatmd(directory.path(), &["batch", "results", "-"], &[], &("not json\n".to_owned() + &responses));
    assert_eq!((ran.code, lines(&ran.stdout).len()), (Some(65), 2));
}

#[test]
fn warnings_and_incomplete_replies_are_reported() {
    let directory = directory(2);
    fs::write(directory.path().join("00000.md"), document("x").replace("<user>", "<user color=\"red\">")).unwrap();
    let ran = chatmd(directory.path(), &["batch", "requests", "00000.md", "00001.md"], &[], "");
    assert_eq!((ran.code, lines(&ran.stdout).len()), (Some(0), 2));
    assert!(ran.stderr.contains("unknown-attribute") && ran.stderr.contains("00000.md:3:7"), "{}", ran.stderr);
    let strict = chatmd(directory.path(), &["--strict", "batch", "requests", "00000.md"], &[], "");
    assert_eq!((strict.code, strict.stdout.as_str()), (Some(65), ""));
    let incomplete = result("00001.md", "half")
        .replace("\"status\":\"completed\"},\"status_code\"", "\"status\":\"incomplete\"},\"status_code\"");
    assert!(incomplete.contains("incomplete"), "{incomplete}");
    fs::write(directory.path().join("out.jsonl"), incomplete).unwrap();
    let ran = chatmd(directory.path(), &["batch", "results", "out.jsonl"], &[], "");
    assert_eq!(ran.code, Some(5), "{}", ran.stderr);
    assert!(read(directory.path(), "00001.md").contains("half"));
}

#[test]
fn request_flags_apply_to_every_document() {
    let directory = directory(3);
    fs::write(directory.path().join("tools.json"), r#"[{"type":"web_search"}]"#).unwrap();
    let flags = ["-m", "other", "--stateless", "--set", "top_p=0.5", "--tools", "tools.json"];
    let names = names(3);
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let ran = crate::run::chatmd(directory.path(), &[&["batch", "requests"], &flags[..], &names].concat(), &[], "");
    assert_eq!((ran.code, lines(&ran.stdout).len()), (Some(0), 3), "{}", ran.stderr);
    for line in lines(&ran.stdout) {
        let body = &line["body"];
        assert_eq!((&body["model"], &body["store"], &body["top_p"]), (&json!("other"), &json!(false), &json!(0.5)));
        assert_eq!(body["tools"], json!([{ "type": "web_search" }]));
    }
}

/// The line filter has the exit codes of `from-response`, and writes what can be written.
#[test]
fn results_of_lines_have_the_exit_codes_of_from_response() {
    let whole = r#"{"object":"response","status":"completed","output":[{"type":"message","role":"assistant","content":[{"type":"output_text","text":"Hi!"}]}]}"#;
    let cut = whole.replace("completed", "incomplete");
    let failed = r#"{"error":{"message":"Slow down.","type":"rate_limit"}}"#;
    let odd = whole.replace("\"role\":\"assistant\"", "\"role\":\"assistant\",\"id\":5");
    let directory = tempfile::tempdir().unwrap();
    for (response, code) in [(whole, 0), (&cut, 5), (failed, 4), ("7", 65)] {
        let line = format!("{{\"id\":1,\"response\":{response}}}\n{{\"id\":2,\"response\":{whole}}}\n");
        let alone = chatmd(directory.path(), &["from-response"], &[], response);
        let ran = chatmd(directory.path(), &["batch", "results", "-"], &[], &line);
        assert_eq!((alone.code, ran.code), (Some(code), Some(code)), "{response}: {}", ran.stderr);
        let written = if code == 0 || code == 5 { 2 } else { 1 };
        assert_eq!(ran.stdout.lines().count(), written, "{response}");
    }
    let line = format!("{{\"id\":1,\"response\":{odd}}}\n");
    for strict in [&[][..], &["--strict"]] {
        let alone = chatmd(directory.path(), &[&["from-response"], strict].concat(), &[], &odd);
        let ran = chatmd(directory.path(), &[&["batch", "results", "-"], strict].concat(), &[], &line);
        assert_eq!(ran.code, alone.code, "{}", ran.stderr);
    }
    let line = format!("{{\"id\":1,\"response\":{whole}}}\n");
    let reply = chatmd(directory.path(), &["batch", "results", "--next", "-"], &[], &line);
    assert!(reply.stdout.contains(r"<user>\n\n</user>\n"), "{}", reply.stdout);
}

#[test]
fn directory_stands_for_the_documents_in_it() {
    let directory = tempfile::tempdir().unwrap();
    let chats = directory.path().join("chats/deep");
    fs::create_dir_all(&chats).unwrap();
    fs::create_dir(directory.path().join("empty")).unwrap();
    let document = "<config model=\"m\"/>\n<user>\nHello.\n</user>\n";
    for path in ["chats/b.md", "chats/deep/a.md", "c.md"] {
        fs::write(directory.path().join(path), document).unwrap();
    }
    fs::write(directory.path().join("chats/README.md"), "# Not a document\n").unwrap();
    let ran = chatmd(directory.path(), &["batch", "requests", "c.md", "chats"], &[], "");
    let note = "note: 1 other file `*.md` is not a document, and was not looked at\n";
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), note));
    let ids: Vec<String> = ran
        .stdout
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap()["custom_id"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(ids, ["c.md", "chats/b.md", "chats/deep/a.md"]);
    let empty = chatmd(directory.path(), &["batch", "requests", "empty"], &[], "");
    assert_eq!(empty.code, Some(66), "{}", empty.stderr);
    assert!(empty.stderr.contains("no documents in this directory"), "{}", empty.stderr);
}

#[test]
fn failed_line_of_results_does_not_stop_the_others() {
    let directory = directory(3);
    let error = json!({ "error": { "message": "Too many requests.", "type": "rate_limit" } });
    let failed =
        json!({ "custom_id": "00001.md", "response": { "status_code": 429, "request_id": "req_1", "body": error } });
    let lines = format!("{}{failed}\n{}", result("00000.md", "Hi."), result("00002.md", "Hi."));
    fs::write(directory.path().join("out.jsonl"), lines).unwrap();
    let ran = chatmd(directory.path(), &["batch", "results", "out.jsonl"], &[], "");
    assert_eq!(ran.code, Some(4), "{}", ran.stderr);
    let error = "out.jsonl:2: 00001.md: status 429, request id `req_1`, API error (rate_limit): Too many requests.";
    assert!(ran.stderr.contains(error), "{}", ran.stderr);
    assert!(ran.stderr.ends_with("note: 1 line failed; the others were converted\n"), "{}", ran.stderr);
    for (name, has_reply) in [("00000.md", true), ("00001.md", false), ("00002.md", true)] {
        assert_eq!(read(directory.path(), name).contains("<assistant"), has_reply, "{name}");
    }
}

#[test]
fn results_of_a_batch_are_also_read_from_standard_input() {
    let failed =
        json!({ "custom_id": "b.md", "response": null, "error": { "message": "Expired.", "code": "batch_expired" } });
    let input = format!("{}{failed}\n{}", result("a.md", "Hi."), result("c.md", "Hi."));
    let ran = chatmd(Path::new("."), &["batch", "results", "-"], &[], &input);
    let ids: Vec<Value> = lines(&ran.stdout).iter().map(|line| line["id"].clone()).collect();
    assert_eq!((ran.code, ids), (Some(4), vec![json!("a.md"), json!("c.md")]), "{}", ran.stderr);
    assert!(ran.stderr.contains("line 2: API error (batch_expired): Expired."), "{}", ran.stderr);
}

#[test]
fn line_over_the_limit_is_refused_and_the_others_go_on() {
    let directory = directory(0);
    let line = |id: &str, text: &str| json!({ "id": id, "document": format!("<user>{text}</user>") }).to_string();
    let input = format!("{}\n{}\n\n{}", line("a", "1"), line("b", &"x".repeat(1000)), line("c", "2"));
    let args = ["batch", "requests", "-", "--model", "m", "--max-line-bytes", "1000", "--keep-going"];
    let ran = chatmd(directory.path(), &args, &[], &input);
    assert_eq!(ran.code, Some(65));
    let ids: Vec<Value> = lines(&ran.stdout).iter().map(|line| line["id"].clone()).collect();
    assert_eq!(ids, ["a", "c"]);
    assert!(ran.stderr.contains("line 2: the line has more than 1000 bytes; `--max-line-bytes`"), "{}", ran.stderr);
}

#[test]
fn documents_of_a_batch_share_the_limit_of_bytes() {
    let directory = directory(2);
    fs::write(directory.path().join("notes.txt"), "x".repeat(600)).unwrap();
    for name in names(2) {
        fs::write(directory.path().join(name), document("<doc src=\"notes.txt\" local/>")).unwrap();
    }
    let batch = |total: &str| {
        let names = names(2);
        let args = ["batch", "requests", "--max-total-bytes", total, &names[0], &names[1]];
        chatmd(directory.path(), &args, &[], "").code
    };
    assert_eq!((batch("1200"), batch("1199")), (Some(0), Some(65)));
}

#[test]
fn same_documents_are_over_the_limit_of_bytes_in_every_run() {
    let directory = directory(60);
    fs::write(directory.path().join("notes.txt"), "x".repeat(600)).unwrap();
    for name in names(60) {
        // The first ones take longer, so that others are read before them.
        let text = if name.as_str() < "00004.md" { "text ".repeat(200_000) } else { String::new() };
        fs::write(directory.path().join(name), document(&format!("{text}<doc src=\"notes.txt\" local/>"))).unwrap();
    }
    let ran =
        chatmd(directory.path(), &["batch", "requests", "--keep-going", "--max-total-bytes", "6000", "."], &[], "");
    let ids: Vec<Value> = lines(&ran.stdout).iter().map(|line| line["custom_id"].clone()).collect();
    assert_eq!((ran.code, ids), (Some(65), (0..10).map(|index| json!(format!("./{index:05}.md"))).collect()));
    assert_eq!(ran.stderr.matches("more than 6000 bytes").count(), 50, "{}", ran.stderr);
}

#[test]
fn hostile_names_and_reasons_are_sanitized() {
    let directory = directory(1);
    let hostile = "00000.md\u{1b}]0;x\u{7}\u{202e}\n\u{9b}31m";
    let incomplete = result("00000.md", "half").replace(
        "\"status\":\"completed\"}",
        &format!("\"status\":\"incomplete\",\"incomplete_details\":{}}}", json!({ "reason": hostile })),
    );
    fs::write(directory.path().join("out.jsonl"), result(hostile, "x") + &incomplete).unwrap();
    let ran = chatmd(directory.path(), &["batch", "results", "out.jsonl"], &[], "");
    assert!(!ran.stderr.contains(['\u{1b}', '\u{7}', '\u{202e}', '\u{9b}']), "{:?}", ran.stderr);
    let line = json!({ "id": hostile, "document": "<user>" }).to_string();
    let ran = chatmd(directory.path(), &["batch", "requests", "-"], &[], &line);
    assert!(!ran.stderr.contains(['\u{1b}', '\u{7}', '\u{202e}', '\u{9b}']), "{:?}", ran.stderr);
}

/// A line of the results of the Messages API.
fn messages_result(id: &str, result: &Value) -> String {
    json!({ "custom_id": id, "result": result }).to_string() + "\n"
}

#[test]
fn batch_of_the_messages_api_finds_its_documents_by_their_names() {
    let directory = directory(2);
    let long = format!("{}é.md", "a ".repeat(40));
    fs::write(directory.path().join(&long), document("long")).unwrap();
    let flags = ["batch", "requests", ".", "--api", "messages", "--set", "max_tokens=9"];
    let ran = chatmd(directory.path(), &flags, &[], "");
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
    let lines = lines(&ran.stdout);
    assert_eq!(lines.len(), 3);
    let ids: Vec<&str> = lines.iter().map(|line| line["custom_id"].as_str().unwrap()).collect();
    for (id, line) in ids.iter().zip(&lines) {
        assert!(id.len() <= 64 && id.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-".contains(&byte)), "{id}");
        assert_eq!(line["params"]["max_tokens"], 9);
        assert_eq!(line.as_object().unwrap().len(), 2);
    }
    let message = json!({ "type": "message", "id": "m", "role": "assistant", "stop_reason": "end_turn", "content": [{ "type": "text", "text": "The answer." }] });
    let error = json!({ "type": "error", "error": { "type": "invalid_request_error", "message": "bad" } });
    let results = messages_result(ids[2], &json!({ "type": "succeeded", "message": message }))
        + &messages_result(ids[0], &json!({ "type": "errored", "error": error }))
        + &messages_result(ids[1], &json!({ "type": "expired" }))
        + &messages_result("unknown_4711", &json!({ "type": "succeeded", "message": message }));
    fs::write(directory.path().join("out.jsonl"), results).unwrap();
    let ran = chatmd(directory.path(), &["batch", "results", "out.jsonl", "."], &[], "");
    assert_eq!(ran.code, Some(4), "{}", ran.stderr);
    for part in
        ["out.jsonl:2: ./00000.md: API error", "was expired", "out.jsonl:4: no document has the id `unknown_4711`"]
    {
        assert!(ran.stderr.contains(part), "{part}: {}", ran.stderr);
    }
    assert!(read(directory.path(), &long).ends_with("\n<assistant>\nThe answer.\n</assistant>\n"));
    assert_eq!(read(directory.path(), "00000.md"), document("question 0"));
    assert_eq!(read(directory.path(), "00001.md"), document("question 1"));
    // Without the documents, no id is known.
    let ran = chatmd(directory.path(), &["batch", "results", "out.jsonl"], &[], "");
    assert_eq!(ran.code, Some(66), "{}", ran.stderr);
}

#[test]
fn batch_is_for_one_api() {
    let directory = directory(2);
    fs::write(directory.path().join("00001.md"), document("x").replace("<config", "<config api=\"chat\"")).unwrap();
    let ran = chatmd(directory.path(), &["batch", "requests", "."], &[], "");
    assert_eq!((ran.code, lines(&ran.stdout).len()), (Some(65), 1), "{}", ran.stderr);
    assert!(ran.stderr.contains("is for the Chat API, and the batch is for the Responses API"), "{}", ran.stderr);
    let ran = chatmd(directory.path(), &["batch", "requests", ".", "--api", "chat", "--ledger", "l"], &[], "");
    assert_eq!((ran.code, read(directory.path(), "l").as_str()), (Some(0), ""));
    assert!(lines(&ran.stdout).iter().all(|line| line["url"] == "/v1/chat/completions"), "{}", ran.stdout);
}
