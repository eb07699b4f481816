//! No reply is lost: a reply that cannot be appended is saved next to the document.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Command, Stdio};

use super::{ANSWER, DOCUMENT, REPLY, append, folder_with, leftovers, start};
use crate::run::chatmd;

pub(super) const BROKEN: &str = "<user>\nHello.\n";

/// Appends and returns the exit code and the messages.
pub(super) fn run_append(directory: &Path, arguments: &[&str], input: &str) -> (Option<i32>, String) {
    let output = start(directory, arguments, input).wait_with_output().unwrap();
    assert!(output.stdout.is_empty());
    (output.status.code(), String::from_utf8(output.stderr).unwrap())
}

/// Runs the command that a message names after `to append it later: `.
fn append_later(directory: &Path, message: &str) {
    run_command_after(directory, message, "to append it later: ");
}

/// Runs the command that a message names after some words.
fn run_command_after(directory: &Path, message: &str, words: &str) {
    let (_, command) = message.split_once(words).unwrap_or_else(|| panic!("{message}"));
    let program = Path::new(env!("CARGO_BIN_EXE_chatmd")).parent().unwrap();
    let path = format!("{}:/usr/bin:/bin", program.display());
    let mut shell = Command::new("sh");
    let output = shell.args(["-c", command.trim_end()]).current_dir(directory).env("PATH", path).output().unwrap();
    assert!(output.status.success(), "{command}");
}

pub(super) fn file(directory: &Path, name: &str) -> String {
    fs::read_to_string(directory.join(name)).unwrap()
}

#[test]
fn broken_document_is_reported_at_once_and_the_reply_is_saved() {
    let directory = folder_with(BROKEN);
    let long = "A long reply. ".repeat(100_000);
    let mut command = Command::new(env!("CARGO_BIN_EXE_chatmd"));
    command.args(["from-response", "--append", "chat.md"]).current_dir(directory.path());
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    // The reply is sent only after the report was printed.
    let mut stderr = BufReader::new(child.stderr.take().unwrap());
    let mut report = String::new();
    while !report.contains("warning: chat.md does not parse") {
        assert!(stderr.read_line(&mut report).unwrap() > 0, "{report}");
    }
    assert!(report.contains("chat.md:1:1"), "{report}");
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(REPLY.replace("Hi.", &long).as_bytes()).unwrap();
    drop(stdin);
    let mut rest = String::new();
    stderr.read_to_string(&mut rest).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(65));
    assert!(
        rest.starts_with("error: chat.md does not parse\nnote: the reply was saved to chat.md.reply.md\n"),
        "{rest}"
    );
    assert_eq!(file(directory.path(), "chat.md"), BROKEN);
    assert_eq!(file(directory.path(), "chat.md.reply.md"), ANSWER.replace("Hi.", &long));
}

#[test]
fn document_fixed_in_the_meantime_gets_the_reply() {
    let directory = folder_with(BROKEN);
    let mut command = Command::new(env!("CARGO_BIN_EXE_chatmd"));
    command.args(["from-response", "--append", "chat.md"]).current_dir(directory.path());
    let mut child = command.stdin(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut stderr = BufReader::new(child.stderr.take().unwrap());
    let mut report = String::new();
    while !report.contains("warning: chat.md does not parse") {
        assert!(stderr.read_line(&mut report).unwrap() > 0, "{report}");
    }
    fs::write(directory.path().join("chat.md"), DOCUMENT).unwrap();
    child.stdin.take().unwrap().write_all(REPLY.as_bytes()).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(0));
    assert_eq!(file(directory.path(), "chat.md"), format!("{DOCUMENT}\n{ANSWER}"));
    assert!(leftovers(directory.path()).is_empty());
}

#[test]
fn saved_reply_overwrites_no_file_and_can_be_appended() {
    for document in [BROKEN, "text\n", "<msg role=\"x\">y</msg>", "\u{feff}<user>"] {
        let directory = folder_with(document);
        fs::write(directory.path().join("chat.md.reply.md"), "mine").unwrap();
        let (code, message) = run_append(directory.path(), &[], REPLY);
        assert_eq!((code, file(directory.path(), "chat.md").as_str()), (Some(65), document));
        assert_eq!(message.matches("error[").count(), 1, "it is reported once: {message}");
        assert_eq!(file(directory.path(), "chat.md.reply.md"), "mine");
        assert_eq!(file(directory.path(), "chat.md.reply-2.md"), ANSWER);
        fs::write(directory.path().join("chat.md"), DOCUMENT).unwrap();
        for _ in 0..2 {
            append_later(directory.path(), &message);
            assert_eq!(file(directory.path(), "chat.md"), format!("{DOCUMENT}\n{ANSWER}"));
        }
    }
}

