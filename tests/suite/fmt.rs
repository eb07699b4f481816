//! `chatmd fmt`: the canonical layout, with the same meaning and without losing what an author wrote.

use std::fs;

use chatmd::internal::diagnostic::Diagnostics;
use chatmd::internal::document::{format, is_same, line_ending, print, print_with};
use chatmd::internal::source::Sources;
use chatmd::internal::syntax::Node;
use chatmd::internal::syntax::write::{LineEnding, Whitespace};
use proptest::prelude::*;

use crate::cases::cases;
use crate::generate::document;
use crate::run::chatmd;
use crate::support::{MODES, documents, parse, read};

/// Formats, and checks that the meaning stays the same and that formatting again changes nothing.
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

/// The text of all comments, in order.
fn comments(text: &str) -> Vec<String> {
    fn collect(nodes: &[Node<'_>], diagnostics: &mut Vec<String>) {
        for node in nodes {
            match node {
                // The JSON of a comment may be laid out in another way.
                Node::Comment(comment) => diagnostics.push(comment.value.split_whitespace().collect()),
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
    let with_crlf = |text: String| [text.replace("\r\n", "\n").replace('\n', "\r\n"), text];
    for text in documents().into_iter().flat_map(with_crlf) {
        for whitespace in MODES {
            let Some(formatted) = assert_formats(&text, whitespace) else { continue };
            count += 1;
            assert_eq!(comments(&text), comments(&formatted));
        }
    }
    assert!(count > 1000, "only {count}");
}

#[test]
fn the_layout_is_that_of_the_printer() {
    for (text, expected) in [
        ("<user>a</user><assistant>b</assistant>", "<user>\na\n</user>\n\n<assistant>\nb\n</assistant>\n"),
        ("<msg role='user' x=1>a</msg>\n\n\n\n", "<user x=\"1\">\na\n</user>\n"),
        ("<user>a</user><msg role='user'/>", "<user>\na\n</user>\n\n<user>\n\n</user>\n"),
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
    #![proptest_config(cases())]

    #[test]
    fn printed_documents_are_already_formatted(document in document()) {
        // Only `fmt` gives the empty turn at the end a line to write in.
        prop_assume!(document.placeholder().is_none());
        for whitespace in MODES {
            let text = print(&document, whitespace);
            prop_assert_eq!(assert_formats(&text, whitespace), Some(text));
        }
    }

    /// A document in which every line break of the layout is CRLF stays so, and its content stays what it is.
    #[test]
    fn a_crlf_document_stays_a_crlf_document(document in document()) {
        prop_assume!(document.placeholder().is_none());
        for whitespace in MODES {
            let text = print_with(&document, whitespace, LineEnding::CrLf);
            let sources = Sources::new();
            let (again, diagnostics) = read(&sources, &text, whitespace);
            prop_assert!(!diagnostics.has_errors(), "{text:?}");
            prop_assert_eq!(&again, &document, "{:?}", &text);
            prop_assert_eq!(assert_formats(&text, whitespace), Some(text.clone()));
            // Where no content holds a line break, all line breaks are layout.
            if !format!("{document:?}").contains("\\n") {
                prop_assert_eq!(text.matches('\n').count(), text.matches("\r\n").count(), "{:?}", &text);
            }
        }
    }

    /// An editor that saves a document with CRLF changes all line breaks, also those that are content.
    #[test]
    fn a_document_that_was_saved_with_crlf_keeps_its_line_endings(document in document()) {
        let text = print(&document, Whitespace::Layout).replace("\r\n", "\n").replace('\n', "\r\n");
        if let Some(formatted) = assert_formats(&text, Whitespace::Layout) {
            // In a value, `\r` is written as an entity.
            let rest = formatted.replace("&#13;\n", "").replace("\r\n", "");
            prop_assert!(!rest.contains('\n'), "{text:?} became {formatted:?}");
        }
    }
}

#[test]
fn the_first_line_break_of_the_layout_decides() {
    for (text, expected) in [
        ("<user>a\nb</user>\r\n", LineEnding::CrLf),
        ("<user>\r\na\nb\n</user>\n", LineEnding::CrLf),
        ("<user> \t\r\na</user>\n", LineEnding::CrLf),
        ("<user>a\r\n</user>\n", LineEnding::CrLf),
        ("<user>\na\r\n</user>\r\n", LineEnding::Lf),
        ("<!-- a\nb -->\r\n<user>a</user>\n", LineEnding::CrLf),
        ("<tool name=\"t\">\n{}\n</tool>\r\n", LineEnding::CrLf),
        ("<user>a\r\nb</user>", LineEnding::Lf),
        ("<user>a</user>", LineEnding::Lf),
        ("", LineEnding::Lf),
    ] {
        let sources = Sources::new();
        assert_eq!(line_ending(&parse(&sources, text).0, Whitespace::Layout), expected, "{text:?}");
    }
    let sources = Sources::new();
    let (nodes, _) = parse(&sources, "<user>\na\n</user>\r\n");
    assert_eq!(line_ending(&nodes, Whitespace::Verbatim), LineEnding::CrLf, "what is in a body is content");
}

#[test]
fn malformed_json_keeps_its_line_breaks_in_a_crlf_document() {
    for document in [
        "<!-- chatmd:item {\r\n</user>\n\"a\": 1} -->\r\n",
        "<!-- chatmd:request {x\ny} -->\r\n\r\n<user>\r\nHi.\r\n</user>\r\n",
    ] {
        assert_eq!(assert_formats(document, Whitespace::Layout).as_deref(), Some(document));
    }
}

#[test]
fn layout_is_crlf_in_a_crlf_document_and_content_is_not() {
    for (text, expected) in [
        ("<user>a\nb</user>\r\n", "<user>\r\na\nb\r\n</user>\r\n"),
        ("<user>\r\na\r\nb\n</user>\n", "<user>\r\na\r\nb\r\n</user>\r\n"),
        ("<user>RAW|<b\n|RAW</user>\r\n", "<user>\r\nRAW|\r\n<b\r\n|RAW\r\n</user>\r\n"),
        ("<user>RAW|\r\n\n\n\r\n|RAW</user>\r\n", "<user>\r\nRAW|\r\n\n\n\r\n|RAW\r\n</user>\r\n"),
        (
            "<!-- a\nb -->\r\n<user>x\n<img src=\"u\"/></user><user>y</user>",
            "<!-- a\nb -->\r\n<user>\r\nx\r\n<img src=\"u\"/>\r\n</user>\r\n\r\n<user>\r\ny\r\n</user>\r\n",
        ),
    ] {
        assert_eq!(assert_formats(text, Whitespace::Layout).as_deref(), Some(expected), "{text:?}");
    }
}

#[test]
fn files_are_rewritten_in_place_only_if_they_change() {
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

#[test]
fn declarations_on_adjacent_lines_stay_together() {
    let directory = tempfile::tempdir().unwrap();
    let document = "<config model=\"m\"/>\n<tool name=\"read_file\"/>\n<tool   name=\"grep\"/>\n\n\n<tool name=\"t\"/><tool name=\"u\"/>\n<user>\nHello.\n</user>\n<user>\nAgain.\n</user>\n";
    let formatted = "<config model=\"m\"/>\n<tool name=\"read_file\"/>\n<tool name=\"grep\"/>\n\n<tool name=\"t\"/>\n\n<tool name=\"u\"/>\n\n<user>\nHello.\n</user>\n\n<user>\nAgain.\n</user>\n";
    for text in [document, formatted] {
        let ran = crate::run::chatmd(directory.path(), &["fmt", "-"], &[], text);
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(0), formatted), "{}", ran.stderr);
    }
    let crlf = "<config model=\"m\"/>\r\n<tool name=\"grep\"/>\r\n";
    assert_eq!(crate::run::chatmd(directory.path(), &["fmt", "-"], &[], crlf).stdout, crlf);
}

#[test]
fn content_of_an_import_is_kept() {
    for text in ["<import src=\"a.md\">a note</import>\n", "<import src=\"a.md\">RAW|x|RAW</import>\n"] {
        for whitespace in MODES {
            assert_eq!(assert_formats(text, whitespace).as_deref(), Some(text));
        }
    }
}

#[test]
fn empty_turn_at_the_end_has_a_line_to_write_in() {
    let chat = "<user>\nHello.\n</user>\n";
    for turn in ["<user>\n\n</user>", "<user></user>", "<user/>"] {
        let formatted = assert_formats(&format!("{chat}{turn}"), Whitespace::Layout);
        assert_eq!(formatted, Some(format!("{chat}\n<user>\n\n</user>\n")), "{turn}");
        let formatted = assert_formats(&format!("{turn}<!-- later -->"), Whitespace::Layout);
        assert_eq!(formatted.as_deref(), Some("<user>\n\n</user>\n\n<!-- later -->\n"), "{turn}");
    }
    // Only the last one is where the next turn is written.
    let formatted = assert_formats("<user></user><assistant>Hi.</assistant>", Whitespace::Layout);
    assert_eq!(formatted.as_deref(), Some("<user></user>\n\n<assistant>\nHi.\n</assistant>\n"));
    let formatted = assert_formats("<user></user>", Whitespace::Verbatim);
    assert_eq!(formatted.as_deref(), Some("<user></user>\n"));
    let formatted = assert_formats("<user>\r\nHello.\r\n</user>\r\n<user></user>", Whitespace::Layout);
    assert!(formatted.unwrap().ends_with("\r\n\r\n<user>\r\n\r\n</user>\r\n"));
}
