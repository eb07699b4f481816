//! `ask`: a message is added and sent, and only the answer is on standard output.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

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

const VARIABLES: [(&str, &str); 3] = [
    ("CHATMD_SEND_COMMAND", "sh -c 'cat > body.json; cat reply.json'"),
    ("CHATMD_MODEL", "m"),
    ("PATH", "/usr/bin:/bin"),
];

fn ask(directory: &Path, arguments: &[&str], input: &str) -> Ran {
    chatmd(directory, &[&["ask"], arguments].concat(), &VARIABLES, input)
}

/// The same with any standard input.
fn ask_with(directory: &Path, arguments: &[&str], input: Stdio) -> Ran {
    let mut command = Command::new(env!("CARGO_BIN_EXE_chatmd"));
    command.arg("ask").args(arguments).current_dir(directory).env_clear().envs(VARIABLES).stdin(input);
    let output = command.output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    Ran { code: output.status.code(), stdout: text(output.stdout), stderr: text(output.stderr) }
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
    // The name of a file is a message, too, and a note says so.
    let ran = ask(directory.path(), &["notes.txt"], "");
    assert_eq!((ran.code, sent(directory.path())), (Some(0), json!([text("notes.txt")])));
    assert!(ran.stderr.starts_with("note: the message is the name `notes.txt`; `-f notes.txt`"), "{}", ran.stderr);
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
fn messages_that_are_added_at_once_are_all_kept() {
    let directory = folder(&[]);
    let command = || {
        let mut command = Command::new(env!("CARGO_BIN_EXE_chatmd"));
        command.current_dir(directory.path()).env_clear().envs(VARIABLES).stdin(Stdio::null());
        command
    };
    let words: Vec<String> = (0..8).map(|number| format!("Message {number}.")).collect();
    let asking: Vec<_> =
        words.iter().map(|word| command().args(["ask", "-f", "chat.md", "--no-send", word]).spawn().unwrap()).collect();
    for mut child in asking {
        assert!(child.wait().unwrap().success());
    }
    let text = document(directory.path());
    assert!(words.iter().all(|word| text.contains(&format!("<user>\n{word}\n</user>\n"))), "{text}");
    assert_eq!(text.matches("<config").count(), 1, "{text}");
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
fn attachment_on_standard_input_is_in_the_document_or_with_media_in_a_file() {
    let directory = folder(&[message("Hi!")]);
    for (file, part) in [("chart.png", "input_image"), ("a.pdf", "input_file"), ("notes.txt", "input_text")] {
        for media in [&[][..], &["--media", "media"]] {
            let _ = fs::remove_file(directory.path().join("chat.md"));
            let arguments = [&["-f", "chat.md", "--attach", "-", "Look."], media].concat();
            let input = fs::File::open(directory.path().join(file)).unwrap();
            let ran = ask_with(directory.path(), &arguments, input.into());
            assert_eq!(ran.code, Some(0), "{}", ran.stderr);
            let sent = sent(directory.path());
            assert_eq!((&sent[0], &sent[1]["type"]), (&text("Look."), &json!(part)));
            let is_in_document = !document(directory.path()).contains(" src=\"media/");
            assert_eq!(is_in_document, media.is_empty() || part == "input_text", "{}", document(directory.path()));
        }
    }
    assert_eq!(fs::read_dir(directory.path().join("media")).unwrap().count(), 2);
    let binary = directory.path().join("binary");
    fs::write(&binary, b"\xff\x00").unwrap();
    let ran = ask_with(directory.path(), &["--attach", "-", "Look."], fs::File::open(binary).unwrap().into());
    assert!(ran.code == Some(65) && ran.stderr.starts_with("error: standard input is not UTF-8\n"), "{}", ran.stderr);
}

#[test]
fn problems_of_the_document_are_shown_once() {
    let directory = folder(&[message("Hi!")]);
    // A warning is that of the request.
    let odd = "<config model=\"m\"/>\n\n<user odd=\"1\">\nHello.\n</user>\n";
    fs::write(directory.path().join("chat.md"), odd).unwrap();
    let ran = ask(directory.path(), &["-f", "chat.md", "--no-send", "More."], "");
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
    let ran = ask(directory.path(), &["-f", "chat.md", "More."], "");
    assert_eq!((ran.code, ran.stderr.matches("warning[unknown-attribute]").count()), (Some(0), 1), "{}", ran.stderr);
    assert!(document(directory.path()).ends_with(&format!("{odd}\n{0}\n{0}\n{ANSWER}", "<user>\nMore.\n</user>\n")));
    // Notes are not a conversation.
    fs::write(directory.path().join("chat.md"), "Notes.\n").unwrap();
    let ran = ask(directory.path(), &["-f", "chat.md", "Summarize."], "");
    assert_eq!((ran.code, ran.stderr.matches("error[").count()), (Some(65), 1), "{}", ran.stderr);
    assert!(ran.stderr.ends_with("add its text with `--attach chat.md`\n"), "{}", ran.stderr);
    assert_eq!(document(directory.path()), "Notes.\n");
}

#[test]
fn missing_model_names_all_three_places() {
    let directory = folder(&[message("Hi!")]);
    for file in [&[][..], &["-f", "chat.md"]] {
        let ran = chatmd(directory.path(), &[&["ask"], file, &["Hello."]].concat(), &[], "");
        assert_eq!((ran.code, directory.path().join("chat.md").exists()), (Some(65), false), "{}", ran.stderr);
        for place in ["`--model NAME`", "`CHATMD_MODEL`", "`chatmd.toml`"] {
            assert!(ran.stderr.contains(place), "{}", ran.stderr);
        }
    }
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
fn conversation_of_a_question_refers_to_copies_with_media() {
    let directory = folder(&[message("Hi!")]);
    let arguments = ["-o", "chat.md", "--attach", "chart.png", "Look."];
    let ran = ask(directory.path(), &[&arguments[..], &["--media", "media"]].concat(), "");
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert!(sent(directory.path())[1]["image_url"].as_str().unwrap().starts_with("data:image/png;base64,"));
    assert!(document(directory.path()).contains("\n<img src=\"media/"), "{}", document(directory.path()));
    assert_eq!(fs::read_dir(directory.path().join("media")).unwrap().count(), 1);
}

#[test]
fn dry_run_with_attachments_writes_nothing() {
    let directory = folder(&[]);
    fs::create_dir(directory.path().join("chats")).unwrap();
    for target in [&["-f", "chats/chat.md"][..], &["-o", "chats/chat.md"], &[]] {
        for attached in ["chart.png", "-"] {
            let arguments = ["--dry-run", "--media", "chats/media", "--attach", attached, "Look."];
            let png = || fs::File::open(directory.path().join("chart.png")).unwrap().into();
            let input = if attached == "-" { png() } else { Stdio::null() };
            let ran = ask_with(directory.path(), &[target, &arguments].concat(), input);
            assert_eq!(ran.code, Some(0), "{target:?} {attached}: {}", ran.stderr);
            assert_eq!(fs::read_dir(directory.path().join("chats")).unwrap().count(), 0);
        }
    }
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
    assert!(ran.stderr.contains("\n  c1 look\n") && ran.stderr.contains("`-f DOC`"), "{}", ran.stderr);
    let ran = ask(directory.path(), &["-o", "chat.md", "Hello."], "");
    assert_eq!(ran.code, Some(1), "{}", ran.stderr);
    assert!(
        ran.stderr.contains("\n  line 7: c1 look\n") && ran.stderr.contains("`chatmd answer chat.md CALL_ID`"),
        "{}",
        ran.stderr
    );
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
    // An empty standard input adds nothing, also in place of an attachment.
    assert_eq!(ask(directory.path(), &["Hello."], "").code, Some(0));
    assert_eq!(sent(directory.path()), json!([text("Hello.")]));
    let picture = fs::File::open(directory.path().join("chart.png")).unwrap();
    let ran = ask_with(directory.path(), &["Look."], picture.into());
    assert_eq!(ran.code, Some(65), "{}", ran.stderr);
    assert!(ran.stderr.contains("image/png") && ran.stderr.contains("--attach -"), "{}", ran.stderr);
    // Standard output has the answer, and standard input the message.
    for name in ["-o", "-f"] {
        let ran = ask(directory.path(), &[name, "-", "Hello."], "");
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""), "{}", ran.stderr);
    }
    assert!(!directory.path().join("-").exists());
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
    let editor = ("EDITOR", "sh -c 'echo Edited. >> \"$1\"; ls -ld \"${1%/*}\" > mode' sh");
    let variables = [&[editor], &VARIABLES[..]].concat();
    let ran = chatmd(directory.path(), &["ask", "--edit", "Draft. "], &variables, "");
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
    // Nobody else can read the message.
    assert!(fs::read_to_string(directory.path().join("mode")).unwrap().starts_with("drwx------"));
    assert_eq!(sent(directory.path()), json!([text("Draft. Edited.")]));
    // Standard input stays a part of its own.
    let ran = chatmd(directory.path(), &["ask", "--edit"], &variables, "+ piped\n");
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
    assert_eq!(sent(directory.path()), json!([text("Edited."), text("+ piped\n")]));
    // `VISUAL` comes first, and nothing is sent if the editor fails.
    let variables = [&variables[..], &[("VISUAL", "sh -c 'exit 3'")]].concat();
    let ran = chatmd(directory.path(), &["ask", "--edit", "Draft."], &variables, "");
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(74), "error: the editor of VISUAL failed: exit status 3\n"));
    let ran = chatmd(directory.path(), &["ask", "--edit", "Draft."], &VARIABLES, "");
    assert!(ran.code == Some(2) && ran.stderr.contains("`VISUAL` and `EDITOR` are not set"), "{}", ran.stderr);
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
