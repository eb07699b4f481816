//! Nodes to pieces: comments removed, nothing trimmed yet.

use std::borrow::Cow;

use super::Piece;
use super::trim::{BLANK, keep_range, raw_content, without_leading_break, without_whitespace_before_raw};
use crate::document::Directive;
use crate::element::BodyKind;
use crate::source::{Span, Spanned};
use crate::syntax::Node;
use crate::syntax::write::Whitespace;

/// The pieces of a body, without plain comments. A comment alone on its lines is removed with its line break.
pub(super) fn separate<'n, 's>(kind: BodyKind, body: &'n [Node<'s>], whitespace: Whitespace) -> Vec<Piece<'n, 's>> {
    let mut pieces = Vec::with_capacity(body.len());
    let mut rest = body;
    while let Some((node, after)) = rest.split_first() {
        rest = after;
        match node {
            Node::Text(text) if whitespace == Whitespace::Verbatim => {
                let is_before_raw = matches!(rest, [Node::Raw(_), ..]);
                let kept = if is_before_raw { without_whitespace_before_raw(text.value) } else { text.value };
                push_literal(&mut pieces, Spanned::new(kept, text.span.head(kept.len())));
            }
            Node::Text(text) => push_literal(&mut pieces, *text),
            Node::Raw(raw) => {
                let value = if whitespace == Whitespace::Layout { raw_content(*raw).value } else { raw.value };
                pieces.push(Piece::Text { text: Spanned::new(value.into(), raw.span), is_raw: true });
            }
            Node::Element(element) if element.tag.is_part_of(kind) => pieces.push(Piece::Inline(element)),
            Node::Element(element) => pieces.push(Piece::Literal(element)),
            Node::Comment(comment) => match Directive::metadata(comment.value) {
                Some(directive) => pieces.push(Piece::Directive(Spanned::new(directive, comment.span))),
                None => rest = skip_comments(&mut pieces, rest, whitespace),
            },
        }
    }
    pieces
}

/// Skips the other comments on the line of a plain comment, and the line break after them if they stand alone there.
fn skip_comments<'n, 's>(
    pieces: &mut Vec<Piece<'_, 's>>,
    nodes: &'n [Node<'s>],
    whitespace: Whitespace,
) -> &'n [Node<'s>] {
    let after = after_comments(nodes);
    if whitespace == Whitespace::Layout
        && let Some(next_line) = take_comment_line(pieces, after)
    {
        push_literal(pieces, next_line);
        return &after[1..];
    }
    for node in &nodes[..nodes.len() - after.len()] {
        if let Node::Text(text) = node {
            push_literal(pieces, *text);
        }
    }
    after
}

/// The nodes after all comments that follow on the same line.
fn after_comments<'n, 's>(mut nodes: &'n [Node<'s>]) -> &'n [Node<'s>] {
    loop {
        nodes = match nodes {
            [comment, rest @ ..] if is_plain_comment(comment) => rest,
            [Node::Text(blank), comment, rest @ ..]
                if blank.value.trim_matches(BLANK).is_empty() && is_plain_comment(comment) =>
            {
                rest
            }
            _ => return nodes,
        }
    }
}

/// Whether a node is a comment without metadata, which is removed.
fn is_plain_comment(node: &Node<'_>) -> bool {
    matches!(node, Node::Comment(comment) if Directive::metadata(comment.value).is_none())
}

/// If the comment after `before` stands alone on its lines: removes its indent and returns the text of the next line.
fn take_comment_line<'s>(before: &mut [Piece<'_, 's>], after: &[Node<'s>]) -> Option<Spanned<&'s str>> {
    let Some(Piece::Text { text: before, is_raw: false }) = before.last_mut() else { return None };
    let Some(Node::Text(text)) = after.first() else { return None };
    let kept = before.value.trim_end_matches(BLANK).len();
    let next_line = without_leading_break(text.value)?;
    before.value[..kept].ends_with('\n').then_some(())?;
    keep_range(before, 0, kept);
    let start = text.span.end - next_line.len();
    Some(Spanned::new(next_line, Span::new(text.span.source, start..text.span.end)))
}

fn push_literal<'s>(pieces: &mut Vec<Piece<'_, 's>>, text: Spanned<&'s str>) {
    if let Some(Piece::Text { text: last, is_raw: false }) = pieces.last_mut() {
        last.value.to_mut().push_str(text.value);
        last.span = last.span.to(text.span);
    } else {
        pieces.push(Piece::Text { text: Spanned::new(Cow::Borrowed(text.value), text.span), is_raw: false });
    }
}
