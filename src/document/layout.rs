//! Which whitespace of a body is content, and what in it is more than text.

use std::borrow::Cow;

use crate::element::Tag;
use crate::source::{Span, Spanned};
use crate::syntax::write::Whitespace;
use crate::syntax::{Attributes, Element, Node, is_whitespace, literal_markup_ends};

/// A piece of a body: its comments gone, its layout taken away.
#[derive(Debug, Clone, PartialEq)]
pub enum Piece<'n, 's> {
    /// Text that reaches the model. Literal text and RAW blocks that touch are one.
    Text(Spanned<Cow<'s, str>>),
    /// An element that stands for something there.
    Inline(&'n Element<'s>),
    /// An element that is text there, as it is written.
    Written(&'n Element<'s>),
    /// A comment that carries data for this program.
    Metadata(Spanned<&'s str>),
}

/// What a body may hold besides text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BodyKind {
    /// Images, documents, agents and imports, each a part of its own.
    Message,
    /// Documents and agents, whose text joins: an assistant message, a tool call.
    Text,
    /// Parts if an image or a file is among them, else one text.
    Response,
    /// Summaries.
    Reasoning,
    /// Nothing: what is inside a declaration is its own affair.
    Declaration,
}

/// What stands beside a literal text.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Boundary,
    /// It joins the text, but whitespace alone beside it is layout.
    Joint,
    Raw,
    Literal,
}

/// A node on its way to a piece, RAW blocks still apart from literal text.
enum Strip<'n, 's> {
    Literal(Spanned<Cow<'s, str>>),
    Raw(Spanned<&'s str>),
    Element(&'n Element<'s>, Side),
    Metadata(Spanned<&'s str>),
}

/// Cuts a body into its pieces.
pub fn lay_out<'n, 's>(kind: BodyKind, body: &'n [Node<'s>], whitespace: Whitespace) -> Vec<Piece<'n, 's>> {
    let strips = gather(kind, body, whitespace);
    match whitespace {
        Whitespace::Layout => join(trim(strips)),
        Whitespace::Verbatim => join(strips),
    }
}

/// What the body of an element may hold.
pub fn body_kind(tag: Tag, attributes: &Attributes) -> BodyKind {
    match tag {
        Tag::User | Tag::System | Tag::Developer | Tag::Agent => BodyKind::Message,
        Tag::Assistant | Tag::ToolCall | Tag::Img | Tag::Doc | Tag::Import => BodyKind::Text,
        Tag::ToolResponse => BodyKind::Response,
        // A summary inside a summary is one of its own.
        Tag::Reasoning | Tag::Summary => BodyKind::Reasoning,
        Tag::Config | Tag::Tool | Tag::Script | Tag::ShellAccess | Tag::ModeratorRuntime => BodyKind::Declaration,
        Tag::Msg if is_call(attributes) => BodyKind::Text,
        Tag::Msg => match attributes.value("role") {
            Some("assistant") => BodyKind::Text,
            Some("tool") => BodyKind::Response,
            _ => BodyKind::Message,
        },
    }
}

/// Whether a `<doc>` stands for its text and not for a file.
pub fn is_text(doc: &Attributes) -> bool {
    !doc.has("file") && doc.value("file_id").is_none()
}

/// What a comment says to this program: the text behind `chatmd:`.
pub fn carried(comment: &str) -> Option<&str> {
    comment.trim_start_matches(is_whitespace).strip_prefix("chatmd:")
}

/// What kind of comment for this program it is: the first word of what it says.
pub fn word(said: &str) -> &str {
    said.split(is_whitespace).next().unwrap_or_default()
}

/// The kind of a comment for this program, and what it carries.
pub fn carried_data(comment: &str) -> Option<(&str, &str)> {
    let said = carried(comment)?;
    let kind = word(said);
    Some((kind, said[kind.len()..].trim_matches(is_whitespace)))
}

/// Whether a `<msg>` is a tool call: an assistant's or a tool's, with a flag that says so.
pub fn is_call(msg: &Attributes) -> bool {
    let is_caller = matches!(msg.value("role"), Some("assistant" | "tool"));
    is_caller && (msg.has("tool_call") || msg.has("function_call"))
}

/// Whether a comment only speaks to people, or to `check`, and leaves the text around it whole.
fn is_plain(node: &Node) -> bool {
    matches!(node, Node::Comment(comment) if carried_data(comment.value).is_none_or(|(kind, _)| kind == "allow"))
}

/// The nodes without plain comments. A comment that has its lines to itself takes them along.
fn gather<'n, 's>(kind: BodyKind, body: &'n [Node<'s>], whitespace: Whitespace) -> Vec<Strip<'n, 's>> {
    let has_parts = body.iter().any(is_part);
    let mut strips = Vec::new();
    let mut rest = body;
    while let Some((node, behind)) = rest.split_first() {
        rest = behind;
        match node {
            Node::Text(text) if whitespace == Whitespace::Verbatim => {
                let before_raw = matches!(rest, [Node::Raw(_), ..]);
                let kept = if before_raw { without_swallowed(text.value) } else { text.value };
                push_literal(&mut strips, Spanned::new(kept, text.span.head(kept.len())));
            }
            Node::Text(text) => push_literal(&mut strips, *text),
            Node::Raw(raw) => strips.push(Strip::Raw(*raw)),
            Node::Element(element) => strips.push(Strip::Element(element, kind.side(element, has_parts))),
            Node::Comment(_) if is_plain(node) => {
                let group = rest.len() - behind_comments(rest).len();
                let (blanks, behind) = rest.split_at(group);
                if whitespace == Whitespace::Layout
                    && let Some(text) = line_end(&mut strips, behind)
                {
                    push_literal(&mut strips, text);
                    rest = &behind[1..];
                } else {
                    for node in blanks {
                        if let Node::Text(text) = node {
                            push_literal(&mut strips, *text);
                        }
                    }
                    rest = behind;
                }
            }
            Node::Comment(comment) => strips.push(Strip::Metadata(*comment)),
        }
    }
    strips
}

/// Behind further comments on the same line.
fn behind_comments<'n, 's>(mut nodes: &'n [Node<'s>]) -> &'n [Node<'s>] {
    loop {
        nodes = match nodes {
            [comment, rest @ ..] if is_plain(comment) => rest,
            [Node::Text(blank), comment, rest @ ..]
                if blank.value.trim_matches(BLANK).is_empty() && is_plain(comment) =>
            {
                rest
            }
            _ => return nodes,
        }
    }
}

