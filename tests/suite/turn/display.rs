//! What `send` shows: the answer on standard output, everything else on standard error, and the usage in the document.

use std::fs;
use std::process::Command;

use serde_json::{Value, json};

use super::send::{CHAT, document, folder_with, stderr};
use super::server::{Reply, Server, call, has_curl, message};
use crate::run::chatmd;
use crate::terminal::{run_on_terminal, without_escapes};

const USAGE: &str = r#"{"input_tokens":412,"input_tokens_details":{"cached_tokens":300},"output_tokens":96,"output_tokens_details":{"reasoning_tokens":64},"total_tokens":508}"#;

/// Items of every kind that is shown.
fn items() -> Vec<Value> {
    let summary = json!([{ "type": "summary_text", "text": "Thinking hard." }]);
    let search = json!({ "type": "search", "query": "news of today" });
    let mut comment = message("I look first.");
    comment["phase"] = "commentary".into();
    comment["id"] = "msg_0".into();
    vec![
        json!({ "type": "reasoning", "id": "rs_1", "summary": summary }),
        json!({ "type": "web_search_call", "id": "ws_1", "status": "completed", "action": search }),
        comment,
        message("Part one."),
        {
            let mut second = message("Part two.\n");
            second["id"] = "msg_2".into();
            second
        },
        call("c1", "look", &json!({ "where": "by the sea ".repeat(30) }).to_string()),
    ]
}

#[test]
fn only_the_answer_is_on_standard_output() {
    if !has_curl() {
        return;
    }
    for stream in [&[][..], &["--no-stream"]] {
        let server = Server::start(vec![Reply::Counted(items())]);
        let directory = folder_with(CHAT);
        let output = server.run(directory.path(), &[&["send"], stream, &["chat.md"]].concat());
        assert_eq!(String::from_utf8_lossy(&output.stdout), "Part one.\n\nPart two.\n");
        let shown = stderr(&output);
        let lines: Vec<&str> = shown.lines().collect();
        assert_eq!(lines[..3], ["reasoning: Thinking hard.", "searching \"news of today\"", "I look first."]);
        let call = lines.iter().find(|line| line.starts_with("look {\"where\":\"by the sea")).unwrap();
        assert!(call.ends_with("by the sea \"}") && call.contains('…') && call.chars().count() < 120, "{call}");
        let end = &lines[lines.len() - 3..];
        assert!(end[0].starts_with("note: appended to chat.md: ") && end[0].contains("3 messages"), "{shown}");
        assert_eq!(end[1], "note: a call waits for its output; `chatmd calls chat.md` lists them");
        assert!(end[2].starts_with("note: 412 input (300 cached), 96 output tokens (64 reasoning), "), "{shown}");
        let quiet = Server::start(vec![Reply::Counted(items())]);
        let directory = folder_with(CHAT);
        let output = quiet.run(directory.path(), &[&["send", "--quiet"], stream, &["chat.md"]].concat());
        assert_eq!((output.stdout.as_slice(), stderr(&output).as_str()), (&b"Part one.\n\nPart two.\n"[..], ""));
    }
}

#[test]
fn refusal_is_marked_on_standard_error() {
    if !has_curl() {
        return;
    }
    let mut refusal = message("");
    refusal["content"] = json!([{ "type": "refusal", "refusal": "I cannot." }]);
    let server = Server::start(vec![Reply::Items(vec![refusal])]);
    let directory = folder_with(CHAT);
    let output = server.run(directory.path(), &["send", "--quiet", "chat.md"]);
    assert_eq!((output.status.code(), output.stdout.as_slice()), (Some(0), &b""[..]));
    assert_eq!(stderr(&output), "refusal: I cannot.\n");
    let last = chatmd(directory.path(), &["show", "--last", "chat.md"], &[], "");
    assert_eq!((last.code, last.stdout.as_str()), (Some(65), ""), "{}", last.stderr);
}

