//! Tells documents from other Markdown files.

use memchr::memmem;

use super::candidates::{Start, is_whitespace, start_at};
use super::front_matter::front_matter;
use crate::element::{Placement, Tag};

/// Whether a text is a document: it starts like one, or a line outside of fenced code begins with an element. The text may be
/// cut.
pub fn is_document(text: &str) -> bool {
    opens_document(text) || has_element_line(text)
}

/// Whether a line outside of fenced code begins with an element that stands at top level, other than `<script>`, which other
/// Markdown files use too.
pub(super) fn has_element_line(text: &str) -> bool {
    let mut fence: Option<&str> = None;
    text.lines().any(|line| {
        let marker = fence_marker(line);
        if let Some(open) = fence {
            let is_end = marker.is_some_and(|marker| marker.starts_with(open) && line.trim() == marker);
            fence = fence.filter(|_| !is_end);
            false
        } else {
            fence = marker;
            matches!(start_at(line, 0), Some(Start::Tag { tag, is_closing: false, .. }) if begins_line(tag))
        }
    })
}

/// The run of backticks or tildes with which a line starts or ends fenced code.
fn fence_marker(line: &str) -> Option<&str> {
    let code = line.trim_start_matches(' ');
    let marker = code.chars().next().filter(|first| matches!(first, '`' | '~'))?;
    let length = code.len() - code.trim_start_matches(marker).len();
    (length >= 3 && line.len() - code.len() < 4).then(|| &code[..length])
}

fn begins_line(tag: Tag) -> bool {
    matches!(tag.definition().placement, Placement::TopLevel | Placement::ToolTrace)
}

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
    let text = text.trim_start_matches('\u{feff}');
    let mut rest = text[front_matter(text).len()..].trim_start_matches(is_whitespace);
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