/// If the comment between `before` and `behind` has its lines to itself: takes its indent from
/// `before` and gives the text behind its line break.
fn line_end<'s>(before: &mut [Strip<'_, 's>], behind: &[Node<'s>]) -> Option<Spanned<&'s str>> {
    let Some(Strip::Literal(before)) = before.last_mut() else { return None };
    let Some(Node::Text(text)) = behind.first() else { return None };
    let kept = before.value.trim_end_matches(BLANK).len();
    let next_line = without_leading_break(text.value)?;
    before.value[..kept].ends_with('\n').then_some(())?;
    cut(before, 0, kept);
    let start = text.span.end - next_line.len();
    Some(Spanned::new(next_line, Span::new(text.span.source, start..text.span.end)))
}

fn push_literal<'s>(strips: &mut Vec<Strip<'_, 's>>, text: Spanned<&'s str>) {
    match strips.last_mut() {
        Some(Strip::Literal(last)) => {
            last.value.to_mut().push_str(text.value);
            last.span = last.span.to(text.span);
        }
        _ => strips.push(Strip::Literal(Spanned::new(Cow::Borrowed(text.value), text.span))),
    }
}

/// Takes away the line breaks that lay the body out.
fn trim<'n, 's>(strips: Vec<Strip<'n, 's>>) -> Vec<Strip<'n, 's>> {
    let sides: Vec<Side> = strips.iter().map(Strip::side).collect();
    let side = |index: Option<usize>| index.and_then(|i| sides.get(i)).copied().unwrap_or(Side::Boundary);
    let trimmed = strips.into_iter().enumerate().filter_map(|(index, strip)| match strip {
        Strip::Literal(text) => {
            trim_literal(text, side(index.checked_sub(1)), side(Some(index + 1))).map(Strip::Literal)
        }
        Strip::Raw(mut raw) => {
            raw.value = raw.value.strip_prefix("\r\n").or_else(|| raw.value.strip_prefix('\n')).unwrap_or(raw.value);
            raw.value = raw.value.strip_suffix("\r\n").or_else(|| raw.value.strip_suffix('\n')).unwrap_or(raw.value);
            Some(Strip::Raw(raw))
        }
        Strip::Element(..) | Strip::Metadata(_) => Some(strip),
    });
    trimmed.collect()
}

