//! The examples of `docs/wires.md`: what each API gets of a document, and the ledgers. `UPDATE_DOCS=1 cargo test --test suite docs`
//! writes them.

use std::fmt::Write;

use serde_json::Value;

use super::{assert_page, page};
use crate::run::chatmd;

const APIS: [&str; 3] = ["responses", "messages", "chat"];

/// The lines of a block, and the lines after it.
fn block<'t>(lines: &mut impl Iterator<Item = &'t str>) -> String {
    lines.take_while(|line| *line != "```").fold(String::new(), |text, line| text + line + "\n")
}

#[test]
fn examples_of_the_three_apis_are_current() {
    let text = page("docs/wires.md");
    let (mut expected, mut document, mut count) = (String::new(), String::new(), 0);
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        writeln!(expected, "{line}").unwrap();
        if line == "```chatmd" {
            document = block(&mut lines);
            expected += &(document.clone() + "```\n");
        } else if let Some(api) = line.strip_prefix("```json ") {
            block(&mut lines);
            expected += &(request(api, &document) + "\n```\n");
            count += 1;
        } else if line == "```text ledger" {
            block(&mut lines);
            expected += &(ledger(&document) + "```\n");
        }
    }
    assert!(count >= 10, "only {count} requests");
    assert_page("docs/wires.md", &expected);
}

/// The flags for a document without a model or a limit.
fn flags(api: &str) -> Vec<&str> {
    let limit = if api == "messages" { &["--set", "max_tokens=100"][..] } else { &[] };
    [&["to-request", "--api", api, "-m", "m"], limit].concat()
}

/// The request of a document, with a line for each field and for each element of its lists.
fn request(api: &str, document: &str) -> String {
    let ran = chatmd(std::path::Path::new("."), &flags(api), &[], document);
    assert_eq!(ran.code, Some(0), "{api}: {}", ran.stderr);
    let (mut out, mut open, mut is_text, mut is_escaped) = (String::new(), Vec::new(), false, false);
    for c in ran.stdout.trim_end().chars() {
        if "]}".contains(c) && !is_text {
            open.pop();
        }
        out.push(c);
        if is_text {
            is_text = is_escaped || c != '"';
            is_escaped = c == '\\' && !is_escaped;
            continue;
        }
        is_text = c == '"';
        if "[{".contains(c) {
            open.push(c);
        }
        match (c, open.as_slice()) {
            (',', ['{']) => out.push_str("\n "),
            (',' | '[', ['{', '[']) => out.push_str("\n   "),
            _ => {}
        }
    }
    out
}

/// The API, the rule, the class and the line of each entry.
fn ledger(document: &str) -> String {
    let mut lines = String::new();
    for api in APIS {
        let directory = tempfile::tempdir().unwrap();
        let arguments = [&flags(api)[..], &["--ledger", "ledger"]].concat();
        assert_eq!(chatmd(directory.path(), &arguments, &[], document).code, Some(0));
        for entry in std::fs::read_to_string(directory.path().join("ledger")).unwrap().lines() {
            let entry: Value = serde_json::from_str(entry).unwrap();
            let words = ["api", "rule", "class"].map(|key| entry[key].as_str().unwrap());
            writeln!(lines, "{:<9} {:<17} {:<9} line {}", words[0], words[1], words[2], entry["line"]).unwrap();
        }
    }
    if lines.is_empty() { "nothing\n".to_owned() } else { lines }
}
