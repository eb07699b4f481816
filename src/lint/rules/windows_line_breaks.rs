//! `windows-line-breaks`: a message with the line breaks of Windows, which are sent.

use crate::diagnostic::{Diagnostics, Hint, Message, Rule, rule};
use crate::element::Tag;
use crate::lint::source::SourceText;
use crate::source::Span;
use crate::syntax::Node;

/// `<user>a`, CR LF, `b</user>`
pub(super) const WINDOWS_LINE_BREAKS: Rule = rule!("windows-line-breaks" Note Malformed is_allowable);

/// Reports the first line break in a text of a person.
pub(super) fn check_source(source: &SourceText<'_>, diagnostics: &mut Diagnostics) {
    if memchr::memmem::find(source.text.as_bytes(), b"\r\n").is_none() {
        return;
    }
    let is_message = |tag| matches!(tag, Tag::User | Tag::System | Tag::Developer | Tag::Msg);
    let place = source.nodes.iter().find_map(|node| match node {
        Node::Element(element) if is_message(element.tag) => element.children.iter().find_map(inner_line_break),
        Node::Element(_) | Node::Comment(_) | Node::Raw(_) | Node::Text(_) => None,
    });
    if let Some(at) = place {
        let message = Message::new(
            "the line breaks of messages are sent as CR LF",
            "the first one",
            "this is fine for most models; write LF to save tokens",
        );
        diagnostics.add(&WINDOWS_LINE_BREAKS, message.hint(Hint::ChangeLineBreaks), at);
    }
}

/// The first line break between two lines of a text that have content.
fn inner_line_break(node: &Node<'_>) -> Option<Span> {
    let (text, span) = match node {
        Node::Text(text) => (text.value, text.span),
        Node::Raw(raw) => (raw.value, raw.span),
        Node::Element(_) | Node::Comment(_) => return None,
    };
    let start = text.len() - text.trim_start().len();
    let at = start + text.trim().find("\r\n")?;
    let offset = span.start + at + if matches!(node, Node::Raw(_)) { "RAW|".len() } else { 0 };
    Some(Span { start: offset, end: offset + 2, ..span })
}
