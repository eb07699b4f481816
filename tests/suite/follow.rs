//! `from-response --follow`: shown as it arrives, written whole at the end.

use std::io::{Read, Write};
use std::process::{Child, Command, Output, Stdio};
use std::thread;
use std::time::Duration;

use chatmd::responses::{Follower, News};

const BEGIN: &str = "event: response.output_item.added\ndata: {\"type\":\"response.output_item.added\",\"output_index\":0,\"item\":{\"type\":\"message\",\"id\":\"m1\",\"role\":\"assistant\",\"status\":\"in_progress\",\"content\":[]}}\n\ndata: {\"type\":\"response.output_text.delta\",\"output_index\":0,\"delta\":\"Hé\"}\n\ndata: {\"type\":\"response.output_text.delta\",\"output_index\":0,\"delta\":\"llo\"}\n\n";
const END: &str = "data: {\"type\":\"response.output_item.done\",\"output_index\":0,\"item\":{\"type\":\"message\",\"id\":\"m1\",\"role\":\"assistant\",\"status\":\"completed\",\"content\":[{\"type\":\"output_text\",\"text\":\"Héllo.\",\"annotations\":[]}]}}\n\ndata: {\"type\":\"response.output_item.added\",\"output_index\":1,\"item\":{\"type\":\"function_call\",\"name\":\"look\"}}\n\ndata: {\"type\":\"response.output_item.done\",\"output_index\":1,\"item\":{\"type\":\"function_call\",\"call_id\":\"c\",\"name\":\"look\",\"arguments\":\"{}\"}}\n\ndata: {\"type\":\"response.completed\",\"response\":{\"object\":\"response\",\"status\":\"completed\",\"output\":[]}}\n\n";

fn start() -> Child {
    Command::new(env!("CARGO_BIN_EXE_chatmd"))
        .args(["--color", "never", "from-response", "--follow"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

/// Follows a stream that comes in pieces.
fn follow(pieces: &[&[u8]]) -> Output {
    let mut child = start();
    let mut stdin = child.stdin.take().unwrap();
    for piece in pieces {
        stdin.write_all(piece).unwrap();
        stdin.flush().unwrap();
        thread::sleep(Duration::from_millis(5));
    }
    drop(stdin);
    child.wait_with_output().unwrap()
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap()
}

#[test]
fn a_stream_is_shown_and_then_written() {
    let stream = format!("{BEGIN}{END}");
    for size in [7, 64, 100_000] {
        let output = follow(&stream.as_bytes().chunks(size).collect::<Vec<_>>());
        assert_eq!(output.status.code(), Some(0));
        assert_eq!(text(&output.stderr), "Héllo\nlook …\n\n");
        let document = "<assistant id=\"m1\" status=\"completed\">\nHéllo.\n</assistant>\n\n<tool_call function_name=\"look\" tool_call_id=\"c\">\n{}\n</tool_call>\n";
        assert_eq!(text(&output.stdout), document);
    }
}

#[test]
fn a_message_that_had_begun_is_kept_as_incomplete() {
    let document = "<assistant id=\"m1\" status=\"incomplete\">\nHéllo\n</assistant>\n";
    for rest in ["", "data: {\"type\":\"response.output_te", "event: respon"] {
        let output = follow(&[BEGIN.as_bytes(), rest.as_bytes()]);
        assert_eq!((output.status.code(), text(&output.stdout)), (Some(5), document), "{rest}");
        assert!(text(&output.stderr).contains("the stream ends before the response does"));
    }
}

#[cfg(unix)]
#[test]
fn ctrl_c_keeps_what_there_is() {
    let mut child = start();
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(BEGIN.as_bytes()).unwrap();
    stdin.flush().unwrap();
    // Once the text is shown, it was read.
    let mut shown = String::new();
    let mut stderr = child.stderr.take().unwrap();
    while !shown.contains("llo") {
        let mut piece = [0; 64];
        let length = stderr.read(&mut piece).unwrap();
        assert!(length > 0, "ended with {shown:?}");
        shown.push_str(&String::from_utf8_lossy(&piece[..length]));
    }
    let killed = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(killed.success());
    // The pipe stays open: only the interrupt ends it.
    let output = child.wait_with_output().unwrap();
    drop(stdin);
    assert_eq!(output.status.code(), Some(5));
    assert_eq!(text(&output.stdout), "<assistant id=\"m1\" status=\"incomplete\">\nHéllo\n</assistant>\n");
}

#[test]
fn what_is_no_stream_is_converted_all_the_same() {
    let output = follow(&[br#"[{"role":"user","content":"x"}]"#]);
    assert_eq!((output.status.code(), text(&output.stdout)), (Some(0), "<user>\nx\n</user>\n"));
}

#[test]
fn news_do_not_depend_on_how_the_stream_is_cut() {
    let stream = format!("{BEGIN}{END}");
    let mut whole = Follower::default();
    let expected = whole.push(stream.as_bytes());
    assert_eq!(expected[..2], [News::Text("Hé".to_owned()), News::Text("llo".to_owned())]);
    for size in 1..50 {
        let mut follower = Follower::default();
        let news: Vec<News> = stream.as_bytes().chunks(size).flat_map(|chunk| follower.push(chunk)).collect();
        assert_eq!(news, expected);
        assert_eq!(follower.unfinished(), "");
    }
}
