//! `empty-source`: an image or a file that names no source.

use crate::diagnostic::{Diagnostics, Message, Rule, rule};
use crate::lint::entry::Lint;
use crate::lint::media::Media;

/// `<img src=""/>`
pub(super) struct EmptySource;

impl Lint for EmptySource {
    const RULE: Rule = rule!("empty-source" Error Malformed is_allowable);

    fn message(&self) -> Message {
        Message::new("an image or a file without a source", "empty", "give it `src` or `file_id`, or remove it")
    }

    fn check_media(media: &Media<'_>, diagnostics: &mut Diagnostics) {
        if !media.has_source {
            EmptySource.report(media.span, diagnostics);
        }
    }
}
