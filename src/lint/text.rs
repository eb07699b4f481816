//! The texts of a request, and the files that it sends.

use std::ops::Range;

use super::request::parts;
use super::rules;
use crate::convert::{Context, Located, Request};
use crate::diagnostic::Diagnostics;
use crate::document::{Reference, Use};
use crate::responses::{Item, Part, ToolOutput};
use crate::source::{Sources, Span};

/// A text that is sent to the model.
pub(super) struct SentText<'t> {
    pub(super) text: &'t str,
    /// Where it is written.
    pub(super) span: Span,
    /// Whether an image could be sent in its place.
    pub(super) takes_images: bool,
    /// Whether it is the content of a message or an output, which can be parts.
    pub(super) is_content: bool,
    sources: &'t Sources,
}

impl<'t> SentText<'t> {
    /// Where a part of the text is written.
    pub(super) fn span_of(&self, range: Range<usize>) -> Span {
        span_in(self.text, range, self.span, self.sources)
    }

    /// The JSON that the text was decoded from, if it was. Escapes in the JSON may hide characters of the text.
    pub(super) fn json(&self) -> Option<&'t str> {
        let json = self.sources.slice(self.span);
        (json.starts_with('{') && self.sources.offset_of(self.span.source, self.text).is_none()).then_some(json)
    }
}

/// Where a part of a text is written. In a text that was put together, that is where the whole text is.
pub(super) fn span_in(text: &str, part: Range<usize>, whole: Span, sources: &Sources) -> Span {
    let offset = sources.offset_of(whole.source, text);
    offset.map_or(whole, |offset| Span::new(whole.source, offset + part.start..offset + part.end))
}

/// Runs the checks of texts on the instructions and on every item.
pub(super) fn check_texts(request: &Request<'_>, diagnostics: &mut Diagnostics) {
    let sources = request.sources;
    for (text, span) in request.instructions.iter().flat_map(texts) {
        rules::check_text(&SentText { text, span, takes_images: false, is_content: false, sources }, diagnostics);
    }
    for located in &request.items {
        let takes_images = takes_images(&located.item);
        let is_content = !matches!(located.item, Item::ToolCall(_));
        for (text, span) in texts(located) {
            rules::check_text(&SentText { text, span, takes_images, is_content, sources }, diagnostics);
        }
    }
}

/// Runs the checks of files on a file that the document refers to.
pub(super) fn file(reference: &Reference<'_>, context: &Context<'_>, diagnostics: &mut Diagnostics) {
    if reference.usage != Use::File {
        return;
    }
    // The conversion reports a file that cannot be read. A file that is not text is not sent as text.
    let loaded = context.resolver.file(&reference.target, reference.span, &mut Diagnostics::new());
    let Some(text) = loaded.and_then(|loaded| std::str::from_utf8(&loaded.bytes).ok()) else { return };
    rules::check_file(&reference.target, text, reference.span, diagnostics);
}

/// The texts of an item, and where each is written.
fn texts<'p>(located: &'p Located<'_>) -> Vec<(&'p str, Span)> {
    match &located.item {
        Item::ToolCall(call) => vec![(call.input.as_ref(), located.span)],
        Item::Message(_) | Item::ToolResponse(_) => {
            if let Item::ToolResponse(response) = &located.item
                && let ToolOutput::Text(text) = &response.output
            {
                return vec![(text.as_ref(), located.span)];
            }
            let texts = parts(located).filter_map(|(part, span)| match part {
                Part::Text(text) => Some((text.text.as_ref(), span)),
                Part::Image(_) | Part::Other(_) | Part::Raw(_) => None,
            });
            texts.collect()
        }
        // Reasoning comes from the model and is sent back unchanged.
        Item::Reasoning(_) | Item::Other(_) | Item::Foreign(_) => Vec::new(),
    }
}

/// Whether an image can be sent where the texts of an item are.
fn takes_images(item: &Item<'_>) -> bool {
    match item {
        Item::Message(message) => message.role != "assistant",
        Item::ToolResponse(_) => true,
        Item::ToolCall(_) | Item::Reasoning(_) | Item::Other(_) | Item::Foreign(_) => false,
    }
}
