//! What `send` promises before and after a request: keys, headers, secrets, room for the answer, and errors of the API.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use serde_json::json;

use super::send::{CHAT, document, folder_with, stderr};
use super::server::{KEY, Reply, Server, error, has_curl, message};
use crate::run::chatmd;

#[test]
fn default_server_is_not_asked_without_a_key() {
    let directory = folder_with(CHAT);
    for key in [None, Some(""), Some(" ")] {
        let variables: Vec<(&str, &str)> = key.map(|key| ("OPENAI_API_KEY", key)).into_iter().collect();
        let ran = chatmd(directory.path(), &["send", "chat.md"], &variables, "");
        assert_eq!(ran.code, Some(2), "{}", ran.stderr);
        assert!(
            ran.stderr.starts_with("error: no key is set, so nothing was sent\n  = help: set `OPENAI_API_KEY`, "),
            "{}",
            ran.stderr
        );
        assert_eq!(chatmd(directory.path(), &["send", "--dry-run", "chat.md"], &variables, "").code, Some(0));
    }
    let default_base = [("OPENAI_BASE_URL", "https://api.openai.com/v1/")];
    assert_eq!(chatmd(directory.path(), &["send", "chat.md"], &default_base, "").code, Some(2));
    // With a key in a header, curl is started, and another command needs no key.
    let nowhere = [("PATH", "/nowhere")];
    for flags in [&["--header", "Authorization: Bearer x"][..], &["--header", "api-key: x"], &["--send-command", "x"]] {
        let ran = chatmd(directory.path(), &[&["send", "chat.md"], flags].concat(), &nowhere, "");
        assert_eq!(ran.code, Some(74), "{}", ran.stderr);
        assert!(ran.stderr.contains("cannot run "), "{}", ran.stderr);
    }
}

#[test]
fn headers_are_sent_and_never_shown() {
    if !has_curl() {
        return;
    }
    let server = Server::start(vec![Reply::Status(401, "", error("Bad key token-4711-secret \"quoted\"."))]);
    let directory = folder_with(CHAT);
    let flags = [
        "send",
        "chat.md",
        "--header",
        "X-Team: token-4711-secret \"quoted\"",
        "--header",
        "authorization: Basic abcdefghi",
    ];
    let mut command = server.command(directory.path(), &flags);
    let output = command.env("OPENAI_ORGANIZATION", "org-1").env("OPENAI_PROJECT", "proj-1").output().unwrap();
    assert_eq!(output.status.code(), Some(4));
    let head = server.requests.lock().unwrap()[0].head.clone();
    for header in [
        "X-Team: token-4711-secret \"quoted\"",
        "authorization: Basic abcdefghi",
        "OpenAI-Organization: org-1",
        "OpenAI-Project: proj-1",
    ] {
        assert!(head.contains(&format!("\r\n{header}\r\n")), "{head}");
    }
    assert!(!head.contains(KEY), "{head}");
    let shown = stderr(&output);
    assert!(
        shown.contains("status 401") && shown.contains("OPENAI_API_KEY") && !shown.contains("token-4711"),
        "{shown}"
    );
    let mut command = server.command(directory.path(), &[&flags[..], &["--dry-run"]].concat());
    let dry = String::from_utf8(command.env("OPENAI_PROJECT", "proj-1").output().unwrap().stdout).unwrap();
    assert!(dry.contains("header = \"X-Team: ***\"") && dry.contains("header = \"OpenAI-Project: ***\""), "{dry}");
    assert!(!dry.contains("proj-1") && !dry.contains("abcdefghi"), "{dry}");
    for header in ["X: a\nY: b", "no colon", ": x", "A B: x", "X: \u{1b}"] {
        let refused = server.run(directory.path(), &["send", "chat.md", "--header", header]);
        assert_eq!((refused.status.code(), server.count()), (Some(2), 1), "{header}: {}", stderr(&refused));
    }
}

