//! The command line: streams, files, exit codes, colour and help.
//!
//! Every run has an empty environment, its own directory and no terminal.

#[cfg(unix)]
mod full;
#[cfg(unix)]
mod output;
#[cfg(unix)]
mod sanitized;
#[cfg(unix)]
mod signals;
#[cfg(unix)]
mod terminal;

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

const CHATMD: &str = env!("CARGO_BIN_EXE_chatmd");
const HELLO: &str = "<user>\nHello.\n</user>\n";
const HELLO_LAYOUT: &str =
    "[{\"tag\":\"user\",\"attrs\":[],\"children\":[{\"text\":\"Hello.\",\"span\":[7,13]}],\"span\":[0,21]}]\n";
const HELLO_VERBATIM: &str =
    "[{\"tag\":\"user\",\"attrs\":[],\"children\":[{\"text\":\"\\nHello.\\n\",\"span\":[6,14]}],\"span\":[0,21]}]\n";
/// A document with a warning and no error.
const COMMA: &str = "<user ,>Hello.</user>";

#[test]
fn input_is_a_file_a_dash_or_standard_input() {
    let directory = folder_with(&[("chat.md", HELLO)]);
    for (args, stdin) in [(&["parse", "chat.md"][..], ""), (&["parse", "-"], HELLO), (&["parse"], HELLO)] {
        run(&directory, args, stdin).assert(0, HELLO_LAYOUT, "");
    }
}

#[test]
fn whitespace_mode_changes_the_tree() {
    let directory = folder_with(&[]);
    run(&directory, &["parse", "--whitespace", "layout"], HELLO).assert(0, HELLO_LAYOUT, "");
    run(&directory, &["parse", "--whitespace", "verbatim"], HELLO).assert(0, HELLO_VERBATIM, "");
    run(&directory, &["parse"], "").assert(0, "[]\n", "");
}

#[test]
fn unreadable_file_is_named_in_the_error() {
    let directory = folder_with(&[]);
    fs::create_dir(directory.path().join("chats")).unwrap();
    run(&directory, &["parse", "gone.md"], "").assert_failed(66, &["cannot read gone.md: ", "help: check the path"]);
    run(&directory, &["parse", "chats"], "")
        .assert_failed(74, &["`chatmd parse` takes one file, and chats is a directory"]);
}

#[test]
fn invalid_utf8_is_an_error_with_its_offset() {
    let directory = folder_with(&[]);
    fs::write(directory.path().join("latin1.md"), b"<user>\nna\xefve</user>").unwrap();
    let refused = run(&directory, &["parse", "latin1.md"], "");
    refused.assert_failed(65, &["error[not-utf8]", "byte offset 9", "latin1.md:2:3", "0xef"]);
}

#[test]
fn stdin_filename_is_used_in_messages() {
    let directory = folder_with(&[]);
    run(&directory, &["parse"], "hello").assert_failed(65, &["--> <stdin>:1:1"]);
    run(&directory, &["parse", "--stdin-filename", "notes/chat.md"], "hello")
        .assert_failed(65, &["--> notes/chat.md:1:1"]);
}

#[test]
fn all_problems_are_reported_in_one_run() {
    let directory = folder_with(&[]);
    let places =
        ["mismatched-tag]", "<stdin>:1:1", "text-at-top-level]", "<stdin>:2:1", "unclosed-element]", "<stdin>:3:1"];
    run(&directory, &["parse"], "</user>\nhello\n<user>").assert_failed(65, &places);
}

#[test]
fn strict_treats_warnings_as_errors() {
    let directory = folder_with(&[]);
    let warned = run(&directory, &["parse"], COMMA);
    assert_eq!(warned.code, Some(0), "{}", warned.stderr);
    assert!(warned.stdout.starts_with("[{\"tag\":\"user\"") && warned.stderr.starts_with("warning[stray-characters]"));
    let why = "\nerror: `--strict` treats warnings as errors\n";
    run(&directory, &["parse", "--strict"], COMMA).assert_failed(65, &["[stray-characters]", why]);
    run(&directory, &["--strict", "parse"], COMMA).assert_failed(65, &["[stray-characters]"]);
    run(&directory, &["--strict", "parse"], HELLO).assert(0, HELLO_LAYOUT, "");
}

