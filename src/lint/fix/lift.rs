//! Images that are written as base64 in a text, into `<img>`.

use super::Fix;
use super::place::{Body, Place, Problems};
use crate::diagnostic::{Lint, Problem};
use crate::element::{BodyKind, Tag};
use crate::lint::base64::{Leak, decoded, leaks};
use crate::resources::media::{data_url, image_type};
use crate::source::Span;
use crate::syntax::write::Opening;
use crate::syntax::{Node, is_whitespace};

/// A text, and how long the delimiters are that it stands between.
struct Text<'s> {
    value: &'s str,
    span: Span,
    delimiter: usize,
}

/// The images of a text. In a message a RAW block is an author's word, in an output a program's habit.
pub(super) fn images(place: Place<'_, '_>, body: &Body, problems: &Problems<'_>) -> Vec<Fix> {
    let text = match place.node() {
        Node::Text(text) if body.takes_parts() => Text { value: text.value, span: text.span, delimiter: 0 },
        Node::Raw(raw) if body.kind == BodyKind::Response => {
            Text { value: raw.value, span: raw.span, delimiter: "RAW|".len() }
        }
        Node::Text(_) | Node::Raw(_) | Node::Element(_) | Node::Comment(_) => return Vec::new(),
    };
    if !problems.has_leaks || body.is_settled {
        return Vec::new();
    }
    leaks(text.value).into_iter().filter_map(|leak| image(&text, &leak, place, body, problems)).collect()
}

fn image(text: &Text<'_>, leak: &Leak, place: Place<'_, '_>, body: &Body, problems: &Problems<'_>) -> Option<Fix> {
    let at = text.span.start + text.delimiter;
    let here = Span::new(text.span.source, at + leak.range.start..at + leak.range.end);
    let is_leak = |problem: &Problem| matches!(problem, Problem::Lint(Lint::Base64InText { .. }));
    let mends = problems.at(here.start, is_leak).filter(|_| !body.code.has(here))?;
    let (before, behind) = (&text.value[..leak.range.start], &text.value[leak.range.end..]);
    let is_blank = |text: &str| text.trim_matches(is_whitespace).is_empty();
    // The last line of wrapped base64 may be a word behind it.
    let is_clear = !text.value[leak.range.clone()].contains('\n') || is_blank(behind);
    let is_apart = |node: Option<&Node<'_>>| node.is_none_or(|node| matches!(node, Node::Element(_)));
    let begins = before.chars().next_back().map_or_else(|| is_apart(place.before()), is_whitespace);
    let ends = behind.chars().next().map_or_else(|| is_apart(place.behind()), is_whitespace);
    if !(is_clear && begins && ends) {
        return None;
    }
    let image = tag(&text.value[leak.data..leak.range.end])?;
    // A side of a RAW block of which nothing would be left goes with it.
    let (start, head) = match text.delimiter {
        0 => (here.start, ""),
        _ if is_blank(before) => (text.span.start, ""),
        _ => (here.start, "|RAW\n"),
    };
    let (end, tail) = match text.delimiter {
        0 => (here.end, ""),
        _ if is_blank(behind) => (text.span.end, ""),
        _ => (here.end, "\nRAW|"),
    };
    let span = Span::new(here.source, start..end);
    Some(Fix { span, replacement: [head, &image, tail].concat(), mends })
}

/// `<img>` with the image that a stretch of base64 is.
fn tag(base64: &str) -> Option<String> {
    let bytes = decoded(base64)?;
    let mut out = String::new();
    let mut tag = Opening::new(&mut out, Tag::Img);
    tag.attribute("src", Some(&data_url(image_type(&bytes)?, &bytes)));
    tag.end_void();
    Some(out)
}
