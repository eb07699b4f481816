//! The shell blocks of the guide, and the tool loop of the README, run against a local server.

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

use super::server::{Reply, Server, call, has_curl, message};
use crate::docs::page;
use crate::terminal;

const PNG: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\x06\0\0\0\x1f\x15\xc4\x89\0\0\0\nIDATx\x9cc\0\x01\0\0\x05\0\x01\r\n-\xb4\0\0\0\0IEND\xaeB`\x82";

/// A model that calls the first tool once, and then answers.
fn model(index: usize, request: &Value) -> Reply {
    let input = request["input"].as_array().unwrap();
    let is_answered = input.iter().any(|item| item["type"] == "function_call_output");
    match request["tools"][0]["name"].as_str() {
        Some(name) if !is_answered => {
            Reply::Items(vec![call(&format!("call_{index}"), name, "{\"city\": \"Zürich\"}")])
        }
        _ => {
            let mut answer = message("An answer.");
            answer["id"] = format!("msg_{index}").into();
            Reply::Items(vec![answer])
        }
    }
}

/// Runs a script in pipes, and returns what it prints to standard output.
fn run(script: &str, directory: &Path, server: &Server) -> String {
    let output = shell(script, directory, server).output().unwrap();
    let messages = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{script}\n{messages}");
    String::from_utf8(output.stdout).unwrap()
}

/// Runs a script on a terminal, and returns what the terminal shows.
fn run_on_terminal(script: &str, directory: &Path, server: &Server) -> String {
    let (status, shown) = terminal::run_on_terminal(shell(script, directory, server));
    assert!(status.success(), "{script}\n{shown}");
    terminal::without_escapes(&shown)
}

/// A shell with the command on its path.
fn shell(script: &str, directory: &Path, server: &Server) -> Command {
    let programs = Path::new(env!("CARGO_BIN_EXE_chatmd")).parent().unwrap().display().to_string();
    let path = format!("{programs}:{}", std::env::var("PATH").unwrap());
    let mut bash = Command::new("bash");
    bash.args(["-euo", "pipefail", "-c", script]).current_dir(directory);
    bash.env("PATH", path).env("HOME", directory).env("GIT_CONFIG_NOSYSTEM", "1").env_remove("GIT_DIR");
    bash.env("OPENAI_BASE_URL", &server.url).env_remove("CHATMD_MODEL").env_remove("CHATMD_SEND_COMMAND");
    // On a terminal, pagers would wait for a key.
    bash.env("PAGER", "cat").env("GIT_PAGER", "cat");
    bash
}

/// Writes a session of each program where it keeps them.
fn write_sessions(home: &Path, codex: &str, claude: &str) {
    for (fixture, path) in
        [(codex, ".codex/sessions/2026/01/02/rollout-1.jsonl"), (claude, ".claude/projects/-home-u-demo/1.jsonl")]
    {
        let session = crate::support::fixtures().join("sessions").join(fixture).join("session.jsonl");
        fs::create_dir_all(home.join(path).parent().unwrap()).unwrap();
        fs::copy(session, home.join(path)).unwrap();
    }
}

/// The blocks of a page that are marked as `sh`.
fn blocks(text: &str) -> Vec<&str> {
    let blocks = text.split("\n```sh\n").skip(1);
    blocks.map(|block| block.split("\n```").next().unwrap()).collect()
}

type Run = fn(&str, &Path, &Server) -> String;

#[test]
fn every_shell_block_of_the_guide_runs_in_pipes() {
    every_shell_block_of_the_guide_runs(run);
}

#[test]
fn every_shell_block_of_the_guide_runs_on_a_terminal() {
    every_shell_block_of_the_guide_runs(run_on_terminal);
}

