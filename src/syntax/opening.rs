//! Tells documents from other Markdown files by how they start.

use memchr::memmem;

use super::candidates::{Start, is_whitespace, start_at};
use crate::element::Tag;

/// Whether a text starts like a document: with a tag that is allowed at top level, or with a `chatmd:` comment. Whitespace
/// and other comments may come before. The text may be cut.
///
/// `<img>` and `<doc>` do not count. No document starts with them, but many other Markdown files do.
///
/// ```
/// use chatmd::internal::syntax::opens_document;
///
/// assert!(opens_document("<!-- draft -->\n<user>\nHello.\n</user>\n"));
/// assert!(!opens_document("# Title\n\n<user>"));
/// ```
pub fn opens_document(text: &str) -> bool {
    let mut rest = text.trim_start_matches('\u{feff}').trim_start_matches(is_whitespace);
    loop {
        match start_at(rest, 0) {
            Some(Start::Tag { tag, is_closing: false, name_end }) => {
                return name_end < rest.len() && (!tag.is_inline() || tag == Tag::Import);
            }
            Some(Start::Comment) => {
                let comment = &rest["<!--".len()..];
                if comment.trim_start_matches(is_whitespace).starts_with("chatmd:") {
                    return true;
                }
                let Some(end) = memmem::find(comment.as_bytes(), b"-->") else { return false };
                rest = comment[end + "-->".len()..].trim_start_matches(is_whitespace);
            }
            Some(Start::Raw | Start::Tag { is_closing: true, .. }) | None => return false,
        }
    }
}
