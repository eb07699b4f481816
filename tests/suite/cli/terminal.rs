//! Nothing that a command prints controls the terminal.

use std::fs;
use std::io::Write;
use std::process::{Command, Stdio};

use tempfile::TempDir;

use super::{CHATMD, folder_with};
use crate::terminal::{read_all, terminal};

/// What controls a terminal, or hides text on it.
const HOSTILE: &str = "hi \u{1b}]0;x\u{7}\u{9b}2J\u{202e}";

/// What a command prints if its standard output is a terminal.
fn shown(directory: &TempDir, arguments: &[&str], stdin: &str) -> String {
    let (user, programs) = terminal();
    let mut command = Command::new(CHATMD);
    command.args(arguments).current_dir(directory.path()).env_clear().env("NO_COLOR", "1");
    let mut child = command.stdin(Stdio::piped()).stdout(programs).stderr(Stdio::null()).spawn().unwrap();
    // The terminal is closed with the last of its files.
    drop(command);
    child.stdin.take().unwrap().write_all(stdin.as_bytes()).unwrap();
    let text = read_all(user);
    assert!(child.wait().unwrap().success(), "{arguments:?}");
    text
}

fn assert_safe(text: &str, what: &[&str]) {
    let is_unsafe = |c: char| c.is_control() && !matches!(c, '\r' | '\n') || c == '\u{202e}';
    assert!(text.contains("hi ") && !text.contains(is_unsafe), "{what:?}: {text:?}");
}

#[test]
fn documents_are_sanitized() {
    let document = format!("<config model=\"m\"/>\n\n<user>\n{HOSTILE}\n</user>\n");
    let items = serde_json::json!([{"role": "user", "content": HOSTILE}]).to_string();
    let directory = folder_with(&[("chat.md", &document)]);
    assert!(
        Command::new(CHATMD)
            .args(["render", "chat.md", "-o", "page.html"])
            .current_dir(directory.path())
            .status()
            .unwrap()
            .success()
    );
    for (arguments, stdin) in [
        (&["from-response"][..], items.as_str()),
        (&["from-response", "-o", "-"], &items),
        (&["fmt", "-"], &document),
        (&["check", "--fix", "-"], &document),
        (&["render", "--extract", "page.html"], ""),
        (&["new", "-m", HOSTILE], ""),
        (&["show", "chat.md"], ""),
    ] {
        let text = shown(&directory, arguments, stdin);
        assert_safe(&text, arguments);
        assert!(arguments[0] == "show" || text.contains("\\u{1b}]0;x"), "{text}");
    }
}

#[test]
fn json_is_escaped_and_keeps_its_value() {
    let document = format!("<config model=\"m\"/>\n\n<user>\n{HOSTILE}\n</user>\n");
    let directory = folder_with(&[("chat.md", &document)]);
    let line = serde_json::json!({"id": "1", "document": document}).to_string() + "\n";
    for (arguments, stdin) in [
        (&["parse", "chat.md"][..], ""),
        (&["to-request", "chat.md"], ""),
        (&["to-request", "--compact", "chat.md", "-o", "-"], ""),
        (&["batch", "requests", "chat.md"], ""),
        (&["batch", "requests", "-"], &line),
    ] {
        let text = shown(&directory, arguments, stdin);
        assert_safe(&text, arguments);
        let value: serde_json::Value = serde_json::from_str(&text).unwrap();
        assert!(value.to_string().contains("\u{202e}"), "{arguments:?}: {text}");
    }
}

#[test]
fn description_of_a_request_is_sanitized_in_a_pipe_too() {
    let directory = folder_with(&[]);
    let name = "a.md\ntouch forged #";
    fs::write(directory.path().join(name), "<config model=\"m\"/>\n<user>x</user>").unwrap();
    let variables = [("OPENAI_BASE_URL", "http://bob:Hunter2xPa55w0rd@db.corp/\u{202e}v1")];
    let ran = crate::run::chatmd(directory.path(), &["send", "--dry-run", name], &variables, "");
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert!(
        ran.stdout.starts_with("# request.json has ") && ran.stdout.contains("a.md\\u{a}touch forged #\n"),
        "{}",
        ran.stdout
    );
    assert!(!ran.stdout.contains('\u{202e}') && !ran.stdout.contains("Hunter2"), "{}", ran.stdout);
}
