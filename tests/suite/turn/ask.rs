//! `ask`: a message is added and sent, and only the answer is on standard output.

use std::fs;
use std::path::Path;

use chatmd::{AnswerPart, Converter, RequestOptions};
use proptest::prelude::*;
use serde_json::{Value, json};
use tempfile::TempDir;

use super::server::{call, message};
use crate::run::{Ran, chatmd};

const ANSWER: &str = "<assistant id=\"msg_1\" status=\"completed\">\nHi!\n</assistant>\n";
const PNG: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\x06\0\0\0\x1f\x15\xc4\x89\0\0\0\nIDATx\x9cc\0\x01\0\0\x05\0\x01\r\n-\xb4\0\0\0\0IEND\xaeB`\x82";

/// A folder whose `reply.json` is what the API answers.
fn folder(output: &[Value]) -> TempDir {
    let directory = tempfile::tempdir().unwrap();
    let reply = json!({ "object": "response", "status": "completed", "output": output });
    fs::write(directory.path().join("reply.json"), reply.to_string()).unwrap();
    fs::write(directory.path().join("chart.png"), PNG).unwrap();
    fs::write(directory.path().join("a.pdf"), "%PDF-1.4 report").unwrap();
    fs::write(directory.path().join("notes.txt"), "A note.").unwrap();
    directory
}

fn ask(directory: &Path, arguments: &[&str], input: &str) -> Ran {
    let command = ("CHATMD_SEND_COMMAND", "sh -c 'cat > body.json; cat reply.json'");
    let variables = [command, ("CHATMD_MODEL", "m"), ("PATH", "/usr/bin:/bin")];
    chatmd(directory, &[&["ask"], arguments].concat(), &variables, input)
}

/// The content of the last message that was sent.
fn sent(directory: &Path) -> Value {
    let body: Value = serde_json::from_str(&fs::read_to_string(directory.join("body.json")).unwrap()).unwrap();
    body["input"].as_array().unwrap().last().unwrap()["content"].clone()
}

fn document(directory: &Path) -> String {
    fs::read_to_string(directory.join("chat.md")).unwrap()
}

fn text(text: &str) -> Value {
    json!({ "type": "input_text", "text": text })
}

#[test]
fn question_and_standard_input_are_two_parts_and_nothing_is_stored() {
    let directory = folder(&[message("Hi!")]);
    let ran = ask(directory.path(), &["Review", "this."], "+</user>RAW|\n");
    assert_eq!((ran.code, ran.stdout.as_str(), ran.stderr.as_str()), (Some(0), "Hi!\n", ""));
    assert_eq!(sent(directory.path()), json!([text("Review this."), text("+</user>RAW|\n")]));
    assert!(!directory.path().join("chat.md").exists());
    // Without arguments, standard input is the message.
    assert_eq!(ask(directory.path(), &[], "Hello.").code, Some(0));
    assert_eq!(sent(directory.path()), json!([text("Hello.")]));
}

#[test]
fn message_is_added_to_a_document_that_is_created_or_continued() {
    let directory = folder(&[message("Hi!")]);
    let ran = ask(directory.path(), &["-f", "chat.md", "-s", "Be brief.", "Hello."], "");
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(0), "Hi!\n"), "{}", ran.stderr);
    let head = "<config model=\"m\"/>\n\n<system>\nBe brief.\n</system>\n\n<user>\nHello.\n</user>\n";
    assert_eq!(document(directory.path()), format!("{head}\n{ANSWER}"));
    // An empty `<user>` is filled.
    fs::write(directory.path().join("chat.md"), format!("{head}\n{ANSWER}\n<user>\n\n</user>\n")).unwrap();
    assert_eq!(ask(directory.path(), &["-f", "chat.md", "--no-send", "And now?"], "").code, Some(0));
    assert_eq!(document(directory.path()), format!("{head}\n{ANSWER}\n<user>\nAnd now?\n</user>\n"));
    // A system message belongs to the beginning.
    let ran = ask(directory.path(), &["-f", "chat.md", "-s", "Be long.", "Hello."], "");
    assert_eq!(ran.code, Some(2), "{}", ran.stderr);
}

#[test]
fn attachments_follow_the_text_by_their_content() {
    let directory = folder(&[message("Hi!")]);
    let attached = ["--attach", "chart.png", "--attach", "a.pdf", "--attach", "notes.txt"];
    for file in [&["-f", "chat.md"][..], &[]] {
        let ran = ask(directory.path(), &[file, &attached, &["Compare."]].concat(), "");
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        let sent = sent(directory.path());
        assert_eq!((&sent[0], &sent[3]), (&text("Compare."), &text("A note.")));
        assert!(sent[1]["image_url"].as_str().unwrap().starts_with("data:image/png;base64,"), "{sent}");
        assert!(sent[2]["file_data"].as_str().unwrap().starts_with("data:application/pdf;base64,"), "{sent}");
        assert_eq!(sent[2]["filename"], "a.pdf");
    }
    let text = document(directory.path());
    assert!(
        text.contains("<img src=\"chart.png\" local/>\n<doc src=\"a.pdf\" local file filename=\"a.pdf\"/>"),
        "{text}"
    );
}

#[test]
fn file_outside_is_copied_with_media_and_refused_without() {
    let directory = folder(&[message("Hi!")]);
    fs::create_dir(directory.path().join("chats")).unwrap();
    let arguments = ["-f", "chats/chat.md", "--attach", "chart.png", "Look."];
    let ran = ask(directory.path(), &arguments, "");
    assert_eq!(ran.code, Some(77), "{}", ran.stderr);
    assert!(ran.stderr.contains("`--media DIR`") && !ran.stderr.contains("--root"), "{}", ran.stderr);
    assert!(!directory.path().join("chats/chat.md").exists());
    let ran = ask(directory.path(), &[&["--media", "chats/media"], &arguments[..]].concat(), "");
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert!(sent(directory.path())[1]["image_url"].as_str().unwrap().starts_with("data:image/png;base64,"));
}

#[test]
fn failed_request_keeps_the_message() {
    let directory = folder(&[]);
    fs::write(directory.path().join("reply.json"), json!({ "error": { "message": "Slow down." } }).to_string())
        .unwrap();
    let ran = ask(directory.path(), &["-f", "chat.md", "Hello."], "");
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(4), ""), "{}", ran.stderr);
    assert!(
        ran.stderr.ends_with("\nnote: the message is in chat.md; `chatmd send chat.md` sends it\n"),
        "{}",
        ran.stderr
    );
    assert!(document(directory.path()).ends_with("<user>\nHello.\n</user>\n"));
}

#[test]
fn calls_of_an_answer_that_is_not_stored_are_listed() {
    let directory = folder(&[call("c1", "look", "{}")]);
    let ran = ask(directory.path(), &["Hello."], "");
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(1), ""), "{}", ran.stderr);
    assert!(ran.stderr.contains("c1 look") && ran.stderr.contains("`-f DOC`"), "{}", ran.stderr);
}

#[test]
fn conversation_replaces_no_other_file() {
    let directory = folder(&[message("Hi!")]);
    fs::write(directory.path().join("chat.md"), "Notes.").unwrap();
    let ran = ask(directory.path(), &["-o", "chat.md", "Hello."], "");
    assert_eq!((ran.code, document(directory.path()).as_str()), (Some(77), "Notes."), "{}", ran.stderr);
    assert!(!directory.path().join("body.json").exists(), "the request was sent");
    assert_eq!(ask(directory.path(), &["-o", "chat.md", "--force", "Hello."], "").code, Some(0));
    assert!(document(directory.path()).ends_with(ANSWER));
}

#[test]
fn no_message_is_wrong_usage_and_binary_input_is_named() {
    let directory = folder(&[message("Hi!")]);
    assert_eq!(ask(directory.path(), &[], "").code, Some(2));
    let command = "chatmd ask Look. < chart.png";
    let ran = std::process::Command::new("sh")
        .args(["-c", &command.replace("chatmd", env!("CARGO_BIN_EXE_chatmd"))])
        .current_dir(directory.path())
        .output()
        .unwrap();
    let messages = String::from_utf8_lossy(&ran.stderr).into_owned();
    assert_eq!(ran.status.code(), Some(65), "{messages}");
    assert!(messages.contains("image/png") && messages.contains("--attach -"), "{messages}");
}

#[test]
fn answer_is_appended_if_standard_output_is_closed() {
    let long = "line\n".repeat(50_000);
    let directory = folder(&[message(&long)]);
    let script = format!("{} ask -f chat.md Go. </dev/null | head -1", env!("CARGO_BIN_EXE_chatmd"));
    let ran = std::process::Command::new("sh")
        .args(["-c", &script])
        .current_dir(directory.path())
        .envs([("CHATMD_SEND_COMMAND", "sh -c 'cat > body.json; cat reply.json'"), ("CHATMD_MODEL", "m")])
        .output()
        .unwrap();
    assert_eq!(String::from_utf8_lossy(&ran.stdout), "line\n");
    assert!(document(directory.path()).contains(&long), "{}", String::from_utf8_lossy(&ran.stderr));
}

#[test]
fn editor_writes_the_message() {
    let directory = folder(&[message("Hi!")]);
    let editor = ("EDITOR", "sh -c 'echo Edited. >> \"$1\"' sh");
    let command = ("CHATMD_SEND_COMMAND", "sh -c 'cat > body.json; cat reply.json'");
    let variables = [editor, command, ("CHATMD_MODEL", "m"), ("PATH", "/usr/bin:/bin")];
    let ran = chatmd(directory.path(), &["ask", "--edit", "Draft. "], &variables, "");
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
    assert_eq!(sent(directory.path()), json!([text("Draft. Edited.")]));
    // Standard input stays a part of its own.
    let ran = chatmd(directory.path(), &["ask", "--edit"], &variables, "+ piped\n");
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
    assert_eq!(sent(directory.path()), json!([text("Edited."), text("+ piped\n")]));
}

proptest! {
    #[test]
    fn any_text_is_sent_as_it_is(texts in proptest::collection::vec("(\\PC|[\n\r\t<>|/]|</user>|RAW\\||<!--|<user>){1,40}", 1..4), next in any::<bool>()) {
        let start = if next { "<config model=\"m\"/>\n\n<user>\n\n</user>\n" } else { "<config model=\"m\"/>\n" };
        let parts: Vec<AnswerPart> = texts.iter().cloned().map(AnswerPart::Text).collect();
        let converter = Converter::new();
        let asked = converter.ask(start, Some(&texts[0]), &parts).unwrap().value;
        let request = converter.to_request(asked, &RequestOptions::default()).unwrap().value;
        let request: Value = serde_json::from_str(&request).unwrap();
        let expected: Vec<Value> = texts.iter().map(|one| text(one)).collect();
        prop_assert_eq!(&request["input"][0]["content"], &json!([expected[0]]));
        prop_assert_eq!(&request["input"][1]["content"], &json!(expected));
        prop_assert_eq!(request["input"].as_array().unwrap().len(), 2);
    }
}