#[test]
fn model_and_usage_are_kept_and_counted() {
    if !has_curl() {
        return;
    }
    let short = format!("<!-- response {{\"model\":\"m-2026\",\"usage\":{USAGE}}} -->");
    let all = format!(
        "<!-- response {{\"model\":\"m-2026\",\"object\":\"response\",\"status\":\"completed\",\"usage\":{USAGE}}} -->"
    );
    for (flags, comment) in [(&[][..], short.as_str()), (&["--envelope"], &all), (&["--no-usage"], "")] {
        let server = Server::start(vec![Reply::Counted(vec![message("Hi!")])]);
        let directory = folder_with(CHAT);
        let output = server.run(directory.path(), &[&["send"], flags, &["chat.md"]].concat());
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        let text = document(directory.path());
        let gap = if comment.is_empty() { "" } else { "\n\n" };
        assert!(text.starts_with(&format!("{CHAT}\n{comment}{gap}<assistant ")), "{text}");
        if comment.is_empty() {
            continue;
        }
        // The same reply is not appended again, with or without its usage.
        let reply = json!({ "object": "response", "status": "completed", "output": [message("Hi!")] }).to_string();
        let again = chatmd(directory.path(), &["from-response", "--append", "chat.md"], &[], &reply);
        assert!(again.stderr.contains("already ends with this reply"), "{}", again.stderr);
        let formatted = chatmd(directory.path(), &["fmt", "--check", "chat.md"], &[], "");
        assert_eq!(formatted.code, Some(0), "{}", formatted.stdout);
        fs::write(directory.path().join("chat.md"), format!("{text}\n{text}").replace(CHAT, "")).unwrap();
        let stats = chatmd(directory.path(), &["stats", "--json", "chat.md"], &[], "").stdout;
        let stats: Value = serde_json::from_str(&stats).unwrap();
        let sum = json!({ "input_tokens": 824, "cached_tokens": 600, "output_tokens": 192, "reasoning_tokens": 128 });
        assert_eq!(stats["usage"], sum);
        let table = chatmd(directory.path(), &["stats", "--width", "200", "chat.md"], &[], "").stdout;
        let sentence =
            "The API has counted 824 input (600 cached), 192 output tokens (128 reasoning) for the answers so far.";
        assert!(table.contains(sentence), "{table}");
        // The comment of a reply that is removed is removed with the reply.
        fs::write(directory.path().join("chat.md"), &text).unwrap();
        for place in [&[][..], &["7"], &["input[0]"]] {
            let cut =
                chatmd(directory.path(), &[&["cut", "chat.md", "-o", "new.md", "--force"], place].concat(), &[], "");
            assert_eq!(cut.code, Some(0), "{}", cut.stderr);
            assert_eq!(fs::read_to_string(directory.path().join("new.md")).unwrap(), CHAT, "{place:?}");
        }
    }
    let other = r#"{"object":"response","output":[{"role":"assistant","content":"x"}],"usage":null}"#;
    let directory = folder_with(CHAT);
    assert_eq!(chatmd(directory.path(), &["from-response", "--append", "chat.md"], &[], other).code, Some(0));
    assert!(!document(directory.path()).contains("<!--"));
}

#[test]
fn usage_of_other_apis_is_counted() {
    let messages = r#"{"usage":{"input_tokens":10,"cache_read_input_tokens":5,"cache_creation_input_tokens":2,"output_tokens":3}}"#;
    let chat = r#"{"usage":{"prompt_tokens":7,"prompt_tokens_details":{"cached_tokens":4},"completion_tokens":2,"completion_tokens_details":{"reasoning_tokens":1}}}"#;
    let text =
        format!("{CHAT}\n<!-- response {messages} -->\n\n<!-- response {chat} -->\n\n<!-- response is late -->\n");
    let directory = folder_with(&text);
    let stats = chatmd(directory.path(), &["stats", "--json", "chat.md"], &[], "").stdout;
    let stats: Value = serde_json::from_str(&stats).unwrap();
    let sum = json!({ "input_tokens": 24, "cached_tokens": 9, "output_tokens": 5, "reasoning_tokens": 1 });
    assert_eq!(stats["usage"], sum);
}

#[test]
fn last_answer_is_printed_exactly() {
    let answers = "<assistant phase=\"commentary\">\nNo.\n</assistant>\n\n<assistant>\n# One <b>\n</assistant>\n\n<assistant>\nRAW|\n  two </user>\n\n|RAW\n</assistant>\n";
    let directory = folder_with(&format!(
        "{CHAT}\n<assistant>\nOld.\n</assistant>\n\n<user>\nNew?\n</user>\n\n{answers}\n<user>\nAnd?\n<img src=\"gone.png\" local/>\n</user>\n"
    ));
    let ran = chatmd(directory.path(), &["show", "--last", "chat.md"], &[], "");
    assert_eq!((ran.code, ran.stderr.as_str(), ran.stdout.as_str()), (Some(0), "", "# One <b>\n\n  two </user>\n"));
    let none = folder_with(CHAT);
    let ran = chatmd(none.path(), &["show", "--last", "chat.md"], &[], "");
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(65), "error: chat.md has no answer with a text\n"));
}

/// What a command shows on a terminal.
fn on_terminal(server: &Server, directory: &std::path::Path, arguments: &[&str]) -> String {
    let (status, shown) = run_on_terminal(server.command(directory, arguments));
    assert!(status.success(), "{shown}");
    shown
}

