//! Small files that import each other many times over: an error at once, not a machine full of copies.

use std::fs;
use std::time::{Duration, Instant};

use tempfile::TempDir;

use crate::run::{Ran, chatmd};

/// So many doublings would be a thousand million copies of the last file.
const FILES: usize = 30;

/// Files `0.md` to `29.md`, each the next one twice, and `30.md` with these words.
fn doubling(last: &str, import: &dyn Fn(usize) -> String) -> TempDir {
    let directory = TempDir::new().unwrap();
    for index in 0..FILES {
        fs::write(directory.path().join(format!("{index}.md")), import(index + 1).repeat(2)).unwrap();
    }
    fs::write(directory.path().join(format!("{FILES}.md")), last).unwrap();
    directory
}

#[track_caller]
fn assert_refused_at_once(directory: &TempDir, document: &str, flags: &[&str], expected: &str) -> Ran {
    let args: Vec<&str> = ["to-request", "--input-only"].iter().chain(flags).copied().collect();
    let began = Instant::now();
    let ran = chatmd(directory.path(), &args, &[], document);
    assert!(began.elapsed() < Duration::from_secs(20), "{:?}", began.elapsed());
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(65), ""), "{}", ran.stderr);
    assert!(ran.stderr.contains(expected), "no {expected} in {}", ran.stderr);
    assert!(ran.stderr.len() < 20_000, "{} bytes of messages", ran.stderr.len());
    ran
}

#[test]
fn elements_that_double_are_refused_at_once() {
    let directory = doubling("<user>ha</user>", &|next| format!("<import src=\"{next}.md\"/>\n"));
    let ran = assert_refused_at_once(&directory, "<import src=\"0.md\"/>", &[], "--max-imports");
    assert!(ran.stderr.contains("imported at"), "no chain in {}", ran.stderr);
}

#[test]
fn bodies_that_double_are_refused_at_once() {
    let directory = doubling("ha", &|next| format!("<import src=\"{next}.md\"/>\n"));
    assert_refused_at_once(&directory, "<user><import src=\"0.md\"/></user>", &[], "--max-imports");
}

#[test]
fn bytes_that_double_are_refused_before_they_are_many() {
    let directory = doubling(&"ha".repeat(50_000), &|next| format!("<import src=\"{next}.md\"/>\n"));
    let document = "<user><import src=\"12.md\"/></user>";
    let ceilings = ["--max-imports", "1000000000", "--max-import-bytes", "1000000"];
    assert_refused_at_once(&directory, document, &ceilings, "--max-import-bytes");
}

#[cfg(target_os = "linux")]
#[test]
fn little_memory_is_enough_to_refuse() {
    use std::process::Command;

    let directory =
        doubling(&format!("<user>{}</user>", "ha".repeat(5_000)), &|next| format!("<import src=\"{next}.md\"/>\n"));
    fs::write(directory.path().join("chat.md"), "<import src=\"0.md\"/>").unwrap();
    let limited = format!("ulimit -v 500000; exec '{}' to-request chat.md", env!("CARGO_BIN_EXE_chatmd"));
    let output = Command::new("sh").args(["-c", &limited]).current_dir(directory.path()).output().unwrap();
    let expected = String::from_utf8(output.stderr).unwrap();
    assert_eq!((output.status.code(), output.stdout.len()), (Some(65), 0), "{expected}");
}

#[test]
fn a_few_doublings_are_fine() {
    let directory = doubling("<user>ha</user>", &|next| format!("<import src=\"{next}.md\"/>\n"));
    let ran = chatmd(directory.path(), &["to-request", "--input-only"], &[], "<import src=\"25.md\"/>");
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
    assert_eq!(ran.stdout.matches("\"text\":\"ha\"").count(), 32);
}
