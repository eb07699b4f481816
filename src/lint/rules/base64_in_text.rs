//! `base64-in-text`: an image or a file that is sent as base64 text.

use crate::diagnostic::{Diagnostics, Message, Rule, rule, thousands};
use crate::element::BodyKind;
use crate::element::Tag;
use crate::lint::base64::{Base64, base64_in, decode};
use crate::lint::fix::{Body, Fix, Problems, SiblingNode};
use crate::lint::text::SentText;
use crate::resources::media::{data_url, dimensions, image_type};
use crate::source::Span;
use crate::syntax::write::Opening;
use crate::syntax::{Node, is_blank, is_whitespace};
use crate::tokens::{Detail, image_tokens, text_tokens};

/// How many bytes of base64 are counted exactly.
const MAX_COUNTED: usize = 16 << 10;

/// `<user>iVBORw0KGgo… and 300 more characters</user>`
pub(super) const BASE64_IN_TEXT: Rule = rule!("base64-in-text" Warning Malformed is_fixable is_allowable);

pub(super) fn check_text(text: &SentText<'_>, diagnostics: &mut Diagnostics) {
    if super::stringified_content::applies_to(text) {
        return;
    }
    for base64 in base64_in(text.text) {
        let tokens_as_image = if text.takes_images { tokens_as_image(text.text, &base64) } else { None };
        let message = message(&text.text[base64.range.clone()], tokens_as_image);
        diagnostics.add(&BASE64_IN_TEXT, message, text.span_of(base64.range));
    }
}

/// Replaces base64 by `<img>`. A RAW block in a message is meant as text, but in an output a program may have
/// written it.
pub(super) fn fix_node(place: SiblingNode<'_, '_>, body: &Body, problems: &Problems<'_>) -> Vec<Fix> {
    let text = match place.node() {
        Node::Text(text) if body.takes_parts() => FixedText { value: text.value, span: text.span, delimiter: 0 },
        Node::Raw(raw) if body.kind == BodyKind::Response => {
            FixedText { value: raw.value, span: raw.span, delimiter: "RAW|".len() }
        }
        Node::Text(_) | Node::Raw(_) | Node::Element(_) | Node::Comment(_) => return Vec::new(),
    };
    if body.is_always_text || !problems.has(BASE64_IN_TEXT.name) {
        return Vec::new();
    }
    base64_in(text.value).into_iter().filter_map(|base64| fix_one(&text, &base64, place, body, problems)).collect()
}

/// `tokens_as_image` is the cost of the base64 if it were sent as an image.
fn message(base64: &str, tokens_as_image: Option<usize>) -> Message {
    let tokens = base64_tokens(base64);
    let title =
        format!("{} characters of base64 in text cost about {} tokens", thousands(base64.len()), thousands(tokens));
    let help = match tokens_as_image {
        Some(image) if image < tokens => {
            format!("as `<img src=\"data:…\"/>` it would cost about {}", thousands(image))
        }
        Some(_) => "send it as `<img src=\"data:…\"/>`".to_owned(),
        None => "remove it; a message or a tool response can hold it as a file with `<doc … file/>`".to_owned(),
    };
    Message::new(title, "sent as text", help)
}

/// Reports base64 in an output that is sent as text.
pub(in crate::lint) fn report_base64(base64: &str, span: Span, diagnostics: &mut Diagnostics) {
    let size = decode(base64).as_deref().and_then(dimensions);
    let tokens_as_image = size.map(|size| image_tokens("", size, Detail::High));
    diagnostics.add(&BASE64_IN_TEXT, message(base64, tokens_as_image), span);
}

/// The tokens of base64. All base64 looks alike, so the start of a long run is enough to estimate the rest.
fn base64_tokens(base64: &str) -> usize {
    let counted = base64.get(..MAX_COUNTED).unwrap_or(base64);
    text_tokens(counted) * base64.len() / counted.len().max(1)
}

fn tokens_as_image(text: &str, base64: &Base64) -> Option<usize> {
    base64.image_type?;
    let size = dimensions(&decode(&text[base64.data..base64.range.end])?)?;
    Some(image_tokens("", size, Detail::High))
}

/// A text, and the length of the delimiters around it.
struct FixedText<'s> {
    value: &'s str,
    span: Span,
    delimiter: usize,
}

fn fix_one(
    text: &FixedText<'_>,
    base64: &Base64,
    place: SiblingNode<'_, '_>,
    body: &Body,
    problems: &Problems<'_>,
) -> Option<Fix> {
    let at = text.span.start + text.delimiter;
    let span = Span::new(text.span.source, at + base64.range.start..at + base64.range.end);
    let fixes = problems.at(span.start, &[BASE64_IN_TEXT.name]).filter(|_| !body.markdown.contains(span))?;
    let (before, after) = (&text.value[..base64.range.start], &text.value[base64.range.end..]);
    // The last line of wrapped base64 may be a word that follows it.
    let end_is_certain = !text.value[base64.range.clone()].contains('\n') || is_blank(after);
    let is_separate = |node: Option<&Node<'_>>| node.is_none_or(|node| matches!(node, Node::Element(_)));
    let starts_word = before.chars().next_back().map_or_else(|| is_separate(place.before()), is_whitespace);
    let ends_word = after.chars().next().map_or_else(|| is_separate(place.after()), is_whitespace);
    if !(end_is_certain && starts_word && ends_word) {
        return None;
    }
    let image = image_tag(&text.value[base64.data..base64.range.end])?;
    // If nothing would be left on one side of the RAW block, that side is removed too.
    let (start, head) = match text.delimiter {
        0 => (span.start, ""),
        _ if is_blank(before) => (text.span.start, ""),
        _ => (span.start, "|RAW\n"),
    };
    let (end, tail) = match text.delimiter {
        0 => (span.end, ""),
        _ if is_blank(after) => (text.span.end, ""),
        _ => (span.end, "\nRAW|"),
    };
    Some(Fix { span: start..end, replacement: [head, &image, tail].concat(), fixes })
}

/// `<img>` with the image that some base64 encodes.
fn image_tag(base64: &str) -> Option<String> {
    let bytes = decode(base64)?;
    let mut out = String::new();
    let mut tag = Opening::new(&mut out, Tag::Img);
    tag.attribute("src", Some(&data_url(image_type(&bytes)?, &bytes)));
    tag.end_void();
    Some(out)
}
