//! What ochat reads differently.

use super::items::report;
use crate::diagnostic::{Diagnostics, Lint};
use crate::document::Directive;
use crate::source::{Sources, Span};
use crate::syntax::{Element, Node};

/// Looks at everything that is spelled.
pub(super) fn nodes(nodes: &[Node<'_>], sources: &Sources, diagnostics: &mut Diagnostics) {
    for node in nodes {
        match node {
            Node::Element(element) => {
                attributes(element, sources, diagnostics);
                for child in &element.children {
                    if let Node::Text(text) = child {
                        markup(text.value, text.span, diagnostics);
                    }
                }
                self::nodes(&element.children, sources, diagnostics);
            }
            Node::Comment(comment) => {
                if Directive::metadata(comment.value).is_some() {
                    report(Lint::OchatComment, comment.span, diagnostics);
                }
            }
            Node::Text(_) | Node::Raw(_) => {}
        }
    }
}

/// ochat ends a tag at the first `>`, also inside quotes.
fn attributes(element: &Element<'_>, sources: &Sources, diagnostics: &mut Diagnostics) {
    for attribute in &element.attributes.0 {
        if sources.slice(attribute.span).contains('>') {
            report(Lint::OchatAttribute(attribute.name.to_string()), attribute.span, diagnostics);
        }
    }
}

/// ochat runs any tag to the next `>`, and takes what lies between for text, closing tags too.
fn markup(text: &str, span: Span, diagnostics: &mut Diagnostics) {
    let behind = text.rfind('>').map_or(0, |last| last + 1);
    let opens = |(at, _): &(usize, &str)| match text[at + 1..].chars().next() {
        Some(c) => c.is_ascii_alphabetic() || "_/!?<".contains(c),
        None => true,
    };
    if let Some((at, _)) = text[behind..].match_indices('<').map(|(at, one)| (behind + at, one)).find(opens) {
        report(Lint::OchatMarkup, Span::new(span.source, span.start + at..span.start + at + 1), diagnostics);
    }
}
