//! Detects the media type of bytes, and writes them as `data:` URLs.

use std::fmt::Write;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use super::media_type::{audio_or_video_type, extension_type};
pub use super::media_type::{extension_of, is_audio_or_video};

/// How much base64 shows what the content is.
const MAX_HEAD_LENGTH: usize = 32;

/// The media type of bytes that begin like a PNG, JPEG, GIF or WebP image.
#[must_use]
pub fn image_type(bytes: &[u8]) -> Option<&'static str> {
    match bytes {
        [0x89, b'P', b'N', b'G', b'\r', b'\n', 0x1a, b'\n', ..] => Some("image/png"),
        [0xff, 0xd8, 0xff, ..] => Some("image/jpeg"),
        [b'G', b'I', b'F', b'8', b'7' | b'9', b'a', ..] => Some("image/gif"),
        [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => Some("image/webp"),
        _ => None,
    }
}

/// Whether the bytes are a GIF image in which a second frame begins.
#[must_use]
pub fn is_animated_gif(bytes: &[u8]) -> bool {
    image_type(bytes) == Some("image/gif") && gif_second_frame(bytes).is_some()
}

/// The media type the bytes show, else the one the extension of `name` stands
/// for, else `application/octet-stream`.
///
/// The extension wins over the bytes only for the formats that are ZIP archives
/// of a certain content.
#[must_use]
pub fn file_type(bytes: &[u8], name: &str) -> &'static str {
    if let Some(image) = image_type(bytes) {
        return image;
    }
    let by_name = extension_type(name);
    if bytes.starts_with(b"%PDF-") {
        "application/pdf"
    } else if bytes.starts_with(b"PK\x03\x04") {
        by_name.filter(|media_type| is_zip_based(media_type)).unwrap_or("application/zip")
    } else {
        // One format of containers holds audio, video or both: only the name shows which.
        let by_bytes = audio_or_video_type(bytes);
        let is_media = |media_type: &&str| by_bytes.is_some() && is_audio_or_video(media_type);
        by_name.filter(is_media).or(by_bytes).or(by_name).unwrap_or("application/octet-stream")
    }
}

/// A `data:` URL with the bytes in padded base64.
#[must_use]
pub fn data_url(media_type: &str, bytes: &[u8]) -> String {
    let mut url = String::new();
    push_data_url(&mut url, media_type, bytes);
    url
}

/// Adds a `data:` URL to a text.
pub fn push_data_url(out: &mut String, media_type: &str, bytes: &[u8]) {
    // Writing to a string cannot fail.
    let _ = write!(out, "data:{media_type};base64,");
    push_base64(out, bytes);
}

/// Adds bytes in padded base64 to a text.
pub fn push_base64(out: &mut String, bytes: &[u8]) {
    out.reserve(bytes.len().div_ceil(3) * 4);
    STANDARD.encode_string(bytes, out);
}

/// Like [`file_type`], for the first bytes of base64.
pub fn base64_type(base64: &str, name: &str) -> &'static str {
    let head = decode_base64(base64.get(..MAX_HEAD_LENGTH).unwrap_or(base64)).unwrap_or_default();
    file_type(&head, name)
}

/// Bytes in padded base64.
pub fn base64(bytes: &[u8]) -> String {
    STANDARD.encode(bytes)
}

/// The bytes of padded base64; `None` if it is not valid.
pub fn decode_base64(text: &str) -> Option<Vec<u8>> {
    STANDARD.decode(text).ok()
}

/// Whether a URL holds its content itself.
pub fn is_data_url(url: &str) -> bool {
    has_scheme(url, "data:")
}

/// Whether a URL is one of the web.
pub fn is_web_url(url: &str) -> bool {
    has_scheme(url, "https://") || has_scheme(url, "http://")
}

/// Whether a URL starts with a scheme, in capitals or not.
pub fn has_scheme(url: &str, scheme: &str) -> bool {
    url.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme))
}

/// The media type that a `data:` URL says, without parameters; `None` for any other URL.
pub fn media_type_of(url: &str) -> Option<&str> {
    url.get("data:".len()..).filter(|_| is_data_url(url))?.split([';', ',']).next()
}

/// A `data:` URL taken apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DataUrl<'u> {
    /// The declared media type, without parameters.
    pub media_type: &'u str,
    /// The content in base64.
    pub base64: &'u str,
}

impl<'u> DataUrl<'u> {
    /// Takes a base64 `data:` URL apart; `None` for any other URL.
    pub fn parse(url: &'u str) -> Option<Self> {
        let (head, base64) = url.get("data:".len()..).filter(|_| is_data_url(url))?.split_once(',')?;
        let media_type = head.strip_suffix(";base64")?.split(';').next()?;
        Some(Self { media_type, base64 })
    }

    /// The content; `None` if it is not padded base64.
    pub fn bytes(self) -> Option<Vec<u8>> {
        decode_base64(self.base64)
    }
}

/// The beginning of the hash of some bytes: enough to see whether they have changed.
pub fn short_hash(bytes: &[u8]) -> String {
    hash(bytes)[..8].to_owned()
}

/// The hash of some bytes, in hexadecimal digits.
#[must_use]
pub fn hash(bytes: &[u8]) -> String {
    let mut digits = String::new();
    for byte in hmac_sha256::Hash::hash(bytes) {
        // Writing to a string cannot fail.
        let _ = write!(digits, "{byte:02x}");
    }
    digits
}

/// Width and height of an image.
pub fn dimensions(image: &[u8]) -> Option<(usize, usize)> {
    image_type(image)?;
    imagesize::blob_size(image).ok().map(|size| (size.width, size.height))
}

fn is_zip_based(media_type: &str) -> bool {
    media_type == "application/epub+zip"
        || media_type.starts_with("application/vnd.openxmlformats-officedocument.")
        || media_type.starts_with("application/vnd.oasis.opendocument.")
}

const GIF_EXTENSION: u8 = 0x21;
const GIF_FRAME: u8 = 0x2c;

/// The bytes after the mark of the second frame, if the blocks go that far.
fn gif_second_frame(bytes: &[u8]) -> Option<&[u8]> {
    let screen_flags = *bytes.get(10)?;
    let mut rest = bytes.get(13 + gif_colors_len(screen_flags)..)?;
    let mut frames = 0;
    loop {
        let (&mark, block) = rest.split_first()?;
        let data = match mark {
            GIF_EXTENSION => block.get(1..)?,
            GIF_FRAME if frames == 1 => return Some(block),
            GIF_FRAME => {
                frames += 1;
                let frame_flags = *block.get(8)?;
                block.get(10 + gif_colors_len(frame_flags)..)?
            }
            _ => return None,
        };
        rest = gif_skip_data(data)?;
    }
}

fn gif_colors_len(flags: u8) -> usize {
    if flags & 0x80 == 0 { 0 } else { 3 << ((flags & 0x07) + 1) }
}

/// The bytes after a sequence of length-prefixed blocks that ends with an empty one.
fn gif_skip_data(mut rest: &[u8]) -> Option<&[u8]> {
    loop {
        let (&length, piece) = rest.split_first()?;
        rest = piece.get(usize::from(length)..)?;
        if length == 0 {
            return Some(rest);
        }
    }
}