fn trim_literal(mut text: Spanned<Cow<'_, str>>, left: Side, right: Side) -> Option<Spanned<Cow<'_, str>>> {
    let is_edge = |side| matches!(side, Side::Boundary | Side::Joint);
    if text.value.trim_matches(is_whitespace).is_empty() {
        let between_edges = is_edge(left) && is_edge(right) && text.value.contains('\n');
        let beside_raw = is_edge(left) && right == Side::Raw || left == Side::Raw && is_edge(right);
        if between_edges || beside_raw {
            return None;
        }
    }
    if left == Side::Boundary {
        let start = text.value.len() - without_leading_break(&text.value).map_or(text.value.len(), str::len);
        let end = text.value.len();
        cut(&mut text, start, end);
    }
    if right == Side::Boundary {
        let end = without_trailing_break(&text.value).len();
        cut(&mut text, 0, end);
    }
    Some(text)
}

/// The pieces, with touching texts as one. Literal text of which nothing is left is gone.
fn join<'n, 's>(strips: Vec<Strip<'n, 's>>) -> Vec<Piece<'n, 's>> {
    let mut pieces = Vec::new();
    for strip in strips {
        let text = match strip {
            Strip::Literal(text) if text.value.is_empty() => continue,
            Strip::Literal(text) => text,
            Strip::Raw(raw) => Spanned::new(Cow::Borrowed(raw.value), raw.span),
            Strip::Element(element, Side::Literal) => {
                pieces.push(Piece::Written(element));
                continue;
            }
            Strip::Element(element, _) => {
                pieces.push(Piece::Inline(element));
                continue;
            }
            Strip::Metadata(comment) => {
                pieces.push(Piece::Metadata(comment));
                continue;
            }
        };
        match pieces.last_mut() {
            Some(Piece::Text(last)) => {
                last.value.to_mut().push_str(&text.value);
                last.span = last.span.to(text.span);
            }
            _ => pieces.push(Piece::Text(text)),
        }
    }
    pieces
}

impl BodyKind {
    fn side(self, element: &Element, has_parts: bool) -> Side {
        match (self, element.tag) {
            (BodyKind::Message, Tag::Img | Tag::Doc | Tag::Agent | Tag::Import)
            | (BodyKind::Reasoning, Tag::Summary) => Side::Boundary,
            (BodyKind::Response, Tag::Img | Tag::Doc | Tag::Agent) if has_parts => Side::Boundary,
            (BodyKind::Text | BodyKind::Response, Tag::Doc | Tag::Agent) => Side::Joint,
            _ => Side::Literal,
        }
    }
}

impl Strip<'_, '_> {
    fn side(&self) -> Side {
        match self {
            Strip::Literal(_) => Side::Literal,
            Strip::Raw(_) => Side::Raw,
            Strip::Element(_, side) => *side,
            Strip::Metadata(_) => Side::Boundary,
        }
    }
}

/// Whether a node makes a tool response one of parts.
fn is_part(node: &Node) -> bool {
    match node {
        Node::Element(element) => element.tag == Tag::Img || element.tag == Tag::Doc && !is_text(&element.attributes),
        Node::Comment(comment) => carried(comment.value).is_some_and(|said| word(said) == "part"),
        Node::Text(_) | Node::Raw(_) => false,
    }
}

const BLANK: [char; 2] = [' ', '\t'];

/// The text behind a leading `[ \t]*` and line break, if it begins so.
fn without_leading_break(text: &str) -> Option<&str> {
    let rest = text.trim_start_matches(BLANK);
    rest.strip_prefix('\n').or_else(|| rest.strip_prefix("\r\n"))
}

/// The text before a trailing line break and `[ \t]*`, if it ends so; else all of it.
fn without_trailing_break(text: &str) -> &str {
    let rest = text.trim_end_matches(BLANK);
    rest.strip_suffix("\r\n").or_else(|| rest.strip_suffix('\n')).unwrap_or(text)
}

/// A text without the whitespace that verbatim mode swallows before `RAW|`.
fn without_swallowed(text: &str) -> &str {
    let kept = text.trim_end_matches([' ', '\t', '\r', '\n']);
    let swallows = kept.is_empty() || kept.ends_with(['|', '<']) || literal_markup_ends(kept);
    if swallows { kept } else { text }
}

/// Keeps a range of a text. What is borrowed stands in the source as it is, so its span shrinks along.
fn cut(text: &mut Spanned<Cow<'_, str>>, start: usize, end: usize) {
    match &mut text.value {
        Cow::Borrowed(value) => {
            *value = &value[start..end];
            text.span = Span::new(text.span.source, text.span.start + start..text.span.start + end);
        }
        Cow::Owned(text) => {
            text.truncate(end);
            text.drain(..start);
        }
    }
}
