//! `not-a-url`: an image or a file that the API is asked to fetch from something that is not a URL.

use crate::diagnostic::{Diagnostics, Message, Rule, rule};
use crate::lint::entry::{Check, Lint};
use crate::lint::media::Media;
use crate::resources::media::is_data_url;

/// `<img src="cat.png"/>`
pub(super) struct NotAUrl;

impl Lint for NotAUrl {
    const RULE: Rule = rule!("not-a-url" Error Malformed is_allowable);
    const CHECKS: &'static [Check] = &[Check::Media(check)];

    fn message(&self) -> Message {
        Message::new(
            "the API cannot fetch this: it is not an `https://` URL",
            "read as a URL",
            "add `local` for a file next to the document; if it is HTML and meant as text, wrap it in `RAW|` and `|RAW`",
        )
    }
}

fn check(media: &Media<'_>, diagnostics: &mut Diagnostics) {
    let is_url = |url: &str| is_data_url(url) || url.starts_with("https://") || url.starts_with("http://");
    if media.url.is_some_and(|url| !is_url(url)) {
        NotAUrl.report(media.span, diagnostics);
    }
}
