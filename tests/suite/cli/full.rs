//! Full disks and broken pipes: lost messages do not change the exit code, a lost result does.

use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::process::{Command, Stdio};

use tempfile::TempDir;

use super::{HELLO, Ran, command, folder_with};

const ODD: &str = "<config model=\"m\"/>\n\n<user color=\"red\">\nHello.\n</user>";
const REPLY: &str = r#"{"object":"response","status":"incomplete","output":[{"type":"message","id":"m1","role":"assistant","status":"completed","content":[{"type":"output_text","text":"Hi.","annotations":[]}]}]}"#;

/// A file that cannot be written; `None` if the system has none.
fn full() -> Option<File> {
    OpenOptions::new().write(true).open("/dev/full").ok()
}

fn run_to(command: &mut Command, stdin: &str, stdout: Stdio, stderr: Stdio) -> Ran {
    let mut child = command.stdin(Stdio::piped()).stdout(stdout).stderr(stderr).spawn().unwrap();
    // A run that reads no input may have ended already.
    let _ = child.stdin.take().unwrap().write_all(stdin.as_bytes());
    child.wait_with_output().unwrap().into()
}

fn folder() -> TempDir {
    let results = r#"{"custom_id":"gone.md","response":{"body":{"object":"response","output":[]}}}"#;
    folder_with(&[("chat.md", HELLO), ("odd.md", ODD), ("bad.md", "hello"), ("results.jsonl", results)])
}

#[test]
fn unwritable_message_does_not_change_the_exit_code() {
    let Some(full) = full() else { return };
    let directory = folder();
    for (args, stdin, code) in [
        (&["to-request", "gone.md"][..], "", 66),
        (&["to-request", "odd.md"], "", 0),
        (&["to-request", "chat.md"], "", 65),
        (&["parse", "bad.md"], "", 65),
        (&["parse", "--bogus"], "", 2),
        (&[], "", 2),
        (&["--strict", "parse"], "<user ,>x</user>", 65),
        (&["check", "bad.md"], "", 1),
        (&["check", "--strict", "odd.md"], "", 1),
        (&["check", "--fix", "-"], "hello", 1),
        (&["fmt", "bad.md", "gone.md"], "", 65),
        (&["locate", "odd.md", "input[7]"], "", 65),
        (&["stats", "--max-tokens", "0", "odd.md"], "", 1),
        (&["batch", "requests", "odd.md", "bad.md"], "", 65),
        (&["batch", "results", "results.jsonl"], "", 66),
        (&["from-response"], REPLY, 5),
        (&["from-response"], r#"{"error":{"message":"no"}}"#, 4),
        (&["from-response", "--append", "odd.md"], REPLY, 5),
        (&["from-response", "--append", "bad.md"], REPLY, 65),
    ] {
        let stderr = Stdio::from(full.try_clone().unwrap());
        let ran = run_to(&mut command(&directory, args), stdin, Stdio::piped(), stderr);
        assert_eq!(ran.code, Some(code), "{args:?}");
    }
    let appended = fs::read_to_string(directory.path().join("odd.md")).unwrap();
    assert!(appended.contains("\nHi.\n</assistant>\n\n<!-- incomplete: "), "{appended}");
}

#[test]
fn unwritable_result_is_an_error() {
    let Some(full) = full() else { return };
    let directory = folder();
    for (args, stdin) in [
        (&["to-request", "odd.md"][..], ""),
        (&["to-request", "--pretty", "odd.md"], ""),
        (&["from-response"], REPLY),
        (&["parse", "chat.md"], ""),
        (&["check", "odd.md"], ""),
        (&["check", "--format", "json", "odd.md"], ""),
        (&["check", "--fix", "-"], HELLO),
        (&["explain"], ""),
        (&["fmt", "-"], HELLO),
        (&["fmt", "--check", "odd.md"], ""),
        (&["fmt", "--diff", "odd.md"], ""),
        (&["show", "chat.md"], ""),
        (&["stats", "odd.md"], ""),
        (&["stats", "--json", "odd.md"], ""),
        (&["locate", "odd.md", "input[0]"], ""),
        (&["batch", "requests", "odd.md"], ""),
        (&["batch", "results", "-"], "{\"id\":1,\"response\":[]}\n"),
        (&["completions", "bash"], ""),
        (&["man"], ""),
        (&["--help"], ""),
        (&["parse", "-h"], ""),
        (&["--version"], ""),
    ] {
        let stdout = Stdio::from(full.try_clone().unwrap());
        let ran = run_to(&mut command(&directory, args), stdin, stdout, Stdio::piped());
        assert_eq!(ran.code, Some(74), "{args:?}: {}", ran.stderr);
        assert!(ran.stderr.contains("error: cannot write standard output: "), "{args:?}: {}", ran.stderr);
    }
}

#[test]
fn help_to_a_broken_pipe_ends_quietly() {
    let directory = folder();
    for args in [&["--help"][..], &["--version"]] {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let ran = run_to(&mut command(&directory, args), "", Stdio::from(writer), Stdio::piped());
        assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""), "{args:?}");
    }
}

#[test]
fn names_in_messages_are_sanitized() {
    let directory = folder();
    let ran = super::run(&directory, &["parse", "a\x1b]0;b\x07\u{202e}.md"], "");
    assert_eq!(ran.code, Some(66));
    assert!(ran.stderr.contains("cannot read a\\u{1b}]0;b\\u{7}\\u{202e}.md: "), "{}", ran.stderr);
    let ran = super::run(&directory, &["--color", "always", "parse", "--a\x1b]0;b\x07"], "");
    assert_eq!(ran.code, Some(2));
    assert!(ran.stderr.contains("unexpected argument '--a") && !ran.stderr.contains('\x1b'), "{}", ran.stderr);
    let line = r#"{"custom_id":"a\u001b]0;b\u0007.md","response":{"body":{"object":"response","output":[]}}}"#;
    fs::write(directory.path().join("results.jsonl"), line).unwrap();
    let ran = super::run(&directory, &["batch", "results", "results.jsonl"], "");
    assert_eq!(ran.code, Some(66));
    assert!(ran.stderr.contains("cannot read a\\u{1b}]0;b\\u{7}.md"), "{}", ran.stderr);
}
