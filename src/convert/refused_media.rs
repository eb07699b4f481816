//! Media that the API does not accept in the outputs of tools: audio and video.

use super::foreign_parts::ForeignPart;
use crate::json::Object;
use crate::resources::media::{
    DataUrl, decode_base64, extension_of, file_type, is_audio_or_video, is_data_url, media_type_of,
};
use crate::responses::{ImageUrl, Part};

/// How much base64 shows what the content is.
const HEAD: usize = 32;

/// The type of a part that is media which the API does not accept in an output.
pub(super) fn refused_type(part: &Part<'_>) -> Option<String> {
    match part {
        Part::Other(members) => match members.get_str("type")?.as_ref() {
            kind @ ("input_audio" | "input_video") => Some(kind.to_owned()),
            "input_file" => audio_or_video_file(members),
            _ => None,
        },
        Part::Text(part) => Some(part.kind.to_string()).filter(|kind| kind == "input_audio" || kind == "input_video"),
        Part::Image(image) => match image.image_url.as_ref()? {
            ImageUrl::Text(url) => audio_or_video_url(url, ""),
            // Only an image is read from a file.
            ImageUrl::File { .. } => None,
        },
        Part::Raw(_) => None,
    }
}

/// The type of a part of another program that is media which the API does not accept.
pub(super) fn refused_foreign(part: &ForeignPart<'_>) -> Option<String> {
    match part {
        ForeignPart::Text(_) => None,
        ForeignPart::Image { url, .. } => audio_or_video_url(url, ""),
        ForeignPart::File { name, data } => audio_or_video_url(data, name),
        ForeignPart::FileUrl(url) => audio_or_video_url(url, ""),
    }
}

/// The type of an `input_file` whose data is audio or video, by what its URL says, else by its first bytes or its name.
pub fn audio_or_video_file(part: &Object<'_>) -> Option<String> {
    let name = part.get_str("filename").unwrap_or_default();
    let data = part.get_str("file_data").and_then(|data| {
        if is_data_url(&data) { audio_or_video_url(&data, &name) } else { audio_or_video("", &data, &name) }
    });
    data.or_else(|| part.get_str("file_url").and_then(|url| audio_or_video_url(&url, &name)))
}

/// The type of a `data:` URL that holds audio or video.
fn audio_or_video_url(url: &str, name: &str) -> Option<String> {
    let base64 = DataUrl::parse(url).map(|url| url.base64).unwrap_or_default();
    audio_or_video(media_type_of(url)?, base64, name)
}

/// The type of audio or video. The bytes count unless the type says that they are text or an image, and the name only
/// if the type says nothing.
fn audio_or_video(said: &str, base64: &str, name: &str) -> Option<String> {
    let is = |kind: &str| said.get(..kind.len()).is_some_and(|start| start.eq_ignore_ascii_case(kind));
    if is_audio_or_video(said) {
        return Some(said.to_owned());
    }
    if is("text/") || is("image/") {
        return None;
    }
    let head = decode_base64(base64.get(..HEAD).unwrap_or(base64)).unwrap_or_default();
    let name = if extension_of(said).is_none() { name } else { "" };
    Some(file_type(&head, name)).filter(|media_type| is_audio_or_video(media_type)).map(str::to_owned)
}