fn every_shell_block_of_the_guide_runs(run: Run) {
    if !has_curl() {
        return;
    }
    let server = Server::respond(model);
    let directory = tempfile::tempdir().unwrap();
    write_sessions(directory.path(), "codex-picture-of-a-tool", "claude-images-and-documents");
    let guide = page("docs/guide.md");
    let blocks = blocks(&guide);
    assert!(blocks.len() > 8, "only {} blocks", blocks.len());
    let mut shown = String::new();
    for block in blocks {
        if block == "chatmd send --next next.md" {
            // The guide says to write a message first.
            let next = directory.path().join("next.md");
            let text = fs::read_to_string(&next).unwrap().replace("<user>\n\n</user>", "<user>\nGo on.\n</user>");
            fs::write(next, text).unwrap();
        }
        shown += &run(block, directory.path(), &server);
    }
    for part in ["An answer.", "\"name\":\"weather\"", "prompts/brief.md", "\"input\": ["] {
        assert!(shown.contains(part), "{part} is not in {shown}");
    }
    // What `git diff` shows: a document as `show` does, and other Markdown as it is.
    for line in ["\n+user\n", "\n+Answer in one sentence.\n"] {
        assert!(shown.contains(line), "{line} is not in {shown}");
    }
    let next = fs::read_to_string(directory.path().join("next.md")).unwrap();
    assert!(next.contains("\nA pixel.\n</assistant>\n\n<user>\nGo on.\n</user>\n\n<assistant id=\"msg_"), "{next}");
    let weather = fs::read_to_string(directory.path().join("weather.md")).unwrap();
    assert!(weather.contains("\n25 °C, sunny\n"), "{weather}");
    let chart = fs::read_to_string(directory.path().join("chart.md")).unwrap();
    assert!(chart.contains("\nBern, this week:\n\n<img src=\"bern.png\" local/>\n</tool_response>\n"), "{chart}");
}

#[test]
fn guide_commits_a_session_without_images() {
    if !has_curl() {
        return;
    }
    let server = Server::respond(model);
    let directory = tempfile::tempdir().unwrap();
    write_sessions(directory.path(), "codex-plain", "claude-plain");
    let guide = page("docs/guide.md");
    let (_, section) = guide.split_once("\n## Read, share and continue").unwrap();
    let blocks = blocks(section.split("\n## ").next().unwrap());
    let commit = blocks.iter().position(|block| block.contains("git add")).unwrap();
    run("git init -q .", directory.path(), &server);
    for block in &blocks[..=commit] {
        run(block, directory.path(), &server);
    }
    assert!(!directory.path().join("media").exists());
    assert_eq!(run("git diff --cached --name-only", directory.path(), &server), "session.md\n");
}

#[test]
fn shell_blocks_of_the_readme_run_in_pipes_and_on_a_terminal() {
    if !has_curl() {
        return;
    }
    for run in [run, run_on_terminal] {
        shell_blocks_of_the_readme_run(run);
    }
}

fn shell_blocks_of_the_readme_run(run: Run) {
    let server = Server::respond(model);
    let directory = tempfile::tempdir().unwrap();
    let readme = page("README.md");
    run("git init -q .", directory.path(), &server);
    let blocks = blocks(&readme);
    assert_eq!(blocks.len(), 2);
    for block in blocks {
        assert!(run(block, directory.path(), &server).contains("An answer."), "{block}");
    }
    let (_, section) = readme.split_once("\n## A turn with tools\n").unwrap();
    let text = fs::read_to_string(directory.path().join("chat.md")).unwrap();
    assert!(text.ends_with("\nAn answer.\n</assistant>\n") && text.contains("</tool_response>\n"), "{text}");
    assert!(section.contains("while IFS=$'\\t' read -r id name arguments; do"));
}

#[test]
fn readme_is_short() {
    let lines = page("README.md").lines().count();
    assert!(lines <= 210, "{lines} lines");
}

#[test]
fn document_of_the_readme_has_the_input_beside_it() {
    let readme = page("README.md");
    let blocks: Vec<&str> =
        readme.split("\n```text\n").skip(1).map(|block| block.split("\n```").next().unwrap()).collect();
    let directory = tempfile::tempdir().unwrap();
    fs::write(directory.path().join("zurich.png"), PNG).unwrap();
    let ran = crate::run::chatmd(directory.path(), &["to-request", "--input-only"], &[], blocks[0]);
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
    let mut input: Value = serde_json::from_str(&ran.stdout).unwrap();
    let url = &mut input[2]["output"][1]["image_url"];
    *url = url.as_str().unwrap().split("w0KGgo").next().map(|start| format!("{start}…")).unwrap().into();
    assert_eq!(input, serde_json::from_str::<Value>(blocks[1]).unwrap());
}
