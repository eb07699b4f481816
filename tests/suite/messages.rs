//! Messages for mistakes of new users: each states what is wrong, where and what to do, in plain words.

use std::fs;
use std::path::Path;

use crate::run::{Ran, chatmd};

const CHAT: &str = "<config model=\"m\"/>\n\n<user>\nHello.\n</user>\n";

fn run_in(directory: &Path, arguments: &[&str], document: &str) -> Ran {
    fs::write(directory.join("chat.md"), document).unwrap();
    chatmd(directory, arguments, &[("PATH", "/usr/bin:/bin")], "")
}

fn run(arguments: &[&str], document: &str) -> Ran {
    run_in(tempfile::tempdir().unwrap().path(), arguments, document)
}

#[test]
fn malformed_json_is_described_in_plain_words() {
    let tool = |body: &str| format!("{CHAT}<tool name=\"t\">\n{body}\n</tool>\n");
    for (body, message) in [
        ("{\"a\": nul}", "expected a value"),
        ("{\"a\": [1}", "expected `,` or `]`"),
        ("{\"a\": \"x", "a control character in a string"),
        ("{\"a\": {", "an object is not closed"),
        ("{\"a\": [", "an array is not closed"),
        ("{\"a\": 1} x", "there is more text after the JSON"),
        ("{\"a\": 1,}", "trailing comma"),
        ("{a: 1}", "a key must be a string"),
    ] {
        let ran = run(&["to-request", "chat.md"], &tool(body));
        assert_eq!(ran.code, Some(65));
        assert!(ran.stderr.contains(message), "{body}: {}", ran.stderr);
        assert!(!ran.stderr.contains("EOF") && !ran.stderr.contains("ident"), "{}", ran.stderr);
    }
}

#[test]
fn failed_writes_say_what_is_wrong_with_the_place() {
    let directory = tempfile::tempdir().unwrap();
    fs::create_dir(directory.path().join("here")).unwrap();
    for (out, message) in [
        ("gone/x.json", "cannot write gone/x.json: the directory gone does not exist\n  = help: create it first"),
        ("chat.md/x.json", "cannot write chat.md/x.json: chat.md is not a directory"),
        ("here", "cannot write here: it is a directory"),
    ] {
        let ran = run_in(directory.path(), &["to-request", "chat.md", "-o", out], CHAT);
        assert_eq!(ran.code, Some(74), "{}", ran.stderr);
        assert!(ran.stderr.contains(message), "{}", ran.stderr);
    }
    let full = run_in(directory.path(), &["to-request", "chat.md", "-o", "/dev/full"], CHAT);
    assert!(full.stderr.contains("cannot write /dev/full: the disk is full"), "{}", full.stderr);
}

#[test]
fn empty_input_is_described_by_where_it_comes_from() {
    let file = run(&["from-response", "chat.md"], "");
    assert!(file.stderr.contains("the file is empty") && !file.stderr.contains("pipe"), "{}", file.stderr);
    let stdin = run(&["from-response"], "");
    assert!(
        stdin.stderr.contains("the input is empty") && stdin.stderr.contains("before the pipe"),
        "{}",
        stdin.stderr
    );
}

#[cfg(unix)]
#[test]
fn lines_of_a_failed_program_are_on_one_line() {
    let document = "<config model=\"m\"/>\n<user>\n<doc src=\"https://example.com\"/>\n</user>\n";
    let ran =
        run(&["to-request", "--fetch-command", "sh -c \"printf 'one\\n\\ntwo\\n' >&2; exit 3\"", "chat.md"], document);
    assert!(ran.stderr.contains("`sh` failed with exit status 3: one; two\n"), "{}", ran.stderr);
}

#[test]
fn negative_numbers_must_be_positive() {
    for (value, message) in
        [("-5", "must be a positive number, found `-5`"), ("many", "must be a whole number, found `many`")]
    {
        let ran = run(&["to-request", "chat.md"], &format!("<config model=\"m\" max_tokens=\"{value}\"/>\n"));
        assert_eq!(ran.code, Some(65));
        assert!(ran.stderr.contains(&format!("`max_tokens` {message}\n")), "{}", ran.stderr);
    }
}

#[test]
fn wrong_schema_files_are_shown_at_their_attribute() {
    for document in [
        "<config model=\"m\" text_format=\"gone.json\" temperature=\"1\"/>\n<user>\na\n</user>\n",
        "<tool name=\"t\" schema=\"gone.json\" description=\"d\"/>\n",
    ] {
        let ran = run(&["to-request", "--model", "m", "chat.md"], document);
        let marked = ran.stderr.lines().find(|line| line.contains('^')).unwrap();
        let width = marked.chars().filter(|c| *c == '^').count();
        assert!(width < 30 && ran.stderr.contains("--> chat.md:1:1"), "{}", ran.stderr);
        assert!(!ran.stderr.contains("--> chat.md:1:1\n"), "{}", ran.stderr);
    }
}