#[test]
fn wrong_usage_is_exit_code_2() {
    let directory = folder_with(&[]);
    for (args, expected) in [
        (&[][..], "Usage: chatmd"),
        (&["prase"], "'prase'"),
        (&["parse", "--bogus"], "'--bogus'"),
        (&["parse", "--whitespace", "some"], "possible values: layout, verbatim"),
        (&["parse", "--color", "some"], "possible values: auto, always, never"),
        (&["parse", "a.md", "b.md"], "'b.md'"),
        (&["parse", "-o"], "--output <OUT>"),
    ] {
        run(&directory, args, "").assert_failed(2, &[expected]);
    }
}

#[test]
fn colour_follows_flag_and_environment() {
    let directory = folder_with(&[("bad.md", "hello")]);
    let coloured = |args: &[&str], variables: &[(&str, &str)]| {
        let ran = run_with(command(&directory, args).envs(variables.iter().copied()), b"hello");
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(65), ""));
        assert!(ran.stderr.contains("text-at-top-level"), "{}", ran.stderr);
        ran.stderr.contains('\x1b')
    };
    assert!(!coloured(&["parse"], &[]), "no terminal, no colour");
    assert!(coloured(&["parse", "--color", "always"], &[]));
    assert!(coloured(&["--color", "always", "parse"], &[("NO_COLOR", "1")]), "a flag outdoes a variable");
    assert!(coloured(&["parse"], &[("CLICOLOR_FORCE", "1")]));
    assert!(!coloured(&["parse"], &[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")]));
    assert!(!coloured(&["parse", "--color", "never"], &[("CLICOLOR_FORCE", "1")]));
    let missing = run(&directory, &["parse", "--color", "always", "gone.md"], "");
    assert!(missing.stderr.contains("\x1b["), "messages without a place are in colour too: {}", missing.stderr);
}

#[test]
fn results_are_never_coloured() {
    let directory = folder_with(&[]);
    run(&directory, &["parse", "--color", "always"], HELLO).assert(0, HELLO_LAYOUT, "");
}

#[test]
fn broken_pipe_ends_the_run_quietly() {
    let directory = folder_with(&[]);
    let mut command = command(&directory, &["parse"]);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    // More than a pipe holds.
    child.stdin.take().unwrap().write_all(HELLO.repeat(20_000).as_bytes()).unwrap();
    Ran::from(child.wait_with_output().unwrap()).assert(0, "", "");
}

#[test]
fn closed_stderr_does_not_change_the_exit_code() {
    let directory = folder_with(&[]);
    for (args, code) in [(&["parse"][..], 65), (&["parse", "gone.md"], 66), (&["parse", "--bogus"], 2)] {
        let mut command = command(&directory, args);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stderr.take());
        // A run that reads no input may have ended already.
        let _ = child.stdin.take().unwrap().write_all(b"hello");
        Ran::from(child.wait_with_output().unwrap()).assert(code, "", "");
    }
}

#[test]
fn version_names_the_commit_only_in_release_builds() {
    let ran = run(&folder_with(&[]), &["--version"], "");
    let expected = concat!("chatmd ", env!("CARGO_PKG_VERSION"));
    let commit = ran.stdout.trim_end().strip_prefix(expected).unwrap();
    if cfg!(debug_assertions) {
        assert_eq!(commit, "");
    } else if let Some(digits) = commit.strip_prefix(" (").and_then(|rest| rest.strip_suffix(')')) {
        assert!(digits.len() == 9 && digits.bytes().all(|byte| byte.is_ascii_hexdigit()), "{commit}");
    } else {
        assert_eq!(commit, "");
    }
}

#[test]
fn long_help_has_examples_and_short_help_has_none() {
    let directory = folder_with(&[]);
    let help = |args: &[&str]| {
        let ran = run(&directory, args, "");
        assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""), "{args:?}");
        ran.stdout
    };
    let (long, short, parse) = (help(&["--help"]), help(&["-h"]), help(&["parse", "--help"]));
    assert!(long.contains("\nExamples:\n  chatmd ") && parse.contains("\nExamples:\n  chatmd parse "));
    assert!(!short.contains("Examples") && short.lines().count() < long.lines().count());
    insta::assert_snapshot!("help", long);
    insta::assert_snapshot!("short-help", short);
    insta::assert_snapshot!("parse-help", parse);
}

