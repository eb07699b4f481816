//! `send --again`: a new answer takes the place of the last one.

use std::fs;

use super::send::{CHAT, document, folder_with, stderr};
use super::server::{Reply, Server, call, error, has_curl, message};

const OLD: &str = "<!-- response {\"model\":\"m\"} -->\n\n<assistant>\nOld.\n</assistant>\n";

#[test]
fn new_answer_replaces_the_last_one() {
    if !has_curl() {
        return;
    }
    let tool = "<tool_call function_name=\"f\" tool_call_id=\"c\">\n{}\n</tool_call>\n";
    for old in [OLD.to_owned(), format!("{OLD}\n{tool}"), format!("{OLD}\n<user>\n\n</user>\n"), String::new()] {
        let server = Server::start(vec![Reply::Items(vec![message("New.")])]);
        let directory = folder_with(&format!("{CHAT}\n{old}"));
        let output = server.run(directory.path(), &["send", "--again", "chat.md"]);
        assert_eq!((output.status.code(), output.stdout.as_slice()), (Some(0), &b"New.\n"[..]), "{}", stderr(&output));
        assert_eq!(
            document(directory.path()),
            format!("{CHAT}\n<assistant id=\"msg_1\" status=\"completed\">\nNew.\n</assistant>\n")
        );
        assert_eq!(server.body(0)["input"].as_array().unwrap().len(), 1);
    }
}

#[test]
fn failed_request_keeps_the_last_answer() {
    if !has_curl() {
        return;
    }
    let chat = format!("{CHAT}\n{OLD}");
    let failed = Reply::Status(500, "", error("Down."));
    for (reply, code, saved) in [(failed, 4, false), (Reply::Close, 74, false), (Reply::Cut, 5, true)] {
        let server = Server::start(vec![reply]);
        let directory = folder_with(&chat);
        let output = server.run(directory.path(), &["send", "--again", "chat.md"]);
        assert_eq!(
            (output.status.code(), document(directory.path())),
            (Some(code), chat.clone()),
            "{}",
            stderr(&output)
        );
        let partial = fs::read_to_string(directory.path().join("chat.md.reply.md"));
        assert_eq!(partial.is_ok_and(|text| text.contains("The answer is")), saved, "{}", stderr(&output));
        // The command that appends it later cuts the last answer first.
        assert_eq!(
            stderr(&output).contains("later: chatmd cut chat.md && chatmd to-request "),
            saved,
            "{}",
            stderr(&output)
        );
    }
}

#[test]
fn document_that_was_changed_meanwhile_is_kept() {
    if !has_curl() {
        return;
    }
    let server = Server::start(vec![Reply::Slow(vec![message("New.")])]);
    let directory = folder_with(&format!("{CHAT}\n{OLD}"));
    let child = server.command(directory.path(), &["send", "--again", "chat.md"]).spawn().unwrap();
    server.wait_for_request();
    let edited = format!("{CHAT}\n{OLD}\n<user>\nEdited.\n</user>\n");
    fs::write(directory.path().join("chat.md"), &edited).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), document(directory.path())), (Some(77), edited), "{}", stderr(&output));
    assert!(fs::read_to_string(directory.path().join("chat.md.reply.md")).unwrap().contains("New."));
}

#[test]
fn again_needs_a_message_and_excludes_continue() {
    let directory = folder_with("<config model=\"m\"/>\n\n<assistant>\nHi!\n</assistant>\n");
    let ran = crate::run::chatmd(directory.path(), &["send", "--again", "chat.md"], &[], "");
    assert_eq!(ran.code, Some(65), "{}", ran.stderr);
    let both = crate::run::chatmd(directory.path(), &["send", "--again", "--continue", "chat.md"], &[], "");
    assert_eq!(both.code, Some(2), "{}", both.stderr);
}

#[test]
fn programs_answer_the_calls_of_the_new_answer() {
    if !has_curl() {
        return;
    }
    let server = Server::start(vec![Reply::Items(vec![call("c1", "look", "{}")]), Reply::Items(vec![message("New.")])]);
    let directory = folder_with(&format!("{CHAT}\n{OLD}"));
    fs::create_dir(directory.path().join("tools")).unwrap();
    fs::copy("/bin/echo", directory.path().join("tools/look")).unwrap();
    let output = server.run(directory.path(), &["send", "--again", "--run", "tools", "chat.md"]);
    assert_eq!((output.status.code(), output.stdout.as_slice()), (Some(0), &b"New.\n"[..]), "{}", stderr(&output));
    let text = document(directory.path());
    assert!(!text.contains("Old.") && text.matches("{}").count() == 2, "{text}");
}
