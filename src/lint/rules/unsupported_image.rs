//! `unsupported-image`: an image of a type that the API does not accept, or with several frames.

use crate::diagnostic::{Diagnostics, Message, Rule, rule};
use crate::lint::entry::Lint;
use crate::lint::media::{Media, MediaKind};
use crate::resources::media::{image_type, is_animated_gif};

const SUPPORTED: [&str; 5] = ["image/png", "image/jpeg", "image/jpg", "image/gif", "image/webp"];

pub(super) enum UnsupportedImage<'m> {
    /// `<img src="data:image/svg+xml;base64,…"/>`
    MediaType(&'m str),
    /// `<img src="data:image/gif;base64,…"/>` with several frames
    Animated,
}

impl Lint for UnsupportedImage<'_> {
    const RULE: Rule = rule!("unsupported-image" Error Malformed is_allowable);

    fn message(&self) -> Message {
        match self {
            Self::MediaType(media_type) => Message::new(
                format!("the API does not accept images of type `{media_type}`"),
                "unsupported type",
                "convert it to PNG, JPEG, WebP or a still GIF",
            ),
            Self::Animated => Message::new(
                "this GIF has several frames",
                "not a still image",
                "the API only accepts still images: send one frame of it",
            ),
        }
    }

    fn check_media(media: &Media<'_>, diagnostics: &mut Diagnostics) {
        if let Some(finding) = unsupported(media) {
            finding.report(media.span, diagnostics);
        }
    }
}

/// Why the API does not accept an image, if it does not.
pub(super) fn unsupported<'m>(media: &Media<'m>) -> Option<UnsupportedImage<'m>> {
    let data = media.data.as_ref()?;
    let bytes = data.bytes.as_ref()?;
    if is_animated_gif(bytes) {
        return Some(UnsupportedImage::Animated);
    }
    let is_unknown = data.media_type.starts_with("image/") && !SUPPORTED.contains(&data.media_type);
    let is_unsupported = media.kind == MediaKind::Image && is_unknown && image_type(bytes).is_none();
    is_unsupported.then_some(UnsupportedImage::MediaType(data.media_type))
}
