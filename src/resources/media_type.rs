//! Media types by the extension of a file's name, and the audio and video formats that bytes show.

use std::path::Path;

/// Media types and their extensions. The first extension of a type is the one that a new file gets.
const TYPES: [(&str, &str); 61] = [
    ("text/plain", "txt text log toml ini cfg rst tex"),
    ("text/markdown", "md markdown"),
    ("text/csv", "csv"),
    ("text/tab-separated-values", "tsv"),
    ("text/html", "html htm"),
    ("text/css", "css"),
    ("text/javascript", "js mjs cjs"),
    ("text/x-typescript", "ts tsx"),
    ("text/x-rust", "rs"),
    ("text/x-python", "py"),
    ("text/x-ruby", "rb"),
    ("text/x-go", "go"),
    ("text/x-java", "java"),
    ("text/x-c", "c h"),
    ("text/x-c++", "cc cpp cxx hh hpp"),
    ("text/x-csharp", "cs"),
    ("text/x-php", "php"),
    ("text/x-shellscript", "sh bash"),
    ("application/json", "json"),
    ("application/xml", "xml"),
    ("application/yaml", "yaml yml"),
    ("application/pdf", "pdf"),
    ("application/rtf", "rtf"),
    ("application/msword", "doc"),
    ("application/vnd.ms-excel", "xls"),
    ("application/vnd.ms-powerpoint", "ppt"),
    ("application/vnd.openxmlformats-officedocument.wordprocessingml.document", "docx"),
    ("application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", "xlsx"),
    ("application/vnd.openxmlformats-officedocument.presentationml.presentation", "pptx"),
    ("application/vnd.oasis.opendocument.text", "odt"),
    ("application/vnd.oasis.opendocument.spreadsheet", "ods"),
    ("application/vnd.oasis.opendocument.presentation", "odp"),
    ("application/epub+zip", "epub"),
    ("application/zip", "zip"),
    ("image/png", "png"),
    ("image/jpeg", "jpg jpeg"),
    ("image/gif", "gif"),
    ("image/webp", "webp"),
    ("image/svg+xml", "svg"),
    ("audio/mpeg", "mp3"),
    ("audio/wav", "wav"),
    ("audio/ogg", "ogg oga"),
    ("audio/opus", "opus"),
    ("audio/flac", "flac"),
    ("audio/mp4", "m4a"),
    ("audio/aac", "aac"),
    ("audio/aiff", "aiff aif"),
    ("audio/amr", "amr"),
    ("audio/midi", "mid midi"),
    ("audio/x-ms-wma", "wma"),
    ("audio/webm", "weba"),
    ("video/mp4", "mp4 m4v"),
    ("video/quicktime", "mov"),
    ("video/webm", "webm"),
    ("video/x-matroska", "mkv"),
    ("video/x-msvideo", "avi"),
    ("video/mpeg", "mpeg mpg"),
    ("video/ogg", "ogv"),
    ("video/3gpp", "3gp"),
    ("video/x-ms-wmv", "wmv"),
    ("video/x-flv", "flv"),
];

/// The media type for the extension of a name.
pub(super) fn extension_type(name: &str) -> Option<&'static str> {
    let extension = Path::new(name).extension()?.to_str()?.to_ascii_lowercase();
    let has = |(_, extensions): &&(&str, &str)| extensions.split(' ').any(|known| known == extension);
    TYPES.iter().find(has).map(|(media_type, _)| *media_type)
}

/// The extension of a new file of this type, whatever parameters it has.
pub fn extension_of(media_type: &str) -> Option<&'static str> {
    let media_type = media_type.split(';').next().unwrap_or(media_type).trim();
    let (_, extensions) = TYPES.iter().find(|(known, _)| known.eq_ignore_ascii_case(media_type))?;
    extensions.split(' ').next()
}

/// Whether a media type is one of audio or video, which tool outputs cannot hold.
pub fn is_audio_or_video(media_type: &str) -> bool {
    let starts = |kind: &str| media_type.get(..kind.len()).is_some_and(|start| start.eq_ignore_ascii_case(kind));
    starts("audio/") || starts("video/")
}

/// The media type of bytes that begin like audio or video.
pub(super) fn audio_or_video_type(bytes: &[u8]) -> Option<&'static str> {
    match bytes {
        [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'A', b'V', b'E', ..] => Some("audio/wav"),
        [b'R', b'I', b'F', b'F', _, _, _, _, b'A', b'V', b'I', b' ', ..] => Some("video/x-msvideo"),
        [b'F', b'O', b'R', b'M', _, _, _, _, b'A', b'I', b'F', b'F' | b'C', ..] => Some("audio/aiff"),
        [b'I', b'D', b'3', ..] | [0xff, 0xfb | 0xf3 | 0xf2, ..] => Some("audio/mpeg"),
        [0xff, 0xf1 | 0xf9, ..] => Some("audio/aac"),
        [b'O', b'g', b'g', b'S', ..] => Some("audio/ogg"),
        [b'f', b'L', b'a', b'C', ..] => Some("audio/flac"),
        [b'M', b'T', b'h', b'd', ..] => Some("audio/midi"),
        [b'#', b'!', b'A', b'M', b'R', ..] => Some("audio/amr"),
        [b'F', b'L', b'V', 1, ..] => Some("video/x-flv"),
        [0x1a, 0x45, 0xdf, 0xa3, ..] => Some("video/webm"),
        [0, 0, 1, 0xba | 0xb3, ..] => Some("video/mpeg"),
        [_, _, _, _, b'f', b't', b'y', b'p', brand @ ..] => match brand {
            [b'M', b'4', b'A' | b'B', ..] => Some("audio/mp4"),
            [b'q', b't', ..] => Some("video/quicktime"),
            [b'3', b'g', ..] => Some("video/3gpp"),
            // These are images.
            [b'a', b'v', b'i', ..] | [b'h', b'e', ..] | [b'm', b'i' | b's', b'f', ..] => None,
            _ => Some("video/mp4"),
        },
        _ => None,
    }
}
