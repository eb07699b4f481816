//! Bodies of elements as Markdown: code and images, and tags that are probably meant as files.

use std::ops::Range;

use pulldown_cmark::{CodeBlockKind, Event, LinkType, Parser, Tag as MarkdownTag};

use super::rules::bodies;
use super::source::{SourceText, has_blocks};
use crate::diagnostic::Diagnostics;
use crate::document::layout::{Piece, lay_out};
use crate::document::{body_kind, canonical_tag};
use crate::element::{BodyKind, Tag};
use crate::source::Span;
use crate::syntax::{Element, Node};

/// The body of an element that holds a tag or a comment.
pub(super) struct MarkdownBody<'n, 's> {
    pub(super) nodes: &'n [Node<'s>],
    /// The elements in it that are not text.
    pub(super) inlines: Vec<&'n Element<'s>>,
    pub(super) markdown: Markdown,
    /// The tags that are probably meant as images and files.
    pub(super) guesses: Vec<GuessedTag>,
}

/// Runs the checks of bodies on every element, and on the source itself if it is imported into a body.
pub(super) fn check_bodies(source: &SourceText<'_>, diagnostics: &mut Diagnostics) {
    if !has_blocks(source.nodes) {
        check_body(source.nodes, BodyKind::Message, false, source, diagnostics);
    }
    for node in source.nodes {
        if let Node::Element(element) = node {
            check_body_of(element, source, diagnostics);
        }
    }
}

fn check_body_of(element: &Element<'_>, source: &SourceText<'_>, diagnostics: &mut Diagnostics) {
    let kind = body_kind(element.tag, &element.attributes);
    // The content of a declaration is not ChatMarkdown.
    if kind != BodyKind::Declaration {
        let takes_images = canonical_tag(element.tag, &element.attributes) == Tag::User;
        check_body(&element.children, kind, takes_images, source, diagnostics);
    }
}

fn check_body(
    nodes: &[Node<'_>],
    kind: BodyKind,
    takes_images: bool,
    source: &SourceText<'_>,
    diagnostics: &mut Diagnostics,
) {
    let is_markup = |node: &Node<'_>| match node {
        Node::Element(element) => element.tag.is_inline(),
        Node::Comment(_) => true,
        Node::Text(_) | Node::Raw(_) => false,
    };
    let guesses = if takes_images { guesses(nodes) } else { Vec::new() };
    let may_have_images = takes_images && written(nodes, source.text).contains("![");
    if !may_have_images && guesses.is_empty() && !nodes.iter().any(is_markup) {
        return;
    }
    let mut markdown = Markdown::of(nodes, source.text);
    markdown.images.retain(|_| takes_images);
    let pieces = lay_out(kind, nodes, source.whitespace);
    let inlines = pieces.filter_map(|piece| if let Piece::Inline(inline) = piece { Some(inline) } else { None });
    let body = MarkdownBody { nodes, inlines: inlines.collect(), markdown, guesses };
    bodies::check_body(&body, diagnostics);
    for inline in body.inlines {
        check_body_of(inline, source, diagnostics);
    }
}

/// `![alt](url)` in a text.
pub(super) struct MarkdownImage {
    pub(super) range: Range<usize>,
    pub(super) url: String,
    /// Whether it has neither a description nor a title, and is not the text of a link.
    pub(super) is_bare: bool,
}

/// The names of tags that are probably meant as an image or a file, and whether it is an image.
const GUESSED_NAMES: [(&str, bool); 9] = [
    ("image", true),
    ("img", true),
    ("photo", true),
    ("picture", true),
    ("attachment", false),
    ("doc", false),
    ("document", false),
    ("file", false),
    ("pdf", false),
];
/// A longer tag is not a guess.
const MAX_GUESS_LENGTH: usize = 400;

/// `<image src="a.png">` in a text.
pub(super) struct GuessedTag {
    pub(super) range: Range<usize>,
    pub(super) name: String,
    pub(super) src: String,
    pub(super) is_image: bool,
}

