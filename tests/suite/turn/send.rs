//! `send`: the document is sent with curl, and the answer is shown and appended.

use std::fs;
use std::path::Path;
use std::process::Output;

use serde_json::{Value, json};
use tempfile::TempDir;

use super::server::{KEY, Reply, Server, call, has_curl, message};
use crate::run::chatmd;

pub(super) const CHAT: &str = "<config model=\"m\"/>\n\n<user>\nHello.\n</user>\n";
const ANSWER: &str = "<assistant id=\"msg_1\" status=\"completed\">\nHi!\n</assistant>\n";

pub(super) fn folder_with(document: &str) -> TempDir {
    let directory = tempfile::tempdir().unwrap();
    fs::write(directory.path().join("chat.md"), document).unwrap();
    directory
}

pub(super) fn document(directory: &Path) -> String {
    fs::read_to_string(directory.join("chat.md")).unwrap()
}

pub(super) fn stderr(output: &Output) -> String {
    assert!(!output.stderr.windows(KEY.len()).any(|window| window == KEY.as_bytes()), "the key is in a message");
    String::from_utf8(output.stderr.clone()).unwrap()
}

#[test]
fn answer_is_shown_and_appended() {
    if !has_curl() {
        return;
    }
    for (flags, streams) in [(&[][..], true), (&["--no-stream"], false)] {
        let server = Server::start(vec![Reply::Items(vec![message("Hi!"), call("c", "look", "{}")])]);
        let directory = folder_with(CHAT);
        let output = server.run(directory.path(), &[&["send"], flags, &["chat.md"]].concat());
        let shown = "look {}\nnote: appended to chat.md: 1 message, 1 call\nnote: a call waits for its output; `chatmd calls chat.md` lists them\n";
        assert_eq!((output.status.code(), stderr(&output).as_str()), (Some(0), shown));
        assert_eq!(String::from_utf8_lossy(&output.stdout), "Hi!\n");
        let text = document(directory.path());
        assert!(text.starts_with(&format!("{CHAT}\n{ANSWER}\n<tool_call function_name=\"look\"")), "{text}");
        let body = server.body(0);
        assert_eq!((&body["model"], &body["input"][0]["content"][0]["text"]), (&json!("m"), &json!("Hello.")));
        assert_eq!(body["stream"], if streams { json!(true) } else { Value::Null });
        let head = server.requests.lock().unwrap()[0].head.clone();
        assert!(head.starts_with("POST /v1/responses HTTP/1.1\r\n"), "{head}");
        assert!(head.contains(&format!("\r\nAuthorization: Bearer {KEY}\r\n")), "{head}");
        assert!(head.contains("\r\nContent-Type: application/json\r\n") && !head.contains("Expect"), "{head}");
    }
}

