//! What texts should not hold: base64, content parts as JSON, secrets, characters that nobody sees.

use std::ops::Range;

use super::base64::{Leak, decoded, leaks};
use super::hidden::{Hidden, hidden};
use super::items::report;
use super::values::places;
use crate::convert::{Context, Located};
use crate::diagnostic::{Diagnostics, Lint, secrets};
use crate::document::{Reference, Use};
use crate::json::Json;
use crate::resources::media::dimensions;
use crate::responses::{Item, Part, ToolOutput};
use crate::source::{SourceId, Sources, Span};
use crate::syntax::is_whitespace;
use crate::tokens::{Detail, image_tokens, text_tokens};

/// The types that content parts have here, in Chat Completions and in MCP, and a key that each has.
const PARTS: [(&str, &[&str]); 8] = [
    ("input_text", &["text"]),
    ("output_text", &["text"]),
    ("text", &["text"]),
    ("input_image", &["image_url", "file_id"]),
    ("image_url", &["image_url"]),
    ("image", &["data", "source"]),
    ("input_file", &["file_data", "file_id", "file_url"]),
    ("file", &["file"]),
];

/// Reports what costs more in the texts of an item than it should.
pub(super) fn item(located: &Located<'_>, sources: &Sources, diagnostics: &mut Diagnostics) {
    for (text, span) in texts(located) {
        report_decoded(text, span, sources, diagnostics);
        // What a tool is called with may well be parts.
        if is_content(text) && !matches!(located.item, Item::ToolCall(_)) {
            let place = place(text, 0..text.len().min(1), span, sources);
            report(Lint::StringifiedContent { tokens: text_tokens(text) }, place, diagnostics);
        } else {
            report_leaks(text, span, takes_images(&located.item), sources, diagnostics);
        }
    }
}

/// Reports secrets and hidden characters that are only there once the escapes of JSON are read.
fn report_decoded(text: &str, span: Span, sources: &Sources, diagnostics: &mut Diagnostics) {
    let written = sources.slice(span);
    if !written.starts_with('{') || sources.offset_of(span.source, text).is_some() {
        return;
    }
    if let Some((range, what)) = secrets(text).into_iter().next()
        && !written.contains(&text[range])
    {
        report(Lint::Secret { what, file: None }, span, diagnostics);
    }
    if let Some(Hidden { range, first, count }) = hidden(text).into_iter().next()
        && !written.contains(&text[range])
    {
        report(Lint::HiddenCharacters { first, count, file: None }, span, diagnostics);
    }
}

/// Reports the base64 in a text that is written at `span`.
pub(super) fn report_leaks(
    text: &str,
    span: Span,
    takes_images: bool,
    sources: &Sources,
    diagnostics: &mut Diagnostics,
) {
    for leak in leaks(text) {
        let tokens = text_tokens(&text[leak.range.clone()]);
        let as_image = as_image(text, &leak).filter(|_| takes_images);
        let lint = Lint::Base64InText { length: leak.range.len(), tokens, as_image };
        report(lint, place(text, leak.range, span, sources), diagnostics);
    }
}

/// Where a stretch of a text stands. A text that was put together stands where its part does.
fn place(text: &str, range: Range<usize>, span: Span, sources: &Sources) -> Span {
    let offset = sources.offset_of(span.source, text);
    offset.map_or(span, |offset| Span::new(span.source, offset + range.start..offset + range.end))
}

/// Reports secrets and hidden characters anywhere in a source, in comments and attributes too.
pub(super) fn source(id: SourceId, sources: &Sources, diagnostics: &mut Diagnostics) {
    let source = sources.get(id);
    for (range, what) in secrets(&source.text) {
        report(Lint::Secret { what, file: None }, Span::new(id, range), diagnostics);
    }
    for Hidden { range, first, count } in hidden(&source.text) {
        report(Lint::HiddenCharacters { first, count, file: None }, Span::new(id, range), diagnostics);
    }
}

/// Reports the same of a file that a document brings along.
pub(super) fn file(reference: &Reference<'_>, context: &Context<'_>, diagnostics: &mut Diagnostics) {
    if reference.usage != Use::File {
        return;
    }
    // The conversion reports a file that cannot be read.
    let file = context.resolver.file(reference.target, reference.span, &mut Diagnostics::new());
    let Some(text) = file.and_then(|file| std::str::from_utf8(&file.bytes).ok()) else { return };
    if let Some((_, what)) = secrets(text).into_iter().next() {
        let file = Some(reference.target.to_owned());
        report(Lint::Secret { what, file }, reference.span, diagnostics);
    }
    if let Some(Hidden { first, count, .. }) = hidden(text).into_iter().next() {
        let file = Some(reference.target.to_owned());
        report(Lint::HiddenCharacters { first, count, file }, reference.span, diagnostics);
    }
}

/// The texts that an item sends, and where each is written.
fn texts<'p>(located: &'p Located<'_>) -> Vec<(&'p str, Span)> {
    let of_parts = |list: &'static str, parts: &'p [Part<'_>]| -> Vec<(&'p str, Span)> {
        let texts = parts.iter().zip(places(located, list, parts.len())).filter_map(|(part, span)| match part {
            Part::Text(text) => Some((text.text.as_ref(), span)),
            Part::Image(_) | Part::Other(_) | Part::Raw(_) => None,
        });
        texts.collect()
    };
    match &located.item {
        Item::Message(message) => of_parts("content", &message.content),
        Item::ToolCall(call) => vec![(call.input.as_ref(), located.span)],
        Item::ToolResponse(response) => match &response.output {
            ToolOutput::Text(text) => vec![(text.as_ref(), located.span)],
            ToolOutput::Content(parts) => of_parts("output", parts),
        },
        // What a model thought is its own.
        Item::Reasoning(_) | Item::Other(_) => Vec::new(),
    }
}

/// Whether an image could stand where the text does.
fn takes_images(item: &Item<'_>) -> bool {
    match item {
        Item::Message(message) => message.role != "assistant",
        Item::ToolResponse(_) => true,
        Item::ToolCall(_) | Item::Reasoning(_) | Item::Other(_) => false,
    }
}

/// Whether a text is an array of content parts.
fn is_content(text: &str) -> bool {
    let trimmed = text.trim_matches(is_whitespace);
    if !trimmed.starts_with('[') {
        return false;
    }
    let is_part = |json: &Json<'_>| {
        let Ok(members) = json.object() else { return false };
        let kind = members.text("type").unwrap_or_default();
        PARTS.iter().any(|(name, keys)| *name == kind && keys.iter().any(|key| members.get(key).is_some()))
    };
    let elements = Json::parse(trimmed).and_then(Json::array);
    elements.is_ok_and(|elements| !elements.is_empty() && elements.iter().all(is_part))
}

/// What the image would cost that a leak is.
fn as_image(text: &str, leak: &Leak) -> Option<usize> {
    leak.image_type?;
    let size = dimensions(&decoded(&text[leak.data..leak.range.end])?)?;
    Some(image_tokens("", size, Detail::High))
}
