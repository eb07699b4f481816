//! Where the text looks like something else than it is: tags in Markdown code, `RAW|` in a word.

use std::ops::Range;

use pulldown_cmark::{CodeBlockKind, Event, Parser, Tag as MarkdownTag};

use super::items::report;
use crate::diagnostic::{Concern, Diagnostics};
use crate::document::layout::{BodyKind, Piece, body_kind, lay_out};
use crate::source::{Sources, Span};
use crate::syntax::write::Whitespace;
use crate::syntax::{Element, Node};
use crate::tag::Tag;

/// Looks at the bodies of all elements.
pub(super) fn nodes(nodes: &[Node<'_>], whitespace: Whitespace, sources: &Sources, found: &mut Diagnostics) {
    for node in nodes {
        if let Node::Element(element) = node {
            code(element, whitespace, found);
        }
    }
    raw(nodes, sources, found);
}

/// Reports what acts as a tag or a comment in a body and is shown as code.
fn code(element: &Element<'_>, whitespace: Whitespace, found: &mut Diagnostics) {
    let kind = body_kind(element.tag, &element.attributes);
    let acts = |node: &Node<'_>| matches!(node, Node::Element(_) | Node::Comment(_));
    // What a declaration holds is its own affair.
    if kind == BodyKind::Declaration && element.tag != Tag::Summary || !element.children.iter().any(acts) {
        return;
    }
    let code = Code::of(element);
    for piece in lay_out(kind, &element.children, whitespace) {
        if let Piece::Inline(inline) = piece {
            if code.holds(inline.span) {
                report(Concern::TagInCode(inline.tag), inline.name_span(), found);
            }
            self::code(inline, whitespace, found);
        }
    }
    for node in &element.children {
        if let Node::Comment(comment) = node
            && code.holds(comment.span)
        {
            report(Concern::CommentInCode, comment.span, found);
        }
    }
}

/// Where the body of an element is code: its code spans and fenced blocks, in order.
///
/// What is only indented may be laid out so.
#[derive(Default)]
pub(super) struct Code(Vec<Range<usize>>);

impl Code {
    pub(super) fn of(element: &Element<'_>) -> Self {
        let (Some(first), Some(last)) = (element.children.first(), element.children.last()) else {
            return Self::default();
        };
        let (start, end) = (first.span().start, last.span().end);
        let body = &element.written[start - element.span.start..end - element.span.start];
        let ranges = Parser::new(body).into_offset_iter().filter_map(|(event, range)| match event {
            Event::Code(_) | Event::Start(MarkdownTag::CodeBlock(CodeBlockKind::Fenced(_))) => {
                Some(range.start + start..range.end + start)
            }
            _ => None,
        });
        Self(ranges.collect())
    }

    /// Whether a stretch of the source lies in code.
    pub(super) fn holds(&self, span: Span) -> bool {
        let index = self.0.partition_point(|code| code.start <= span.start);
        index > 0 && span.end <= self.0[index - 1].end
    }
}

/// Reports RAW blocks that open behind a letter.
fn raw(nodes: &[Node<'_>], sources: &Sources, found: &mut Diagnostics) {
    for node in nodes {
        match node {
            Node::Raw(raw) => {
                let before = &sources.get(raw.span.source).text[..raw.span.start];
                let ends_word = before.ends_with(|c: char| c.is_alphanumeric() || c == '_');
                if ends_word && !before.ends_with("|RAW") {
                    report(Concern::RawInWord, raw.span.head("RAW|".len()), found);
                }
            }
            Node::Element(element) => self::raw(&element.children, sources, found),
            Node::Text(_) | Node::Comment(_) => {}
        }
    }
}
