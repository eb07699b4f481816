//! Every command that rewrites a document takes the same lock, so that no change is lost.

use std::fs::{self, File};
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

use super::{ANSWER, DOCUMENT, REPLY, folder_with};
use crate::cases::large;

/// A document that `fmt` and `check --fix` both change.
const UNTIDY: &str = "<user>first</user>\n\n\n<user>\nsee <tool name=\"x\"/>\n</user>\n";

fn start(directory: &Path, args: &[&str]) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_chatmd"));
    command.current_dir(directory).args(args).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.spawn().unwrap()
}

#[test]
fn concurrent_fmt_check_and_append_lose_nothing() {
    for round in 0..large(200) {
        let directory = folder_with(UNTIDY);
        fs::write(directory.path().join("a.json"), REPLY.replace("Hi.", "first reply").replace("m1", "m2")).unwrap();
        fs::write(directory.path().join("b.json"), REPLY.replace("Hi.", "second reply")).unwrap();
        let mut runs = [
            &["fmt", "chat.md"][..],
            &["from-response", "--append", "chat.md", "a.json"],
            &["check", "--fix", "chat.md"],
            &["from-response", "--append", "chat.md", "b.json"],
        ];
        // Varies which of the runs is first.
        runs.rotate_left(round % 4);
        let children: Vec<Child> = runs.iter().map(|args| start(directory.path(), args)).collect();
        for mut child in children {
            assert!(child.wait().unwrap().success(), "round {round}");
        }
        let text = fs::read_to_string(directory.path().join("chat.md")).unwrap();
        // The layout of the RAW block depends on which of `fmt` and `check --fix` is first.
        for content in ["first reply", "second reply", "<user>\nfirst\n</user>", "<tool name=\"x\"/>", "|RAW"] {
            assert_eq!(text.matches(content).count(), 1, "round {round}: {content} in {text}");
        }
    }
}

/// Holds the lock of a document while another run waits for it: until its note, or for a short time.
fn while_locked(args: &[&str], until_note: bool) -> (String, String) {
    let directory = folder_with(DOCUMENT);
    fs::write(directory.path().join("reply.json"), REPLY).unwrap();
    let lock = File::open(directory.path().join("chat.md")).unwrap();
    lock.lock().unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_chatmd"));
    let mut child = command.current_dir(directory.path()).args(args).stderr(Stdio::piped()).spawn().unwrap();
    let mut messages = BufReader::new(child.stderr.take().unwrap());
    let mut stderr = String::new();
    if until_note {
        messages.read_line(&mut stderr).unwrap();
    }
    thread::sleep(Duration::from_millis(200));
    assert_eq!(fs::read_to_string(directory.path().join("chat.md")).unwrap(), DOCUMENT);
    lock.unlock().unwrap();
    messages.read_to_string(&mut stderr).unwrap();
    assert!(child.wait().unwrap().success(), "{stderr}");
    (stderr, fs::read_to_string(directory.path().join("chat.md")).unwrap())
}

#[test]
fn long_wait_for_a_lock_prints_one_note() {
    let append = ["from-response", "--append", "chat.md", "reply.json"];
    let (stderr, text) = while_locked(&append, true);
    assert_eq!(stderr, "note: waiting for the lock on chat.md, which another program holds\n");
    assert_eq!(text, format!("{DOCUMENT}\n{ANSWER}"));
    for args in [&["fmt", "chat.md"][..], &["check", "--fix", "chat.md"]] {
        let (stderr, _) = while_locked(args, true);
        assert!(stderr.contains("waiting for the lock on chat.md"), "{args:?}: {stderr}");
    }
}

#[cfg(unix)]
#[test]
fn interrupt_while_waiting_for_a_lock_saves_the_reply() {
    let directory = folder_with(DOCUMENT);
    let lock = File::open(directory.path().join("chat.md")).unwrap();
    lock.lock().unwrap();
    let mut child = super::start(directory.path(), &[], REPLY);
    let mut stderr = BufReader::new(child.stderr.take().unwrap());
    let mut message = String::new();
    stderr.read_line(&mut message).unwrap();
    assert!(message.starts_with("note: waiting for the lock"), "{message}");
    rustix::process::kill_process(rustix::process::Pid::from_child(&child), rustix::process::Signal::TERM).unwrap();
    stderr.read_to_string(&mut message).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(143), "{message}");
    assert!(message.contains("the reply was saved to chat.md.reply.md"), "{message}");
    assert_eq!(fs::read_to_string(directory.path().join("chat.md.reply.md")).unwrap(), ANSWER);
}

#[test]
fn short_wait_for_a_lock_prints_nothing() {
    let append = ["from-response", "--append", "chat.md", "reply.json"];
    let (stderr, text) = while_locked(&append, false);
    assert_eq!((stderr.as_str(), text), ("", format!("{DOCUMENT}\n{ANSWER}")));
}

#[test]
fn reading_commands_take_no_lock() {
    let directory = folder_with(UNTIDY);
    let lock = File::open(directory.path().join("chat.md")).unwrap();
    lock.lock().unwrap();
    for args in [&["fmt", "--check", "chat.md"][..], &["fmt", "--diff", "chat.md"], &["check", "--diff", "chat.md"]] {
        assert_eq!(start(directory.path(), args).wait().unwrap().code(), Some(1), "{args:?}");
    }
}

#[cfg(unix)]
#[test]
fn pipe_is_refused_without_blocking() {
    let directory = tempfile::tempdir().unwrap();
    assert!(Command::new("mkfifo").arg(directory.path().join("chat.md")).status().unwrap().success());
    fs::write(directory.path().join("reply.json"), REPLY).unwrap();
    for args in [&["fmt", "chat.md"][..], &["check", "--fix", "chat.md"]] {
        assert_eq!(start(directory.path(), args).wait().unwrap().code(), Some(74), "{args:?}");
    }
}
