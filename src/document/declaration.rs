//! Declarations: `<config>` and `<tool>` may have a JSON body.

use std::borrow::Cow;

use super::lower::Lowering;
use super::{Declaration, DeclarationBody};
use crate::diagnostic::RequestProblem;
use crate::element::Tag;
use crate::json::{Json, JsonError, StringArena};
use crate::source::{Span, Spanned, floor_char_boundary};
use crate::syntax::{Element, Node, is_whitespace};

impl Lowering<'_> {
    /// `<config>`, `<tool>`, or a declaration for the host of the conversation.
    pub(super) fn declaration<'s>(&mut self, element: &Element<'s>) -> Declaration<'s> {
        let body = written_body(element).map(|written| self.declaration_body(element, written));
        Declaration { tag: element.tag, attributes: element.attributes.clone(), body, update: None }
    }

    fn declaration_body<'s>(&mut self, element: &Element<'s>, written: &'s str) -> DeclarationBody<'s> {
        let source = DeclarationBody::Source(Cow::Borrowed(written));
        let body = BodyText::of(&element.children);
        let text = body.text.trim_matches(is_whitespace);
        // Elements in a tool are those of the host that runs it.
        let may_be_json = element.tag == Tag::Config || element.tag == Tag::Tool && !text.starts_with('<');
        if text.is_empty() || !may_be_json || !is_closed(element) {
            return source;
        }
        let strings = StringArena::default();
        match object(&body.text, &strings) {
            Ok(json) => {
                let range = json.range();
                let span = body.span(range.start).to(body.span(range.end - 1));
                let json = match body.text {
                    Cow::Borrowed(text) => text[range].into(),
                    Cow::Owned(ref text) => text[range].to_owned().into(),
                };
                DeclarationBody::Json(Spanned::new(json, span))
            }
            Err(error) => {
                let place = body.span(error.offset);
                self.diagnostics
                    .report(RequestProblem::MalformedBody { tag: element.tag, what: error.to_string() }, place);
                source
            }
        }
    }
}

/// One JSON object without repeated keys.
fn object<'t>(text: &'t str, strings: &'t StringArena) -> Result<Json<'t>, JsonError> {
    let json = Json::parse(text, strings).map_err(|error| {
        let start = text.len() - text.trim_start_matches(is_whitespace).len();
        if text[start..].starts_with('{') { error } else { JsonError::new("expected `{`", start) }
    })?;
    match json.object()?.repeated().next() {
        Some((key, value)) => Err(value.malformed("is given twice").within(key)),
        None => Ok(json),
    }
}

/// Whether an element has its closing tag. Otherwise its body extends to the end of the text.
fn is_closed(element: &Element<'_>) -> bool {
    let closing = element.written.rfind("</").map(|at| &element.written[at + "</".len()..]);
    closing.is_some_and(|name| name.starts_with(element.tag.name()))
}

/// The source text between the tags of an element. `None` for `<tag/>`.
fn written_body<'s>(element: &Element<'s>) -> Option<&'s str> {
    let is_void = element.written.ends_with("/>") && element.span == element.opening;
    let inner = element.opening.end - element.span.start..element.written.len();
    let body = element.written.get(inner).and_then(|rest| rest.rfind("</").map(|end| &rest[..end]));
    body.filter(|_| !is_void)
}

/// The text of a body: comments are left out, RAW blocks and elements are text.
struct BodyText<'s> {
    text: Cow<'s, str>,
    /// Where each piece starts in the text, and where it is written.
    pieces: Vec<(usize, Span)>,
}

impl<'s> BodyText<'s> {
    fn of(nodes: &[Node<'s>]) -> Self {
        let (mut text, mut pieces) = (Cow::Borrowed(""), Vec::new());
        for node in nodes {
            let (piece, skipped) = match node {
                Node::Text(text) => (text.value, 0),
                Node::Raw(raw) => (raw.value, "RAW|".len()),
                Node::Element(element) => (element.written, 0),
                Node::Comment(_) => continue,
            };
            let (source, start) = (node.span().source, node.span().start + skipped);
            pieces.push((text.len(), Span::new(source, start..start + piece.len())));
            text += piece;
        }
        Self { text, pieces }
    }

    /// The place of the character at an offset of the text.
    fn span(&self, offset: usize) -> Span {
        let offset = floor_char_boundary(&self.text, offset);
        let after = self.pieces.partition_point(|(start, _)| *start <= offset);
        let (start, piece) = self.pieces[after.saturating_sub(1)];
        let at = (piece.start + offset - start).min(piece.end);
        let length = self.text[offset..].chars().next().map_or(0, char::len_utf8);
        Span::new(piece.source, at..(at + length).min(piece.end))
    }
}
