//! Pathological inputs: reading each of them terminates on a small stack with the right tree or problem.
//!
//! Every input goes through all stages in both whitespace modes. Inputs without errors are also printed and read again.

use std::collections::BTreeMap;
use std::thread;

use chatmd::internal::diagnostic::{Colors, render};
use chatmd::internal::document::{Outline, lower, outline, print};
use chatmd::internal::source::{Sources, decode};
use chatmd::internal::syntax::{MAX_DEPTH, Node};

use crate::cases::large;
use crate::support::{MODES, parse, read};

const MEGABYTE: usize = 1 << 20;
/// The default stack size of a thread.
const STACK: usize = 2 << 20;
/// The length of a hundred errors and a hundred warnings of a few shortened lines each.
const MAX_REPORT_LENGTH: usize = 400_000;

/// The result for one input.
struct Outcome {
    /// How often each rule was reported, the same in both modes.
    problems: Vec<(&'static str, usize)>,
    /// All text in elements, in layout mode and verbatim.
    texts: [String; 2],
}

impl Outcome {
    /// Checks that nothing is wrong and that these are the texts. A failure does not print megabytes.
    fn assert_texts(&self, texts: &[String; 2]) {
        assert_eq!(self.problems, []);
        for (got, expected) in self.texts.iter().zip(texts) {
            let differ = got.bytes().zip(expected.bytes()).position(|(got, expected)| got != expected);
            assert!(got == expected, "{} bytes for {}, differing at {differ:?}", got.len(), expected.len());
        }
    }
}

#[test]
fn bytes_that_are_not_utf8_are_refused_with_their_place() {
    let mut bytes = b"<user>".repeat(large(MEGABYTE) / 6);
    let length = bytes.len();
    bytes.extend(b"\xc3\x28 and more");
    let refused = decode(bytes).unwrap_err();
    assert_eq!((refused.valid.len(), refused.byte, refused.looks_like_utf16), (length, 0xc3, false));
}

#[test]
fn nul_is_text_like_any_other() {
    assert_body(&"\0".repeat(large(MEGABYTE)));
}

#[test]
fn a_byte_order_mark_is_ignored_at_the_start_and_text_elsewhere() {
    let marks = "\u{feff}".repeat(1000);
    let outcome = outcome(format!("\u{feff}<user>{marks}</user>"));
    outcome.assert_texts(&[marks.clone(), marks]);
}

#[test]
fn elements_beyond_the_depth_limit_are_reported_once() {
    let count = large(200_000);
    let open = "<user>".repeat(count);
    let closed = outcome(open.clone() + &"</user>".repeat(count));
    assert_eq!(closed.problems, [("limit-exceeded", 1), ("nested-block", 1)]);
    let unclosed = outcome(open);
    assert_eq!(unclosed.problems, [("limit-exceeded", 1), ("nested-block", 1), ("unclosed-element", 1)]);
    let beyond = count - MAX_DEPTH;
    let written = "<user>".repeat(beyond);
    assert_eq!(unclosed.texts, [written.clone(), written.clone()]);
    let written = written + &"</user>".repeat(beyond);
    assert_eq!(closed.texts, [written.clone(), written]);
}

#[test]
fn a_tree_as_deep_as_the_limit_is_read() {
    let agents = MAX_DEPTH - 1;
    let text = format!("<user>{}deep{}</user>", "<agent src=\"a\">".repeat(agents), "</agent>".repeat(agents));
    outcome(text).assert_texts(&["deep".to_owned(), "deep".to_owned()]);
}

#[test]
fn unterminated_tags_are_text_in_the_first_of_them() {
    let count = large(50_000);
    let outcome = outcome("<user ".repeat(count));
    assert_eq!(outcome.problems, [("unterminated", count)]);
    let written = "<user ".repeat(count - 1);
    assert_eq!(outcome.texts, [written.clone(), written]);
}

#[test]
fn unclosed_documents_are_elements_without_content() {
    let count = large(50_000);
    let body = "<doc src=\"a\" local>".repeat(count);
    let unclosed = outcome(format!("<user>{body}</user>"));
    assert_eq!(unclosed.problems, [("missing-slash", count)]);
    let stray = outcome(format!("<user>{body}{}</user>", "</img>".repeat(count)));
    assert_eq!(stray.problems, [("mismatched-tag", count), ("missing-slash", count)]);
    // The closing tags belong to the last documents. Beyond the limit they are text.
    let closed = outcome(format!("<user>{body}{}</user>", "</doc>".repeat(count)));
    assert_eq!(
        closed.problems.iter().map(|(rule, _)| *rule).collect::<Vec<_>>(),
        ["ignored-content", "limit-exceeded", "missing-slash"]
    );
    assert_eq!(closed.problems[1].1, 1);
    let mixed = outcome(format!("<user>{}</user>", "<img src=\"https://u\"><doc src=\"a\" local></img>".repeat(count)));
    assert_eq!(mixed.problems, [("ignored-content", count)]);
}

#[test]
fn a_megabyte_without_markup_is_text() {
    for piece in ["&", "|", "<", ">", "-->", "\\\"", "&#", "< ", "</", "<b", "</b>", "<!-", "RAW", "<<user>", "</user "]
    {
        assert_body(&(piece.repeat(large(MEGABYTE) / piece.len()) + "."));
    }
}

#[test]
fn a_megabyte_without_quotes_is_an_attribute_value() {
    for (piece, value) in [("&", "&"), ("&#", "&#"), ("\\\"", "\""), ("\\", "\\"), ("&#1", "&#1"), ("&amp;", "&")] {
        let count = large(MEGABYTE) / piece.len();
        let sources = Sources::new();
        // The last character keeps a final backslash from the quote.
        let (nodes, diagnostics) = parse(&sources, &format!("<user id=\"{}.\"></user>", piece.repeat(count)));
        let [Node::Element(user)] = nodes.as_slice() else { panic!("{piece}: {} nodes", nodes.len()) };
        assert!(user.attributes.value("id") == Some(&(value.repeat(count) + ".")), "{piece}");
        assert_eq!(diagnostics.iter().len(), 0, "{piece}");
    }
}

#[test]
fn a_megabyte_of_text_outside_of_any_element_is_one_problem() {
    for piece in ["|", "<", ">", "&", "-->", "|RAW ", "<b>", "< ", "é"] {
        let outcome = outcome(piece.repeat(large(MEGABYTE) / piece.len()));
        assert_eq!(outcome.problems, [("text-at-top-level", 1)], "{piece}");
    }
}

#[test]
fn a_million_opening_tags_are_one_problem() {
    for piece in ["RAW|", "<!--", "<user a='", "RAW|<!--"] {
        let count = (large(MEGABYTE) / piece.len()) | 1;
        let diagnostics = outcome(format!("<assistant>{}</assistant>", piece.repeat(count))).problems;
        // Two tags with a quote are one tag with a value, and the last quote is never closed.
        let expected = if piece.starts_with("<user") { count.div_ceil(2) } else { 1 };
        assert!(diagnostics.contains(&("unterminated", expected)), "{piece}: {diagnostics:?}");
        assert!(
            diagnostics.iter().all(|(code, _)| *code != "unclosed-element"),
            "{piece}: what is open then is a consequence, {diagnostics:?}"
        );
    }
}

#[test]
fn a_megabyte_of_closing_tags_is_one_problem_per_tag() {
    let count = large(MEGABYTE) / 7;
    assert_eq!(outcome("</user>".repeat(count)).problems, [("mismatched-tag", count)]);
}

#[test]
fn raw_delimiters_that_overlap_are_cut_from_the_left() {
    // `|RAW|RAW|RAW` is a `|` and the block `RAW|RAW|RAW`, whose content is `RAW`.
    let thirds = large(MEGABYTE) / 12;
    let text = "|RAW".repeat(thirds);
    let outcome = outcome(format!("<user>{}</user>", "|RAW".repeat(3 * thirds)));
    outcome.assert_texts(&[text.clone(), text]);
}

#[test]
fn verbatim_mode_drops_whitespace_before_every_raw_block() {
    let count = large(100_000);
    let outcome_of = |body: String| outcome(format!("<user>{body}</user>"));
    let once = outcome_of(format!("<b>{}", " RAW|x|RAW".repeat(count)));
    once.assert_texts(&[format!("<b>{}", " x".repeat(count)), format!("<b>{}", "x".repeat(count))]);
    let each = outcome_of("<b> RAW|x|RAW".repeat(count));
    each.assert_texts(&["<b> x".repeat(count), "<b>x".repeat(count)]);
    let blank = outcome_of(format!("RAW|x|RAW{}", "  RAW|x|RAW".repeat(count)));
    blank.assert_texts(&[format!("x{}", "  x".repeat(count)), format!("x{}", "x".repeat(count))]);
}

#[test]
fn a_hundred_thousand_comments_leave_the_text_around_them() {
    let count = large(100_000);
    for (comment, layout, verbatim) in [
        ("<!-- c -->", "", ""),
        ("x<!-- c -->", "x", "x"),
        ("<!-- c --> ", " ", " "),
        ("x\n<!-- c -->\n", "x\n", "x\n\n"),
    ] {
        let outcome = outcome(format!("<user>.{}.</user>", comment.repeat(count)));
        outcome.assert_texts(&[layout, verbatim].map(|text| format!(".{}.", text.repeat(count))));
    }
}

/// Checks that a body reads as itself.
fn assert_body(body: &str) {
    outcome(format!("<user>{body}</user>")).assert_texts(&[body.to_owned(), body.to_owned()]);
}

/// Takes a text through every stage, on a small stack.
fn outcome(text: String) -> Outcome {
    thread::Builder::new().stack_size(STACK).spawn(move || every_stage(&text)).unwrap().join().unwrap()
}

fn every_stage(text: &str) -> Outcome {
    let [layout, verbatim] = MODES.map(|whitespace| {
        let sources = Sources::new();
        let (nodes, mut diagnostics) = parse(&sources, text);
        let texts = concatenated(&outline(&nodes, whitespace));
        let document = lower(&nodes, whitespace, &mut diagnostics);
        diagnostics.sort(&sources);
        assert!(
            render(&diagnostics, &sources, Colors::None, &chatmd::internal::diagnostic::NoHints).len()
                < MAX_REPORT_LENGTH,
            "the messages are as long as the document"
        );
        if !diagnostics.has_errors() {
            let printed = print(&document, whitespace);
            assert!(
                read(&sources, &printed, whitespace).0 == document,
                "printed and read again it is another document"
            );
        }
        let mut problems = BTreeMap::new();
        for diagnostic in &diagnostics {
            *problems.entry(diagnostic.rule().name).or_default() += 1;
        }
        (problems, texts)
    });
    assert_eq!(layout.0, verbatim.0, "the modes disagree about what is wrong");
    Outcome { problems: layout.0.into_iter().collect(), texts: [layout.1, verbatim.1] }
}

fn concatenated(nodes: &[Outline<'_>]) -> String {
    let text = |node: &Outline<'_>| match node {
        Outline::Text { text, .. } => text.to_string(),
        Outline::Element { children, .. } => concatenated(children),
    };
    nodes.iter().map(text).collect()
}
