//! Images and files in words.

use std::borrow::Cow;

use crate::resources::media::{DataUrl, dimensions, image_type, is_data_url};
use crate::responses::size;

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
