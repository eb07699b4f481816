//! Laws of `show`, and pathological inputs.

use chatmd::internal::diagnostic::Colors;
use chatmd::internal::document::{Block, Body, Document, ItemElement, Part, Role};
use chatmd::internal::resolve::Resolver;
use chatmd::internal::sanitize::is_invisible;
use chatmd::internal::show::{Options, show};
use chatmd::internal::source::Sources;
use chatmd::internal::syntax::write::Whitespace;
use chatmd::resources::NoFiles;
use proptest::prelude::*;

use crate::cases::{cases, large};
use crate::generate::{document, spanned, text};
use crate::support::read;

/// A document of one message.
fn one_message(text: &str) -> Document<'_> {
    let body: Body<'_> = vec![spanned(Part::Text(text.into()))];
    Document { blocks: vec![spanned(Block::Element(ItemElement::message(Role::User, body)))] }
}

fn shown(document: &Document<'_>, options: Options) -> String {
    let sources = Sources::new();
    sources.add("", String::new(), None);
    show(document, &Resolver::new(&sources, &NoFiles), &options)
}

const ALL: [Options; 6] = [
    Options::PLAIN,
    Options { width: Some(30), ..Options::PLAIN },
    Options { full: false, ..Options::PLAIN },
    Options { width: Some(1), colors: Colors::Ansi, full: false, exact: false, hint: None },
    Options { width: Some(30), colors: Colors::Ansi, full: true, exact: false, hint: None },
    Options { width: None, colors: Colors::Ansi, full: true, exact: false, hint: None },
];

/// A text without the styles that `show` writes. Each style must end on its line.
pub(crate) fn unstyled(text: &str) -> String {
    let mut out = String::new();
    for line in text.split_inclusive('\n') {
        let mut is_open = false;
        let mut pieces = line.split("\x1b[");
        out.push_str(pieces.next().unwrap());
        for piece in pieces {
            let (codes, rest) = piece.split_once('m').unwrap();
            assert!(codes.bytes().all(|b| b.is_ascii_digit() || b == b';'), "{line:?}");
            is_open = codes != "0";
            out.push_str(rest);
        }
        assert!(!is_open, "a style continues after {line:?}");
    }
    out
}

fn is_bidi(c: char) -> bool {
    matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// The words of a text, whatever its layout.
fn words(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace() && !c.is_control() && !is_bidi(*c)).collect()
}

/// A text without the delimiters that styles replace.
fn bare(text: &str) -> String {
    words(text).replace(['*', '_', '~', '`', '-', '+', '•'], "")
}

/// Markdown that could be mistaken for other Markdown.
fn markdown() -> impl Strategy<Value = String> {
    const PIECES: &[&str] = &[
        "*",
        "**",
        "_",
        "__",
        "~~",
        "`",
        "``",
        "```\n",
        "# ",
        "- ",
        "* ",
        "1. ",
        "> ",
        "[",
        "](u)",
        "<https://a>",
        "\n",
        "\n\n",
        "    ",
        "a",
        "b c",
        "日本",
        "|a|b|\n|-|-|\n",
        "\\",
        "\t",
        "![",
        "&amp;",
        "<b>",
        "---\n",
        "\u{202e}",
        "\u{61c}",
        "\x1b[1m",
    ];
    proptest::collection::vec(proptest::sample::select(PIECES), 0..20).prop_map(|pieces| pieces.concat())
}

fn any_document() -> impl Strategy<Value = Document<'static>> {
    let message = prop_oneof![markdown(), text()].prop_map(|text| {
        let body: Body<'static> = vec![spanned(Part::Text(text.into()))];
        Document { blocks: vec![spanned(Block::Element(ItemElement::message(Role::Assistant, body)))] }
    });
    prop_oneof![document(), message]
}

proptest! {
    #![proptest_config(cases())]

    #[test]
    fn nothing_controls_the_terminal(document in any_document()) {
        for options in ALL {
            let shown = shown(&document, options);
            prop_assert!(options.colors == Colors::Ansi || !shown.contains('\x1b'));
            let text = unstyled(&shown);
            let bad = text.chars().find(|c| c.is_control() && *c != '\n' || is_bidi(*c));
            prop_assert_eq!(bad, None, "{:?}", text);
        }
    }

    #[test]
    fn every_word_of_a_message_is_shown_in_order(document in any_document()) {
        let shown = words(&shown(&document, Options::PLAIN));
        let mut rest = shown.as_str();
        let elements = document.blocks.iter().filter_map(|block| block.value.element());
        for message in elements.filter(|element| element.role().is_some()) {
            for part in &message.body {
                let Part::Text(text) = &part.value else { continue };
                for word in text.split(|c: char| c.is_whitespace() || c.is_control() || is_invisible(c)) {
                    let diagnostics = rest.find(word);
                    prop_assert!(diagnostics.is_some(), "{word:?} in {rest:?}");
                    rest = &rest[diagnostics.unwrap() + word.len()..];
                }
            }
        }
    }

    #[test]
    fn wrapping_loses_nothing(document in any_document()) {
        let wrapped = shown(&document, Options { width: Some(30), ..Options::PLAIN });
        prop_assert_eq!(words(&wrapped), words(&shown(&document, Options::PLAIN)));
    }

    #[test]
    fn styles_replace_delimiters_and_nothing_else(document in any_document()) {
        for width in [None, Some(30)] {
            let styled = unstyled(&shown(&document, Options { width, colors: Colors::Ansi, ..Options::PLAIN }));
            prop_assert_eq!(bare(&styled), bare(&shown(&document, Options::PLAIN)));
        }
    }

    #[test]
    fn prose_fits_into_its_width(words in proptest::collection::vec("[a-z日本]{1,40}", 1..30)) {
        let shown = shown(&one_message(&words.join(" ")), Options { width: Some(30), ..Options::PLAIN });
        let widest = shown.lines().map(textwrap::core::display_width).max();
        prop_assert!(widest <= Some(30), "{shown}");
    }
}