#[test]
fn secrets_are_a_warning_and_with_strict_nothing_is_sent() {
    let secret = format!("AKIA{}", "IOSFODNN7EXAMPLQ");
    let output = format!(
        "<tool_call function_name=\"f\" tool_call_id=\"c\">\n{{}}\n</tool_call>\n\n<tool_response tool_call_id=\"c\">\n{secret}\n</tool_response>\n"
    );
    let in_file = "<user>\n<doc src=\"notes.txt\" local/>\n</user>\n".to_owned();
    for part in [format!("<user>\n{secret}\n</user>\n"), output, in_file] {
        let directory = folder_with(&format!("{CHAT}\n{part}"));
        fs::write(directory.path().join("notes.txt"), &secret).unwrap();
        let send = |flags: &[&str]| {
            let command = ["send", "chat.md", "--send-command", "sh -c 'cat > sent'"];
            chatmd(directory.path(), &[&command[..], flags].concat(), &[("PATH", "/usr/bin:/bin")], "")
        };
        let ran = send(&["--strict"]);
        assert_eq!((ran.code, directory.path().join("sent").exists()), (Some(1), false), "{}", ran.stderr);
        assert!(ran.stderr.contains("warning[secret]") && !ran.stderr.contains(&secret), "{}", ran.stderr);
        let ran = send(&[]);
        assert!(ran.stderr.contains("warning[secret]") && directory.path().join("sent").exists(), "{}", ran.stderr);
    }
}

