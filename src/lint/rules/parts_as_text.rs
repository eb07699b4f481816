//! Texts that are sent in place of parts.

use crate::convert::Located;
use crate::diagnostic::{Diagnostics, Message, Rule, rule, thousands};
use crate::element::{BodyKind, Tag};
use crate::json::{Json, StringArena};
use crate::lint::base64::{Base64, base64_in, decode, unwrapped_runs};
use crate::lint::fix::{Body, Fix, Problems, SiblingNode};
use crate::lint::text::{SentText, span_in};
use crate::resources::media::{data_url, dimensions, image_type};
use crate::responses::{Item, ToolOutput};
use crate::source::{Sources, Span};
use crate::syntax::write::Opening;
use crate::syntax::{Node, is_blank, is_whitespace};
use crate::tokens::{Detail, image_tokens, text_tokens};

/// An image or a file that is sent as base64 text: `<user>iVBORw0KGgo… and 300 more characters</user>`
const BASE64_IN_TEXT: Rule = rule!("base64-in-text" Warning Malformed is_fixable is_allowable);
/// Content parts that are sent as a JSON text: `<user>[{"type":"input_image","image_url":"…"}]</user>`
const STRINGIFIED_CONTENT: Rule = rule!("stringified-content" Warning Malformed is_allowable);

pub(super) const RULES: &[Rule] = &[BASE64_IN_TEXT, STRINGIFIED_CONTENT];

/// How many bytes of base64 are counted exactly.
const MAX_COUNTED: usize = 16 << 10;
/// Longer runs of base64 in the text of an output are reported while a request is written.
const MAX_BASE64_RUN: usize = 4096;
/// The types of content parts in the Responses API, in Chat Completions and in MCP. A part has one of the keys.
const REQUIRED_MEMBERS: [(&str, &[&str]); 8] = [
    ("input_text", &["text"]),
    ("output_text", &["text"]),
    ("text", &["text"]),
    ("input_image", &["image_url", "file_id"]),
    ("image_url", &["image_url"]),
    ("image", &["data", "source"]),
    ("input_file", &["file_data", "file_id", "file_url"]),
    ("file", &["file"]),
];

pub(super) fn check_text(text: &SentText<'_>, diagnostics: &mut Diagnostics) {
    if is_stringified(text) {
        let message = Message::new(
            format!("content parts written as text cost about {} tokens", thousands(text_tokens(text.text))),
            "sent as text",
            "in a message write `<img>` and text; a tool response without `output=` may hold the array itself",
        );
        diagnostics.add(&STRINGIFIED_CONTENT, message, text.span_of(0..text.text.len().min(1)));
        return;
    }
    for base64 in base64_in(text.text) {
        let data = &text.text[base64.data..base64.range.end];
        let is_image = text.takes_images && base64.image_type.is_some();
        let message = message(&text.text[base64.range.clone()], is_image.then_some(data));
        diagnostics.add(&BASE64_IN_TEXT, message, text.span_of(base64.range));
    }
}

/// Warns of long base64 in an output that is sent as text.
pub(super) fn check_converted(located: &Located<'_>, sources: &Sources, diagnostics: &mut Diagnostics) {
    let Item::ToolResponse(response) = &located.item else { return };
    let ToolOutput::Text(text) = &response.output else { return };
    for run in unwrapped_runs(text).filter(|run| run.len() > MAX_BASE64_RUN) {
        let place = span_in(text, run.clone(), located.span, sources);
        diagnostics.add(&BASE64_IN_TEXT, message(&text[run.clone()], Some(&text[run])), place);
    }
}

/// Replaces base64 by `<img>`. A RAW block in a message is meant as text, but in an output a program may have
/// written it.
pub(in crate::lint) fn fix_node(place: SiblingNode<'_, '_>, body: &Body, problems: &Problems) -> Vec<Fix> {
    let text = match place.node() {
        _ if body.is_always_text => return Vec::new(),
        Node::Text(text) if body.takes_parts() => FixedText { value: text.value, span: text.span, delimiter: 0 },
        Node::Raw(raw) if body.kind == BodyKind::Response => {
            FixedText { value: raw.value, span: raw.span, delimiter: "RAW|".len() }
        }
        Node::Text(_) | Node::Raw(_) | Node::Element(_) | Node::Comment(_) => return Vec::new(),
    };
    base64_in(text.value).into_iter().filter_map(|base64| fix_one(&text, &base64, place, body, problems)).collect()
}

/// `image` is the part that may be an image, without the head of its URL.
fn message(base64: &str, image: Option<&str>) -> Message {
    let tokens = base64_tokens(base64);
    let size = image.and_then(|image| dimensions(&decode(image)?));
    let tokens_as_image = size.map(|size| image_tokens("", size, Detail::High));
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

/// The tokens of base64. All base64 looks alike, so the start of a long run is enough to estimate the rest.
fn base64_tokens(base64: &str) -> usize {
    let counted = base64.get(..MAX_COUNTED).unwrap_or(base64);
    text_tokens(counted) * base64.len() / counted.len().max(1)
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
    problems: &Problems,
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

/// Whether a text is an array of content parts. The arguments of a call may well be one.
fn is_stringified(text: &SentText<'_>) -> bool {
    let trimmed = text.text.trim_matches(is_whitespace);
    if !text.is_content || !trimmed.starts_with('[') {
        return false;
    }
    let is_part = |json: &Json<'_>| {
        let Ok(members) = json.object() else { return false };
        let kind = members.get_str("type").unwrap_or_default();
        REQUIRED_MEMBERS.iter().any(|(name, keys)| *name == kind && keys.iter().any(|key| members.get(key).is_some()))
    };
    let strings = StringArena::default();
    let elements = Json::parse(trimmed, &strings).and_then(Json::array);
    elements.is_ok_and(|elements| !elements.is_empty() && elements.iter().all(is_part))
}
