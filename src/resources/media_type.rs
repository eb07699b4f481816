//! Media types by the extension of a file's name, and the audio and video formats that bytes show.

use std::path::Path;

/// Extensions and their media types. The first extension of a type is the one that a new file gets.
const EXTENSIONS: [(&str, &str); 86] = [
    ("txt", "text/plain"),
    ("text", "text/plain"),
    ("log", "text/plain"),
    ("toml", "text/plain"),
    ("ini", "text/plain"),
    ("cfg", "text/plain"),
    ("rst", "text/plain"),
    ("tex", "text/plain"),
    ("md", "text/markdown"),
    ("markdown", "text/markdown"),
    ("csv", "text/csv"),
    ("tsv", "text/tab-separated-values"),
    ("html", "text/html"),
    ("htm", "text/html"),
    ("css", "text/css"),
    ("js", "text/javascript"),
    ("mjs", "text/javascript"),
    ("cjs", "text/javascript"),
    ("ts", "text/x-typescript"),
    ("tsx", "text/x-typescript"),
    ("rs", "text/x-rust"),
    ("py", "text/x-python"),
    ("rb", "text/x-ruby"),
    ("go", "text/x-go"),
    ("java", "text/x-java"),
    ("c", "text/x-c"),
    ("h", "text/x-c"),
    ("cc", "text/x-c++"),
    ("cpp", "text/x-c++"),
    ("cxx", "text/x-c++"),
    ("hh", "text/x-c++"),
    ("hpp", "text/x-c++"),
    ("cs", "text/x-csharp"),
    ("php", "text/x-php"),
    ("sh", "text/x-shellscript"),
    ("bash", "text/x-shellscript"),
    ("json", "application/json"),
    ("xml", "application/xml"),
    ("yaml", "application/yaml"),
    ("yml", "application/yaml"),
    ("pdf", "application/pdf"),
    ("rtf", "application/rtf"),
    ("doc", "application/msword"),
    ("xls", "application/vnd.ms-excel"),
    ("ppt", "application/vnd.ms-powerpoint"),
    ("docx", "application/vnd.openxmlformats-officedocument.wordprocessingml.document"),
    ("xlsx", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"),
    ("pptx", "application/vnd.openxmlformats-officedocument.presentationml.presentation"),
    ("odt", "application/vnd.oasis.opendocument.text"),
    ("ods", "application/vnd.oasis.opendocument.spreadsheet"),
    ("odp", "application/vnd.oasis.opendocument.presentation"),
    ("epub", "application/epub+zip"),
    ("zip", "application/zip"),
    ("png", "image/png"),
    ("jpg", "image/jpeg"),
    ("jpeg", "image/jpeg"),
    ("gif", "image/gif"),
    ("webp", "image/webp"),
    ("svg", "image/svg+xml"),
    ("mp3", "audio/mpeg"),
    ("wav", "audio/wav"),
    ("ogg", "audio/ogg"),
    ("oga", "audio/ogg"),
    ("opus", "audio/opus"),
    ("flac", "audio/flac"),
    ("m4a", "audio/mp4"),
    ("aac", "audio/aac"),
    ("aiff", "audio/aiff"),
    ("aif", "audio/aiff"),
    ("amr", "audio/amr"),
    ("mid", "audio/midi"),
    ("midi", "audio/midi"),
    ("wma", "audio/x-ms-wma"),
    ("weba", "audio/webm"),
    ("mp4", "video/mp4"),
    ("m4v", "video/mp4"),
    ("mov", "video/quicktime"),
    ("webm", "video/webm"),
    ("mkv", "video/x-matroska"),
    ("avi", "video/x-msvideo"),
    ("mpeg", "video/mpeg"),
    ("mpg", "video/mpeg"),
    ("ogv", "video/ogg"),
    ("3gp", "video/3gpp"),
    ("wmv", "video/x-ms-wmv"),
    ("flv", "video/x-flv"),
];

/// The media type for the extension of a name.
pub(super) fn extension_type(name: &str) -> Option<&'static str> {
    let extension = Path::new(name).extension()?.to_str()?.to_ascii_lowercase();
    EXTENSIONS.iter().find(|(known, _)| *known == extension).map(|(_, media_type)| *media_type)
}

/// The extension of a new file of this type, whatever parameters it has.
pub fn extension_of(media_type: &str) -> Option<&'static str> {
    let media_type = media_type.split(';').next().unwrap_or(media_type).trim();
    let is_it = |(_, known): &&(&str, &str)| known.eq_ignore_ascii_case(media_type);
    EXTENSIONS.iter().find(is_it).map(|(extension, _)| *extension)
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