#[test]
fn json_gets_one_error_and_the_right_hint() {
    let json = "{\"model\": \"m\",\n\"input\": \"a </user> <user> <doc src=\"}\n";
    for command in ["to-request", "fmt", "parse"] {
        let ran = run(&[command, "chat.md"], json);
        assert_eq!(ran.code, Some(65), "{command}");
        assert_eq!(ran.stderr.matches("error[").count(), 1, "{command}: {}", ran.stderr);
        assert!(ran.stderr.contains("`chatmd from-response` converts it to a document"), "{}", ran.stderr);
    }
    // A link is not JSON.
    let link = run(&["to-request", "chat.md"], "[link](x)\n</user>\n");
    assert_eq!(link.stderr.matches("error[").count(), 2, "{}", link.stderr);
    assert!(!link.stderr.contains("JSON"), "{}", link.stderr);
}

#[test]
fn show_and_stats_take_what_from_response_takes() {
    let items = "[{\"role\":\"user\",\"content\":\"Hello <user>.\"}]";
    let stream = "data: {\"type\":\"response.output_item.done\",\"output_index\":0,\"item\":{\"type\":\"message\",\"role\":\"assistant\",\"content\":[{\"type\":\"output_text\",\"text\":\"Hello.\"}]}}\n\n\
        data: {\"type\":\"response.completed\",\"response\":{\"status\":\"completed\",\"output\":[]}}\n\n";
    for input in [items, stream] {
        let shown = run(&["show", "chat.md"], input);
        assert_eq!((shown.code, shown.stderr.as_str()), (Some(0), ""));
        assert!(shown.stdout.contains("  Hello"), "{}", shown.stdout);
        let stats = run(&["stats", "chat.md"], input);
        assert!(stats.code == Some(0) && stats.stdout.contains("1 item"), "{}", stats.stderr);
    }
    let api_error = run(&["show", "chat.md"], "{\"error\":{\"message\":\"Slow down.\"}}");
    assert!(api_error.code == Some(4) && api_error.stderr.contains("Slow down."), "{}", api_error.stderr);
    let cut = run(&["stats", "chat.md"], "{\"model\": \"m\",");
    assert_eq!((cut.code, cut.stderr.matches("error[").count()), (Some(65), 1), "{}", cut.stderr);
    assert!(cut.stderr.starts_with("error[malformed-json]"), "{}", cut.stderr);
}

#[test]
fn directory_is_named_as_such() {
    let directory = tempfile::tempdir().unwrap();
    fs::create_dir(directory.path().join("notes")).unwrap();
    let document = "<config model=\"m\"/>\n<user>\n<doc src=\"notes\" local/>\n</user>\n";
    let ran = run_in(directory.path(), &["to-request", "chat.md"], document);
    assert!(ran.stderr.contains("cannot read `notes`: a directory"), "{}", ran.stderr);
}

#[test]
fn tag_in_backquotes_is_not_taken_for_an_image() {
    let ran = run(&["check", "chat.md"], "<user>\nWrite `<img>` here, and `<doc/>`.\n</user>\n");
    let helps: Vec<&str> = ran.stdout.lines().filter(|line| line.contains("= help:")).collect();
    assert!(!helps.is_empty() && !ran.stdout.contains("src=\"…\""), "{}", ran.stdout);
    assert!(helps.iter().all(|help| help.contains("`RAW|` and `|RAW`")), "{}", ran.stdout);
    let plain = run(&["check", "chat.md"], "<user>\nSee <img/>\n</user>\n");
    assert!(plain.stdout.contains("write `<img src=\"…\"/>`"), "{}", plain.stdout);
}

#[test]
fn missing_slash_is_reported_before_its_consequences() {
    for tag in ["<img detail=\"low\">", "<img src=\"gone.png\" local>", "<doc file>"] {
        let ran = run(&["check", "chat.md"], &format!("<user>\nSee\n{tag}\n</user>\n"));
        assert!(ran.stdout.starts_with("warning[missing-slash]"), "{}", ran.stdout);
    }
}

#[cfg(unix)]
#[test]
fn prompt_of_an_agent_is_used_and_not_imported() {
    let directory = tempfile::tempdir().unwrap();
    fs::write(directory.path().join("prompt.md"), "<user>\n").unwrap();
    let document = "<user>\n<agent src=\"prompt.md\" local>x</agent>\n</user>\n";
    let args = ["to-request", "--input-only", "--agent-command", "cat", "chat.md"];
    let ran = run_in(directory.path(), &args, document);
    assert!(ran.stderr.contains("= note: used by `<agent>` at chat.md:2:1\n"), "{}", ran.stderr);
}

#[test]
fn what_is_left_out_of_a_line_has_one_mark() {
    let document = format!("<user>{} text</user x>", "QUFB".repeat(200));
    let ran = run(&["check", "chat.md"], &document);
    assert!(ran.stdout.contains("1 | <user>…\n"), "{}", ran.stdout);
}