/// The tags in the literal text of a body that have `src` and a name of images or files.
fn guesses(body: &[Node<'_>]) -> Vec<GuessedTag> {
    let mut found = Vec::new();
    for node in body {
        let Node::Text(text) = node else { continue };
        let starts = memchr::memchr_iter(b'<', text.value.as_bytes());
        found.extend(starts.filter_map(|at| guess(&text.value[at..], text.span.start + at)));
    }
    found
}

/// The tag that a text begins with.
fn guess(text: &str, offset: usize) -> Option<GuessedTag> {
    let rest = &text[1..];
    let length = rest.bytes().take_while(u8::is_ascii_alphabetic).count();
    let name = Some(&rest[..length]).filter(|name| !name.is_empty() && Tag::from_name(name).is_none())?;
    let end = text.bytes().take(MAX_GUESS_LENGTH).position(|b| b == b'>')?;
    let attributes = &text[1 + length..end];
    // Only this language has `local`.
    let is_local = || attributes.split_whitespace().any(|word| word.trim_end_matches('/') == "local");
    let is_image = match GUESSED_NAMES.iter().find(|(guessed, _)| guessed.eq_ignore_ascii_case(name)) {
        Some((_, is_image)) => *is_image,
        None if is_local() => false,
        None => return None,
    };
    let (before, value) = attributes.split_once("src=")?;
    let is_attribute = before.ends_with(char::is_whitespace);
    let src = match value.strip_prefix(['"', '\'']) {
        Some(quoted) => quoted.split(['"', '\'']).next(),
        None => value.split_whitespace().next().map(|src| src.trim_end_matches('/')),
    };
    let (name, src) = (name.to_owned(), src?.to_owned());
    is_attribute.then_some(GuessedTag { range: offset..offset + end + 1, name, src, is_image })
}

/// How Markdown marks code. Indented blocks do not count: the indentation may be layout.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum CodeKind {
    Span,
    Fence,
}

/// What a body is as Markdown.
#[derive(Default)]
pub(super) struct Markdown {
    /// The ranges that are code, in order.
    code: Vec<(Range<usize>, CodeKind)>,
    /// The images in literal text, in order.
    pub(super) images: Vec<MarkdownImage>,
}

impl Markdown {
    pub(super) fn of(body: &[Node<'_>], text: &str) -> Self {
        let (mut markdown, written) = (Self::default(), written(body, text));
        if memchr::memchr2(b'`', b'~', written.as_bytes()).is_none() && !written.contains("![") {
            return markdown;
        }
        let start = body.first().map_or(0, |first| first.span().start);
        let texts: Vec<Span> = body.iter().filter(|node| matches!(node, Node::Text(_))).map(Node::span).collect();
        let is_literal = |range: &Range<usize>| {
            let index = texts.partition_point(|span| span.start <= range.start);
            index.checked_sub(1).is_some_and(|index| range.end <= texts[index].end)
        };
        for (event, range) in Parser::new(written).into_offset_iter() {
            let range = range.start + start..range.end + start;
            let shown = &text[range.clone()];
            match event {
                Event::Code(_) => markdown.code.push((range, CodeKind::Span)),
                Event::Start(MarkdownTag::CodeBlock(CodeBlockKind::Fenced(_))) if is_closed(shown) => {
                    markdown.code.push((range, CodeKind::Fence));
                }
                Event::Start(MarkdownTag::Image { link_type: LinkType::Inline, dest_url, .. })
                    if is_literal(&range) && !dest_url.is_empty() =>
                {
                    let is_link = text[..range.start].ends_with('[');
                    let is_bare = shown.starts_with("![](") && !shown.contains([' ', '\n']) && !is_link;
                    markdown.images.push(MarkdownImage { range, url: dest_url.to_string(), is_bare });
                }
                _ => {}
            }
        }
        markdown
    }

    /// Whether a span is in code.
    pub(super) fn contains(&self, span: Span) -> bool {
        self.kind_at(span).is_some()
    }

    /// The kind of code that a span is in.
    pub(super) fn kind_at(&self, span: Span) -> Option<CodeKind> {
        let index = self.code.partition_point(|(range, _)| range.start <= span.start);
        self.code[..index].last().filter(|(range, _)| span.end <= range.end).map(|(_, kind)| *kind)
    }
}

/// A body as it is written.
fn written<'s>(body: &[Node<'_>], text: &'s str) -> &'s str {
    match (body.first(), body.last()) {
        (Some(first), Some(last)) => &text[first.span().start..last.span().end],
        (_, _) => "",
    }
}

/// Whether a fenced block ends with its fence. A block that does not is probably not meant as code.
fn is_closed(block: &str) -> bool {
    let mut lines = block.trim_end().lines().map(|line| line.trim_matches([' ', '>', '\t']));
    let (Some(first), Some(last)) = (lines.next(), lines.next_back()) else { return false };
    let fence = &first[..first.len() - first.trim_start_matches(['`', '~']).len()];
    last.starts_with(fence) && last.trim_matches(['`', '~']).is_empty()
}
