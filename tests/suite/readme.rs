//! The examples and tables of the README and of `docs/requests.md` match the program.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

use crate::docs::page;
use crate::manual::commands;

/// The text of a section.
fn section(file: &str, title: &str) -> String {
    let text = page(file);
    let (_, rest) = text.split_once(&format!("\n## {title}\n")).unwrap_or_else(|| panic!("no section {title}"));
    rest.split("\n## ").next().unwrap().to_owned()
}

/// The rows of a table in `docs/requests.md`, without the backquotes of the second cell.
fn rows(title: &str) -> Vec<(String, String)> {
    let cells = |line: &str| {
        let (left, right) = line.strip_prefix("| ")?.strip_suffix(" |")?.split_once(" | ")?;
        Some((left.to_owned(), right.trim_matches('`').to_owned()))
    };
    let rows: Vec<_> = section("docs/requests.md", title).lines().filter_map(cells).skip(1).collect();
    assert!(rows.len() > 3, "no table in {title}");
    rows
}

fn chatmd(arguments: &[&str], environment: Option<(&str, &str)>, document: &str) -> Output {
    let directory = tempfile::tempdir().unwrap();
    fs::write(directory.path().join("chat.md"), document).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_chatmd"));
    command.current_dir(directory.path()).env_remove("CHATMD_MODEL").arg("to-request").args(arguments).arg("chat.md");
    command.envs(environment).output().unwrap()
}

fn request(arguments: &[&str], environment: Option<(&str, &str)>, document: &str) -> Value {
    let output = chatmd(arguments, environment, document);
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{arguments:?} {document}: {stderr}");
    serde_json::from_slice(&output.stdout).unwrap()
}

/// The request of a document, a flag or an environment variable.
fn request_of(way: &str) -> Value {
    let way = way.trim().trim_matches('`');
    if way.starts_with('<') {
        let model = if way.contains("model=") { "" } else { "m" };
        return request(&[], Some(("CHATMD_MODEL", model)), way);
    }
    if let Some((name, value)) = way.split_once('=').filter(|(name, _)| name.starts_with("CHATMD")) {
        return request(&[], Some((name, value)), "");
    }
    let words = shlex::split(way).unwrap();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    request(&words, Some(("CHATMD_MODEL", "m")), "")
}

#[test]
fn every_row_of_the_field_table_gives_its_request() {
    for (ways, expected) in rows("Fields") {
        let expected: Value = serde_json::from_str(&format!("{{{expected}}}")).unwrap();
        for way in ways.split(" or ") {
            let request = request_of(way);
            for (key, value) in expected.as_object().unwrap() {
                assert_eq!(&request[key], value, "{key} of {way}");
            }
        }
    }
}

#[test]
fn every_row_of_the_tool_table_gives_its_tool() {
    for (declaration, expected) in rows("Tools") {
        let request = request_of(&declaration);
        let expected: Value = serde_json::from_str(&expected).unwrap();
        assert_eq!(request["tools"], Value::Array(vec![expected]), "{declaration}");
    }
}

#[test]
fn first_command_of_the_readme_works() {
    let section = section("README.md", "Try it");
    let line = section.lines().find_map(|line| line.strip_prefix("    cargo run --release -- ")).unwrap();
    let words: Vec<&str> = line.split(' ').collect();
    let output = Command::new(env!("CARGO_BIN_EXE_chatmd"))
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .env_remove("CHATMD_MODEL")
        .args(words)
        .output()
        .unwrap();
    assert!(output.status.success());
    let request: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(request["input"][3]["output"][1]["type"], "input_image");
}