#[test]
fn saved_reply_keeps_its_images() {
    let directory = folder_with(BROKEN);
    let image = "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
    let output = format!(
        r#"[{{"type":"function_call_output","call_id":"c","output":[{{"type":"input_image","image_url":"{image}"}}]}}]"#
    );
    let (code, message) = run_append(directory.path(), &["--media", "pictures"], &output);
    assert_eq!(code, Some(65), "{message}");
    assert!(file(directory.path(), "chat.md.reply.md").contains("<img src=\"pictures/"));
    fs::write(directory.path().join("chat.md"), DOCUMENT).unwrap();
    append_later(directory.path(), &message);
    let ran = chatmd(directory.path(), &["to-request", "--input-only", "chat.md"], &[], "");
    assert!(ran.stdout.contains(image), "{}", ran.stderr);
}

#[test]
fn paths_with_spaces_are_quoted_in_the_printed_command() {
    let directory = tempfile::tempdir().unwrap();
    fs::write(directory.path().join("my chat.md"), BROKEN).unwrap();
    let ran = chatmd(
        directory.path(),
        &["from-response", "--whitespace", "verbatim", "--append", "my chat.md"],
        &[],
        &REPLY.replace("Hi.", " \\n "),
    );
    assert_eq!(ran.code, Some(65));
    fs::remove_file(directory.path().join("my chat.md")).unwrap();
    append_later(directory.path(), &ran.stderr);
    let text = file(directory.path(), "my chat.md");
    assert_eq!(text, "<assistant id=\"m1\" status=\"completed\"> \n </assistant>\n");
}

#[test]
fn unreadable_input_is_saved_unchanged() {
    let cut = &REPLY[..REPLY.len() - 10];
    let lone = REPLY.replace("Hi.", "\\ud800");
    for input in [cut, &lone] {
        let directory = folder_with(DOCUMENT);
        let (code, message) = run_append(directory.path(), &[], input);
        assert_eq!((code, file(directory.path(), "chat.md").as_str()), (Some(65), DOCUMENT));
        assert!(message.contains("note: the input was saved to chat.md.reply.json\n"), "{message}");
        let later = "to append it after a correction: chatmd from-response --append chat.md chat.md.reply.json\n";
        assert!(message.ends_with(later), "{message}");
        assert_eq!(file(directory.path(), "chat.md.reply.json"), *input);
        // A reply in a file is not saved again.
        let arguments = ["from-response", "--append", "chat.md", "chat.md.reply.json"];
        assert_eq!(chatmd(directory.path(), &arguments, &[], "").code, Some(65));
        assert_eq!(leftovers(directory.path()), ["chat.md.reply.json"]);
    }
}

#[test]
fn input_of_another_api_is_saved_but_cannot_be_appended() {
    let directory = folder_with(DOCUMENT);
    let reply = r#"{"candidates":[{"content":{"role":"model","parts":[{"text":"Hi."}]}}]}"#;
    let (code, message) = run_append(directory.path(), &[], reply);
    assert_eq!((code, file(directory.path(), "chat.md.reply.json").as_str()), (Some(65), reply));
    let end = "note: the input was saved to chat.md.reply.json; it cannot be appended\n";
    assert!(message.ends_with(end), "{message}");
}

#[test]
fn compressed_reply_is_unpacked_by_the_command() {
    let directory = folder_with(DOCUMENT);
    fs::write(directory.path().join("input.json"), REPLY).unwrap();
    assert!(Command::new("gzip").arg("input.json").current_dir(directory.path()).status().unwrap().success());
    let mut command = Command::new(env!("CARGO_BIN_EXE_chatmd"));
    command.args(["from-response", "--append", "chat.md"]).current_dir(directory.path());
    let input = fs::File::open(directory.path().join("input.json.gz")).unwrap();
    let message = String::from_utf8(command.stdin(input).output().unwrap().stderr).unwrap();
    run_command_after(directory.path(), &message, "unpack it first: ");
    assert_eq!(file(directory.path(), "chat.md"), format!("{DOCUMENT}\n{ANSWER}"));
}

