//! Runs the shell sessions of the pages.

use std::fs;
use std::path::Path;
use std::process::Command;

use super::{has_session, pages};

/// Not run: root may read every file.
const NOT_RUN: &str = "unreadable-file";

#[test]
fn every_session_has_its_message() {
    for (rule, page) in pages().filter(|(rule, _)| has_session(rule.name) && rule.name != NOT_RUN) {
        let session = page.session;
        let directory = tempfile::tempdir().unwrap();
        for (name, bytes) in &session.files {
            fs::write(directory.path().join(name), bytes).unwrap();
        }
        let shell = |commands: &str| {
            let bin = Path::new(env!("CARGO_BIN_EXE_chatmd")).parent().unwrap();
            let path = format!("{}:{}", bin.display(), std::env::var("PATH").unwrap());
            let mut command = Command::new("sh");
            command.args(["-c", commands]).current_dir(directory.path()).env("PATH", path).env_remove("CHATMD_MODEL");
            let output = command.output().unwrap();
            (output.status.success(), String::from_utf8(output.stderr).unwrap())
        };
        let (_, stderr) = shell(&session.bad);
        assert_eq!(stderr.lines().next(), Some(session.message.as_str()), "{}", rule.name);
        assert!(session.message.contains(&format!("[{}]: ", rule.name)), "{}", rule.name);
        assert_eq!(shell(&session.good), (true, String::new()), "{}", rule.name);
    }
}
