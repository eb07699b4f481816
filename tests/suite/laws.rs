//! Properties of reading and printing, for every text and every document.

use chatmd::internal::document::{Block, Document, Field, ItemElement, ItemKind, Part, Role, ToolKind, print};
use chatmd::internal::element::Tag;
use chatmd::internal::source::{Sources, Span};
use chatmd::internal::syntax::write::Whitespace;
use chatmd::internal::syntax::{Node, front_matter};
use proptest::prelude::*;
use proptest::sample::Index;

use crate::cases::cases;
use crate::generate::{document, spanned, text};
use crate::support::{MODES, documents, parse, read};

/// Every node lies in its parent, on character boundaries, and siblings follow each other without gap or overlap.
fn assert_spans(nodes: &[Node<'_>], parent: std::ops::Range<usize>, text: &str) {
    let mut at = parent.start;
    for node in nodes {
        let Span { start, end, .. } = node.span();
        assert_eq!(at, start, "a gap or an overlap in {text:?}");
        assert!(start < end && end <= parent.end, "a node ends after its parent in {text:?}");
        assert!(text.is_char_boundary(start) && text.is_char_boundary(end), "not on a boundary in {text:?}");
        if let Node::Element(element) = node {
            assert_eq!(element.written, &text[start..end]);
            let inner_end = element.children.last().map_or(element.opening.end, |last| last.span().end);
            let rest = &text[inner_end..end];
            assert!(
                rest.is_empty() || rest.starts_with("</"),
                "{rest:?} is neither a child nor a closing tag in {text:?}"
            );
            assert_spans(&element.children, element.opening.end..end, text);
        }
        at = end;
    }
}

/// What holds of the spans even if there are errors: siblings are in order, in their parent and on character boundaries.
fn assert_order(nodes: &[Node<'_>], parent: std::ops::Range<usize>, text: &str) {
    let mut at = parent.start;
    for node in nodes {
        let Span { start, end, .. } = node.span();
        assert!(at <= start && start < end && end <= parent.end, "{start}..{end} is not in order in {text:?}");
        assert!(text.is_char_boundary(start) && text.is_char_boundary(end), "not on a boundary in {text:?}");
        if let Node::Element(element) = node {
            assert_order(&element.children, element.opening.end..end, text);
        }
        at = end;
    }
}

/// Reading terminates with a well-formed tree. Without errors, printing and reading again changes nothing.
fn assert_reads(text: &str) {
    let sources = Sources::new();
    let (nodes, diagnostics) = parse(&sources, text);
    let start = if text.starts_with('\u{feff}') { 3 } else { 0 };
    let start = start + front_matter(&text[start..]).len();
    if diagnostics.has_errors() {
        assert_order(&nodes, start..text.len(), text);
    } else {
        assert_spans(&nodes, start..text.len(), text);
    }
    for mode in MODES {
        let (document, diagnostics) = read(&sources, text, mode);
        if !diagnostics.has_errors() {
            assert_prints(&document, mode);
        }
    }
}

fn assert_prints(document: &Document<'_>, mode: Whitespace) {
    let printed = print(document, mode);
    let sources = Sources::new();
    let (again, diagnostics) = read(&sources, &printed, mode);
    let errors: Vec<_> = diagnostics.iter().map(|diagnostic| diagnostic.message().title.clone()).collect();
    assert!(!diagnostics.has_errors(), "{mode:?} {errors:?} in {printed:?}");
    assert_eq!(document, &again, "{mode:?} {printed:?}");
    assert_eq!(printed, print(&again, mode));
}

/// A fixture with one range doubled or replaced by another text.
fn mangled() -> impl Strategy<Value = String> {
    let seeds = proptest::sample::select(documents());
    (seeds, any::<Index>(), any::<Index>(), text(), any::<bool>()).prop_map(|(seed, start, end, other, doubles)| {
        let cuts: Vec<usize> = (0..=seed.len()).filter(|at| seed.is_char_boundary(*at)).collect();
        let (start, end) = (*start.get(&cuts), *end.get(&cuts));
        let (start, end) = (start.min(end), start.max(end));
        let middle = if doubles { seed[start..end].repeat(2) } else { other };
        [&seed[..start], &middle, &seed[end..]].concat()
    })
}

#[test]
fn every_fixture_reads_and_prints() {
    for document in documents() {
        assert_reads(&document);
    }
}

proptest! {
    #![proptest_config(cases())]

    #[test]
    fn any_text_reads(text in text()) {
        assert_reads(&text);
    }

    /// Outside of an element, most texts are errors.
    #[test]
    fn any_text_in_an_element_reads(text in text()) {
        assert_reads(&format!("<user>{text}</user>"));
    }

    #[test]
    fn any_mangled_fixture_reads(text in mangled()) {
        assert_reads(&text);
    }

    #[test]
    fn any_document_reads_back(document in document()) {
        for mode in MODES {
            assert_prints(&document, mode);
        }
    }

    /// No content forges a turn.
    #[test]
    fn any_text_stays_in_its_element(text in text()) {
        let body = || vec![spanned(Part::Text(text.clone().into()))];
        let message = |role| ItemElement::message(role, body());
        let mut call = ItemElement::new(ItemKind::ToolCall(ToolKind::Function), body());
        for (name, value) in [("function_name", text.as_str()), ("tool_call_id", "c"), ("namespace", &text)] {
            call.attributes.set(Tag::ToolCall, name, Field::Text(value.to_owned().into()));
        }
        let elements = [Role::User, Role::Assistant, Role::System, Role::Developer].map(message);
        for block in elements.into_iter().chain([call]).map(Block::Element) {
            for mode in MODES {
                assert_prints(&Document { blocks: vec![spanned(block.clone())] }, mode);
            }
        }
    }
}