#[test]
fn complete_answer_is_not_sent_again() {
    let placeholder = "\n<user>\n\n</user>\n";
    let search = "<!-- chatmd:item {\"type\":\"web_search_call\",\"id\":\"ws_1\",\"status\":\"completed\"} -->";
    let cut = ANSWER.replace("completed", "incomplete");
    let tool = "<tool_call function_name=\"f\" tool_call_id=\"c\">\n{}\n</tool_call>\n\n<tool_response tool_call_id=\"c\">\n1\n</tool_response>\n";
    let envelope = "<!-- response {\"status\":\"incomplete\",\"model\":\"m\"} -->";
    let usage = "<!-- response {\"model\":\"m\"} -->";
    let chats = [
        (format!("{CHAT}\n{ANSWER}"), &[][..], 1),
        (format!("{CHAT}\n{ANSWER}{placeholder}"), &["--next"], 1),
        (format!("{CHAT}\n{ANSWER}\n<!-- response {{\"model\":\"m\"}} -->\n"), &[], 1),
        (format!("{CHAT}\n{search}\n{placeholder}"), &[], 65),
        // A document that can be sent gets as far as the command, which prints nothing.
        (format!("{CHAT}\n{ANSWER}"), &["--continue"], 74),
        (format!("{CHAT}\n{cut}{placeholder}"), &[], 74),
        (format!("{CHAT}\n{ANSWER}\n<!-- incomplete: max_tokens -->\n"), &[], 74),
        (format!("{CHAT}\n{envelope}\n{ANSWER}"), &[], 74),
        // The model has continued the answer that ended early.
        (format!("{CHAT}\n{ANSWER}\n<!-- incomplete: max_tokens -->\n\n{ANSWER}"), &[], 1),
        (format!("{CHAT}\n{ANSWER}\n<!-- incomplete: max_tokens -->\n\n{usage}\n\n{ANSWER}{placeholder}"), &[], 1),
        (format!("{CHAT}\n{envelope}\n{ANSWER}\n{usage}\n\n{ANSWER}"), &[], 1),
        (format!("{CHAT}\n{ANSWER}\n{tool}"), &[], 74),
        (format!("{CHAT}{placeholder}"), &[], 74),
    ];
    for (chat, flags, code) in chats {
        let directory = folder_with(&chat);
        let is_sent = code == 74;
        let args = [&["send"], flags, &["--send-command", "sh -c 'cat > sent'", "chat.md"]].concat();
        let ran = chatmd(directory.path(), &args, &[("PATH", "/usr/bin:/bin")], "");
        assert_eq!(directory.path().join("sent").exists(), is_sent, "{chat}{}", ran.stderr);
        assert_eq!(ran.stderr.contains("error: chat.md ends with a complete answer"), code == 1, "{}", ran.stderr);
        assert_eq!((ran.code, document(directory.path())), (Some(code), chat));
    }
}

