//! `secret`: a key, a token or a private key in a text that is sent.

use std::collections::HashSet;

use crate::diagnostic::{Diagnostics, Message, Rule, rule};
use crate::document::layout::raw_content;
use crate::lint::source::{SourceText, each_node};
use crate::secret::{View, secrets};
use crate::source::Span;
use crate::syntax::Node;

/// `<user>AKIA…</user>`
pub(super) const SECRET: Rule = rule!("secret" Warning Malformed is_allowable);

/// `kind` has an article. `file` is the file that contains the secret, if that is not the document.
fn message(kind: &str, file: Option<&str>) -> Message {
    let title = match file {
        Some(file) => format!("`{file}` contains what looks like {kind}"),
        None => format!("this looks like {kind}"),
    };
    Message::new(title, "sent with the document", "revoke it, and replace it with a placeholder")
}

pub(super) fn check_file(path: &str, text: &str, span: Span, diagnostics: &mut Diagnostics) {
    if let Some((_, kind)) = secrets(text).into_iter().next() {
        diagnostics.add(&SECRET, message(kind, Some(path)), span);
    }
}

/// Comments and attributes are checked too.
pub(super) fn check_source(source: &SourceText<'_>, diagnostics: &mut Diagnostics) {
    let mut starts = HashSet::new();
    for (range, kind) in secrets(source.text) {
        starts.insert(range.start);
        diagnostics.add(&SECRET, message(kind, None), Span::new(source.id, range));
    }
    each_node(source.nodes, &mut |node| {
        let Node::Element(element) = node else { return };
        for (kind, pieces) in joined(&element.children, source.text).secrets() {
            // A secret in one piece is found in the source.
            if let [first, _, ..] = pieces.as_slice()
                && starts.insert(first.start)
            {
                diagnostics.add(&SECRET, message(kind, None), Span::new(source.id, first.clone()));
            }
        }
    });
}

/// The text of a body. Empty if there is nothing to join.
fn joined(nodes: &[Node<'_>], text: &str) -> View {
    let mut joined = View::default();
    if !nodes.iter().any(|node| matches!(node, Node::Raw(_) | Node::Comment(_))) {
        return joined;
    }
    for node in nodes {
        match node {
            Node::Text(node) => joined.add(text, node.span.range()),
            Node::Raw(raw) => joined.add(text, raw_content(*raw).span.range()),
            Node::Comment(_) => {}
            Node::Element(_) => joined.separate(),
        }
    }
    joined
}
