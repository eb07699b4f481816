//! The images and files of a request, each decoded once.

use super::request::parts;
use super::rules::LINTS;
use super::rules::media::is_too_large;
use crate::convert::Located;
use crate::diagnostic::Diagnostics;
use crate::json::Object;
use crate::resources::media::{DataUrl, base64_type, decode_base64, is_data_url};
use crate::responses::{ImagePart, ImageUrl, Part};
use crate::source::Span;

/// An image or a file.
pub(super) struct Media<'p> {
    pub(super) kind: MediaKind,
    pub(super) span: Span,
    /// Whether it names any source.
    pub(super) has_source: bool,
    /// The URL of an image, if it has one.
    pub(super) url: Option<&'p str>,
    /// The content of a `data:` URL or of base64 that is not too large.
    pub(super) data: Option<Data<'p>>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum MediaKind {
    Image,
    File,
}

/// The content of a `data:` URL, or of base64.
pub(super) struct Data<'p> {
    pub(super) media_type: &'p str,
    /// `None` if it is not valid base64.
    pub(super) bytes: Option<Vec<u8>>,
}

/// Runs the checks of images and files on an item.
pub(super) fn check_media(located: &Located<'_>, diagnostics: &mut Diagnostics) {
    for (part, span) in parts(located) {
        match part {
            Part::Image(image) => check_image(image, span, diagnostics),
            Part::Other(file) if file.get_str("type").is_some_and(|kind| kind == "input_file") => {
                check_file(file, span, diagnostics);
            }
            Part::Text(_) | Part::Other(_) | Part::Raw(_) => {}
        }
    }
}

fn check_image(image: &ImagePart<'_>, span: Span, diagnostics: &mut Diagnostics) {
    let has_file_id = image.rest.get_str("file_id").is_some_and(|id| !id.is_empty());
    let url = image.image_url.as_ref().map(ImageUrl::text).filter(|url| has_file_id || !url.is_empty());
    let url = url.as_deref();
    let data = url.filter(|url| !is_too_large(url)).and_then(Data::of_url);
    let has_source = has_file_id || url.is_some();
    report(&Media { kind: MediaKind::Image, span, has_source, url, data }, diagnostics);
}

fn check_file(file: &Object<'_>, span: Span, diagnostics: &mut Diagnostics) {
    let source = |key: &str| file.get_str(key).filter(|source| !source.is_empty());
    let (data, url, file_id) = (source("file_data"), source("file_url"), source("file_id"));
    let has_source = data.is_some() || url.is_some() || file_id.is_some();
    let content = data.as_deref().map(Data::decode).or_else(|| url.as_deref().and_then(Data::of_url));
    report(&Media { kind: MediaKind::File, span, has_source, url: None, data: content }, diagnostics);
}

fn report(media: &Media<'_>, diagnostics: &mut Diagnostics) {
    for lint in LINTS {
        lint.check_media(media, diagnostics);
    }
}

impl<'p> Data<'p> {
    /// Decodes a `data:` URL, or base64.
    fn decode(data: &'p str) -> Self {
        match DataUrl::parse(data) {
            Some(parsed) => Self { media_type: parsed.media_type, bytes: parsed.bytes() },
            None => Self { media_type: base64_type(data, ""), bytes: decode_base64(data) },
        }
    }

    fn of_url(url: &'p str) -> Option<Self> {
        is_data_url(url).then(|| Self::decode(url))
    }
}
