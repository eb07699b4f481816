//! `send`: errors of the server, retries, cut streams and Ctrl-C.

use std::fs;
use std::io::Read;
use std::process::{Child, Command};
use std::time::Instant;

use super::send::{CHAT, document, folder_with, stderr};
use super::server::{KEY, Reply, Server, error, has_curl, message};

const CUT: &str = "<assistant id=\"msg_1\" status=\"incomplete\">\nThe answer is\n</assistant>\n";

#[test]
fn errors_of_the_server_change_nothing() {
    if !has_curl() {
        return;
    }
    for (status, body, shown) in [
        (
            401,
            error("Incorrect API key provided."),
            "error: API error (invalid_request_error): Incorrect API key provided.",
        ),
        (400, error("Bad request."), "error: API error (invalid_request_error): Bad request."),
        (
            404,
            r#"{"detail":"Not Found"}"#.to_owned(),
            "error: the server answered with status 404: {\"detail\":\"Not Found\"}",
        ),
        (301, String::new(), "error: the server answered with status 301\n"),
        (
            502,
            "<html>Bad\u{1b}[31m gateway</html>".to_owned(),
            "error: the server answered with status 502: <html>Bad\\u{1b}[31m gateway</html>",
        ),
    ] {
        let server = Server::start(vec![Reply::Status(status, "", body)]);
        let directory = folder_with(CHAT);
        let output = server.run(directory.path(), &["send", "chat.md"]);
        assert_eq!(output.status.code(), Some(4), "{}", stderr(&output));
        assert!(stderr(&output).contains(shown), "{}", stderr(&output));
        assert!(stderr(&output).contains(&format!("status {status}")), "{}", stderr(&output));
        assert_eq!(document(directory.path()), CHAT);
        assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 1);
        assert_eq!(server.count(), 1);
    }
    let server = Server::start(vec![Reply::Status(401, "", error("No key."))]);
    let without =
        server.command(folder_with(CHAT).path(), &["send", "chat.md"]).env_remove("OPENAI_API_KEY").output().unwrap();
    assert!(stderr(&without).contains("OPENAI_API_KEY is not set"));
}

#[test]
fn error_is_shown_at_the_call_that_it_names() {
    if !has_curl() {
        return;
    }
    let server = Server::start(vec![Reply::Status(400, "", error("No tool output found for function call call_0."))]);
    let directory = folder_with(&format!(
        "{CHAT}\n<tool_call function_name=\"f\" tool_call_id=\"call_0\">\n{{}}\n</tool_call>\n\n<tool_response tool_call_id=\"call_0\">\nx\n</tool_response>\n"
    ));
    let output = server.run(directory.path(), &["send", "chat.md"]);
    assert_eq!(output.status.code(), Some(4));
    let shown = stderr(&output);
    assert!(
        shown.contains("No tool output found for function call call_0.") && shown.contains("--> chat.md:7:1"),
        "{shown}"
    );
}

