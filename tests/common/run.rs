//! Running the command on fixtures that are folders.
#![allow(dead_code)] // each test binary uses a part

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::support::fixtures;

/// A run of the command that ended.
pub(crate) struct Ran {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

/// Runs the command in a folder, with nothing in its environment but these variables.
pub(crate) fn chatmd(directory: &Path, args: &[&str], variables: &[(&str, &str)], stdin: &str) -> Ran {
    let mut command = Command::new(env!("CARGO_BIN_EXE_chatmd"));
    command.args(args).current_dir(directory).env_clear().envs(variables.iter().copied());
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    // A run that reads no input may be gone already.
    let _ = child.stdin.take().unwrap().write_all(stdin.as_bytes());
    let output = child.wait_with_output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    Ran { code: output.status.code(), stdout: text(output.stdout), stderr: text(output.stderr) }
}

/// The folders of a fixture folder, in a fixed order.
pub(crate) fn directories(directory: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(fixtures().join(directory)).unwrap().map(|entry| entry.unwrap().path());
    let mut matches: Vec<PathBuf> = entries.filter(|path| path.is_dir()).collect();
    matches.sort();
    assert!(!matches.is_empty(), "no folders in fixtures/{directory}");
    matches
}

/// The last part of a path.
pub(crate) fn name(path: &Path) -> &str {
    path.file_name().unwrap().to_str().unwrap()
}

/// The exit code in a fixture's `exit` file, 0 if there is none.
pub(crate) fn expected_exit(directory: &Path) -> i32 {
    fs::read_to_string(directory.join("exit")).map_or(0, |code| code.trim().parse().unwrap())
}

/// The flags that a fixture's `args` file lists, each word on a line of its own.
pub(crate) fn flags(directory: &Path) -> Vec<String> {
    fs::read_to_string(directory.join("args")).map_or(Vec::new(), |words| words.lines().map(str::to_owned).collect())
}
