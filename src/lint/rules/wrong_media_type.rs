//! `wrong-media-type`: a `data:` URL whose content is not of the type that it names.

use super::unsupported_image::unsupported;
use crate::diagnostic::{Diagnostics, Message, Rule, rule};
use crate::lint::entry::Lint;
use crate::lint::media::{Media, MediaKind};
use crate::resources::media::image_type;

/// `<img src="data:image/png;base64,R0lGODlh…"/>`
pub(super) struct WrongMediaType<'m> {
    /// The type that the URL names.
    declared: &'m str,
    /// The type of the content, if it is known.
    actual: Option<&'static str>,
}

impl Lint for WrongMediaType<'_> {
    const RULE: Rule = rule!("wrong-media-type" Error Malformed is_allowable);

    fn message(&self) -> Message {
        let declared = self.declared;
        match self.actual {
            Some(actual) => Message::new(
                format!("this is `{actual}`, but its URL says `{declared}`"),
                "does not match",
                format!("write `data:{actual};base64,…`"),
            ),
            None => Message::new(
                format!("this is not `{declared}`, the type in its URL"),
                "does not match",
                "the API accepts PNG, JPEG, WebP and still GIF images, and PDF files as `application/pdf`",
            ),
        }
    }

    fn check_media(media: &Media<'_>, diagnostics: &mut Diagnostics) {
        let Some(data) = &media.data else { return };
        let Some(bytes) = &data.bytes else { return };
        let matches = match media.kind {
            MediaKind::Image => is_image_of(data.media_type, bytes),
            MediaKind::File => may_be_file_of(data.media_type, bytes),
        };
        if !matches && unsupported(media).is_none() {
            WrongMediaType { declared: data.media_type, actual: image_type(bytes) }.report(media.span, diagnostics);
        }
    }
}

fn is_image_of(declared: &str, bytes: &[u8]) -> bool {
    let declared = if declared.eq_ignore_ascii_case("image/jpg") { "image/jpeg" } else { declared };
    image_type(bytes).is_some_and(|actual| actual.eq_ignore_ascii_case(declared))
}

/// Whether the bytes do not contradict the type. Only PDF files and images can be recognized.
fn may_be_file_of(declared: &str, bytes: &[u8]) -> bool {
    match declared {
        "application/pdf" => bytes.starts_with(b"%PDF-"),
        _ if declared.starts_with("image/") => image_type(bytes).is_none() || is_image_of(declared, bytes),
        _ => true,
    }
}
