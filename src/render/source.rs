//! The document in its page, and how to take it back.

use std::fmt;

use memchr::memmem;

use super::Renderer;
use crate::resources::media::{decode_base64, short_hash};
use crate::responses::size;

/// A longer document is not a link: browsers do not save long ones.
const MAX_LINK_LENGTH: usize = 2_000_000;
/// The text of a document never has this, because its quotes are escaped.
const MARK: &str = " id=\"chatmd-source\" data-hash=\"";
const LINK: &str = "href=\"data:text/markdown;base64,";
const TEMPLATE: &str = ">";
const HASH_LENGTH: usize = 8;

/// Why a page gives no document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ExtractError {
    /// It has none.
    NoSource,
    /// Its document was changed.
    Damaged,
}

impl fmt::Display for ExtractError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            ExtractError::NoSource => "the page does not hold its document",
            ExtractError::Damaged => "the document in the page is damaged",
        })
    }
}

impl std::error::Error for ExtractError {}

impl Renderer<'_, '_> {
    /// The footer, with the document.
    pub(super) fn footer(&mut self, document: &str) {
        self.html.markup("<footer>\n");
        if self.has_secret {
            self.html.markup(
                "<p>The document was left out of the page: it contains a secret that could not be replaced.</p>\n",
            );
        } else if self.options.has_source {
            let hash = short_hash(document.as_bytes());
            if document.len() <= MAX_LINK_LENGTH {
                self.html.markup("<p><a");
                self.html.markup(MARK);
                self.html.text(&hash);
                self.html.markup("\" download=\"conversation.md\" ");
                self.html.markup(LINK);
                self.html.base64(document.as_bytes());
                self.html.write("\">Download the document</a> <small>{}</small></p>\n", &[&size(document.len())]);
            } else {
                self.html.write(
                    "<p>The page holds the document ({}): <code>chatmd render --extract PAGE</code> prints it.</p>\n<template",
                    &[&size(document.len())],
                );
                self.html.markup(MARK);
                self.html.text(&hash);
                self.html.markup("\">");
                self.html.base64(document.as_bytes());
                self.html.markup("</template>\n");
            }
        }
        self.html.markup("<p>Made with chatmd. The page runs no script and loads nothing.</p>\n</footer>\n");
    }
}

/// The document that a page holds, byte for byte.
///
/// ```
/// use chatmd::internal::render::{Options, extract};
///
/// let document = "<user>\nHello.\n</user>\n";
/// let page = chatmd::Converter::new().render(document, &Options::default())?.value.html;
/// assert_eq!(extract(page.as_bytes()).unwrap(), document.as_bytes());
/// # Ok::<(), chatmd::Error>(())
/// ```
pub fn extract(page: &[u8]) -> Result<Vec<u8>, ExtractError> {
    let mark = memmem::find(page, MARK.as_bytes()).ok_or(ExtractError::NoSource)?;
    let rest = &page[mark + MARK.len()..];
    let (hash, rest) = rest.split_at_checked(HASH_LENGTH).ok_or(ExtractError::Damaged)?;
    let end_of_tag = memchr::memchr(b'>', rest).ok_or(ExtractError::Damaged)?;
    let start = match memmem::find(&rest[..end_of_tag], LINK.as_bytes()) {
        Some(link) => link + LINK.len(),
        None => end_of_tag + TEMPLATE.len(),
    };
    let end = rest[start..].iter().position(|byte| b"\"<".contains(byte)).ok_or(ExtractError::Damaged)?;
    let base64 = std::str::from_utf8(&rest[start..start + end]).map_err(|_| ExtractError::Damaged)?;
    let document = decode_base64(base64).ok_or(ExtractError::Damaged)?;
    if short_hash(&document).as_bytes() == hash { Ok(document) } else { Err(ExtractError::Damaged) }
}
