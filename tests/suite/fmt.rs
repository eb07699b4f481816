//! `chatmd fmt`: the same meaning in one layout, and nothing that somebody wrote is gone.

use std::fs;

use chatmd::diagnostic::Diagnostics;
use chatmd::document::{format, is_same, print};
use chatmd::source::Sources;
use chatmd::syntax::Node;
use chatmd::syntax::write::Whitespace;
use proptest::prelude::*;

use crate::generate::document;
use crate::run::chatmd;
use crate::support::{MODES, documents, parse};

/// Formats, and checks that the meaning is the same and that a second time changes nothing.
fn assert_formats(text: &str, whitespace: Whitespace) -> Option<String> {
    let sources = Sources::new();
    let source = sources.add("a", text.to_owned(), None);
    let once = format(&sources, source, whitespace, &mut Diagnostics::new())?;
    let formatted = sources.add("b", once.clone(), None);
    assert!(is_same(&sources, source, formatted, whitespace), "{text:?} became {once:?}");
    let twice = format(&sources, formatted, whitespace, &mut Diagnostics::new()).unwrap();
    assert_eq!(twice, once, "{text:?}");
    Some(once)
}

/// What all comments of a text say, in order.
fn comments(text: &str) -> Vec<String> {
    fn collect(nodes: &[Node<'_>], diagnostics: &mut Vec<String>) {
        for node in nodes {
            match node {
                Node::Comment(comment) => diagnostics.push(comment.value.trim().to_owned()),
                Node::Element(element) => collect(&element.children, diagnostics),
                Node::Text(_) | Node::Raw(_) => {}
            }
        }
    }
    let sources = Sources::new();
    let mut diagnostics = Vec::new();
    collect(&parse(&sources, text).0, &mut diagnostics);
    diagnostics
}

#[test]
fn every_fixture_keeps_its_meaning_and_its_comments() {
    let mut count = 0;
    for text in documents() {
        for whitespace in MODES {
            let Some(formatted) = assert_formats(&text, whitespace) else { continue };
            count += 1;
            assert_eq!(comments(&text), comments(&formatted));
        }
    }
    assert!(count > 500, "only {count}");
}

#[test]
fn the_layout_is_the_writers() {
    for (text, expected) in [
        ("<user>a</user><assistant>b</assistant>", "<user>\na\n</user>\n\n<assistant>\nb\n</assistant>\n"),
        ("<msg role='user' x=1>a</msg>\n\n\n\n", "<user x=\"1\">\na\n</user>\n"),
        ("<!-- about -->\n<user>a</user>\n<!-- end -->", "<!-- about -->\n<user>\na\n</user>\n\n<!-- end -->\n"),
        ("<!--chatmd:allow-->\n<user>a</user>", "<!--chatmd:allow-->\n<user>\na\n</user>\n"),
        ("<user>a <!-- here --> b</user>", "<user>a <!-- here --> b</user>\n"),
        ("<user a='1' a='2'>x</user>", "<user a='1' a='2'>x</user>\n"),
        ("<user><img src=u>alt</img></user>", "<user><img src=u>alt</img></user>\n"),
        ("<script kind='x'>\n let a = 1\n</script>", "<script kind=\"x\">\n let a = 1\n</script>\n"),
        ("", ""),
    ] {
        assert_eq!(assert_formats(text, Whitespace::Layout).as_deref(), Some(expected), "{text}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: ProptestConfig::default().cases.max(500), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_the_writer_writes_is_formatted(document in document()) {
        for whitespace in MODES {
            let text = print(&document, whitespace);
            prop_assert_eq!(assert_formats(&text, whitespace), Some(text));
        }
    }
}

#[test]
fn files_change_in_place_and_only_when_they_have_to() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("a.md");
    fs::write(&path, "<user>a</user>").unwrap();
    let run = |arguments: &[&str]| chatmd(directory.path(), &[&["fmt"], arguments].concat(), &[], "<user>b</user>");
    let checked = run(&["--check", "a.md"]);
    assert_eq!((checked.code, checked.stdout.as_str()), (Some(1), "a.md\n"));
    let shown = run(&["--diff", "a.md"]);
    assert_eq!(shown.code, Some(1));
    assert!(shown.stdout.contains("-<user>a</user>") && shown.stdout.contains("+<user>\n"), "{}", shown.stdout);
    assert_eq!(fs::read_to_string(&path).unwrap(), "<user>a</user>");
    assert_eq!(run(&["a.md"]).code, Some(0));
    assert_eq!(fs::read_to_string(&path).unwrap(), "<user>\na\n</user>\n");
    assert_eq!((run(&["--check", "a.md"]).code, run(&["--diff", "a.md"]).stdout), (Some(0), String::new()));
    assert_eq!(run(&["-"]).stdout, "<user>\nb\n</user>\n");
    fs::write(&path, "<user>").unwrap();
    let broken = run(&["a.md"]);
    assert_eq!((broken.code, broken.stdout.as_str()), (Some(65), ""));
    assert_eq!(fs::read_to_string(&path).unwrap(), "<user>");
}
