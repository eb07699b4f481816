//! The URLs of images.

use std::borrow::Cow;

use crate::json::write;
use crate::resources::media::{data_url, push_data_url};

/// The URL of an image.
#[derive(Debug, Clone)]
pub enum ImageUrl<'j> {
    /// Its text, possibly a `data:` URL.
    Text(Cow<'j, str>),
    /// The `data:` URL of a file. Encoded only when written, so that a large image is in memory once.
    File {
        /// The media type of the bytes.
        media_type: &'static str,
        /// The content of the file.
        bytes: &'j [u8],
    },
}

impl ImageUrl<'_> {
    /// Its text.
    pub fn text(&self) -> Cow<'_, str> {
        match self {
            ImageUrl::Text(text) => Cow::Borrowed(text),
            ImageUrl::File { media_type, bytes } => Cow::Owned(data_url(media_type, bytes)),
        }
    }

    /// Writes it as a JSON string.
    pub fn encode(&self, out: &mut String) {
        match self {
            ImageUrl::Text(text) => write::string(out, text),
            ImageUrl::File { media_type, bytes } => {
                // No character of it needs an escape.
                out.push('"');
                push_data_url(out, media_type, bytes);
                out.push('"');
            }
        }
    }
}

impl PartialEq for ImageUrl<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.text() == other.text()
    }
}