/// Pathological inputs, with and without color.
#[test]
fn pathological_texts_are_shown() {
    let megabyte = large(1 << 20);
    let lines = "a *b*\n".repeat(large(100_000));
    for text in [
        "*".repeat(megabyte),
        "[".repeat(megabyte),
        "`".repeat(megabyte),
        (1..1000).map(|count| "`".repeat(count) + " ").collect(),
        "*a _b ".repeat(megabyte / 6),
        "[a](".repeat(megabyte / 4),
        "> ".repeat(megabyte / 2),
        "- ".repeat(megabyte / 2),
        "|a".repeat(megabyte / 2) + "\n" + &"|-".repeat(megabyte / 2),
        "\x1b".repeat(megabyte),
        "\t".repeat(megabyte) + "a",
        " ".repeat(megabyte) + "a",
        "word ".repeat(megabyte),
        "x".repeat(5 * megabyte),
        "日".repeat(megabyte),
        lines,
    ] {
        let document = one_message(&text);
        for options in
            [Options::PLAIN, Options { width: Some(80), colors: Colors::Ansi, full: false, exact: false, hint: None }]
        {
            assert!(shown(&document, options).starts_with(if options == Options::PLAIN { "user\n" } else { "\x1b[" }));
        }
    }
}

#[test]
fn a_hundred_thousand_blocks_are_shown() {
    let one = "<user>a</user><tool_call function_name=\"f\" tool_call_id=\"c\">{}</tool_call>\n";
    let sources = Sources::new();
    let count = large(50_000);
    let text = one.repeat(count);
    let (document, _) = read(&sources, &text, Whitespace::Layout);
    let shown = shown(&document, Options { full: false, exact: false, ..Options::PLAIN });
    assert_eq!(shown.lines().filter(|line| *line == "→ f {}  2 B").count(), count);
}

/// Different documents have different plain transcripts.
#[test]
fn a_plain_transcript_shows_every_change() {
    let response =
        |attributes: &str, body: &str| format!("<tool_response tool_call_id=\"c\"{attributes}>{body}</tool_response>");
    let image = |data: &str| format!("<user><img src=\"data:image/png;base64,{data}\"/></user>");
    let body = |inside: &str| format!("<user>{inside}</user>");
    let call = |more: &str| format!("<tool_call function_name=\"f\" tool_call_id=\"c\"{more}>{{}}</tool_call>");
    let summary = |more: &str| format!("<reasoning id=\"r\"><summary{more}>x</summary></reasoning>");
    for (a, b) in [
        (image("QUFB"), image("QUFC")),
        (format!("<user>{}a1A</user>", "aB1".repeat(100)), format!("<user>{}a1B</user>", "aB1".repeat(100))),
        (response("", "x"), response("", "[{\"type\":\"input_text\",\"text\":\"x\"}]")),
        (response("", "[]"), response(" output=\"content\"", "[]")),
        (response("", "x"), response(" id=\"fco_1\"", "x")),
        (response("", "x"), response("", "x").replace("\"c\"", "\"d\"")),
        ("<user>x</user>".to_owned(), "<user id=\"msg_1\">x</user>".to_owned()),
        ("<user>x</user>".to_owned(), "<user mood=\"good\">x</user>".to_owned()),
        (response("", "x"), response(" type=\"custom_tool_call\"", "x")),
        ("<user><img src=\"a\"/></user>".to_owned(), "<user><img src=\"a\" local/></user>".to_owned()),
        ("<user><img src=\"a\"/></user>".to_owned(), "<user><img file_id=\"a\"/></user>".to_owned()),
        ("<user><doc src=\"a\" local/></user>".to_owned(), "<user><doc src=\"a\" local strip/></user>".to_owned()),
        ("<assistant id=\"m\">x</assistant>".to_owned(), "<assistant id=\"m\" phase>x</assistant>".to_owned()),
        (call(""), call(" namespace=\"crm\"")),
        (call(""), call(" caller=\"a\"")),
        (body("<agent src=\"a\">x</agent>"), body("<agent src=\"a\" local>x</agent>")),
        (body("<img src=\"a\"/>"), body("<img src=\"a\" alt=\"b\"/>")),
        (body("<doc src=\"a\" local/>"), body("<doc src=\"a\" local title=\"b\"/>")),
        (body("<import src=\"a\"/>"), body("<import src=\"a\" namespace=\"b\"/>")),
        (summary(""), summary(" type=\"reasoning_text\"")),
        (summary(""), summary(" lang=\"en\"")),
        (
            "<reasoning id=\"r\" encrypted_content=\"a\"></reasoning>".to_owned(),
            "<reasoning id=\"r\" encrypted_content=\"b\"></reasoning>".to_owned(),
        ),
    ] {
        let plain = |text: &str| {
            let sources = Sources::new();
            let (document, diagnostics) = read(&sources, text, Whitespace::Layout);
            assert!(!diagnostics.has_errors(), "{text}");
            show(&document, &Resolver::new(&sources, &NoFiles), &Options::PLAIN)
        };
        assert_ne!(plain(&a), plain(&b), "{a} and {b}");
    }
}
