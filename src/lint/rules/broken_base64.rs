//! `broken-base64`: an image or a file whose base64 cannot be decoded.

use crate::diagnostic::{Diagnostics, Message, Rule, rule};
use crate::lint::entry::Lint;
use crate::lint::media::Media;

/// `<img src="data:image/png;base64,iVBOR"/>`
pub(super) struct BrokenBase64;

impl Lint for BrokenBase64 {
    const RULE: Rule = rule!("broken-base64" Error Malformed is_allowable);

    fn message(&self) -> Message {
        Message::new(
            "the base64 of this image or file is not valid",
            "cannot be decoded",
            "it may be cut off: encode the file again, or refer to it by `src=\"…\" local`",
        )
    }

    fn check_media(media: &Media<'_>, diagnostics: &mut Diagnostics) {
        if media.data.as_ref().is_some_and(|data| data.bytes.is_none()) {
            BrokenBase64.report(media.span, diagnostics);
        }
    }
}
