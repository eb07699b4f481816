//! Images and files whose bytes are not what they should be.

use super::items::report;
use super::values::places;
use crate::convert::Located;
use crate::diagnostic::{Diagnostics, Lint};
use crate::json::Object;
use crate::resources::media::{DataUrl, image_type, is_animated_gif, is_data_url};
use crate::responses::{ImagePart, Item, Part};
use crate::source::Span;

const IMAGES: [&str; 5] = ["image/png", "image/jpeg", "image/jpg", "image/gif", "image/webp"];
const LONGEST_IMAGE_URL: usize = 20 * 1024 * 1024;

/// Reports the images and files of an item that the API cannot read.
pub(super) fn item(located: &Located<'_>, diagnostics: &mut Diagnostics) {
    let (list, parts) = match &located.item {
        Item::Message(message) => ("content", message.content.as_slice()),
        Item::ToolResponse(response) => ("output", response.output.parts()),
        Item::ToolCall(_) | Item::Reasoning(_) | Item::Other(_) => return,
    };
    for (part, span) in parts.iter().zip(places(located, list, parts.len())) {
        match part {
            Part::Image(image) => self::image(image, span, diagnostics),
            Part::Other(file) if file.text("type").is_some_and(|kind| kind == "input_file") => {
                self::file(file, span, diagnostics);
            }
            Part::Text(_) | Part::Other(_) | Part::Raw(_) => {}
        }
    }
}

fn image(image: &ImagePart<'_>, span: Span, diagnostics: &mut Diagnostics) {
    let has_file = image.rest.text("file_id").is_some_and(|id| !id.is_empty());
    match image.image_url.as_deref() {
        None | Some("") if !has_file => report(Lint::EmptySource, span, diagnostics),
        Some(url) if url.len() > LONGEST_IMAGE_URL => {
            report(Lint::ImageTooLarge { length: url.len(), most: LONGEST_IMAGE_URL }, span, diagnostics);
        }
        Some(url) => self::url(url, is_right_image, span, diagnostics),
        None => {}
    }
}

fn file(file: &Object<'_>, span: Span, diagnostics: &mut Diagnostics) {
    let source = |key: &str| file.text(key).filter(|source| !source.is_empty());
    match (source("file_data"), source("file_url"), source("file_id")) {
        (None, None, None) => report(Lint::EmptySource, span, diagnostics),
        // Data may be base64 alone.
        (Some(data), ..) if !is_data_url(&data) => {}
        (Some(url), ..) | (None, Some(url), _) => self::url(&url, is_right_file, span, diagnostics),
        (None, None, Some(_)) => {}
    }
}

/// Looks at a URL, and at the bytes of a `data:` URL; what is elsewhere is the API's to look at.
fn url(url: &str, is_right: fn(&str, &[u8]) -> bool, span: Span, diagnostics: &mut Diagnostics) {
    if !is_data_url(url) {
        if !["https://", "http://"].iter().any(|scheme| url.starts_with(scheme)) {
            report(Lint::NotAUrl, span, diagnostics);
        }
        return;
    }
    let Some(parsed) = DataUrl::parse(url) else { return report(Lint::BrokenBase64, span, diagnostics) };
    match parsed.bytes() {
        None => report(Lint::BrokenBase64, span, diagnostics),
        Some(bytes) if is_animated_gif(&bytes) => report(Lint::AnimatedImage, span, diagnostics),
        Some(bytes) if !is_right(parsed.media_type, &bytes) => {
            let said = parsed.media_type.to_owned();
            report(
                match image_type(&bytes) {
                    None if said.starts_with("image/") && !IMAGES.contains(&said.as_str()) => {
                        Lint::UnsupportedImage(said)
                    }
                    is => Lint::WrongMediaType { said, is },
                },
                span,
                diagnostics,
            );
        }
        Some(_) => {}
    }
}

fn is_right_image(said: &str, bytes: &[u8]) -> bool {
    let said = if said.eq_ignore_ascii_case("image/jpg") { "image/jpeg" } else { said };
    image_type(bytes).is_some_and(|is| is.eq_ignore_ascii_case(said))
}

/// Only what the bytes of a file tell for sure is looked at.
fn is_right_file(said: &str, bytes: &[u8]) -> bool {
    match said {
        "application/pdf" => bytes.starts_with(b"%PDF-"),
        _ if said.starts_with("image/") => image_type(bytes).is_none() || is_right_image(said, bytes),
        _ => true,
    }
}
