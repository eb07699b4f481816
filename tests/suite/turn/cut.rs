//! `cut`: the end of a document is removed, and what remains can be sent.

use std::fs::{self, File};
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

use chatmd::{Converter, CutPlace};
use proptest::prelude::*;
use tempfile::TempDir;

use crate::cases::cases;
use crate::run::{Ran, chatmd};

const USER: &str = "<user>\nHello.\n</user>\n";
const REASONING: &str = "<reasoning id=\"rs_1\">\n<summary>\nThink.\n</summary>\n</reasoning>\n";
const ANSWER: &str = "<assistant>\nHi!\n</assistant>\n";
const COMMENT: &str = "<!-- response {\"model\":\"gpt-5\"} -->\n";

fn call(id: &str) -> String {
    format!("<tool_call function_name=\"f\" tool_call_id=\"{id}\">\n{{}}\n</tool_call>\n")
}

fn output(id: &str) -> String {
    format!("<tool_response tool_call_id=\"{id}\">\nok\n</tool_response>\n")
}

fn document(blocks: &[&str]) -> String {
    blocks.join("\n")
}

fn cut(document: &str, arguments: &[&str]) -> (Ran, String, TempDir) {
    let directory = tempfile::tempdir().unwrap();
    fs::write(directory.path().join("chat.md"), document).unwrap();
    let ran = chatmd(directory.path(), &[&["cut", "chat.md"], arguments].concat(), &[], "");
    let document = fs::read_to_string(directory.path().join("chat.md")).unwrap();
    (ran, document, directory)
}

/// What remains after a cut that succeeds without a note.
fn remains(document: &str, arguments: &[&str]) -> String {
    let (ran, document, _directory) = cut(document, arguments);
    assert_eq!((ran.code, ran.stdout.as_str(), ran.stderr.as_str()), (Some(0), "", ""), "{arguments:?}");
    document
}

#[test]
fn the_answer_to_the_last_message_is_removed_with_its_comment() {
    let whole = document(&[USER, ANSWER, USER, COMMENT, REASONING, ANSWER, "<user>\n</user>\n"]);
    assert_eq!(remains(&whole, &[]), document(&[USER, ANSWER, USER]));
}

#[test]
fn a_place_is_kept_as_a_whole() {
    let whole = document(&[USER, ANSWER, USER, ANSWER]);
    assert_eq!(remains(&whole, &["input[1]"]), document(&[USER, ANSWER]));
    // Lines 5 to 7 are the first answer, and line 8 is blank.
    for line in ["5", "6", "7", "8"] {
        assert_eq!(remains(&whole, &[line]), document(&[USER, ANSWER]), "line {line}");
    }
}

#[test]
fn calls_keep_their_outputs() {
    let (a, b) = (call("a"), call("b"));
    let answered = document(&[USER, &a, &b, &output("a"), &output("b")]);
    let whole = document(&[&answered, ANSWER]);
    for place in ["input[1]", "input[2]", "input[3]"] {
        let (ran, document, _directory) = cut(&whole, &[place]);
        assert_eq!((ran.code, document.as_str()), (Some(0), answered.as_str()), "{place}");
        assert!(ran.stderr.contains("so that calls have their outputs"), "{}", ran.stderr);
    }
}

#[test]
fn reasoning_keeps_its_item() {
    let whole = document(&[USER, REASONING, ANSWER, USER]);
    let (ran, kept, _directory) = cut(&whole, &["input[1]"]);
    assert_eq!((ran.code, kept), (Some(0), document(&[USER, REASONING, ANSWER])));
}

#[test]
fn crlf_stays() {
    let whole = document(&[USER, ANSWER]).replace('\n', "\r\n");
    assert_eq!(remains(&whole, &[]), USER.replace('\n', "\r\n"));
}

#[test]
fn a_fork_leaves_the_document_and_replaces_no_other_file() {
    let whole = document(&[USER, ANSWER]);
    let (ran, kept, directory) = cut(&whole, &["-o", "fork.md"]);
    let fork = directory.path().join("fork.md");
    assert_eq!((ran.code, kept.as_str(), fs::read_to_string(&fork).unwrap().as_str()), (Some(0), whole.as_str(), USER));
    fs::write(&fork, "Notes.").unwrap();
    let again = |arguments: &[&str]| chatmd(directory.path(), arguments, &[], "");
    let ran = again(&["cut", "chat.md", "-o", "fork.md"]);
    assert_eq!((ran.code, fs::read_to_string(&fork).unwrap().as_str()), (Some(77), "Notes."));
    assert!(ran.stderr.contains("--force"), "{}", ran.stderr);
    assert_eq!(again(&["cut", "chat.md", "-o", "fork.md", "--force"]).code, Some(0));
    assert_eq!(fs::read_to_string(&fork).unwrap(), USER);
}

