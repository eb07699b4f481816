//! No text of a stream is lost, whatever is damaged or missing in it.

use std::fs;
use std::io::Write;
use std::process::{Command, Stdio};

use super::rescue::{BROKEN, file, run_append};
use super::{DOCUMENT, folder_with};

/// `--follow` shows the text of a stream that has other text before it, so it must not be lost.
#[test]
fn stream_after_other_text_is_saved() {
    let event = r#"data: {"type":"response.output_text.delta","output_index":0,"content_index":0,"delta":"Hi."}"#;
    let stream = format!("Starting the proxy …\n{event}\n\n");
    let directory = folder_with(DOCUMENT);
    let (code, message) = run_append(directory.path(), &["--follow"], &stream);
    assert_eq!((code, file(directory.path(), "chat.md").as_str()), (Some(65), DOCUMENT));
    assert!(message.starts_with("Hi.\nerror[foreign-input]"), "{message}");
    assert_eq!(file(directory.path(), "chat.md.reply.json"), stream);
}

/// An event that cannot be read may hold text.
#[test]
fn stream_with_a_damaged_event_is_appended_and_saved() {
    let event = |text: &str| {
        format!(r#"data: {{"type":"response.output_text.delta","output_index":0,"content_index":0,"delta":"{text}"}}"#)
    };
    let stream = format!("{}\n\ndata: {{\"lost\n\n{}\n\n", event("Hi "), event("there."));
    let directory = folder_with(DOCUMENT);
    let (code, message) = run_append(directory.path(), &[], &stream);
    assert_eq!(code, Some(5), "{message}");
    assert!(file(directory.path(), "chat.md").contains("Hi there."), "{message}");
    assert_eq!(file(directory.path(), "chat.md.reply.json"), stream);
    // A part of it is there, so appending all of it would repeat that part.
    let help = "to append it after a correction, first remove from chat.md what was appended: chatmd from-response";
    assert!(message.contains(help), "{message}");
}

/// If an item has two versions, the longer one is appended, and then the text of the other one.
#[test]
fn stream_with_two_versions_of_an_item_is_appended_whole() {
    let done = |text: &str| {
        let item = format!(
            r#"{{"type":"message","id":"m","role":"assistant","content":[{{"type":"output_text","text":"{text}"}}]}}"#
        );
        format!("data: {{\"type\":\"response.output_item.done\",\"output_index\":0,\"item\":{item}}}\n\n")
    };
    let stream = done("Something else.") + &done("The answer is longer.");
    let directory = folder_with(DOCUMENT);
    let (_, message) = run_append(directory.path(), &[], &stream);
    assert!(message.contains("warning[malformed-event]"), "{message}");
    let text = file(directory.path(), "chat.md");
    assert!(text.contains("The answer is longer.") && text.contains("Something else."), "{text}");
    assert!(!directory.path().join("chat.md.reply.json").exists(), "{message}");
}

/// The text of a cut event is appended. If more of the event is missing, the input is saved.
#[test]
fn stream_that_is_cut_inside_an_event_is_appended() {
    let item = r#"{"type":"message","id":"m","role":"assistant","status":"completed","content":[{"type":"output_text","text":"Hi there."#;
    let completed =
        r#"data: {"type":"response.completed","response":{"object":"response","status":"completed","output":["#;
    let delta = r#"data: {"type":"response.output_text.delta","output_index":0,"delta":"Hi there."#;
    for (stream, is_saved) in [(format!("{completed}{item}"), true), (delta.to_owned(), false)] {
        let directory = folder_with(DOCUMENT);
        let (code, message) = run_append(directory.path(), &[], &stream);
        assert_eq!(code, Some(5), "{message}");
        let text = file(directory.path(), "chat.md");
        assert!(text.contains("Hi there.") && text.contains("incomplete"), "{text}");
        let saved = directory.path().join("chat.md.reply.json");
        assert_eq!(fs::read_to_string(saved).ok(), is_saved.then_some(stream));
    }
}

/// A connection that is reset keeps what has arrived before.
#[cfg(unix)]
#[test]
fn stream_that_breaks_off_is_appended() {
    use std::net::{TcpListener, TcpStream};
    let event = r#"data: {"type":"response.output_text.delta","output_index":0,"content_index":0,"delta":"Hi."}"#;
    for arguments in [&[][..], &["--follow"]] {
        let directory = folder_with(DOCUMENT);
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let mut server = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        let (client, _) = listener.accept().unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_chatmd"));
        command.args(["from-response", "--append", "chat.md"]).args(arguments).current_dir(directory.path());
        server.write_all(format!("{event}\n\n").as_bytes()).unwrap();
        // Unread data turns the end of a connection into a reset.
        (&client).write_all(b"unread").unwrap();
        let child = command.stdin(std::os::fd::OwnedFd::from(client)).stderr(Stdio::piped()).spawn().unwrap();
        std::thread::sleep(std::time::Duration::from_millis(300));
        drop(server);
        let output = child.wait_with_output().unwrap();
        let message = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(5), "{message}");
        assert!(message.contains("broke off: "), "{message}");
        assert!(file(directory.path(), "chat.md").contains("\nHi.\n"), "{message}");
    }
}

#[test]
fn damaged_stream_is_saved_if_the_document_does_not_parse() {
    let done = r#"{"type":"response.output_item.done","output_index":0,"item":{"type":"message","id":"msg_1","role":"assistant","status":"completed","content":[{"type":"output_text","text":"One.","annotations":[]}]}}"#;
    let stream = format!(
        "data: {done}\n\ndata: {{\"delta\":\"Two.\" broken}}\n\ndata: {{\"type\":\"response.completed\",\"response\":{{\"status\":\"completed\",\"output\":[]}}}}\n\n"
    );
    let directory = folder_with(BROKEN);
    let (code, message) = run_append(directory.path(), &[], &stream);
    assert_eq!((code, file(directory.path(), "chat.md.reply.json")), (Some(65), stream.clone()), "{message}");
    // Nothing has to be removed if nothing was appended.
    let directory = folder_with(DOCUMENT);
    let (_, message) = run_append(directory.path(), &[], &stream.replace(done, "{}"));
    assert!(message.contains("to append it after a correction: "), "{message}");
    assert_eq!(file(directory.path(), "chat.md"), DOCUMENT);
}
