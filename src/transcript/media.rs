//! Images and files, and their descriptions in words.

use std::borrow::Cow;

use crate::document::{Field, Fields, Media, MediaKind};
use crate::json::Object;
use crate::resources::media::{DataUrl, dimensions, image_type, is_data_url};
use crate::responses::{ImageUrl, Part, size};
use crate::syntax::Attributes;

/// The image or the file that a part is, as an element that is sent in the same way.
pub(super) fn media_of<'t>(part: &Part<'t>) -> Option<Media<'t>> {
    let text = |members: &Object<'t>, key| members.get_str(key).map_or(Field::Absent, Field::Text);
    match part {
        Part::Image(image) => {
            let media = match &image.image_url {
                Some(ImageUrl::Text(url)) => Media::new(MediaKind::Image, false, url.clone()),
                Some(file) => Media::new(MediaKind::Image, false, Cow::Owned(file.text().into_owned())),
                None => Media::of(MediaKind::Image, Fields::default()).with("file_id", text(&image.rest, "file_id")),
            };
            Some(media.with("detail", text(&image.rest, "detail")))
        }
        Part::Other(file) if file.get_str("type").as_deref() == Some("input_file") => {
            let doc = match (file.get_str("file_data"), file.get_str("file_url")) {
                (Some(data), _) if !is_data_url(&data) => {
                    Media::new(MediaKind::Doc, false, data).with("base64", Field::Null)
                }
                (Some(url), _) | (None, Some(url)) => Media::new(MediaKind::Doc, false, url),
                (None, None) => Media::of(MediaKind::Doc, Fields::default()).with("file_id", text(file, "file_id")),
            };
            Some(doc.with("file", Field::Null).with("filename", text(file, "filename")))
        }
        Part::Text(_) | Part::Other(_) | Part::Raw(_) => None,
    }
}

/// The attributes that have a meaning.
pub(crate) fn known<'t>(fields: &'t Fields<'_>) -> impl Iterator<Item = (&'t str, Option<&'t str>)> {
    fields.iter().map(|(row, field)| (row.name, field.text()))
}

/// All attributes of a tag, or those without a meaning.
pub(crate) fn all<'t>(attributes: &'t Attributes<'_>) -> impl Iterator<Item = (&'t str, Option<&'t str>)> {
    attributes.0.iter().map(|own| (own.name.as_ref(), own.value.as_deref()))
}

/// The image of a `data:` URL in words, or any other URL as it is.
pub(crate) fn image_url(url: &str) -> String {
    let (head, data) = match url.split_once(',') {
        Some((head, data)) if is_data_url(url) => (head, data),
        _ => return url.to_owned(),
    };
    match DataUrl::parse(url).map(|parsed| (parsed.bytes(), parsed.media_type)) {
        Some((Some(bytes), media_type)) => image_bytes(&bytes, media_type),
        Some((None, media_type)) => format!("{}, broken base64, {}", short(media_type), size(data.len())),
        None => format!("{} {}", short(head.get("data:".len()..).unwrap_or_default()), size(data.len())),
    }
}

/// `640×480 png 12.3 kB`. The type of the content is preferred to the declared type.
pub(crate) fn image_bytes(bytes: &[u8], declared: &str) -> String {
    let kind = image_type(bytes).unwrap_or(declared);
    let measured = dimensions(bytes).map(|(width, height)| format!("{width}×{height}"));
    let words = [measured.map(Cow::Owned), Some(Cow::Borrowed(short(kind))), Some(Cow::Owned(size(bytes.len())))];
    let words: Vec<Cow<'_, str>> = words.into_iter().flatten().filter(|word| !word.is_empty()).collect();
    words.join(" ")
}

/// The size of the file in a `data:` URL. The API also accepts base64 without the head of such a URL.
pub(crate) fn file_data(data: &str) -> String {
    let (head, content) = data.split_once(',').unwrap_or((";base64", data));
    if !head.ends_with(";base64") {
        return size(content.len());
    }
    let bytes = DataUrl { media_type: "", base64: content }.bytes();
    bytes.map_or(format!("broken base64, {}", size(content.len())), |bytes| size(bytes.len()))
}

fn short(media_type: &str) -> &str {
    media_type.strip_prefix("image/").unwrap_or(media_type)
}
