//! `from-response --append`: the whole reply is appended, or the document is unchanged.

mod again;
mod apart;
mod api_error;
mod crlf;
#[cfg(unix)]
mod interrupt;
mod race;
mod rescue;
mod rescued_streams;
mod roles;
mod same;
mod unused_reasoning;

use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

use tempfile::TempDir;

use crate::cases::large;

const DOCUMENT: &str = "<config model=\"m\"/>\n\n<user>\nHello.\n</user>\n";
const REPLY: &str = r#"{"object":"response","status":"completed","output":[{"type":"message","id":"m1","role":"assistant","status":"completed","content":[{"type":"output_text","text":"Hi.","annotations":[]}]}]}"#;
const ANSWER: &str = "<assistant id=\"m1\" status=\"completed\">\nHi.\n</assistant>\n";
/// The comment of an incomplete reply.
const EARLY: &str = "<!-- incomplete: the response ended early -->\n";
const WAITING: &str = "<user>\n\n</user>\n";

fn folder_with(document: &str) -> TempDir {
    let directory = tempfile::tempdir().unwrap();
    fs::write(directory.path().join("chat.md"), document).unwrap();
    directory
}

fn start(directory: &Path, arguments: &[&str], input: &str) -> Child {
    fs::write(directory.join("reply.json"), input).unwrap();
    Command::new(env!("CARGO_BIN_EXE_chatmd"))
        .current_dir(directory)
        .args(["from-response", "--append", "chat.md"])
        .args(arguments)
        .stdin(fs::File::open(directory.join("reply.json")).unwrap())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

/// Appends and returns the exit code and the new document.
fn append(directory: &Path, arguments: &[&str], input: &str) -> (Option<i32>, String) {
    let output = start(directory, arguments, input).wait_with_output().unwrap();
    assert!(output.stdout.is_empty());
    (output.status.code(), fs::read_to_string(directory.join("chat.md")).unwrap())
}

fn leftovers(directory: &Path) -> Vec<String> {
    let names = fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    names.filter(|name| name != "chat.md" && name != "reply.json").collect()
}

#[test]
fn reply_is_appended_after_one_blank_line() {
    for document in [DOCUMENT.to_owned(), DOCUMENT.trim_end().to_owned(), format!("{DOCUMENT}\n\n  \n")] {
        let directory = folder_with(&document);
        assert_eq!(append(directory.path(), &[], REPLY), (Some(0), format!("{DOCUMENT}\n{ANSWER}")));
        assert!(leftovers(directory.path()).is_empty());
    }
}

#[test]
fn reply_to_an_empty_document_is_the_document() {
    assert_eq!(append(folder_with("").path(), &[], REPLY), (Some(0), ANSWER.to_owned()));
}

#[test]
fn placeholder_stays_at_the_end() {
    for waiting in [WAITING, "<user></user>\n", "<user/>\n"] {
        let directory = folder_with(&format!("{DOCUMENT}\n{waiting}"));
        let expected = format!("{DOCUMENT}\n{ANSWER}\n{waiting}");
        assert_eq!(append(directory.path(), &["--next"], REPLY), (Some(0), expected));
    }
}

#[test]
fn placeholder_is_added_once() {
    let directory = folder_with(DOCUMENT);
    assert_eq!(append(directory.path(), &["--next"], REPLY).1, format!("{DOCUMENT}\n{ANSWER}\n{WAITING}"));
    let other = REPLY.replace("Hi.", "Hi again.").replace("m1", "m2");
    let answers = format!("{ANSWER}\n{}", ANSWER.replace("Hi.", "Hi again.").replace("m1", "m2"));
    assert_eq!(append(directory.path(), &["--next"], &other).1, format!("{DOCUMENT}\n{answers}\n{WAITING}"));
    let verbatim = folder_with(DOCUMENT);
    let (_, text) = append(verbatim.path(), &["--next", "--whitespace", "verbatim"], REPLY);
    assert!(text.ends_with("\n\n<user></user>\n"), "{text}");
}

#[test]
fn missing_document_is_created() {
    let directory = tempfile::tempdir().unwrap();
    assert_eq!(append(directory.path(), &["--next"], REPLY), (Some(0), format!("{ANSWER}\n{WAITING}")));
    assert!(leftovers(directory.path()).is_empty());
}

#[test]
fn comments_after_the_placeholder_stay_after_it() {
    let waiting = format!("{WAITING}\n<!-- the end -->\n");
    let directory = folder_with(&format!("{DOCUMENT}\n{waiting}"));
    assert_eq!(append(directory.path(), &[], REPLY), (Some(0), format!("{DOCUMENT}\n{ANSWER}\n{waiting}")));
}

#[test]
fn empty_message_with_an_id_is_not_a_placeholder() {
    let document = format!("{DOCUMENT}\n<user id=\"u1\"></user>\n");
    let directory = folder_with(&document);
    assert_eq!(append(directory.path(), &[], REPLY), (Some(0), format!("{document}\n{ANSWER}")));
}

#[test]
fn errors_change_nothing_and_incomplete_replies_are_appended() {
    let directory = folder_with(DOCUMENT);
    assert_eq!(append(directory.path(), &[], r#"{"error":{"message":"no"}}"#), (Some(4), DOCUMENT.to_owned()));
    assert!(leftovers(directory.path()).is_empty());
    assert_eq!(append(directory.path(), &[], "{\"object\":"), (Some(65), DOCUMENT.to_owned()));
    let incomplete = REPLY.replacen("completed", "incomplete", 1);
    assert_eq!(append(directory.path(), &[], &incomplete), (Some(5), format!("{DOCUMENT}\n{ANSWER}\n{EARLY}")));
}

#[test]
fn concurrent_appends_are_all_kept() {
    assert_twenty_arrive(&folder_with(DOCUMENT), DOCUMENT);
}

#[test]
fn concurrent_appends_to_a_missing_document_are_all_kept() {
    assert_twenty_arrive(&tempfile::tempdir().unwrap(), "");
}

fn assert_twenty_arrive(directory: &TempDir, document: &str) {
    let children: Vec<Child> = (0..20)
        .map(|index| {
            let own = directory.path().join(format!("own-{index}"));
            fs::create_dir(&own).unwrap();
            fs::write(own.join("reply.json"), reply(index)).unwrap();
            Command::new(env!("CARGO_BIN_EXE_chatmd"))
                .current_dir(directory.path())
                .args(["from-response", "--append", "chat.md", &format!("own-{index}/reply.json")])
                .stderr(Stdio::piped())
                .spawn()
                .unwrap()
        })
        .collect();
    for child in children {
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success() && output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
    }
    let text = fs::read_to_string(directory.path().join("chat.md")).unwrap();
    let answers: Vec<String> = (0..20)
        .map(|index| ANSWER.replace("Hi.", &format!("Hi {index}.")).replace("m1", &format!("m{index}")))
        .collect();
    for answer in &answers {
        assert_eq!(text.matches(answer).count(), 1, "{answer} in {text}");
    }
    let blank_lines = if document.is_empty() { 19 } else { 20 };
    assert_eq!(text.len(), document.len() + answers.concat().len() + blank_lines);
}

fn reply(index: usize) -> String {
    REPLY.replace("Hi.", &format!("Hi {index}.")).replace("m1", &format!("m{index}"))
}

#[test]
fn kill_leaves_the_old_or_the_new_document() {
    let long = format!("{DOCUMENT}\n{}", "<user>\nA line of text.\n</user>\n\n".repeat(20_000));
    let old = long.trim_end().to_owned() + "\n";
    let new = format!("{old}\n{ANSWER}");
    let (mut kept, mut replaced) = (0, 0);
    let instants = large(40);
    for instant in 0..instants {
        let directory = folder_with(&old);
        let mut child = start(directory.path(), &[], REPLY);
        thread::sleep(Duration::from_millis(320) * u32::try_from(instant).unwrap() / u32::try_from(instants).unwrap());
        // The run may have finished already.
        let _ = child.kill();
        child.wait().unwrap();
        let text = fs::read_to_string(directory.path().join("chat.md")).unwrap();
        if text == old {
            kept += 1;
        } else if text == new {
            replaced += 1;
        } else {
            panic!("neither the old nor the new document, {} bytes", text.len());
        }
        assert!(leftovers(directory.path()).iter().all(|name| name.starts_with(".chatmd-")));
    }
    assert!(kept > 0 && kept + replaced == instants, "{kept} kept, {replaced} replaced");
}

#[cfg(unix)]
#[test]
fn append_follows_links_and_keeps_modes() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let directory = tempfile::tempdir().unwrap();
    fs::write(directory.path().join("real.md"), DOCUMENT).unwrap();
    fs::set_permissions(directory.path().join("real.md"), fs::Permissions::from_mode(0o640)).unwrap();
    symlink("real.md", directory.path().join("chat.md")).unwrap();
    assert_eq!(append(directory.path(), &[], REPLY).0, Some(0));
    let real = directory.path().join("real.md");
    assert_eq!(fs::read_to_string(&real).unwrap(), format!("{DOCUMENT}\n{ANSWER}"));
    assert_eq!(fs::metadata(&real).unwrap().permissions().mode() & 0o777, 0o640);
    assert!(directory.path().join("chat.md").is_symlink());
}