#[test]
fn reply_that_ended_early_is_sent_although_its_items_are_complete() {
    let reply = |api: &str, early: &str| match api {
        "responses" => format!(
            r#"{{"object":"response",{early},"output":[{{"type":"message","id":"m1","role":"assistant","status":"completed","content":[{{"type":"output_text","text":"Hi!","annotations":[]}}]}}]}}"#
        ),
        _ => format!(
            r#"{{"object":"chat.completion","choices":[{{"index":0,{early},"message":{{"role":"assistant","content":"Hi!"}}}}]}}"#
        ),
    };
    for (api, early, reason) in [
        (
            "responses",
            r#""status":"incomplete","incomplete_details":{"reason":"max_output_tokens"}"#,
            "max_output_tokens",
        ),
        ("responses", r#""status":"incomplete","incomplete_details":{"reason":"other"}"#, "the response ended early"),
        ("responses", r#""status":"incomplete""#, "the response ended early"),
        ("chat", r#""finish_reason":"length""#, "length"),
    ] {
        let directory = folder_with(CHAT);
        fs::write(directory.path().join("reply.json"), reply(api, early)).unwrap();
        let run = |args: &[&str]| chatmd(directory.path(), args, &[("PATH", "/usr/bin:/bin")], "");
        let append = ["from-response", "--append", "chat.md", "reply.json"];
        assert_eq!(run(&append).code, Some(5), "{early}");
        let text = document(directory.path());
        assert!(text.ends_with(&format!("\nHi!\n</assistant>\n\n<!-- incomplete: {reason} -->\n")), "{text}");
        assert_eq!((run(&append).code, document(directory.path())), (Some(5), text.clone()), "{early}");
        assert_eq!((run(&["fmt", "chat.md"]).code, document(directory.path())), (Some(0), text.clone()));
        let sent = run(&["send", "--send-command", "sh -c 'cat > sent'", "chat.md"]);
        assert!(directory.path().join("sent").exists(), "{}", sent.stderr);
        for command in ["show", "stats"] {
            let ran = run(&[command, "chat.md"]);
            assert_eq!(ran.code, Some(0), "{}", ran.stderr);
            assert_eq!(ran.stdout.contains(&format!("<!-- incomplete: {reason} -->")), command == "show");
        }
        assert_eq!((run(&["cut", "chat.md"]).code, document(directory.path())), (Some(0), CHAT.to_owned()));
    }
}

#[test]
fn request_flags_change_the_request() {
    if !has_curl() {
        return;
    }
    let server = Server::start(vec![Reply::Items(vec![message("Hi!")])]);
    let directory = folder_with("<system>\nBe brief.\n</system>\n\n<user>\nHello.\n</user>\n");
    fs::write(directory.path().join("tools.json"), r#"[{"type":"web_search"}]"#).unwrap();
    let flags =
        ["-m", "other", "--instructions", "--stateless", "--set", "top_p=0.5", "--tools", "tools.json", "--next"];
    let output = server.run(directory.path(), &[&["send", "chat.md"], &flags[..]].concat());
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let body = server.body(0);
    let expected = json!({ "model": "other", "instructions": "Be brief.", "store": false, "top_p": 0.5, "tools": [{ "type": "web_search" }] });
    for (key, value) in expected.as_object().unwrap() {
        assert_eq!(&body[key], value);
    }
    assert!(document(directory.path()).ends_with("\n\n<user>\n\n</user>\n"));
}

#[test]
fn keys_go_into_other_headers_or_none() {
    if !has_curl() {
        return;
    }
    let server = Server::start(vec![Reply::Items(vec![message("Hi!")])]);
    let directory = folder_with(CHAT);
    assert!(server.run(directory.path(), &["send", "chat.md", "--key-header", "api-key"]).status.success());
    let without = server
        .command(directory.path(), &["send", "--continue", "chat.md"])
        .env_remove("OPENAI_API_KEY")
        .output()
        .unwrap();
    assert!(without.status.success(), "{}", stderr(&without));
    let odd = "k\"e\\y with ' $(id) #";
    assert!(
        server
            .command(directory.path(), &["send", "--continue", "chat.md"])
            .env("OPENAI_API_KEY", odd)
            .output()
            .unwrap()
            .status
            .success()
    );
    let heads: Vec<String> = server.requests.lock().unwrap().iter().map(|request| request.head.clone()).collect();
    assert!(heads[0].contains(&format!("\r\napi-key: {KEY}\r\n")) && !heads[0].contains("Authorization"));
    assert!(!heads[1].contains("Authorization") && !heads[1].contains("api-key"));
    assert!(heads[2].contains(&format!("\r\nAuthorization: Bearer {odd}\r\n")), "{}", heads[2]);
    for (arguments, key) in [(&["--key-header", "a: b"][..], "k"), (&[], "a\nb"), (&["--key-header", ""], "k")] {
        let arguments = [&["send", "chat.md"], arguments].concat();
        let refused = server.command(directory.path(), &arguments).env("OPENAI_API_KEY", key).output().unwrap();
        assert_eq!(refused.status.code(), Some(2));
    }
    assert_eq!(server.count(), 3);
}

#[test]
fn base_urls_may_have_slashes_and_queries() {
    let directory = folder_with(CHAT);
    for (base, url) in [
        ("", "https://api.openai.com/v1/responses"),
        ("http://localhost:1/v1/", "http://localhost:1/v1/responses"),
        ("https://x.example/openai?api-version=1", "https://x.example/openai/responses?api-version=1"),
    ] {
        let variables = [("OPENAI_BASE_URL", base), ("OPENAI_API_KEY", KEY)];
        let ran = chatmd(directory.path(), &["send", "--dry-run", "chat.md"], &variables, "");
        assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
        assert!(
            ran.stdout.contains(&format!("\nurl = \"{url}\"\nheader = \"Authorization: Bearer ***\"\n")),
            "{}",
            ran.stdout
        );
        assert!(ran.stdout.contains("\ncurl -q ") && !ran.stdout.contains(KEY), "{}", ran.stdout);
    }
    for base in ["file:///etc/passwd", "localhost:1", "-o x"] {
        let ran = chatmd(directory.path(), &["send", "chat.md"], &[("OPENAI_BASE_URL", base)], "");
        assert_eq!(ran.code, Some(2), "{base}");
    }
    assert_eq!(document(directory.path()), CHAT);
}

#[test]
fn other_commands_get_the_request_and_the_url() {
    let directory = folder_with(CHAT);
    let reply = json!({ "object": "response", "status": "completed", "output": [message("Hi!")] }).to_string();
    fs::write(directory.path().join("reply.json"), reply).unwrap();
    let script = "cat > body.json; echo \"$CHATMD_URL\" > url; cat reply.json";
    let command = format!("sh -c '{script}'");
    let path = ("PATH", "/usr/bin:/bin");
    let dry = chatmd(directory.path(), &["send", "chat.md", "--dry-run", "--send-command", &command], &[path], "");
    assert!(dry.stdout.contains("CHATMD_URL=https://api.openai.com/v1/responses sh -c "), "{}", dry.stdout);
    let ran = chatmd(directory.path(), &["send", "chat.md", "--send-command", &command], &[path], "");
    assert_eq!(
        (ran.code, ran.stderr.as_str(), ran.stdout.as_str()),
        (Some(0), "note: appended to chat.md: 1 message\n", "Hi!\n")
    );
    assert_eq!(document(directory.path()), format!("{CHAT}\n{ANSWER}"));
    let body: Value = serde_json::from_str(&fs::read_to_string(directory.path().join("body.json")).unwrap()).unwrap();
    assert_eq!(body["model"], "m");
    assert_eq!(fs::read_to_string(directory.path().join("url")).unwrap(), "https://api.openai.com/v1/responses\n");
    fs::write(directory.path().join("chat.md"), CHAT).unwrap();
    let variables = [("CHATMD_SEND_COMMAND", command.as_str()), ("OPENAI_BASE_URL", "http://other/v1"), path];
    assert_eq!(chatmd(directory.path(), &["send", "chat.md"], &variables, "").code, Some(0));
    assert_eq!(fs::read_to_string(directory.path().join("url")).unwrap(), "http://other/v1/responses\n");
    let both = chatmd(directory.path(), &["send", "chat.md", "--retries", "1"], &variables, "");
    assert_eq!(both.code, Some(2), "{}", both.stderr);
    for (command, message) in [
        ("sh -c 'echo broken >&2; exit 3'", "error: broken\n"),
        ("true", "error: true printed nothing\n"),
        ("./gone", "error: cannot run ./gone: "),
    ] {
        let ran = chatmd(directory.path(), &["send", "--continue", "chat.md", "--send-command", command], &[path], "");
        assert_eq!(ran.code, Some(74), "{command}");
        assert!(ran.stderr.starts_with(message), "{}", ran.stderr);
    }
}

#[test]
fn call_that_the_model_does_not_wait_for_is_sent() {
    let call = |fields: &str| {
        format!("{CHAT}\n<tool_call function_name=\"f\" tool_call_id=\"call_1\">\n{fields}{{}}\n</tool_call>\n")
    };
    for (fields, code) in [("<!-- chatmd:fields {\"async\": true} -->\n", Some(0)), ("", Some(1))] {
        let directory = folder_with(&call(fields));
        let ran = chatmd(directory.path(), &["send", "--dry-run", "chat.md"], &[("OPENAI_API_KEY", "k")], "");
        assert_eq!(ran.code, code, "{}", ran.stderr);
    }
}

#[test]
fn nothing_is_sent_if_a_call_waits_or_the_document_has_errors() {
    let call = "<tool_call function_name=\"look\" tool_call_id=\"call_1\">\n{}\n</tool_call>\n";
    let send = |document: &str, arguments: &[&str]| {
        let directory = folder_with(document);
        let ran = chatmd(directory.path(), &[&["send", "chat.md"], arguments].concat(), &[], "");
        assert_eq!(super::send::document(directory.path()), document);
        (ran.code, ran.stderr)
    };
    let (code, message) = send(&format!("{CHAT}\n{call}"), &[]);
    assert_eq!(code, Some(1));
    let expected = "error: a tool call of chat.md waits for its output, so nothing was sent\n  line 7: call_1 look\n  = help: add an output with `chatmd answer chat.md CALL_ID`\n";
    assert_eq!(message, expected);
    for (document, arguments, code) in [
        ("<user>\nHello.\n", &[][..], 65),
        ("<user>\nHello.\n</user>\n", &[], 65),
        ("<config model=\"m\"/>\n<user>\n<img src=\"gone.png\" local/>\n</user>\n", &[], 66),
        ("<config model=\"m\"/>\n<user>\n<doc src=\"../x\" local/>\n</user>\n", &[], 77),
        ("<config model=\"m\"/>\n<user x=\"1\">\na\n</user>\n", &["--strict"], 65),
        ("<config model=\"m\"/>\n<user>\n\n</user>\n", &[], 65),
    ] {
        assert_eq!(send(document, arguments).0, Some(code), "{document}");
    }
    let directory = folder_with(CHAT);
    assert_eq!(chatmd(directory.path(), &["send", "gone.md"], &[], "").code, Some(66));
    assert_eq!(chatmd(directory.path(), &["send", "-"], &[], "").code, Some(2));
    let variables = [("PATH", "/nowhere"), ("OPENAI_API_KEY", KEY)];
    let no_curl = chatmd(directory.path(), &["send", "chat.md"], &variables, "");
    assert_eq!(no_curl.code, Some(74));
    assert!(
        no_curl.stderr.contains("cannot run curl") && no_curl.stderr.contains("--send-command"),
        "{}",
        no_curl.stderr
    );
}

/// Looks at all processes. No argument may have the key, and curl may not have it in its environment. Returns how many of
/// them are curl.
fn sample_processes() -> usize {
    let mut curls = 0;
    for entry in fs::read_dir("/proc").unwrap() {
        let entry = entry.unwrap();
        let read = |name: &str| fs::read(entry.path().join(name)).unwrap_or_default();
        let holds_key = |bytes: &[u8]| bytes.windows(KEY.len()).any(|window| window == KEY.as_bytes());
        let cmdline = read("cmdline");
        assert!(!holds_key(&cmdline), "{:?}", String::from_utf8_lossy(&cmdline));
        if cmdline.starts_with(b"curl\0") && cmdline.windows(7).any(|window| window == b"chatmd-") {
            curls += 1;
            assert!(cmdline.starts_with(b"curl\0-q\0"));
            assert!(!holds_key(&read("environ")));
        }
    }
    curls
}

#[test]
fn no_list_of_processes_shows_the_key() {
    if !has_curl() || !Path::new("/proc/self/cmdline").exists() {
        return;
    }
    let server = Server::start(vec![Reply::Slow(vec![message("Hi!")])]);
    let directory = folder_with(CHAT);
    let mut child =
        server.command(directory.path(), &["send", "chat.md"]).env("TMPDIR", directory.path()).spawn().unwrap();
    server.wait_for_request();
    assert!(sample_processes() > 0);
    let temporary: Vec<_> = fs::read_dir(directory.path())
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.is_dir())
        .collect();
    assert_eq!(temporary.len(), 1);
    let mode =
        |path: &Path| std::os::unix::fs::PermissionsExt::mode(&fs::metadata(path).unwrap().permissions()) & 0o777;
    assert_eq!((mode(&temporary[0]), mode(&temporary[0].join("request.json"))), (0o700, 0o600));
    while child.try_wait().unwrap().is_none() {
        sample_processes();
    }
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(!temporary[0].exists());
}

#[test]
fn configuration_files_of_curl_are_not_read() {
    if !has_curl() {
        return;
    }
    let server = Server::start(vec![Reply::Items(vec![message("Hi!")])]);
    let directory = folder_with(CHAT);
    fs::write(directory.path().join(".curlrc"), "trace-ascii = \"trace.txt\"\n").unwrap();
    assert!(server.run(directory.path(), &["send", "chat.md"]).status.success());
    assert!(!directory.path().join("trace.txt").exists());
}
