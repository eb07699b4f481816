//! Images, files and long outputs: `limit-exceeded`, `broken-base64`, `wrong-media-type`, `unsupported-image`, `empty-source`.

use super::Lint;
use crate::convert::Located;
use crate::diagnostic::{Diagnostics, Message, Rule, rule, thousands};
use crate::lint::media::{Data, Media, MediaKind};
use crate::resources::media::{image_type, is_animated_gif};
use crate::responses::{Item, Part, ToolOutput};

const MAX_OUTPUT_LENGTH: usize = 10 * 1024 * 1024;
const MAX_URL_LENGTH: usize = 20 * 1024 * 1024;

/// An output or an image that is larger than the API accepts: `<tool_response …>` with 11 MB of text,
/// `<img src="data:image/png;base64,…"/>` with 21 MB
pub(super) struct LimitExceeded;

impl LimitExceeded {
    fn message(what: &str, length: usize, label: &str, most: usize, remedy: &str) -> Message {
        let help = format!("the API accepts at most {}: {remedy}, or upload it and use its file id", thousands(most));
        Message::new(format!("{what} has {} characters", thousands(length)), label, help)
    }
}

impl Lint for LimitExceeded {
    fn rule(&self) -> &'static Rule {
        const { &rule!("limit-exceeded" Error Malformed is_allowable) }
    }

    fn check_items(&self, items: &[Located<'_>], diagnostics: &mut Diagnostics) {
        for located in items {
            let Item::ToolResponse(response) = &located.item else { continue };
            let length = match &response.output {
                ToolOutput::Text(text) => text.chars().count(),
                ToolOutput::Content(parts) => parts.iter().map(text_length).max().unwrap_or_default(),
            };
            if length > MAX_OUTPUT_LENGTH {
                let message = Self::message("this output", length, "too long", MAX_OUTPUT_LENGTH, "shorten it");
                self.report(message, located.span, diagnostics);
            }
        }
    }

    fn check_media(&self, media: &Media<'_>, diagnostics: &mut Diagnostics) {
        if let Some(url) = media.url.filter(|url| media.kind == MediaKind::Image && is_too_large(url)) {
            let what = "the URL of this image";
            let message = Self::message(what, url.len(), "too large", MAX_URL_LENGTH, "make the image smaller");
            self.report(message, media.span, diagnostics);
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

/// An image or a file whose base64 cannot be decoded: `<img src="data:image/png;base64,iVBOR"/>`
pub(super) struct BrokenBase64;

impl Lint for BrokenBase64 {
    fn rule(&self) -> &'static Rule {
        const { &rule!("broken-base64" Error Malformed is_allowable) }
    }

    fn check_media(&self, media: &Media<'_>, diagnostics: &mut Diagnostics) {
        if media.data.as_ref().is_some_and(|data| data.bytes.is_none()) {
            let message = Message::new(
                "the base64 of this image or file is not valid",
                "cannot be decoded",
                "it may be cut off: encode the file again, or refer to it by `src=\"…\" local`",
            );
            self.report(message, media.span, diagnostics);
        }
    }
}

/// A `data:` URL whose content is not of the type that the URL names: `<img src="data:image/png;base64,R0lGODlh…"/>`
pub(super) struct WrongMediaType;

impl Lint for WrongMediaType {
    fn rule(&self) -> &'static Rule {
        const { &rule!("wrong-media-type" Error Malformed is_allowable) }
    }

    fn check_media(&self, media: &Media<'_>, diagnostics: &mut Diagnostics) {
        let Some(Data { media_type: declared, bytes: Some(bytes) }) = &media.data else { return };
        let matches = match media.kind {
            MediaKind::Image => is_image_of(declared, bytes),
            MediaKind::File => may_be_file_of(declared, bytes),
        };
        if matches || unsupported(media).is_some() {
            return;
        }
        let message = match image_type(bytes) {
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
        };
        self.report(message, media.span, diagnostics);
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

const SUPPORTED: [&str; 5] = ["image/png", "image/jpeg", "image/jpg", "image/gif", "image/webp"];

/// An image of a type that the API does not accept, or with several frames: `<img src="data:image/svg+xml;base64,…"/>`
pub(super) struct UnsupportedImage;

impl Lint for UnsupportedImage {
    fn rule(&self) -> &'static Rule {
        const { &rule!("unsupported-image" Error Malformed is_allowable) }
    }

    fn check_media(&self, media: &Media<'_>, diagnostics: &mut Diagnostics) {
        if let Some(message) = unsupported(media) {
            self.report(message, media.span, diagnostics);
        }
    }
}

/// Why the API does not accept an image, if it does not.
fn unsupported(media: &Media<'_>) -> Option<Message> {
    let Some(Data { media_type, bytes: Some(bytes) }) = &media.data else { return None };
    if is_animated_gif(bytes) {
        return Some(Message::new(
            "this GIF has several frames",
            "not a still image",
            "the API only accepts still images: send one frame of it",
        ));
    }
    let is_unknown = media_type.starts_with("image/") && !SUPPORTED.contains(media_type);
    let is_unsupported = media.kind == MediaKind::Image && is_unknown && image_type(bytes).is_none();
    is_unsupported.then(|| {
        Message::new(
            format!("the API does not accept images of type `{media_type}`"),
            "unsupported type",
            "convert it to PNG, JPEG, WebP or a still GIF",
        )
    })
}

/// An image or a file that names no source: `<img src=""/>`
pub(super) struct EmptySource;

impl Lint for EmptySource {
    fn rule(&self) -> &'static Rule {
        const { &rule!("empty-source" Error Malformed is_allowable) }
    }

    fn check_media(&self, media: &Media<'_>, diagnostics: &mut Diagnostics) {
        if !media.has_source {
            let help = "give it `src` or `file_id`, or remove it";
            self.report(Message::new("an image or a file without a source", "empty", help), media.span, diagnostics);
        }
    }
}
