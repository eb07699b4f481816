//! Where the body of an element is Markdown code.

use std::ops::Range;

use pulldown_cmark::{CodeBlockKind, Event, LinkType, Parser, Tag as MarkdownTag};

use super::rules::LINTS;
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
    pub(super) code: Code,
    /// The images that Markdown would show, if images can be sent in their place.
    pub(super) images: Vec<MarkdownImage>,
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
    let images = if takes_images { images(nodes, source.text) } else { Vec::new() };
    let is_markup = |node: &Node<'_>| match node {
        Node::Element(element) => element.tag.is_inline(),
        Node::Comment(_) => true,
        Node::Text(_) | Node::Raw(_) => false,
    };
    let guesses = if takes_images { guesses(nodes) } else { Vec::new() };
    if images.is_empty() && guesses.is_empty() && !nodes.iter().any(is_markup) {
        return;
    }
    let pieces = lay_out(kind, nodes, source.whitespace);
    let inlines = pieces.filter_map(|piece| if let Piece::Inline(inline) = piece { Some(inline) } else { None });
    let body = MarkdownBody { nodes, inlines: inlines.collect(), code: Code::of(nodes, source.text), images, guesses };
    for lint in LINTS {
        lint.check_body(&body, diagnostics);
    }
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

/// The images in the literal text of a body that Markdown would show.
pub(super) fn images(body: &[Node<'_>], text: &str) -> Vec<MarkdownImage> {
    let (Some(first), Some(last)) = (body.first(), body.last()) else { return Vec::new() };
    let start = first.span().start;
    let body_text = &text[start..last.span().end];
    if !body_text.contains("![") {
        return Vec::new();
    }
    let texts: Vec<Span> = body.iter().filter(|node| matches!(node, Node::Text(_))).map(Node::span).collect();
    let is_literal = |range: &Range<usize>| {
        let index = texts.partition_point(|span| span.start <= range.start);
        index.checked_sub(1).is_some_and(|index| range.end <= texts[index].end)
    };
    let mut images = Vec::new();
    for (event, range) in Parser::new(body_text).into_offset_iter() {
        let Event::Start(MarkdownTag::Image { link_type: LinkType::Inline, dest_url, .. }) = event else { continue };
        let range = range.start + start..range.end + start;
        let written = &text[range.clone()];
        let is_bare =
            written.starts_with("![](") && !written.contains([' ', '\n']) && !text[..range.start].ends_with('[');
        if is_literal(&range) && !dest_url.is_empty() {
            images.push(MarkdownImage { range, url: dest_url.to_string(), is_bare });
        }
    }
    images
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

/// The ranges of a body that are Markdown code, in order.
#[derive(Default)]
pub(super) struct Code(Vec<(Range<usize>, CodeKind)>);

impl Code {
    pub(super) fn of(body: &[Node<'_>], text: &str) -> Self {
        let (Some(first), Some(last)) = (body.first(), body.last()) else { return Self::default() };
        let start = first.span().start;
        let body = &text[start..last.span().end];
        if memchr::memchr2(b'`', b'~', body.as_bytes()).is_none() {
            return Self::default();
        }
        let ranges = Parser::new(body).into_offset_iter().filter_map(|(event, range)| {
            let kind = match event {
                Event::Code(_) => CodeKind::Span,
                Event::Start(MarkdownTag::CodeBlock(CodeBlockKind::Fenced(_))) if is_closed(&body[range.clone()]) => {
                    CodeKind::Fence
                }
                _ => return None,
            };
            Some((range.start + start..range.end + start, kind))
        });
        Self(ranges.collect())
    }

    /// Whether a span is in code.
    pub(super) fn contains(&self, span: Span) -> bool {
        self.kind_at(span).is_some()
    }

    /// The kind of code that a span is in.
    pub(super) fn kind_at(&self, span: Span) -> Option<CodeKind> {
        let index = self.0.partition_point(|(range, _)| range.start <= span.start);
        self.0[..index].last().filter(|(range, _)| span.end <= range.end).map(|(_, kind)| *kind)
    }
}

/// Whether a fenced block ends with its fence. A block that does not is probably not meant as code.
fn is_closed(block: &str) -> bool {
    let mut lines = block.trim_end().lines().map(|line| line.trim_matches([' ', '>', '\t']));
    let (Some(first), Some(last)) = (lines.next(), lines.next_back()) else { return false };
    let fence = &first[..first.len() - first.trim_start_matches(['`', '~']).len()];
    last.starts_with(fence) && last.trim_matches(['`', '~']).is_empty()
}