#[test]
fn a_fork_that_replaces_a_document_waits_for_its_lock() {
    let whole = document(&[USER, ANSWER]);
    for (output, expected) in [("chat.md", USER), ("./chat.md", USER), ("fork.md", &whole)] {
        let directory = tempfile::tempdir().unwrap();
        fs::write(directory.path().join("chat.md"), &whole).unwrap();
        fs::write(directory.path().join("fork.md"), ANSWER).unwrap();
        let held = File::open(directory.path().join(output)).unwrap();
        held.lock().unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_chatmd"));
        command.current_dir(directory.path()).args(["cut", "chat.md", "-o", output, "--force"]);
        let mut child = command.stderr(Stdio::piped()).spawn().unwrap();
        let mut note = String::new();
        BufReader::new(child.stderr.take().unwrap()).read_line(&mut note).unwrap();
        assert!(note.contains("waiting for the lock on"), "{note}");
        assert_ne!(fs::read_to_string(directory.path().join(output)).unwrap(), USER);
        held.unlock().unwrap();
        assert!(child.wait().unwrap().success());
        assert_eq!(fs::read_to_string(directory.path().join(output)).unwrap(), USER);
        assert_eq!(fs::read_to_string(directory.path().join("chat.md")).unwrap(), expected);
    }
}

#[test]
fn a_fork_may_be_written_to_standard_output() {
    let whole = document(&[USER, ANSWER]);
    for name in ["-", "/dev/stdout"] {
        let (ran, kept, directory) = cut(&whole, &["-o", name]);
        assert_eq!((ran.code, ran.stdout.as_str(), kept), (Some(0), USER, whole.clone()), "{}", ran.stderr);
        assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 1);
    }
}

#[test]
fn the_document_is_not_changed_while_another_command_has_its_lock() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("chat.md");
    fs::write(&path, document(&[USER, ANSWER])).unwrap();
    let lock = fs::File::open(&path).unwrap();
    lock.lock().unwrap();
    let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_chatmd"))
        .args(["cut", "chat.md"])
        .current_dir(directory.path())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let mut messages = std::io::BufReader::new(child.stderr.take().unwrap());
    let mut line = String::new();
    std::io::BufRead::read_line(&mut messages, &mut line).unwrap();
    assert!(line.contains("waiting") && fs::read_to_string(&path).unwrap().contains("Hi!"), "{line}");
    lock.unlock().unwrap();
    assert!(child.wait().unwrap().success());
    assert_eq!(fs::read_to_string(&path).unwrap(), USER);
}

#[test]
fn a_missing_place_changes_nothing() {
    let whole = document(&[USER, ANSWER]);
    for (place, message) in [("input[9]", "has no `input[9]`"), ("0", "has no line 0,"), ("99", "has no line 99,")] {
        let (ran, document, _directory) = cut(&whole, &[place]);
        assert_eq!((ran.code, document.as_str()), (Some(65), whole.as_str()), "{place}");
        assert!(ran.stderr.contains(message), "{}", ran.stderr);
    }
    let (ran, _, _directory) = cut(ANSWER, &[]);
    assert_eq!(ran.code, Some(65));
    assert!(ran.stderr.contains("no `<user>` with content"), "{}", ran.stderr);
}

fn block() -> impl Strategy<Value = String> {
    let id = prop_oneof![Just("a"), Just("b"), Just("c")];
    prop_oneof![
        Just(USER.to_owned()),
        Just(ANSWER.to_owned()),
        Just(REASONING.to_owned()),
        Just(COMMENT.to_owned()),
        Just("<user>\n</user>\n".to_owned()),
        id.clone().prop_map(call),
        id.prop_map(output),
    ]
}

proptest! {
    #![proptest_config(cases())]

    #[test]
    fn what_remains_is_a_prefix_in_which_no_call_loses_its_output(blocks in proptest::collection::vec(block(), 1..12), line in 1usize..60) {
        let whole = blocks.join("\n");
        if let Some(cut) = Converter::new().cut(whole.as_str(), &CutPlace::Line(line)).unwrap() {
            prop_assert!(whole.starts_with(cut.text.trim_end()));
            let (kept, removed) = blocks.split_at(blocks.len() - cut.removed);
            let expected = kept.join("\n");
            prop_assert_eq!(expected.trim_end(), cut.text.trim_end());
            for id in ["a", "b", "c"] {
                let loses = kept.contains(&call(id)) && removed.contains(&output(id)) && !kept.contains(&output(id));
                prop_assert!(!loses, "the output of {} was removed", id);
            }
        }
    }
}