#[test]
fn requests_are_sent_again_until_they_succeed() {
    if !has_curl() {
        return;
    }
    let busy = || Reply::Status(429, "Retry-After: 0\r\n", error("Slow down."));
    let overloaded = Reply::Status(503, "retry-after: 1\r\n", "overloaded".to_owned());
    let server = Server::start(vec![busy(), overloaded, Reply::Close, Reply::Items(vec![message("Hi!")])]);
    let directory = folder_with(CHAT);
    let start = Instant::now();
    let output = server.run(directory.path(), &["send", "--retries", "3", "chat.md"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(start.elapsed().as_millis() >= 1000);
    let shown = stderr(&output);
    assert!(shown.starts_with("note: the server answered with status 429; trying again in 0 seconds\nnote: the server answered with status 503; trying again in 1 second\nnote: curl: (52) "), "{shown}");
    assert_eq!(output.stdout, b"Hi!\n");
    assert_eq!(server.count(), 4);
    // The last answer counts.
    let server = Server::start(vec![busy()]);
    let output = server.run(directory.path(), &["send", "--continue", "--retries", "1", "chat.md"]);
    assert_eq!((output.status.code(), server.count()), (Some(4), 2));
    assert!(stderr(&output).contains("Slow down."), "{}", stderr(&output));
}

#[test]
fn absurd_pauses_are_not_waited_for() {
    if !has_curl() {
        return;
    }
    let server = Server::start(vec![Reply::Status(429, "Retry-After: 18446744073709551615\r\n", error("Slow down."))]);
    let directory = folder_with(CHAT);
    let output = server.run(directory.path(), &["send", "--retries", "3", "chat.md"]);
    assert_eq!((output.status.code(), server.count()), (Some(4), 1), "{}", stderr(&output));
    assert!(
        stderr(&output).contains("asks to wait 18446744073709551615 seconds, which is too long"),
        "{}",
        stderr(&output)
    );
}

#[test]
fn reply_with_the_status_of_an_error_is_appended_and_not_sent_again() {
    if !has_curl() {
        return;
    }
    let reply = serde_json::json!({"object": "response", "status": "completed", "output": [message("Hi!")]});
    for (status, headers) in [(500, ""), (302, ""), (200, "HTTP/9: 500\r\n")] {
        let server = Server::start(vec![Reply::Status(status, headers, reply.to_string())]);
        let directory = folder_with(CHAT);
        let output = server.run(directory.path(), &["send", "--retries", "3", "chat.md"]);
        assert_eq!((output.status.code(), server.count()), (Some(0), 1), "{}", stderr(&output));
        assert!(document(directory.path()).contains("\nHi!\n"), "{}", stderr(&output));
        assert_eq!(stderr(&output).contains("but it sent a reply"), status != 200, "{}", stderr(&output));
    }
}

#[test]
fn cut_stream_is_appended_and_not_sent_again() {
    if !has_curl() {
        return;
    }
    let server = Server::start(vec![Reply::Cut]);
    let directory = folder_with(CHAT);
    let output = server.run(directory.path(), &["send", "--retries", "3", "chat.md"]);
    assert_eq!(output.status.code(), Some(5), "{}", stderr(&output));
    assert_eq!(output.stdout, b"The answer is\n");
    assert!(stderr(&output).starts_with("warning: curl: ("), "{}", stderr(&output));
    assert_eq!(document(directory.path()), format!("{CHAT}\n{CUT}"));
    assert_eq!(server.count(), 1);
}

#[test]
fn failed_connections_have_the_message_of_curl() {
    if !has_curl() {
        return;
    }
    let server = Server::start(vec![Reply::Close]);
    let directory = folder_with(CHAT);
    let output = server.run(directory.path(), &["send", "chat.md"]);
    assert_eq!(output.status.code(), Some(74));
    assert!(stderr(&output).starts_with("error: curl: (52) "), "{}", stderr(&output));
    assert_eq!(document(directory.path()), CHAT);
    // Nobody listens on this port.
    let mut nobody = server.command(directory.path(), &["send", "chat.md"]);
    let output = nobody.env("OPENAI_BASE_URL", "http://127.0.0.1:1/v1").output().unwrap();
    assert_eq!(output.status.code(), Some(74));
    assert!(stderr(&output).starts_with("error: curl: (7) "), "{}", stderr(&output));
}

/// Waits until the first text of the answer is shown.
fn wait_for_text(child: &mut Child) {
    let mut shown = String::new();
    let mut messages = child.stdout.take().unwrap();
    while !shown.contains("The answer is") {
        let mut piece = [0; 64];
        let length = messages.read(&mut piece).unwrap();
        assert!(length > 0, "ended with {shown:?}");
        shown.push_str(&String::from_utf8_lossy(&piece[..length]));
    }
    child.stdout = Some(messages);
}

#[test]
fn ctrl_c_appends_what_has_arrived() {
    if !has_curl() {
        return;
    }
    let server = Server::start(vec![Reply::Hang]);
    let directory = folder_with(CHAT);
    let mut child =
        server.command(directory.path(), &["send", "chat.md"]).env("TMPDIR", directory.path()).spawn().unwrap();
    wait_for_text(&mut child);
    let start = Instant::now();
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert!(start.elapsed().as_secs() < 10);
    assert_eq!(document(directory.path()), format!("{CHAT}\n{CUT}"));
    assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 1, "the temporary files are gone");
}

#[test]
fn kill_during_the_stream_leaves_the_document_unchanged() {
    if !has_curl() {
        return;
    }
    let server = Server::start(vec![Reply::Hang]);
    let (directory, temporary) = (folder_with(CHAT), tempfile::tempdir().unwrap());
    let mut child =
        server.command(directory.path(), &["send", "chat.md"]).env("TMPDIR", temporary.path()).spawn().unwrap();
    wait_for_text(&mut child);
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(document(directory.path()), CHAT);
}

#[test]
fn document_that_is_edited_meanwhile_keeps_both() {
    if !has_curl() {
        return;
    }
    for (edited, code) in [(format!("{CHAT}\n<!-- a note -->\n"), 0), ("<user>\nnot closed\n".to_owned(), 65)] {
        let server = Server::start(vec![Reply::Slow(vec![message("Hi!")])]);
        let directory = folder_with(CHAT);
        let child = server.command(directory.path(), &["send", "chat.md"]).spawn().unwrap();
        server.wait_for_request();
        fs::write(directory.path().join("chat.md"), &edited).unwrap();
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(code), "{}", stderr(&output));
        let note = "note: chat.md was changed while the answer arrived; the reply is at its end\n";
        assert_eq!(stderr(&output).contains(note), code == 0, "{}", stderr(&output));
        let text = document(directory.path());
        assert!(text.starts_with(&edited));
        let kept =
            if code == 0 { text } else { fs::read_to_string(directory.path().join("chat.md.reply.md")).unwrap() };
        assert!(kept.contains("\nHi!\n"), "{kept}");
    }
}

#[test]
fn keys_are_not_shown_even_if_the_server_repeats_them() {
    if !has_curl() {
        return;
    }
    // The message of curl has the URL, and a careless URL has the key.
    let server = Server::start(vec![Reply::Close]);
    let directory = folder_with(CHAT);
    let url = format!("http://{KEY}.invalid/v1");
    let output = server.command(directory.path(), &["send", "chat.md"]).env("OPENAI_BASE_URL", url).output().unwrap();
    assert_eq!(output.status.code(), Some(74));
    assert!(stderr(&output).contains("***.invalid"), "{}", stderr(&output));
    let echo = format!("wrong key {KEY}, {}", "a".repeat(250));
    for (status, body) in [(401, error(&echo)), (500, echo.clone()), (200, echo.clone())] {
        let server = Server::start(vec![Reply::Status(status, "", body)]);
        let shown = stderr(&server.run(directory.path(), &["send", "chat.md"]));
        assert!(shown.contains("wrong key ***") && !shown.contains(&KEY[..8]), "{shown}");
    }
    let mut command = server.command(
        directory.path(),
        &["send", "--send-command", "sh -c 'echo $OPENAI_API_KEY; echo 2 >&2; exit 1' >&2", "chat.md"],
    );
    let shown = stderr(&command.output().unwrap());
    assert!(!shown.contains(&KEY[..8]), "{shown}");
}
