//! `limit-exceeded`: an output or an image that is larger than the API accepts.

use crate::convert::Located;
use crate::diagnostic::{Diagnostics, Message, Rule, rule, thousands};
use crate::lint::entry::Lint;
use crate::lint::media::{Media, MediaKind};
use crate::responses::{Item, Part, ToolOutput};

const MAX_OUTPUT_LENGTH: usize = 10 * 1024 * 1024;
const MAX_URL_LENGTH: usize = 20 * 1024 * 1024;

pub(super) enum LimitExceeded {
    /// `<tool_response …>` with 11 MB of text
    Output { length: usize },
    /// `<img src="data:image/png;base64,…"/>` with 21 MB
    Image { length: usize },
}

impl Lint for LimitExceeded {
    const RULE: Rule = rule!("limit-exceeded" Error Malformed is_allowable);

    fn message(&self) -> Message {
        let (what, length, label, most, remedy) = match self {
            Self::Output { length } => ("this output", length, "too long", MAX_OUTPUT_LENGTH, "shorten it"),
            Self::Image { length } => {
                ("the URL of this image", length, "too large", MAX_URL_LENGTH, "make the image smaller")
            }
        };
        let help = format!("the API accepts at most {}: {remedy}, or upload it and use its file id", thousands(most));
        Message::new(format!("{what} has {} characters", thousands(*length)), label, help)
    }

    fn check_items(items: &[Located<'_>], diagnostics: &mut Diagnostics) {
        for located in items {
            let Item::ToolResponse(response) = &located.item else { continue };
            let length = match &response.output {
                ToolOutput::Text(text) => text.chars().count(),
                ToolOutput::Content(parts) => parts.iter().map(text_length).max().unwrap_or_default(),
            };
            if length > MAX_OUTPUT_LENGTH {
                LimitExceeded::Output { length }.report(located.span, diagnostics);
            }
        }
    }

    fn check_media(media: &Media<'_>, diagnostics: &mut Diagnostics) {
        if let Some(url) = media.url.filter(|url| media.kind == MediaKind::Image && is_too_large(url)) {
            LimitExceeded::Image { length: url.len() }.report(media.span, diagnostics);
        }
    }
}

fn text_length(part: &Part<'_>) -> usize {
    match part {
        Part::Text(text) => text.text.chars().count(),
        Part::Image(_) | Part::Other(_) | Part::Raw(_) => 0,
    }
}

/// Whether the API rejects this URL of an image whatever its content is.
pub(in crate::lint) fn is_too_large(url: &str) -> bool {
    url.len() > MAX_URL_LENGTH
}
