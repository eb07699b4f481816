//! Detects by its content whether an input is a session, and of which program.

use std::fmt;
use std::io::{self, BufRead, ErrorKind, Read};
use std::ops::ControlFlow;

use serde::de::IgnoredAny;

use super::lines;
use super::zstd::decompressed;
use crate::json::{Json, Kind, Object, StringArena};
use crate::resources::Budget;
use crate::responses::ZSTD_START;

/// The program that has written a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// A Codex rollout.
    Codex,
    /// A Claude Code session.
    Claude,
}

/// How many lines are examined. The first lines of a session may be broken or inconclusive.
const MAX_DETECTION_LINES: usize = 30;
/// How many bytes are examined. The line that exceeds the limit is the last one.
const MAX_DETECTION_BYTES: usize = 64 << 20;

/// A line without any of these substrings cannot identify the format, so it is not parsed.
const FORMAT_MARKERS: [&str; 5] = ["\"sessionId\"", "\"timestamp\"", "\"leafUuid\"", "\"messageId\"", "\"response."];

/// Keys of items and responses that a line of Claude Code does not have.
const ITEM_KEYS: [&str; 4] = ["object", "role", "call_id", "output"];

/// Keys of what the Responses API sends and takes.
const API_KEYS: [&str; 7] = ["type", "object", "role", "input", "output", "model", "error"];

/// The format of a session, by its first lines; `None` if this is not a session.
#[doc(hidden)]
pub fn detect(text: &[u8]) -> Option<Format> {
    let (mut detector, mut end) = (Detector::default(), 0);
    while end < text.len() {
        let start = end;
        end = memchr::memchr(b'\n', &text[start..]).map_or(text.len(), |at| start + at + 1);
        if let ControlFlow::Break(format) = detector.line(&text[..end], start) {
            return format;
        }
    }
    None
}

/// An input that may be a session.
#[doc(hidden)]
pub struct OpenedSession<'r> {
    /// The format, if it is a session.
    pub format: Option<Format>,
    /// The lines that were read to detect the format.
    pub head: Vec<u8>,
    /// The rest of the input.
    pub rest: Box<dyn BufRead + 'r>,
}

impl fmt::Debug for OpenedSession<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OpenedSession").field("format", &self.format).finish_non_exhaustive()
    }
}

/// How much of a compressed session is decompressed.
#[doc(hidden)]
#[derive(Debug, Clone)]
pub struct SessionLimits {
    /// How many bytes, whatever the ratio is. Without it, 64 MiB and 1,000 times the compressed size.
    pub most: Option<u64>,
    /// What may be read in all, which the decompressed bytes count for.
    pub total: Budget,
}

impl Default for SessionLimits {
    fn default() -> Self {
        Self { most: None, total: Budget::new(u64::MAX) }
    }
}

/// Opens an input and detects whether it is a session. A session may be compressed with zstd.
#[doc(hidden)]
pub fn open<'r>(mut input: impl BufRead + 'r, limits: SessionLimits) -> io::Result<OpenedSession<'r>> {
    let mut start = Vec::new();
    input.by_ref().take(ZSTD_START.len() as u64).read_to_end(&mut start)?;
    let is_compressed = is_compressed(&start);
    let input = io::Cursor::new(start).chain(input);
    let mut rest = if is_compressed { decompressed(input, limits)? } else { Box::new(input) };
    let (head, format) = read_head(&mut rest)?;
    if is_compressed && format.is_none() {
        // Other inputs are read as a whole, and a few bytes of zstd data can become any number of bytes.
        let why = "this is zstd data, but not a session; decompress it first";
        return Err(io::Error::new(ErrorKind::InvalidData, why));
    }
    Ok(OpenedSession { format, head, rest })
}

/// Whether bytes are zstd data.
#[doc(hidden)]
pub fn is_compressed(bytes: &[u8]) -> bool {
    bytes.starts_with(ZSTD_START)
}

