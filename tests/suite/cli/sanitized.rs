//! Names, arguments and content cannot control the terminal.

use std::fs;

use crate::run::chatmd;

/// Names and content of a document cannot control the terminal.
#[test]
fn diffs_and_file_names_are_sanitized() {
    let directory = tempfile::tempdir().unwrap();
    fs::write(directory.path().join("chat.md"), "<user   >\n\u{1b}[31m\u{202e}\n</user>\n").unwrap();
    let diff = chatmd(directory.path(), &["fmt", "--diff", "chat.md"], &[], "");
    assert!(diff.stdout.contains("\\u{1b}[31m\\u{202e}") && !diff.stdout.contains('\u{1b}'), "{}", diff.stdout);
    let document = "<user>\n<doc src=\"a\u{1b}b\" local/>\n</user>\n";
    let listed = chatmd(directory.path(), &["check", "--deps"], &[], document);
    assert_eq!(listed.stdout, "a\\u{1b}b\n");
    let exact = chatmd(directory.path(), &["check", "--deps", "-z"], &[], document);
    assert_eq!(exact.stdout, "a\u{1b}b\0");
}

#[test]
fn names_and_arguments_forge_no_line_and_show_no_key() {
    let directory = tempfile::tempdir().unwrap();
    let forged = "a\nerror: \u{1b}[31mforged";
    fs::write(directory.path().join(forged), "<user>x</user>").unwrap();
    let listed = chatmd(directory.path(), &["fmt", "--check", forged], &[], "");
    assert_eq!(listed.stdout, "a\\u{a}error: \\u{1b}[31mforged\n");
    let (missing, below) = (format!("{forged}.md"), format!("{forged}/b"));
    let call = "<config model=\"m\"/><tool_call tool_call_id=\"c\" function_name=\"f\">{}</tool_call>";
    for (arguments, document) in [
        (&["parse", &missing][..], ""),
        (&["parse", "-o", &below], ""),
        (&["send", forged], "<config model=\"m\"/>"),
        (&["send", forged], call),
        (&["answer", forged, "other"], call),
        (&["locate", forged, "input[9]"], "<user>x</user>"),
        (&["new", forged], ""),
        (&["from-response", "--append", forged], "<user>"),
        (&["render", "--extract", forged], ""),
    ] {
        fs::write(directory.path().join(forged), document).unwrap();
        let stdin = if arguments[0] == "from-response" { "[]" } else { "<user>x</user>" };
        let ran = chatmd(directory.path(), arguments, &[], stdin);
        assert!(ran.stderr.contains("a\\u{a}error: \\u{1b}[31mforged"), "{arguments:?}: {}", ran.stderr);
        assert!(!ran.stderr.contains("\nerror: \\u{1b}"), "{arguments:?}: {}", ran.stderr);
    }
    let key = "sk-proj-abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGH";
    for arguments in [["foo\nerror: bar", "", ""], ["stats", "--top", "1\nerror: bar"]] {
        let ran = chatmd(directory.path(), &arguments, &[], "");
        assert!(ran.stderr.contains("\\u{a}error: bar") && !ran.stderr.contains("\nerror: bar"), "{}", ran.stderr);
    }
    for arguments in [["send", "--key", key], ["stats", "--top", key], [key, "", ""]] {
        let ran = chatmd(directory.path(), &arguments, &[], "");
        assert_eq!(ran.code, Some(2));
        assert!(!ran.stderr.contains("abcdefgh"), "{}", ran.stderr);
    }
}
