//! Where the text looks like something else than it is: tags in Markdown code, `RAW|` in a word.

use std::ops::Range;

use pulldown_cmark::{CodeBlockKind, Event, Parser, Tag as MarkdownTag};

use super::items::report;
use crate::diagnostic::{Diagnostics, Lint};
use crate::document::layout::{Piece, lay_out};
use crate::document::{Directive, DocForm, body_kind};
use crate::element::{BodyKind, Tag};
use crate::source::{SourceId, Sources, Span};
use crate::syntax::write::Whitespace;
use crate::syntax::{Element, Node};

/// Looks at a source: at the bodies of its elements, and at its own content if it is imported into a body.
pub(super) fn nodes(
    nodes: &[Node<'_>],
    id: SourceId,
    whitespace: Whitespace,
    sources: &Sources,
    diagnostics: &mut Diagnostics,
) {
    let text = &sources.get(id).text;
    let is_block = |node: &Node<'_>| matches!(node, Node::Element(element) if !element.tag.is_inline());
    if !nodes.iter().any(is_block) {
        report_in_code(nodes, BodyKind::Message, text, whitespace, diagnostics);
    }
    for node in nodes {
        if let Node::Element(element) = node {
            report_in_code_of(element, text, whitespace, diagnostics);
        }
    }
    report_raw_in_words(nodes, text, diagnostics);
}

fn report_in_code_of(element: &Element<'_>, text: &str, whitespace: Whitespace, diagnostics: &mut Diagnostics) {
    let kind = body_kind(element.tag, &element.attributes);
    // What a declaration holds is its own affair.
    if kind != BodyKind::Declaration {
        report_in_code(&element.children, kind, text, whitespace, diagnostics);
    }
}

/// Reports what acts as a tag or a comment in a body and is shown as code.
fn report_in_code(
    body: &[Node<'_>],
    kind: BodyKind,
    text: &str,
    whitespace: Whitespace,
    diagnostics: &mut Diagnostics,
) {
    let acts = |node: &Node<'_>| match node {
        Node::Element(element) => element.tag.is_inline(),
        Node::Comment(_) => true,
        Node::Text(_) | Node::Raw(_) => false,
    };
    if !body.iter().any(acts) {
        return;
    }
    let code = Code::of(body, text);
    for piece in lay_out(kind, body, whitespace) {
        if let Piece::Inline(inline) = piece {
            // The text of a file in a fenced block is there to be shown as code.
            if code.holds(inline.span, Form::Span) || !brings_text(inline) && code.holds(inline.span, Form::Fence) {
                report(Lint::TagInCode(inline.tag), inline.name_span(), diagnostics);
            }
            report_in_code_of(inline, text, whitespace, diagnostics);
        }
    }
    for node in body {
        // What is for this program is no example of a comment.
        if let Node::Comment(comment) = node
            && Directive::parse(comment.value).is_none()
            && code.has(comment.span)
        {
            report(Lint::CommentInCode, comment.span, diagnostics);
        }
    }
}

/// Whether an element stands for a text from elsewhere.
pub(super) fn brings_text(element: &Element<'_>) -> bool {
    match element.tag {
        Tag::Doc => DocForm::from_attributes(&element.attributes) != DocForm::File,
        tag => matches!(tag, Tag::Import | Tag::Agent),
    }
}

/// How Markdown says that something is code. What is only indented may be laid out so.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    Span,
    Fence,
}

/// Where the body of an element is code, in order.
#[derive(Default)]
pub(super) struct Code(Vec<(Range<usize>, Form)>);

impl Code {
    pub(super) fn of(body: &[Node<'_>], text: &str) -> Self {
        let (Some(first), Some(last)) = (body.first(), body.last()) else { return Self::default() };
        let start = first.span().start;
        let body = &text[start..last.span().end];
        let ranges = Parser::new(body).into_offset_iter().filter_map(|(event, range)| {
            let form = match event {
                Event::Code(_) => Form::Span,
                Event::Start(MarkdownTag::CodeBlock(CodeBlockKind::Fenced(_))) if is_closed(&body[range.clone()]) => {
                    Form::Fence
                }
                _ => return None,
            };
            Some((range.start + start..range.end + start, form))
        });
        Self(ranges.collect())
    }

    /// Whether a stretch of the source lies in code.
    pub(super) fn has(&self, span: Span) -> bool {
        self.holds(span, Form::Span) || self.holds(span, Form::Fence)
    }

    /// Whether a stretch of the source lies in code of this form.
    pub(super) fn holds(&self, span: Span, form: Form) -> bool {
        let index = self.0.partition_point(|(code, _)| code.start <= span.start);
        self.0[..index].last().is_some_and(|(code, its)| *its == form && span.end <= code.end)
    }
}

/// Whether a fenced block ends with its fence: without one it is most likely no code.
fn is_closed(block: &str) -> bool {
    let mut lines = block.trim_end().lines().map(|line| line.trim_matches([' ', '>', '\t']));
    let (Some(first), Some(last)) = (lines.next(), lines.next_back()) else { return false };
    let fence = &first[..first.len() - first.trim_start_matches(['`', '~']).len()];
    last.starts_with(fence) && last.trim_matches(['`', '~']).is_empty()
}

/// Reports RAW blocks that open behind a letter, in the cell of a table, or as the name of what they are.
fn report_raw_in_words(nodes: &[Node<'_>], text: &str, diagnostics: &mut Diagnostics) {
    for node in nodes {
        match node {
            Node::Raw(raw) => {
                let before = &text[..raw.span.start];
                let ends_word = before.ends_with(|c: char| c.is_alphanumeric() || c == '_' || c == '|');
                // What begins like a tag is in the block because of that.
                let is_quoted = before.ends_with('`') && raw.value.starts_with('`');
                if is_quoted || ends_word && !before.ends_with("|RAW") && !raw.value.starts_with('<') {
                    report(Lint::RawInWord, raw.span.head("RAW|".len()), diagnostics);
                }
            }
            Node::Element(element) => report_raw_in_words(&element.children, text, diagnostics),
            Node::Text(_) | Node::Comment(_) => {}
        }
    }
}