/// Runs the commands of the section about git in a new repository.
#[cfg(unix)]
#[test]
fn git_commands_of_the_readme_work() {
    let directory = tempfile::tempdir().unwrap();
    let programs = Path::new(env!("CARGO_BIN_EXE_chatmd")).parent().unwrap().display().to_string();
    let path = format!("{programs}:{}", std::env::var("PATH").unwrap());
    let try_to = |script: &str| {
        let mut shell = Command::new("sh");
        shell.args(["-euc", script]).current_dir(directory.path());
        shell.env("PATH", &path).env("HOME", directory.path()).env("GIT_CONFIG_NOSYSTEM", "1").env_remove("GIT_DIR");
        shell.output().unwrap()
    };
    let run = |script: &str| {
        let output = try_to(script);
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{script}: {stderr}");
        String::from_utf8(output.stdout).unwrap()
    };
    let section = section("README.md", "Git");
    let lines: Vec<&str> = section.lines().filter_map(|line| line.strip_prefix("    ")).collect();
    let (textconv, hook) = lines.split_at_checked(2).unwrap();
    run("git init -q . && git config user.name a && git config user.email a@example.com");
    run(&textconv.join("\n"));
    let document = |word: &str, data: &str| {
        let image = format!("<img src=\"data:image/png;base64,{}\"/>", data.repeat(500));
        format!("<user>\nSay {word}.\n{image}\n<img src=\"gone.png\" local/>\n</user>\n<import src=\"gone.md\"/>\n")
    };
    fs::write(directory.path().join("a.chat.md"), document("yes", "QUFB")).unwrap();
    run("git add . && git commit -qm first");
    fs::write(directory.path().join("a.chat.md"), document("no", "QkJCQkJC")).unwrap();
    let diff = run("git diff");
    let (_, hunk) = diff.split_once("@@").unwrap();
    let (_, hunk) = hunk.split_once("@@\n").unwrap();
    let expected = " user\n-  Say yes.\n-  [image png 1.5 kB #8f8263ec]\n+  Say no.\n+  [image png 3.0 kB #1ca2d500]\n   [image gone.png local]\n \n [import gone.md]\n";
    assert_eq!(hunk, expected);
    // A version that does not parse is shown unchanged.
    fs::write(directory.path().join("a.chat.md"), "<user>\nSay nothing.\n").unwrap();
    assert!(run("git diff").contains("+<user>\n+Say nothing.\n"));
    run(&hook.join("\n"));
    let refused = |why: &str, script: &str| {
        let refused = try_to(&format!("{script} && git commit -qm refused"));
        let shown = [refused.stdout, refused.stderr].concat();
        let shown = String::from_utf8_lossy(&shown).into_owned();
        assert!(!refused.status.success() && shown.contains(why), "{shown}");
    };
    fs::write(directory.path().join("a.chat.md"), document("no", "QkJCQkJC")).unwrap();
    refused("error[wrong-media-type]", "git add .");
    fs::write(directory.path().join("a.chat.md"), "<user>\nHello.\n</user>\n").unwrap();
    refused("error[wrong-media-type]", "true");
    run("git add . && git commit -qm second");
    refused("error[unclosed-element]", "git mv a.chat.md -- -b.chat.md && echo '<user>' >> ./-b.chat.md && git add -A");
    run("git reset -q --hard && git rm -q a.chat.md && git commit -qm third");
}

#[test]
fn readme_and_changelog_mention_every_command() {
    let section = section("README.md", "Commands");
    let changes = page("CHANGELOG.md");
    for command in commands() {
        assert!(section.contains(&format!("| `chatmd {command}")), "{command} is not in the README");
        assert!(changes.contains(&format!("`{command}`")), "{command} is not in the changes");
    }
}

#[test]
fn packages_have_the_version_of_the_crate() {
    for (file, least) in [("docs/install.md", 6), ("pyproject.toml", 2)] {
        let text = page(file);
        let words = text.split(|c: char| !c.is_ascii_digit() && c != '.').map(|word| word.trim_matches('.'));
        let versions: Vec<&str> = words.filter(|word| word.split('.').count() == 3).collect();
        assert!(versions.len() >= least, "{file}: {versions:?}");
        assert!(versions.iter().all(|version| *version == env!("CARGO_PKG_VERSION")), "{file}: {versions:?}");
    }
}
