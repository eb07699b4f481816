//! Media that the API does not accept in the outputs of tools: audio and video.

use super::foreign::is_base64;
use crate::json::{Json, Object};
use crate::resources::media::{DataUrl, base64_type, extension_of, is_audio_or_video, is_data_url, media_type_of};
use crate::responses::{ImageUrl, Part};

/// Whether parts of a type are audio or video.
pub fn is_refused_type(kind: &str) -> bool {
    matches!(kind, "input_audio" | "input_video")
}

/// The type of a part that is media which the API does not accept in an output.
pub(in crate::convert) fn refused_type(part: &Part<'_>) -> Option<String> {
    match part {
        Part::Other(members) => match members.get_str("type")?.as_ref() {
            kind if is_refused_type(kind) => Some(kind.to_owned()),
            "input_file" => audio_or_video_file(members),
            _ => None,
        },
        Part::Text(part) => Some(part.kind.to_string()).filter(|kind| is_refused_type(kind)),
        Part::Image(image) => match image.image_url.as_ref()? {
            ImageUrl::Text(url) => audio_or_video_url(url, ""),
            // Only an image is read from a file.
            ImageUrl::File { .. } => None,
        },
        Part::Raw(_) => None,
    }
}

/// Whether an element of a type of audio or video has content: a `data:` URL, or base64 as the `data` of a typed
/// element or of an object in one.
pub(in crate::convert) fn holds_media(element: Json<'_>) -> bool {
    const TYPE_KEYS: [&str; 4] = ["mimeType", "mediaType", "media_type", "format"];
    let Ok(members) = element.object() else { return false };
    let has_data = |members: &Object<'_>| members.get_str("data").is_some_and(|data| is_base64(&data));
    let is_typed = TYPE_KEYS.iter().any(|key| members.get_str(key).is_some());
    let is_content = |url: &str| DataUrl::parse(url).is_some_and(|url| is_base64(url.base64));
    is_typed && has_data(&members)
        || members.iter().any(|(_, value)| value.object().is_ok_and(|inner| has_data(&inner)))
        || element.strings().any(|(_, text)| text.as_str().is_ok_and(|text| is_content(&text)))
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
fn audio_or_video(declared: &str, base64: &str, name: &str) -> Option<String> {
    let is = |kind: &str| declared.get(..kind.len()).is_some_and(|start| start.eq_ignore_ascii_case(kind));
    if is_audio_or_video(declared) {
        return Some(declared.to_owned());
    }
    if is("text/") || is("image/") {
        return None;
    }
    let name = if extension_of(declared).is_none() { name } else { "" };
    Some(base64_type(base64, name)).filter(|media_type| is_audio_or_video(media_type)).map(str::to_owned)
}
