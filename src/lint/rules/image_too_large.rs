//! `image-too-large`: an image whose URL is longer than the API accepts.

use crate::diagnostic::{Diagnostics, Message, Rule, rule, thousands};
use crate::lint::entry::{Check, Lint};
use crate::lint::media::{Media, MediaKind};

const MAX_URL_LENGTH: usize = 20 * 1024 * 1024;

/// `<img src="data:image/png;base64,…"/>` with 21 MB
pub(super) struct ImageTooLarge {
    length: usize,
}

impl Lint for ImageTooLarge {
    const RULE: Rule = rule!("image-too-large" Error Malformed is_allowable);
    const CHECKS: &'static [Check] = &[Check::Media(check)];

    fn message(&self) -> Message {
        let most = thousands(MAX_URL_LENGTH);
        Message::new(
            format!("the URL of this image has {} characters", thousands(self.length)),
            "too large",
            format!("the API accepts at most {most}: make the image smaller, or upload it and use its file id"),
        )
    }
}

/// Whether the API rejects this URL of an image whatever its content is.
pub(in crate::lint) fn is_too_large(url: &str) -> bool {
    url.len() > MAX_URL_LENGTH
}

fn check(media: &Media<'_>, diagnostics: &mut Diagnostics) {
    if let Some(url) = media.url.filter(|url| media.kind == MediaKind::Image && is_too_large(url)) {
        ImageTooLarge { length: url.len() }.report(media.span, diagnostics);
    }
}
