//! Nodes to segments: comments removed, nothing trimmed yet.

use std::borrow::Cow;

use super::trim::{BLANK, keep_range, without_leading_break, without_whitespace_before_raw};
use crate::document::{Directive, has_part_nodes};
use crate::element::BodyKind;
use crate::source::{Span, Spanned};
use crate::syntax::write::Whitespace;
use crate::syntax::{Element, Node};

/// A node before trimming, with RAW blocks still apart from literal text.
pub(super) enum Segment<'n, 's> {
    Literal(Spanned<Cow<'s, str>>),
    Raw(Spanned<&'s str>),
    Element(&'n Element<'s>, Neighbor),
    Directive(Spanned<Directive<'s>>),
}

/// The neighbor of a literal text.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Neighbor {
    /// The line break next to it is layout.
    Boundary,
    /// An element whose text joins. Line breaks next to it are content, unless the text is whitespace only.
    Joining,
    Raw,
    Literal,
}

impl Segment<'_, '_> {
    /// How this segment relates to the text next to it.
    pub(super) fn as_neighbor(&self) -> Neighbor {
        match self {
            Segment::Literal(_) => Neighbor::Literal,
            Segment::Raw(_) => Neighbor::Raw,
            Segment::Element(_, neighbor) => *neighbor,
            Segment::Directive(_) => Neighbor::Boundary,
        }
    }
}

/// The segments of a body, without plain comments. A comment alone on its lines is removed with its line break.
pub(super) fn segments<'n, 's>(kind: BodyKind, body: &'n [Node<'s>], whitespace: Whitespace) -> Vec<Segment<'n, 's>> {
    let has_parts = has_part_nodes(body);
    let mut segments = Vec::with_capacity(body.len());
    let mut rest = body;
    while let Some((node, after)) = rest.split_first() {
        rest = after;
        match node {
            Node::Text(text) if whitespace == Whitespace::Verbatim => {
                let is_before_raw = matches!(rest, [Node::Raw(_), ..]);
                let kept = if is_before_raw { without_whitespace_before_raw(text.value) } else { text.value };
                push_literal(&mut segments, Spanned::new(kept, text.span.head(kept.len())));
            }
            Node::Text(text) => push_literal(&mut segments, *text),
            Node::Raw(raw) => segments.push(Segment::Raw(*raw)),
            Node::Element(element) => segments.push(Segment::Element(element, neighbor(kind, element, has_parts))),
            Node::Comment(comment) => match Directive::metadata(comment.value) {
                Some(directive) => segments.push(Segment::Directive(Spanned::new(directive, comment.span))),
                None => rest = skip_comments(&mut segments, rest, whitespace),
            },
        }
    }
    segments
}

fn neighbor(kind: BodyKind, element: &Element<'_>, has_parts: bool) -> Neighbor {
    let joins = match kind {
        BodyKind::Text | BodyKind::Void => true,
        BodyKind::Response => !has_parts,
        BodyKind::Message | BodyKind::Reasoning | BodyKind::Declaration => false,
    };
    match (element.tag.is_part_of(kind), joins) {
        (false, _) => Neighbor::Literal,
        (true, true) => Neighbor::Joining,
        (true, false) => Neighbor::Boundary,
    }
}

/// Skips the other comments on the line of a plain comment, and the line break after them if they stand alone there.
fn skip_comments<'n, 's>(
    segments: &mut Vec<Segment<'_, 's>>,
    nodes: &'n [Node<'s>],
    whitespace: Whitespace,
) -> &'n [Node<'s>] {
    let after = after_comments(nodes);
    if whitespace == Whitespace::Layout
        && let Some(next_line) = take_comment_line(segments, after)
    {
        push_literal(segments, next_line);
        return &after[1..];
    }
    for node in &nodes[..nodes.len() - after.len()] {
        if let Node::Text(text) = node {
            push_literal(segments, *text);
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
fn take_comment_line<'s>(before: &mut [Segment<'_, 's>], after: &[Node<'s>]) -> Option<Spanned<&'s str>> {
    let Some(Segment::Literal(before)) = before.last_mut() else { return None };
    let Some(Node::Text(text)) = after.first() else { return None };
    let kept = before.value.trim_end_matches(BLANK).len();
    let next_line = without_leading_break(text.value)?;
    before.value[..kept].ends_with('\n').then_some(())?;
    keep_range(before, 0, kept);
    let start = text.span.end - next_line.len();
    Some(Spanned::new(next_line, Span::new(text.span.source, start..text.span.end)))
}

fn push_literal<'s>(segments: &mut Vec<Segment<'_, 's>>, text: Spanned<&'s str>) {
    match segments.last_mut() {
        Some(Segment::Literal(last)) => {
            last.value.to_mut().push_str(text.value);
            last.span = last.span.to(text.span);
        }
        _ => segments.push(Segment::Literal(Spanned::new(Cow::Borrowed(text.value), text.span))),
    }
}
