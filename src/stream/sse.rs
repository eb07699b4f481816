//! Splits a stream of server-sent events, whatever its chunks are.

use std::borrow::Cow;
use std::ops::Range;

/// Splits a stream into events.
///
/// The caller keeps the bytes and may add to them between calls. Every byte is scanned once. Lines end with `\n`,
/// `\r\n` or `\r`; a blank line ends an event. A line that starts with `{` is an event of its own, so that a file of JSON
/// lines is read like a stream.
///
/// ```
/// use chatmd::internal::stream::StreamDecoder;
///
/// let mut decoder = StreamDecoder::default();
/// let mut bytes = b"event: error\nda".to_vec();
/// assert_eq!(decoder.next(&bytes, false), None);
/// bytes.extend(b"ta: {}\n\n");
/// let event = decoder.next(&bytes, false).unwrap();
/// assert_eq!((event.name, event.data.as_ref()), (Some("error"), "{}"));
/// ```
#[derive(Debug, Default)]
pub struct StreamDecoder {
    /// Where the line that is being read starts.
    line_start: usize,
    /// How far the line was searched for its end.
    searched: usize,
    /// The last line ended with `\r`, so that a `\n` right after it belongs to that line break.
    after_carriage_return: bool,
    /// The `event:` line and the `data:` lines of the event that is being read, or was read last.
    name: Option<Range<usize>>,
    data: Vec<Range<usize>>,
    /// Whether that event is complete.
    is_complete: bool,
}

/// One event, not yet decoded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SseEvent<'t> {
    /// The value of its `event:` line.
    pub name: Option<&'t str>,
    /// Its `data:` lines, joined by line breaks.
    pub data: Cow<'t, str>,
    /// Where its data starts.
    pub offset: usize,
}

impl StreamDecoder {
    /// The next complete event. With `is_end`, the last event needs no blank line after it.
    pub fn next<'t>(&mut self, bytes: &'t [u8], is_end: bool) -> Option<SseEvent<'t>> {
        self.advance(bytes, is_end).then(|| self.event(|line| text(&bytes[line])))
    }

    /// The next event of a whole text.
    pub(super) fn next_in<'t>(&mut self, text: &'t str) -> Option<SseEvent<'t>> {
        self.advance(text.as_bytes(), true).then(|| self.event(|line| &text[line]))
    }

    /// Reads the lines of the next event. Returns whether it is complete.
    fn advance(&mut self, bytes: &[u8], is_end: bool) -> bool {
        if std::mem::take(&mut self.is_complete) {
            self.name = None;
            self.data.clear();
        }
        if self.line_start == 0 && bytes.starts_with("\u{feff}".as_bytes()) {
            self.start_line(3);
        }
        while !self.is_complete
            && let Some(line) = self.line(bytes, is_end)
        {
            let text = &bytes[line.clone()];
            if text.is_empty() {
                self.is_complete = self.has_begun();
            } else if text.trim_ascii_start().starts_with(b"{") && !self.has_begun() {
                self.data.push(line);
                self.is_complete = true;
            } else if let Some(value) = field(text, b"data:") {
                self.data.push(line.end - value..line.end);
            } else if let Some(value) = field(text, b"event:") {
                self.name = Some(line.end - value..line.end);
            }
        }
        self.is_complete |= is_end && self.has_begun();
        self.is_complete
    }

    /// Whether there is a line of an event.
    fn has_begun(&self) -> bool {
        self.name.is_some() || !self.data.is_empty()
    }

    /// The next line without its line break.
    fn line(&mut self, bytes: &[u8], is_end: bool) -> Option<Range<usize>> {
        if self.line_start >= bytes.len() {
            return None;
        }
        if std::mem::take(&mut self.after_carriage_return) && bytes[self.line_start] == b'\n' {
            self.start_line(self.line_start + 1);
            return self.line(bytes, is_end);
        }
        let length = memchr::memchr2(b'\n', b'\r', &bytes[self.searched..]);
        let start = self.line_start;
        let Some(end) = length.map(|length| self.searched + length) else {
            self.searched = bytes.len();
            if is_end {
                self.start_line(bytes.len());
            }
            return is_end.then_some(start..bytes.len());
        };
        self.start_line(end + 1);
        self.after_carriage_return = bytes[end] == b'\r';
        Some(start..end)
    }

    fn start_line(&mut self, at: usize) {
        self.line_start = at;
        self.searched = at;
    }

    /// The event that was read last, with the text of its lines.
    fn event<'t>(&self, text: impl Fn(Range<usize>) -> &'t str) -> SseEvent<'t> {
        let data = match self.data.as_slice() {
            [] => Cow::Borrowed(""),
            [line] => Cow::Borrowed(text(line.clone())),
            lines => lines.iter().map(|line| text(line.clone())).collect::<Vec<_>>().join("\n").into(),
        };
        SseEvent {
            name: self.name.clone().map(|name| text(name).trim_ascii()),
            data,
            offset: self.data.first().map_or(self.line_start, |line| line.start),
        }
    }
}

/// The length of a field's value, if the line is that field. One space after the colon is not part of it.
fn field(line: &[u8], name: &[u8]) -> Option<usize> {
    let value = line.strip_prefix(name)?;
    Some(value.strip_prefix(b" ").unwrap_or(value).len())
}

/// Bytes as text, up to the first that is not UTF-8.
fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes)
        .unwrap_or_else(|error| std::str::from_utf8(&bytes[..error.valid_up_to()]).unwrap_or_default())
}
