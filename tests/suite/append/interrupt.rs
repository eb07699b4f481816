//! Ctrl-C while the reply is read: whatever has arrived is appended, or saved next to the document.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use super::{ANSWER, DOCUMENT, REPLY, folder_with, leftovers};

/// More than a pipe holds, so that everything before it was read when it is written.
const PADDING_BYTES: usize = 256 << 10;

/// Appends input that does not end, and interrupts the run after it has read the part before the padding.
fn interrupted(directory: &Path, arguments: &[&str], input: &str, padding: &str) -> (Option<i32>, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_chatmd"));
    command.args(["from-response", "--append", "chat.md"]).args(arguments).current_dir(directory);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(input.as_bytes()).unwrap();
    stdin.write_all(padding.repeat(PADDING_BYTES / padding.len()).as_bytes()).unwrap();
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    // The pipe stays open: only the interrupt ends the run.
    let output = child.wait_with_output().unwrap();
    drop(stdin);
    assert!(output.stdout.is_empty());
    (output.status.code(), String::from_utf8(output.stderr).unwrap())
}

/// A stream of a whole reply.
fn stream() -> String {
    format!("data: {{\"type\":\"response.completed\",\"response\":{REPLY}}}\n\n")
}

const BEGUN: &str = "data: {\"type\":\"response.output_item.added\",\"output_index\":0,\"item\":{\"type\":\"message\",\"id\":\"m1\",\"role\":\"assistant\",\"status\":\"in_progress\",\"content\":[]}}\n\ndata: {\"type\":\"response.output_text.delta\",\"output_index\":0,\"delta\":\"H\"}\n\n";

fn document(directory: &Path) -> String {
    fs::read_to_string(directory.join("chat.md")).unwrap()
}

#[test]
fn whole_reply_is_appended() {
    for (input, padding) in [(stream(), ": wait\n"), (REPLY.to_owned(), "  \n")] {
        let directory = folder_with(DOCUMENT);
        let (code, stderr) = interrupted(directory.path(), &[], &input, padding);
        assert_eq!(stderr, "note: stopped; the whole reply was appended to chat.md\n");
        assert_eq!((code, document(directory.path())), (Some(130), format!("{DOCUMENT}\n{ANSWER}")));
        assert!(leftovers(directory.path()).is_empty());
    }
}

#[test]
fn part_of_a_stream_is_appended() {
    for follow in [&[][..], &["--follow"]] {
        let directory = folder_with(DOCUMENT);
        let (code, stderr) = interrupted(directory.path(), follow, BEGUN, ": wait\n");
        assert!(stderr.ends_with("note: stopped; whatever has arrived was appended to chat.md\n"), "{stderr}");
        assert!(!stderr.contains("warning"), "{stderr}");
        let answer = "<assistant id=\"m1\" status=\"incomplete\">\nH\n</assistant>\n";
        assert_eq!((code, document(directory.path())), (Some(130), format!("{DOCUMENT}\n{answer}")));
    }
}

#[test]
fn input_that_cannot_be_appended_is_saved() {
    let directory = folder_with(DOCUMENT);
    let half = &REPLY[..REPLY.len() - 10];
    let (code, stderr) = interrupted(directory.path(), &[], half, "\n");
    assert_eq!((code, document(directory.path()).as_str()), (Some(130), DOCUMENT), "{stderr}");
    assert!(stderr.contains("note: the input was saved to chat.md.reply.json\n"), "{stderr}");
    assert!(fs::read_to_string(directory.path().join("chat.md.reply.json")).unwrap().starts_with(half));

    let directory = folder_with("<user>");
    let (code, stderr) = interrupted(directory.path(), &[], &stream(), ": wait\n");
    assert_eq!((code, document(directory.path()).as_str()), (Some(130), "<user>"), "{stderr}");
    assert_eq!(fs::read_to_string(directory.path().join("chat.md.reply.md")).unwrap(), ANSWER, "{stderr}");
}

#[test]
fn nothing_happens_if_nothing_has_arrived() {
    let directory = folder_with(DOCUMENT);
    let script = "mkfifo input; exec 3<>input; timeout -s INT 1 \"$0\" from-response --append chat.md < input";
    let mut shell = Command::new("sh");
    let output =
        shell.args(["-c", script, env!("CARGO_BIN_EXE_chatmd")]).current_dir(directory.path()).output().unwrap();
    assert_eq!((output.status.code(), output.stderr.as_slice()), (Some(124), &b""[..]), "timeout has ended it");
    assert_eq!(document(directory.path()), DOCUMENT);
    assert_eq!(leftovers(directory.path()), ["input"]);
}