#[test]
fn terminal_shows_a_spinner_and_sanitized_text() {
    if !has_curl() {
        return;
    }
    let reasoning =
        json!({ "type": "reasoning", "id": "rs_1", "summary": [{ "type": "summary_text", "text": "Hm." }] });
    let hostile = message("Hi \u{1b}]0;x\u{7}\u{9b}2J!");
    let server = Server::start(vec![Reply::Slow(vec![reasoning, hostile])]);
    let directory = folder_with(CHAT);
    let shown = on_terminal(&server, directory.path(), &["send", "chat.md"]);
    // The time is shown while the answer is waited for, and the line is removed afterwards.
    assert!(shown.contains(" 1s"), "{shown:?}");
    assert!(!shown.contains("\u{1b}]0") && !shown.contains('\u{9b}') && shown.contains("Hi \\u{1b}"), "{shown:?}");
    assert!(shown.contains("\u{1b}[2mHm."), "{shown:?}");
    let quiet = Server::start(vec![Reply::Slow(vec![message("Hi!")])]);
    let directory = folder_with(CHAT);
    assert_eq!(on_terminal(&quiet, directory.path(), &["send", "--quiet", "chat.md"]), "Hi!\r\n");
}

#[test]
fn spinner_never_covers_an_answer_that_a_pipe_brings_to_the_terminal() {
    if !has_curl() {
        return;
    }
    let server = Server::start(vec![Reply::Pieces("Each piece of it ", 6)]);
    let directory = folder_with(CHAT);
    let mut shell = Command::new("sh");
    for (name, value) in server.command(directory.path(), &[]).get_envs() {
        value.map(|value| shell.env(name, value));
    }
    shell.args(["-c", "\"$0\" send chat.md | tee log", env!("CARGO_BIN_EXE_chatmd")]).current_dir(directory.path());
    let (status, shown) = run_on_terminal(shell);
    assert!(status.success(), "{shown}");
    let answer = "Each piece of it ".repeat(6);
    assert!(shown.contains(&answer) && shown.contains(" 0s "), "{shown:?}");
    assert_eq!(fs::read_to_string(directory.path().join("log")).unwrap(), format!("{answer}\n"));
    // A file is not on the terminal, so that the spinner goes on.
    let mut shell = Command::new("sh");
    shell.args(["-c", "\"$0\" send --again chat.md > log", env!("CARGO_BIN_EXE_chatmd")]).current_dir(directory.path());
    shell.env("OPENAI_BASE_URL", &server.url);
    let (status, shown) = run_on_terminal(shell);
    assert!(status.success() && shown.contains(" 1s "), "{shown:?}");
    assert!(without_escapes(&shown).ends_with("note: appended to chat.md: 1 message\n"), "{shown:?}");
}

#[test]
fn standard_output_that_cannot_be_written_does_not_change_the_exit_code() {
    if !has_curl() {
        return;
    }
    let long = "line\n".repeat(20_000);
    for (reply, code) in [(Reply::Items(vec![message(&long)]), 0), (Reply::Cut, 5)] {
        for redirection in ["> /dev/full", ">&-", "| true"] {
            let server = Server::start(vec![reply.clone()]);
            let directory = folder_with(CHAT);
            let script = format!("set -o pipefail; \"$0\" send --quiet chat.md {redirection}");
            let mut bash = Command::new("bash");
            bash.args(["-c", &script, env!("CARGO_BIN_EXE_chatmd")]).current_dir(directory.path());
            let output = bash.env("OPENAI_BASE_URL", &server.url).output().unwrap();
            assert_eq!(output.status.code(), Some(code), "{redirection}: {}", stderr(&output));
            let text = document(directory.path());
            assert!(text.contains(if code == 0 { long.as_str() } else { "The answer is" }), "{redirection}");
        }
    }
}

#[test]
fn image_is_announced_and_then_its_file() {
    if !has_curl() {
        return;
    }
    let image =
        json!({ "type": "image_generation_call", "id": "ig_1", "status": "completed", "result": "iVBORw0KGgo=" });
    let server = Server::start(vec![Reply::Items(vec![image])]);
    let directory = folder_with(CHAT);
    let output = server.run(directory.path(), &["send", "--media", "pictures", "chat.md"]);
    let name = fs::read_dir(directory.path().join("pictures")).unwrap().next().unwrap().unwrap().file_name();
    let expected = format!(
        "generating an image\nnote: wrote pictures/{}\nnote: appended to chat.md: 1 image_generation_call\n",
        name.to_str().unwrap()
    );
    assert_eq!((output.stdout.as_slice(), stderr(&output)), (&b""[..], expected));
}
