//! Writes any text and any attribute value so that it reads back as the same bytes.
//!
//! Text can never open or close an element, a comment or a RAW block, neither for this reader nor for ochat. Text that
//! needs no protection is written as it is.

use quick_xml::escape::partial_escape;

use super::Attributes;
use super::candidates::{is_blank, is_plain};
use crate::element::Tag;
pub use crate::options::Whitespace;

/// The line break that is used for layout. Line breaks that are content stay as they are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum LineEnding {
    /// `\n`
    #[default]
    Lf,
    /// `\r\n`
    CrLf,
}

impl LineEnding {
    /// The line break itself.
    pub fn as_str(self) -> &'static str {
        match self {
            LineEnding::Lf => "\n",
            LineEnding::CrLf => "\r\n",
        }
    }
}

/// An opening tag that is being written.
#[derive(Debug)]
pub struct Opening<'o> {
    out: &'o mut String,
}

impl<'o> Opening<'o> {
    /// Writes `<tag`.
    pub fn new(out: &'o mut String, tag: Tag) -> Self {
        out.push('<');
        out.push_str(tag.name());
        Self { out }
    }

    /// Writes ` name="value"`, or ` name` for a flag.
    pub fn attribute(&mut self, name: &str, value: Option<&str>) {
        self.out.push(' ');
        self.out.push_str(name);
        let Some(value) = value else { return };
        self.out.push_str("=\"");
        // Without branches, so that the compiler compares many bytes of a long `data:` URL at once.
        let needs_entity = |byte: u8| matches!(byte, b'<' | b'>' | b'&' | b'"' | b'\\');
        if !value.bytes().fold(false, |found, byte| found | needs_entity(byte)) {
            self.out.push_str(value);
            self.out.push('"');
            return;
        }
        for piece in partial_escape(value).split_inclusive(['"', '\\']) {
            // A final backslash would escape the quote that ends the value.
            let escaped = piece.strip_suffix('"').map(|before| (before, "&quot;"));
            let escaped = escaped.or_else(|| piece.strip_suffix('\\').map(|before| (before, "&#92;")));
            let (before, entity) = escaped.unwrap_or((piece, ""));
            self.out.push_str(before);
            self.out.push_str(entity);
        }
        self.out.push('"');
    }

    /// Writes all attributes.
    pub fn attributes(&mut self, attributes: &Attributes<'_>) {
        for attribute in &attributes.0 {
            self.attribute(&attribute.name, attribute.value.as_deref());
        }
    }

    /// Writes `>`.
    pub fn end(self) {
        self.out.push('>');
    }

    /// Writes `/>`.
    pub fn end_void(self) {
        self.out.push_str("/>");
    }
}

/// Writes `</tag>`.
pub fn close(out: &mut String, tag: Tag) {
    out.push_str("</");
    out.push_str(tag.name());
    out.push('>');
}

/// Writes `<!-- text -->`. The text must not hold `-->`.
pub fn comment(out: &mut String, text: &str) {
    out.push_str("<!--");
    out.push_str(text);
    out.push_str("-->");
}

/// Writes a text so that it reads back as one text.
///
/// In layout mode line breaks may be added before and after it, see [`end_line`].
pub fn text(out: &mut String, text: &str, whitespace: Whitespace, line_ending: LineEnding) {
    let is_before_tag = whitespace == Whitespace::Verbatim;
    write_text(out, text, whitespace, line_ending, is_before_tag);
}

/// Writes a text that a tag follows on the same line, also in layout mode.
pub fn text_before_tag(out: &mut String, text: &str, whitespace: Whitespace, line_ending: LineEnding) {
    write_text(out, text, whitespace, line_ending, true);
}

fn write_text(out: &mut String, text: &str, whitespace: Whitespace, line_ending: LineEnding, is_before_tag: bool) {
    let is_lost = match whitespace {
        Whitespace::Layout => is_blank(text),
        Whitespace::Verbatim => text.is_empty(),
    };
    // A final `\r` would join the line break after it, and a final `<` the tag.
    let joins_next = text.ends_with('\r') || is_before_tag && text.ends_with('<');
    if !is_lost && !joins_next && is_plain(text) {
        out.push_str(text);
        return;
    }
    protect(out, text, whitespace, line_ending);
}

/// Writes a line break that is layout. After a `\r` it writes none, because the two would read as one line break.
pub fn end_line(out: &mut String, line_ending: LineEnding) {
    if !out.ends_with('\r') {
        out.push_str(line_ending.as_str());
    }
}

/// Writes a text in RAW blocks. Each `|RAW` in it is written between two blocks. In layout mode, a line break beside `|RAW` is
/// written outside of the blocks too, because it would be layout at the edge of a block.
fn protect(out: &mut String, text: &str, whitespace: Whitespace, line_ending: LineEnding) {
    let is_layout = whitespace == Whitespace::Layout;
    let is_break = |c| is_layout && matches!(c, '\r' | '\n');
    let is_alone = !text.contains("|RAW");
    let mut pieces = text.split("|RAW").enumerate().peekable();
    while let Some((index, piece)) = pieces.next() {
        let start = if index > 0 { piece.trim_start_matches(is_break) } else { piece };
        let content = if pieces.peek().is_some() { start.trim_end_matches(is_break) } else { start };
        if index > 0 {
            out.push_str("|RAW");
            out.push_str(&piece[..piece.len() - start.len()]);
        }
        out.push_str("RAW|");
        if is_layout {
            write_framed(out, content, is_alone, line_ending);
        } else {
            out.push_str(content);
        }
        out.push_str("|RAW");
        out.push_str(&start[content.len()..]);
    }
}

/// Writes a RAW block's content with line breaks that the reader strips: always if the block `is_alone`, otherwise
/// only where the content's own line break would be stripped.
fn write_framed(out: &mut String, piece: &str, is_alone: bool, line_ending: LineEnding) {
    let is_alone = is_alone && !piece.is_empty();
    if is_alone || piece.starts_with('\n') || piece.starts_with("\r\n") {
        out.push_str(line_ending.as_str());
    }
    out.push_str(piece);
    if is_alone || piece.ends_with('\n') {
        end_line(out, line_ending);
    }
}