#[test]
fn command_has_the_flags_of_the_run_and_takes_any_name() {
    let directory = folder_with(DOCUMENT);
    fs::write(directory.path().join("-y.md"), BROKEN).unwrap();
    let args = ["from-response", "--append=-y.md", "--next", "--whitespace", "verbatim"];
    let ran = chatmd(directory.path(), &args, &[], REPLY);
    assert_eq!(ran.code, Some(65), "{}", ran.stderr);
    fs::write(directory.path().join("-y.md"), "<user>Hello.</user>").unwrap();
    append_later(directory.path(), &ran.stderr);
    let text = file(directory.path(), "-y.md");
    assert!(text.contains("Hi.") && text.ends_with("<user></user>\n"), "{text}");
}

#[test]
fn input_that_is_not_a_reply_is_not_saved() {
    for (input, code) in
        [("", 65), (" \n", 65), ("<html><body>502</body></html>", 65), (r#"{"error":{"message":"no"}}"#, 4)]
    {
        let directory = folder_with(DOCUMENT);
        assert_eq!(append(directory.path(), &[], input), (Some(code), DOCUMENT.to_owned()), "{input}");
        assert!(leftovers(directory.path()).is_empty(), "{input}");
    }
}

#[test]
fn only_replies_are_appended_unless_any_is_given() {
    let request = r#"{"model":"m","input":"question"}"#;
    let message = r#"[{"role":"user","content":"question"}]"#;
    let response = REPLY.replace("\"assistant\"", "\"user\"");
    for (input, why, saved) in [
        (request, "this is a request body; only replies are appended", false),
        (message, "item 0 has the role `user`; only replies are appended", true),
        (&response, "item 0 has the role `user`; only replies are appended", true),
    ] {
        let directory = folder_with(DOCUMENT);
        let (code, message) = run_append(directory.path(), &[], input);
        assert_eq!((code, file(directory.path(), "chat.md").as_str()), (Some(65), DOCUMENT), "{input}");
        assert!(message.starts_with(&format!("error: {why}\n")) && message.contains("--any"), "{message}");
        assert_eq!(leftovers(directory.path()).len(), usize::from(saved), "{input}");
        if saved {
            append_later(directory.path(), &message);
        } else {
            assert_eq!(append(directory.path(), &["--any"], input).0, Some(0));
        }
        let text = file(directory.path(), "chat.md");
        assert!(text.starts_with(DOCUMENT) && text.len() > DOCUMENT.len(), "{text}");
    }
    for role in ["system", "developer"] {
        let directory = folder_with(DOCUMENT);
        let item = format!(r#"[{{"role":"assistant","content":"a"}},{{"role":"{role}","content":"b"}}]"#);
        assert_eq!(append(directory.path(), &[], &item), (Some(65), DOCUMENT.to_owned()));
    }
    let directory = folder_with(DOCUMENT);
    let trace = r#"[{"type":"function_call","call_id":"c","name":"f","arguments":"{}"},{"type":"function_call_output","call_id":"c","output":"x"}]"#;
    assert_eq!(append(directory.path(), &[], trace).0, Some(0), "only messages have roles");
    let alone = chatmd(directory.path(), &["from-response", "--any"], &[], request);
    assert_eq!(alone.code, Some(2));
}

#[test]
fn request_body_is_saved_unchanged() {
    let directory = folder_with(BROKEN);
    let request = r#"{"model":"m","input":[{"role":"assistant","content":"a"}]}"#;
    let (code, message) = run_append(directory.path(), &["--any"], request);
    assert_eq!(code, Some(65));
    assert_eq!(file(directory.path(), "chat.md.reply.json"), request);
    fs::remove_file(directory.path().join("chat.md")).unwrap();
    append_later(directory.path(), &message);
    assert_eq!(file(directory.path(), "chat.md"), "<config model=\"m\"/>\n\n<assistant>\na\n</assistant>\n");
}

#[test]
fn input_that_needs_any_is_saved_with_a_command_that_has_it() {
    let directory = folder_with(BROKEN);
    let (code, message) = run_append(directory.path(), &["--any"], r#"[{"role":"user","content":"a"}]"#);
    assert_eq!((code, file(directory.path(), "chat.md.reply.md").as_str()), (Some(65), "<user>\na\n</user>\n"));
    fs::remove_file(directory.path().join("chat.md")).unwrap();
    append_later(directory.path(), &message);
    assert_eq!(file(directory.path(), "chat.md"), "<user>\na\n</user>\n");
}

#[test]
fn unusable_document_is_reported_at_once_and_the_reply_is_saved() {
    let directory = tempfile::tempdir().unwrap();
    fs::create_dir(directory.path().join("chat.md")).unwrap();
    let (code, message) = run_append(directory.path(), &[], REPLY);
    assert_eq!(code, Some(74), "{message}");
    assert_eq!(file(directory.path(), "chat.md.reply.md"), ANSWER);
    let dash = chatmd(directory.path(), &["from-response", "--append", "-"], &[], REPLY);
    assert_eq!((dash.code, leftovers(directory.path())), (Some(2), vec!["chat.md.reply.md".to_owned()]));
}

#[cfg(unix)]
#[test]
fn append_to_a_pipe_saves_the_reply() {
    let directory = tempfile::tempdir().unwrap();
    assert!(Command::new("mkfifo").arg(directory.path().join("chat.md")).status().unwrap().success());
    let (code, message) = run_append(directory.path(), &[], REPLY);
    assert_eq!(code, Some(74), "{message}");
    assert!(message.starts_with("warning: cannot rewrite chat.md: it is not a regular file; "), "{message}");
    assert_eq!(file(directory.path(), "chat.md.reply.md"), ANSWER);
}

#[cfg(unix)]
#[test]
fn saved_reply_is_not_more_readable_than_the_document() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let directory = folder_with(BROKEN);
    fs::set_permissions(directory.path().join("chat.md"), fs::Permissions::from_mode(0o600)).unwrap();
    // A broken link counts as an existing file.
    symlink("elsewhere", directory.path().join("chat.md.reply.md")).unwrap();
    assert_eq!(run_append(directory.path(), &[], REPLY).0, Some(65));
    let saved = fs::metadata(directory.path().join("chat.md.reply-2.md")).unwrap();
    assert_eq!(saved.permissions().mode() & 0o777, 0o600);
    assert!(!directory.path().join("elsewhere").exists());
}

#[cfg(unix)]
#[test]
fn reply_to_a_linked_document_is_saved_next_to_the_target() {
    let directory = tempfile::tempdir().unwrap();
    fs::create_dir(directory.path().join("real")).unwrap();
    fs::write(directory.path().join("real/doc.md"), BROKEN).unwrap();
    std::os::unix::fs::symlink("real/doc.md", directory.path().join("chat.md")).unwrap();
    let (code, message) = run_append(directory.path(), &[], REPLY);
    assert_eq!((code, file(directory.path(), "real/doc.md.reply.md").as_str()), (Some(65), ANSWER));
    fs::write(directory.path().join("real/doc.md"), DOCUMENT).unwrap();
    append_later(directory.path(), &message);
    assert_eq!(file(directory.path(), "real/doc.md"), format!("{DOCUMENT}\n{ANSWER}"));
}

#[test]
fn command_has_the_directories_that_the_document_may_read() {
    let directory = folder_with(DOCUMENT);
    fs::create_dir(directory.path().join("sub")).unwrap();
    fs::write(directory.path().join("sub/chat.md"), BROKEN).unwrap();
    let image = r#"[{"type":"message","role":"assistant","content":[{"type":"output_text","text":"Hi."}]},{"type":"image_generation_call","id":"ig_1","status":"completed","result":"iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="}]"#;
    let args = ["from-response", "--root", ".", "--media", "media", "--append", "sub/chat.md"];
    let ran = chatmd(directory.path(), &args, &[], image);
    assert_eq!(ran.code, Some(65), "{}", ran.stderr);
    fs::write(directory.path().join("sub/chat.md"), DOCUMENT).unwrap();
    append_later(directory.path(), &ran.stderr);
    assert!(file(directory.path(), "sub/chat.md").contains("chatmd:item-files"));
}

#[test]
fn root_that_does_not_exist_is_wrong_usage() {
    let directory = folder_with(DOCUMENT);
    let ran = chatmd(directory.path(), &["from-response", "--root", "gone", "--append", "chat.md"], &[], REPLY);
    assert!(ran.code == Some(2) && ran.stderr.contains("--root gone"), "{}", ran.stderr);
}
