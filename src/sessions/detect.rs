//! Tells by its content whether an input is a session, and of which program.

use std::io::{self, BufRead, ErrorKind, Read};
use std::iter;

use super::lines;
use super::zstd::decompressed;
use crate::json::{Json, Kind, Object, StringArena};

/// The program that has written a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// A Codex rollout.
    Codex,
    /// A Claude Code session.
    Claude,
}

/// How many lines are looked at. The first lines of a session may be broken, or say nothing.
const LOOKED_AT: usize = 30;
/// How much is looked at, in bytes. The line that goes over it is the last one.
const HEAD: usize = 64 << 20;

/// How zstd data starts.
const ZSTD: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];

/// Keys of which every line that tells its format has one.
const KEYS: [&str; 4] = ["\"sessionId\"", "\"timestamp\"", "\"leafUuid\"", "\"messageId\""];

/// Keys of what the Responses API sends and takes.
const API_KEYS: [&str; 7] = ["type", "object", "role", "input", "output", "model", "error"];

/// The format of a session, by its first lines; `None` if this is not a session.
pub fn detect(text: &[u8]) -> Option<Format> {
    let mut rest = text;
    let lines = iter::from_fn(|| {
        let end = memchr::memchr(b'\n', rest).map_or(rest.len(), |at| at + 1);
        let (line, after) = rest.split_at(end);
        rest = after;
        (!line.is_empty()).then(|| trimmed(line))
    });
    let lines = lines.filter(|line| !line.is_empty());
    let mut lines = lines.take(LOOKED_AT).enumerate().take_while(|(index, line)| *index > 0 || line.starts_with(b"{"));
    lines.find_map(|(index, line)| line_format(line, index == 0))
}

/// An input that may be a session.
pub struct Opened<'r> {
    /// The format, if it is a session.
    pub format: Option<Format>,
    /// The lines that were read to tell the format.
    pub head: Vec<u8>,
    /// What comes after them.
    pub rest: Box<dyn BufRead + 'r>,
}

/// Opens an input and tells whether it is a session. A session may be compressed with zstd.
pub fn open<'r>(mut input: impl BufRead + 'r) -> io::Result<Opened<'r>> {
    let mut start = Vec::new();
    input.by_ref().take(ZSTD.len() as u64).read_to_end(&mut start)?;
    let is_compressed = is_compressed(&start);
    let input = io::Cursor::new(start).chain(input);
    let mut rest = if is_compressed { decompressed(input)? } else { Box::new(input) };
    let (head, format) = read_head(&mut rest)?;
    if is_compressed && format.is_none() {
        // Other inputs are read as a whole, and a few bytes of zstd data can become any number of bytes.
        let why = "this is zstd data, but not a session; decompress it first";
        return Err(io::Error::new(ErrorKind::InvalidData, why));
    }
    Ok(Opened { format, head, rest })
}

/// Whether bytes are zstd data.
pub fn is_compressed(bytes: &[u8]) -> bool {
    bytes.starts_with(&ZSTD)
}

/// Reads the lines that tell the format, and returns them with it.
fn read_head(input: &mut dyn BufRead) -> io::Result<(Vec<u8>, Option<Format>)> {
    let (mut head, mut index) = (Vec::new(), 0);
    while index < LOOKED_AT && head.len() <= HEAD {
        let start = head.len();
        if input.read_until(b'\n', &mut head)? == 0 {
            break;
        }
        let line = trimmed(&head[start..]);
        if index == 0 && !line.is_empty() && !line.starts_with(b"{") {
            break;
        }
        let format = line_format(line, index == 0);
        index += usize::from(!line.is_empty());
        if format.is_some() {
            return Ok((head, format));
        }
    }
    Ok((head, None))
}

/// A line without the whitespace and the byte order mark around it.
fn trimmed(line: &[u8]) -> &[u8] {
    line.strip_prefix("\u{feff}".as_bytes()).unwrap_or(line).trim_ascii()
}

fn line_format(line: &[u8], is_first: bool) -> Option<Format> {
    // Only a line with such a key is worth parsing.
    let may_tell =
        line.starts_with(b"{") && KEYS.iter().any(|key| memchr::memmem::find(line, key.as_bytes()).is_some());
    if !may_tell {
        return None;
    }
    let strings = StringArena::default();
    let object = Json::parse(lines::text(line).ok()?, &strings).and_then(Json::object).ok()?;
    object_format(&object, is_first)
}

fn object_format(object: &Object<'_>, is_first: bool) -> Option<Format> {
    let is_text = |key: &str| object.get(key).is_some_and(|value| value.kind() == Kind::String);
    let kind = object.get_str("type").unwrap_or_default();
    let is_codex = is_text("timestamp") && object.get("payload").is_some_and(|value| value.kind() == Kind::Object);
    let is_claude = is_text("sessionId")
        || kind == "summary" && is_text("leafUuid")
        || kind == "file-history-snapshot" && is_text("messageId");
    let is_old_codex = is_first
        && is_text("id")
        && is_text("timestamp")
        && ["instructions", "git"].iter().any(|key| object.get(key).is_some())
        && API_KEYS.iter().all(|key| object.get(key).is_none());
    if is_text("type") && is_codex || is_old_codex {
        Some(Format::Codex)
    } else if is_text("type") && is_claude {
        Some(Format::Claude)
    } else {
        None
    }
}