#[test]
fn terminal_without_file_prints_the_usage_and_one_example() {
    // Only this version of `script` takes a command as an argument.
    let version = Command::new("script").arg("--version").output();
    if !version.is_ok_and(|output| output.stdout.windows(10).any(|word| word == b"util-linux")) {
        eprintln!("not checked: no `script` of util-linux to make a terminal with");
        return;
    }
    let directory = folder_with(&[]);
    let on_terminal = |no_color: bool| {
        let mut script = Command::new("script");
        script.args(["-qec", &format!("'{CHATMD}' parse"), "/dev/null"]).current_dir(directory.path());
        script.env("TERM", "xterm").env_remove("NO_COLOR").env_remove("CLICOLOR").env_remove("COLORTERM");
        run_with(if no_color { script.env("NO_COLOR", "1") } else { &mut script }, b"")
    };
    let (coloured, plain) = (on_terminal(false), on_terminal(true));
    for ran in [&coloured, &plain] {
        assert_eq!(ran.code, Some(2), "{}", ran.stdout);
        let shown = anstream::adapter::strip_str(&ran.stdout).to_string();
        assert!(shown.contains("Usage: chatmd parse") && shown.contains("standard input is a terminal"), "{shown}");
        assert!(shown.contains("\nExample: chatmd parse chat.md") && !shown.contains("Options:"), "{shown}");
    }
    assert!(coloured.stdout.contains("\x1b[") && !plain.stdout.contains("\x1b["), "{}", plain.stdout);
}

/// The result of a run.
struct Ran {
    code: Option<i32>,
    stdout: String,
    stderr: String,
}

impl Ran {
    #[track_caller]
    fn assert(&self, code: i32, stdout: &str, stderr: &str) {
        assert_eq!((self.code, self.stderr.as_str(), self.stdout.as_str()), (Some(code), stderr, stdout));
    }

    /// Asserts the exit code, no output, and these messages in this order.
    #[track_caller]
    fn assert_failed(&self, code: i32, messages: &[&str]) {
        assert_eq!((self.code, self.stdout.as_str()), (Some(code), ""), "{}", self.stderr);
        let mut rest = self.stderr.as_str();
        for message in messages {
            let Some((_, after)) = rest.split_once(message) else { panic!("no `{message}` in {}", self.stderr) };
            rest = after;
        }
    }
}

impl From<Output> for Ran {
    fn from(output: Output) -> Self {
        let text = |bytes| String::from_utf8(bytes).unwrap();
        Self { code: output.status.code(), stdout: text(output.stdout), stderr: text(output.stderr) }
    }
}

fn folder_with(files: &[(&str, &str)]) -> TempDir {
    let directory = TempDir::new().unwrap();
    for (name, text) in files {
        fs::write(directory.path().join(name), text).unwrap();
    }
    directory
}

fn command(directory: &TempDir, args: &[&str]) -> Command {
    command_of(Path::new(CHATMD), directory, args)
}

fn command_of(program: &Path, directory: &TempDir, args: &[&str]) -> Command {
    let mut command = Command::new(program);
    command.args(args).current_dir(directory.path()).env_clear();
    command
}

fn run(directory: &TempDir, args: &[&str], stdin: &str) -> Ran {
    run_with(&mut command(directory, args), stdin.as_bytes())
}

fn run_with(command: &mut Command, stdin: &[u8]) -> Ran {
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    // A run that reads no input may have ended already.
    let _ = child.stdin.take().unwrap().write_all(stdin);
    child.wait_with_output().unwrap().into()
}
