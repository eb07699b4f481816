//! Front matter and `#!` lines: kept byte for byte, never sent, and shown.

use std::fs;

use crate::run::{Ran, chatmd};

const HEADS: [&str; 5] = [
    "---\ntitle:  \"x\"  \n---\n",
    "#!/usr/bin/env -S chatmd send\n",
    "#!/bin/x\n---\na: |\n  <user>\n---\n",
    "---\r\ntitle: x\r\n---\r\n",
    "\u{feff}---\nkey: \u{1b}[31m\n---\n",
];
const CHAT: &str = "<config model=\"m\"/>\n\n<user>\nHello.\n</user>\n";
const REPLY: &str = r#"[{"type":"message","role":"assistant","content":"Hi."}]"#;

fn run(directory: &tempfile::TempDir, arguments: &[&str], stdin: &str) -> Ran {
    chatmd(directory.path(), arguments, &[], stdin)
}

#[test]
fn front_matter_survives_every_command_that_writes_and_is_never_sent() {
    let plain = chatmd(std::path::Path::new("."), &["to-request", "--compact", "-"], &[], CHAT).stdout;
    for head in HEADS {
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("chat.md");
        fs::write(&file, format!("{head}{CHAT}")).unwrap();
        assert_eq!(run(&directory, &["to-request", "--compact", "chat.md"], "").stdout, plain);
        for (arguments, stdin) in [
            (&["fmt", "chat.md"][..], ""),
            (&["import", "--append", "chat.md", "--next"], REPLY),
            (&["ask", "-f", "chat.md", "--no-send", "More."], ""),
            (&["check", "--fix", "chat.md"], ""),
            (&["cut", "chat.md", "input[0]"], ""),
        ] {
            let ran = run(&directory, arguments, stdin);
            assert_eq!(ran.code, Some(0), "{arguments:?}: {}", ran.stderr);
            let text = fs::read_to_string(&file).unwrap();
            assert!(text.trim_start_matches('\u{feff}').starts_with(head.trim_start_matches('\u{feff}')), "{text:?}");
        }
        assert_eq!(run(&directory, &["to-request", "--compact", "chat.md"], "").stdout, plain);
        assert_eq!(run(&directory, &["fmt", "--check", "chat.md"], "").code, Some(0));
        let shown = run(&directory, &["show", "--plain", "chat.md"], "").stdout;
        let first = head.trim_start_matches('\u{feff}').lines().next().unwrap();
        assert!(shown.starts_with(first) && !shown.contains('\u{1b}'), "{shown}");
        let dimmed = run(&directory, &["show", "--color", "always", "--no-pager", "chat.md"], "").stdout;
        assert!(dimmed.starts_with("\u{1b}[2m"), "{dimmed:?}");
    }
}

#[test]
fn document_of_front_matter_alone_gets_messages_and_replies() {
    for head in HEADS {
        for (arguments, stdin, end) in [
            (&["ask", "-f", "chat.md", "--no-send", "Hi."][..], "", "\n<user>\nHi.\n</user>\n"),
            (&["import", "--append", "chat.md"], REPLY, "\n<assistant>\nHi.\n</assistant>\n"),
        ] {
            let directory = tempfile::tempdir().unwrap();
            let file = directory.path().join("chat.md");
            fs::write(&file, head).unwrap();
            let ran = run(&directory, arguments, stdin);
            assert_eq!(ran.code, Some(0), "{}", ran.stderr);
            assert_eq!(fs::read_to_string(&file).unwrap().replace('\r', ""), format!("{head}{end}").replace('\r', ""));
        }
    }
}

#[test]
fn front_matter_of_an_imported_file_is_content() {
    let directory = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| fs::write(directory.path().join(name), text).unwrap();
    write("part.md", "---\na: b\n---\nText.\n");
    write("chat.md", "<user>\n<import src=\"part.md\"/>\n</user>\n");
    let ran = run(&directory, &["to-request", "--input-only", "--compact", "chat.md"], "");
    assert!(ran.stdout.contains(r"---\na: b\n---\nText."), "{}", ran.stdout);
    let portable = run(&directory, &["check", "--portable", "--strict", "chat.md"], "");
    assert_eq!((portable.code, portable.stdout.as_str()), (Some(0), ""));
    write("whole.md", "---\na: b\n---\n<user>\nHi.\n</user>\n");
    write("top.md", "<import src=\"whole.md\"/>\n");
    let ran = run(&directory, &["to-request", "--input-only", "top.md"], "");
    assert!(ran.code == Some(65) && ran.stderr.contains("whole.md:1:1"), "{}", ran.stderr);
    // The prompt of an agent is a document of its own.
    write("prompt.md", "#!/bin/x\n---\na: b\n---\n<config model=\"m\"/>\n<system>\nBe brief.\n</system>\n");
    write("agent.md", "<config model=\"m\"/>\n<user>\n<agent src=\"prompt.md\" local>Why?</agent>\n</user>\n");
    let ran = run(&directory, &["to-request", "--agent-command", "cat", "agent.md"], "");
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert!(ran.stdout.contains("Be brief.") && !ran.stdout.contains("a: b"), "{}", ran.stdout);
}

#[test]
fn portable_check_and_redaction_know_front_matter() {
    let directory = tempfile::tempdir().unwrap();
    let key = format!("sk-proj-{}", "4bX9".repeat(12));
    fs::write(directory.path().join("chat.md"), format!("---\nkey: {key}\n---\n{CHAT}")).unwrap();
    let portable = run(&directory, &["check", "--portable", "--format", "short", "chat.md"], "").stdout;
    assert!(portable.contains("[ochat-front-matter]"), "{portable}");
    assert!(portable.contains("chat.md:2:6: warning: this looks"), "{portable}");
    assert!(!run(&directory, &["check", "chat.md"], "").stdout.contains("ochat"));
    let page = run(&directory, &["render", "--redact", "chat.md"], "").stdout;
    assert!(page.contains("<html") && !page.contains(&key));
    fs::write(directory.path().join("page.html"), page).unwrap();
    let extracted = run(&directory, &["render", "--extract", "page.html"], "").stdout;
    assert!(extracted.starts_with("---\nkey: [redacted: ") && !extracted.contains(&key), "{extracted}");
}
