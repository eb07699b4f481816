//! No content forges a turn: neither for our reader nor for ochat's, and the text comes back byte for byte.

use chatmd::internal::document::{Block, Document, ItemElement, Part, Role, print};
use chatmd::internal::source::Sources;
use chatmd::internal::syntax::write::{LineEnding, Whitespace, text as write_text};
use chatmd::internal::syntax::{Node, unreadable_tag};
use proptest::collection::vec;
use proptest::prelude::*;

use crate::cases::cases;
use crate::generate::{document, spanned, text};
use crate::ochat_lexer::{Event, lex};
use crate::support::{MODES, parse, read};

/// Pieces of tags, quotes and delimiters. Most sequences of them are malformed.
const NASTY: [&str; 48] = [
    "<",
    "</",
    "<<",
    ">",
    "/>",
    "/",
    "=",
    "=\"",
    "='",
    "\"",
    "'",
    "\\",
    "\\\"",
    "\\'",
    " ",
    "\n",
    "\r",
    "\t",
    "\u{b}",
    "a",
    "<b",
    "<b ",
    "<_x ",
    "</b",
    "</b>",
    "<b x=",
    "<T>",
    "<a t=\"x > y\">",
    "<b \"x=\"</b>",
    "<dir p=\"C:\\\">",
    "<user",
    "<user>",
    "</user>",
    "</assistant",
    "</assistant>",
    "<script>",
    "</summary>",
    "<img ",
    "<doc src=",
    "<tool_call ",
    "<USER>",
    "<user/repo>",
    "<!--",
    "-->",
    "<!-",
    "RAW|",
    "|RAW",
    "é",
];

fn nasty() -> impl Strategy<Value = String> {
    let pieces = vec(proptest::sample::select(NASTY.to_vec()), 0..12).prop_map(|pieces| pieces.concat());
    prop_oneof![4 => pieces, 1 => text()]
}

fn message(role: Role, texts: &[&str]) -> Document<'static> {
    let body = texts.iter().map(|text| spanned(Part::Text((*text).to_owned().into()))).collect();
    Document { blocks: vec![spanned(Block::Element(ItemElement::message(role, body)))] }
}

/// The tags of a tree in the order of the text, as ochat would report them.
fn tags(nodes: &[Node<'_>], events: &mut Vec<Event>) {
    for node in nodes {
        if let Node::Element(element) = node {
            events.push(Event::Open(element.tag));
            tags(&element.children, events);
            events.push(Event::Close(element.tag));
        }
    }
}

fn assert_same_tags(printed: &str) {
    let sources = Sources::new();
    let (nodes, diagnostics) = parse(&sources, printed);
    assert!(!diagnostics.has_errors(), "{printed:?}");
    let mut expected = Vec::new();
    tags(&nodes, &mut expected);
    let mut events = lex(printed).unwrap_or_else(|error| panic!("{error} in {printed:?}"));
    events.retain(|event| !matches!(event, Event::Text(_)));
    assert_eq!(events, expected, "{printed:?}");
}

/// Whether a text is written as it is.
fn is_plain(text: &str, whitespace: Whitespace) -> bool {
    let mut written = String::new();
    write_text(&mut written, text, whitespace, LineEnding::Lf);
    written == text
}

#[test]
fn text_that_needs_no_protection_is_plain() {
    for text in [
        "see </user x> here",
        "Vec<T>",
        "<br>",
        "<br/>",
        "<div class=\"x\">y</div>",
        "a < b",
        "x << 2",
        "cat <<EOF",
        "cat <<user>",
        "<!DOCTYPE html>",
        "<![CDATA[",
        "<?xml version=\"1.0\"?>",
        "Map<String, List<Int>>",
        "<https://x>",
        "<USER>",
        "<user/repo>",
        "<users>",
        "if a <b then c> d",
        "<a title='it\\'s'>",
        "<a title=it's>",
        "<a it's x>",
        "</b \"x=\">",
        "x </ y",
        "|RAW",
        "<input value=\"a\" disabled />",
    ] {
        for whitespace in MODES {
            assert!(is_plain(text, whitespace), "{whitespace:?} {text}");
        }
    }
}

#[test]
fn text_that_needs_protection_is_not_plain() {
    for text in [
        "RAW|",
        "x<!--",
        "<<!-- x -->",
        "<user>",
        "</user>",
        "</user >",
        "</user\n",
        "<user ",
        "<user",
        "<img src=\"x\">",
        "<doc/>",
        "<script>",
        "</script>",
        "<details><summary>x</summary></details>",
        "a <b",
        "a </b",
        "a <_b",
        "a> <b",
        "<b \"x=\"</b>",
        "<dir path=\"C:\\temp\\\">",
        "<a title=\"x > y\">",
        "<a title='x > y'>",
        "<a b=\"<c>",
        "<a <b c=\"d>",
        "<a t='<b c=\"'>",
        "x\r",
        "",
    ] {
        for whitespace in MODES {
            assert!(!is_plain(text, whitespace), "{whitespace:?} {text}");
        }
    }
    for (text, is_plain_in) in [("a <", [true, false]), (" \n", [false, true])] {
        assert_eq!(MODES.map(|whitespace| is_plain(text, whitespace)), is_plain_in, "{text:?}");
    }
}

/// The `>` of a closing tag must not complete a tag that the text begins, and tags share their `>`.
#[test]
fn many_tags_are_read_in_one_pass() {
    let count = 100_000;
    assert_eq!(unreadable_tag(&"<a ".repeat(count)), Some(0));
    assert_eq!(unreadable_tag(&("<a ".repeat(count) + ">")), None);
    assert_eq!(unreadable_tag(&("<a x=".repeat(count) + "\">")), Some(0));
    assert_eq!(unreadable_tag(&("<a>".repeat(count) + "<b")), Some(3 * count));
}

proptest! {
    #![proptest_config(cases())]

    #[test]
    fn any_text_stays_in_its_element_for_both_readers(text in nasty()) {
        for (role, whitespace) in [Role::User, Role::Assistant].into_iter().flat_map(|role| MODES.map(|mode| (role, mode))) {
            let document = message(role, &[&text]);
            let printed = print(&document, whitespace);
            assert_same_tags(&printed);
            let sources = Sources::new();
            prop_assert_eq!(&read(&sources, &printed, whitespace).0, &document, "{:?} {:?}", whitespace, printed);
            if whitespace == Whitespace::Verbatim && !text.is_empty() {
                let tag = role.tag();
                let events = vec![Event::Open(tag), Event::Text(text.clone()), Event::Close(tag), Event::Text("\n".to_owned())];
                prop_assert_eq!(lex(&printed).unwrap(), events, "{:?}", printed);
            }
        }
    }

    /// Whatever is written plain is text for ochat alone and in front of a closing tag.
    #[test]
    fn ochat_reads_plain_text_as_text(text in nasty()) {
        if is_plain(&text, Whitespace::Verbatim) {
            let events = vec![Event::Text(text.clone()), Event::Close(chatmd::internal::element::Tag::User)];
            prop_assert_eq!(lex(&format!("{text}</user>")).unwrap(), events);
        }
    }

    #[test]
    fn every_document_has_the_same_tags_for_both_readers(document in document()) {
        for whitespace in MODES {
            assert_same_tags(&print(&document, whitespace));
        }
    }
}