#[test]
fn nothing_is_sent_if_the_answer_cannot_be_written() {
    let directory = folder_with(CHAT);
    let locked = directory.path().join("locked");
    fs::create_dir(&locked).unwrap();
    fs::write(locked.join("chat.md"), CHAT).unwrap();
    fs::set_permissions(&locked, fs::Permissions::from_mode(0o555)).unwrap();
    fs::set_permissions(directory.path().join("chat.md"), fs::Permissions::from_mode(0o444)).unwrap();
    // Root may write everywhere.
    if fs::write(locked.join("probe"), "").is_ok() {
        eprintln!("skipped: this user may write to a read-only directory");
        return;
    }
    for file in ["locked/chat.md", "chat.md"] {
        let arguments = ["send", file, "--send-command", "sh -c 'cat > sent'"];
        let ran = chatmd(directory.path(), &arguments, &[("PATH", "/usr/bin:/bin")], "");
        assert_eq!((ran.code, directory.path().join("sent").exists()), (Some(74), false), "{}", ran.stderr);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn nothing_is_sent_if_there_is_no_room_for_the_answer() {
    let directory = folder_with(&format!("{CHAT}\n<user>\n{}\n</user>\n", "long ".repeat(20_000)));
    // A limit on the size of files is like a full disk.
    let script = format!("ulimit -f 8; exec {} send chat.md --send-command 'touch sent'", env!("CARGO_BIN_EXE_chatmd"));
    let ran = std::process::Command::new("bash").args(["-c", &script]).current_dir(directory.path()).output().unwrap();
    let messages = String::from_utf8_lossy(&ran.stderr).into_owned();
    assert_eq!((ran.status.code(), directory.path().join("sent").exists()), (Some(74), false), "{messages}");
    assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 1, "a temporary file is left");
}

#[test]
fn error_about_a_field_names_the_flag_that_sets_it() {
    if !has_curl() {
        return;
    }
    let wrong = |param: &str| {
        json!({ "error": { "message": "No such model.\nTry another one.", "type": "invalid_request_error", "param": param, "code": null } }).to_string()
    };
    for (flags, variable, param, origin) in [
        (&["-m", "nope-5"][..], "", "model", "`model` comes from `--model`"),
        (&["--set", "model=\"x\""], "", "model", "`model` comes from `--set`"),
        (&["--set", "reasoning.effort=\"x\""], "", "reasoning.effort", "`reasoning.effort` comes from `--set`"),
        (&[], "", "model", "chat.md:1:"),
        (&[], "nope", "model", "`model` comes from CHATMD_MODEL"),
        (&["-m", "x"], "", "", "= help"),
    ] {
        let server = Server::start(vec![Reply::Status(400, "X-Request-Id: req_12\r\n", wrong(param))]);
        let chat = if variable.is_empty() { CHAT.to_owned() } else { CHAT.replace("<config model=\"m\"/>\n\n", "") };
        let directory = folder_with(&chat);
        let mut command = server.command(directory.path(), &[&["send", "chat.md"], flags].concat());
        let output = command.env("CHATMD_MODEL", variable).output().unwrap();
        let shown = stderr(&output);
        assert_eq!(output.status.code(), Some(4), "{shown}");
        assert!(shown.contains(origin) || param.is_empty(), "{shown}");
        assert_eq!(shown.contains("chat.md:1:"), origin == "chat.md:1:", "{shown}");
        assert!(shown.contains("status 400, request id `req_12`"), "{shown}");
        assert!(shown.contains("No such model.") && shown.contains("Try another one."), "{shown}");
        assert!(!shown.contains("\\u{a}") && !shown.contains("(param: )"), "{shown}");
        assert_eq!(document(directory.path()), chat);
    }
}

#[test]
fn error_about_a_field_names_its_origin_for_every_api() {
    if !has_curl() {
        return;
    }
    let of_messages =
        json!({ "type": "error", "error": { "type": "not_found_error", "message": "model: nope" } }).to_string();
    let of_openai = json!({ "error": { "message": "No such model.", "param": "model" } }).to_string();
    let of_tool = json!({ "error": { "message": "Bad name.", "param": "tools[0].name" } }).to_string();
    let without_model = CHAT.replace("<config model=\"m\"/>\n\n", "");
    let messages = ["--api", "messages", "--set", "max_tokens=9"];
    let tool = ["--set", "tools.0.name=\"x\""];
    for (chat, settings, flags, body, origin) in [
        (
            CHAT,
            "",
            [&["send", "chat.md", "-m", "nope"], &messages[..]].concat(),
            &of_messages,
            "`model` comes from `--model`",
        ),
        (CHAT, "", [&["send", "chat.md"], &messages[..]].concat(), &of_messages, " --> chat.md:1:"),
        (CHAT, "", vec!["send", "chat.md", "--api", "chat", "-m", "nope"], &of_openai, "`model` comes from `--model`"),
        (&without_model, "model = \"nope\"\n", vec!["send", "chat.md"], &of_openai, "`model` comes from `chatmd.toml`"),
        (CHAT, "model = \"nope\"\n", vec!["ask", "Hi"], &of_openai, "`model` comes from `chatmd.toml`"),
        (CHAT, "", [&["send", "chat.md", "--set", "tools=[{}]"], &tool[..]].concat(), &of_tool, "comes from `--set`"),
    ] {
        let server = Server::start(vec![Reply::Status(400, "", body.clone())]);
        let directory = folder_with(chat);
        fs::write(directory.path().join("chatmd.toml"), settings).unwrap();
        let mut command = server.command(directory.path(), &flags);
        let output = command.env("ANTHROPIC_BASE_URL", &server.url).env("ANTHROPIC_API_KEY", KEY).output().unwrap();
        let shown = stderr(&output);
        assert_eq!(output.status.code(), Some(4), "{flags:?}: {shown}");
        assert!(shown.contains(origin), "{flags:?}: {shown}");
    }
}

#[test]
fn other_answers_of_a_server_are_shown_on_one_line() {
    if !has_curl() {
        return;
    }
    let server = Server::start(vec![Reply::Status(401, "", "<h1>\n  No.\n</h1>\n".to_owned())]);
    let directory = folder_with(CHAT);
    let output = server.run(directory.path(), &["send", "chat.md"]);
    let expected = "note: the server answered with status 401\n  = help: the key is the value of OPENAI_API_KEY\nerror: the server answered with status 401: <h1> No. </h1>\n";
    assert!(stderr(&output).starts_with(expected), "{}", stderr(&output));
}

#[test]
fn retries_are_reported_with_the_status() {
    if !has_curl() {
        return;
    }
    let body = json!({ "type": "error", "error": { "type": "rate_limit_error", "message": "Slow down." }, "request_id": "req_body" });
    let server = Server::start(vec![Reply::Status(429, "Retry-After: 0\r\n", body.to_string())]);
    let directory = folder_with(CHAT);
    let output = server.run(directory.path(), &["send", "--retries", "2", "chat.md"]);
    let expected =
        "note: the server answered with status 429, request id `req_body`, after 3 attempts (pauses: 0 s, 0 s)\n";
    assert!(stderr(&output).contains(expected), "{}", stderr(&output));
    assert_eq!((output.status.code(), server.count()), (Some(4), 3));
}

#[test]
fn answer_that_cannot_be_written_is_saved_elsewhere() {
    if !has_curl() {
        return;
    }
    let server = Server::start(vec![Reply::Slow(vec![message("Hi!")])]);
    let directory = folder_with(CHAT);
    let temporary = tempfile::tempdir().unwrap();
    let child = server.command(directory.path(), &["send", "chat.md"]).env("TMPDIR", temporary.path()).spawn().unwrap();
    server.wait_for_request();
    // The folder is gone when the answer arrives.
    fs::remove_dir_all(directory.path()).unwrap();
    let output = child.wait_with_output().unwrap();
    let shown = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_ne!(output.status.code(), Some(0), "{shown}");
    let (_, saved) = shown.split_once("the reply was saved to ").unwrap();
    assert!(fs::read_to_string(saved.lines().next().unwrap()).unwrap().contains("\nHi!\n"), "{shown}");
    assert_eq!(output.stdout, b"Hi!\n");
}