/// Reads lines until the format is known, and returns them with it.
fn read_head(input: &mut dyn BufRead) -> io::Result<(Vec<u8>, Option<Format>)> {
    let (mut head, mut detector) = (Vec::new(), Detector::default());
    while head.len() <= MAX_DETECTION_BYTES {
        let start = head.len();
        if input.read_until(b'\n', &mut head)? == 0 {
            break;
        }
        if let ControlFlow::Break(format) = detector.line(&head, start) {
            return Ok((head, format));
        }
    }
    Ok((head, None))
}

/// Examines one line after the other until the format is known.
#[derive(Default)]
struct Detector {
    /// How many lines were examined, without blank ones.
    count: usize,
}

impl Detector {
    /// Examines the last line of a head, which begins at `start`.
    fn line(&mut self, head: &[u8], start: usize) -> ControlFlow<Option<Format>> {
        let line = trimmed(&head[start..]);
        if line.is_empty() {
            return ControlFlow::Continue(());
        }
        self.count += 1;
        let is_first = self.count == 1;
        if is_first && !line.starts_with(b"{") {
            return ControlFlow::Break(None);
        }
        match meaning(line, is_first) {
            Meaning::Session(format) if is_first || !is_unfinished(head) => return ControlFlow::Break(Some(format)),
            // If the first line is broken, it may end where a value is missing, and the second line is one. After a
            // third line this is a JSON value that is written over several lines.
            Meaning::Session(_) if self.count > 2 => return ControlFlow::Break(None),
            Meaning::Event => return ControlFlow::Break(None),
            Meaning::Session(_) | Meaning::Unknown => {}
        }
        if self.count < MAX_DETECTION_LINES { ControlFlow::Continue(()) } else { ControlFlow::Break(None) }
    }
}

/// What a line shows about the format.
enum Meaning {
    /// It is a line of a session.
    Session(Format),
    /// It is an event of a stream.
    Event,
    /// Nothing.
    Unknown,
}

/// Whether a text is the beginning of an incomplete JSON value.
fn is_unfinished(text: &[u8]) -> bool {
    serde_json::from_slice::<IgnoredAny>(trimmed(text)).is_err_and(|error| error.is_eof())
}

/// A line without the whitespace and the byte order mark around it.
fn trimmed(line: &[u8]) -> &[u8] {
    line.strip_prefix("\u{feff}".as_bytes()).unwrap_or(line).trim_ascii()
}

fn meaning(line: &[u8], is_first: bool) -> Meaning {
    // Only a line with such a key or type is worth parsing.
    let may_tell = line.starts_with(b"{")
        && FORMAT_MARKERS.iter().any(|text| memchr::memmem::find(line, text.as_bytes()).is_some());
    if !may_tell {
        return Meaning::Unknown;
    }
    let strings = StringArena::default();
    let object = lines::text(line).ok().and_then(|text| Json::parse(text, &strings).and_then(Json::object).ok());
    object.map_or(Meaning::Unknown, |object| object_meaning(&object, is_first))
}

fn object_meaning(object: &Object<'_>, is_first: bool) -> Meaning {
    let is_text = |key: &str| object.get(key).is_some_and(|value| value.kind() == Kind::String);
    let has_none = |keys: &[&str]| keys.iter().all(|key| object.get(key).is_none());
    let kind = object.get_str("type").unwrap_or_default();
    if kind.starts_with("response.") {
        return Meaning::Event;
    }
    let is_codex = is_text("timestamp") && object.get("payload").is_some_and(|value| value.kind() == Kind::Object);
    let is_claude = is_text("sessionId") && has_none(&ITEM_KEYS)
        || kind == "summary" && is_text("leafUuid")
        || kind == "file-history-snapshot" && is_text("messageId");
    let is_old_codex = is_first
        && is_text("id")
        && is_text("timestamp")
        && ["instructions", "git"].iter().any(|key| object.get(key).is_some())
        && has_none(&API_KEYS);
    if is_text("type") && is_codex || is_old_codex {
        Meaning::Session(Format::Codex)
    } else if is_text("type") && is_claude {
        Meaning::Session(Format::Claude)
    } else {
        Meaning::Unknown
    }
}
