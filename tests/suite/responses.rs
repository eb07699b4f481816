//! Responses, streams, requests and items to documents, and back.
//!
//! `fixtures/responses` has a directory for each case: `response.json` or `stream.sse`, and either `chat.md`, the
//! exact document, with `input.json`, its items, or only `exit`, the exit code of an input without a document. An
//! `exit` next to `chat.md` is the exit code of an incomplete reply. `request.json` is the request that a request body
//! gives. The messages are a snapshot.

use std::fs;
use std::path::Path;

use crate::json::normalized;
use crate::run::{Ran, chatmd, directories, expected_exit, name, snapshots};

const STYLES: [&str; 2] = ["json", "items"];
const MODES: [&str; 2] = ["layout", "verbatim"];

#[test]
fn every_reply_gives_the_document_of_its_fixture() {
    for directory in directories("responses") {
        let ran = from_response(&directory, &[]);
        assert_eq!(ran.code, Some(expected_exit(&directory)), "{}: {}", name(&directory), ran.stderr);
        match fs::read_to_string(directory.join("chat.md")) {
            Ok(document) => assert_eq!(ran.stdout, document, "{}", name(&directory)),
            Err(_) => assert!(ran.stdout.is_empty() && ran.code != Some(0), "{}: {}", name(&directory), ran.stdout),
        }
    }
}

#[test]
fn every_document_gives_the_items_of_its_reply() {
    for directory in directories("responses").iter().filter(|directory| directory.join("chat.md").exists()) {
        for (style, mode) in STYLES.iter().flat_map(|style| MODES.map(|mode| (style, mode))) {
            let written = from_response(directory, &["--tool-output", style, "--whitespace", mode]);
            assert_eq!(written.code, Some(expected_exit(directory)), "{}: {}", name(directory), written.stderr);
            for (file, flags) in [("input.json", &["--input-only"][..]), ("request.json", &[])] {
                let Ok(expected) = fs::read_to_string(directory.join(file)) else {
                    assert_eq!(file, "request.json", "{} has no items to compare with", name(directory));
                    continue;
                };
                let args: Vec<&str> = ["to-request", "--whitespace", mode].iter().chain(flags).copied().collect();
                let back = chatmd(directory, &args, &[], &written.stdout);
                let case = format!("{} with {style} and {mode}", name(directory));
                assert_eq!((back.code, back.stderr.as_str()), (Some(0), ""), "{case}");
                assert_eq!(normalized(&back.stdout), normalized(&expected), "{case}");
            }
        }
    }
}

#[test]
fn messages_match_their_snapshots() {
    let mut shown = Vec::new();
    for directory in directories("responses") {
        let ran = from_response(&directory, &[]);
        if !ran.stderr.is_empty() {
            insta::assert_snapshot!(name(&directory), ran.stderr);
            shown.push(name(&directory).to_owned());
        }
    }
    assert_eq!(shown, snapshots("responses"), "a snapshot for each fixture that says something, and no other");
}

#[test]
fn converting_a_document_twice_changes_nothing() {
    for directory in directories("responses").iter().filter(|directory| directory.join("chat.md").exists()) {
        let document = fs::read_to_string(directory.join("chat.md")).unwrap();
        let whole = directory.join("request.json").exists();
        let args: &[&str] = if whole { &["to-request"] } else { &["to-request", "--input-only"] };
        let items = chatmd(directory, args, &[], &document);
        let is_request = document.contains("<config") || document.contains("chatmd:request");
        if whole || !is_request {
            let again = chatmd(directory, &["from-response"], &[], &items.stdout);
            assert_eq!((again.code, again.stdout.as_str()), (Some(0), document.as_str()), "{}", name(directory));
        }
    }
}

#[test]
fn every_fixture_can_be_read_from_standard_input() {
    for directory in directories("responses") {
        let Ok(text) = fs::read_to_string(directory.join(input(&directory))) else { continue };
        let (file, piped) = (from_response(&directory, &[]), chatmd(&directory, &["from-response"], &[], &text));
        assert_eq!((file.code, file.stdout), (piped.code, piped.stdout), "{}", name(&directory));
    }
}

#[test]
fn streams_are_independent_of_line_endings_and_chunks() {
    let directory = directories("responses").into_iter().find(|directory| name(directory) == "stream-plain").unwrap();
    let text = fs::read_to_string(directory.join("stream.sse")).unwrap();
    let whole = fs::read_to_string(directory.join("chat.md")).unwrap();
    for ending in ["\n", "\r\n", "\r"] {
        let ran = chatmd(&directory, &["from-response"], &[], &text.replace('\n', ending));
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(0), whole.as_str()), "{ending:?}");
    }
    let cuts = (1..text.trim_end().len() - 1).filter(|at| text.is_char_boundary(*at)).step_by(37);
    for at in cuts.filter(|at| *at > "event:".len()) {
        let ran = chatmd(&directory, &["from-response"], &[], &text[..at]);
        assert_eq!(ran.code, Some(5), "cut at byte {at}: {}", ran.stderr);
        let beginning = ran.stdout.replace("incomplete", "completed");
        let is_beginning = beginning
            .lines()
            .zip(whole.lines())
            .all(|(got, all)| all.starts_with(got.trim_end_matches("</assistant>")));
        assert!(is_beginning, "cut at byte {at}: {}", ran.stdout);
    }
}

/// The reply of a fixture.
fn input(directory: &Path) -> &'static str {
    if directory.join("stream.sse").exists() { "stream.sse" } else { "response.json" }
}

fn from_response(directory: &Path, flags: &[&str]) -> Ran {
    let args: Vec<&str> = ["from-response", input(directory)].iter().chain(flags).copied().collect();
    chatmd(directory, &args, &[], "")
}
