//! Tells by its content whether an input is a session, and of which program.

use std::io::{self, BufRead};

use super::lines;
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

/// Keys of which every line that tells its format has one.
const KEYS: [&str; 4] = ["\"sessionId\"", "\"timestamp\"", "\"leafUuid\"", "\"messageId\""];

/// Keys of what the Responses API sends and takes.
const API_KEYS: [&str; 7] = ["type", "object", "role", "input", "output", "model", "error"];

/// The format of a session, by its first lines; `None` if this is not a session.
pub fn detect(head: &[u8]) -> Option<Format> {
    let start = without_mark(head);
    if !start.starts_with(b"{") {
        return None;
    }
    let mut rest = start;
    (0..LOOKED_AT).find_map(|index| {
        let end = memchr::memchr(b'\n', rest).map_or(rest.len(), |at| at + 1);
        let (line, after) = rest.split_at(end);
        rest = after.trim_ascii_start();
        line_format(line.trim_ascii(), index == 0)
    })
}

/// Reads the lines that tell the format, and returns them with it.
pub fn read_head(input: &mut dyn BufRead) -> io::Result<(Vec<u8>, Option<Format>)> {
    let mut head = Vec::new();
    for index in 0..LOOKED_AT {
        let start = head.len();
        if input.read_until(b'\n', &mut head)? == 0 || !without_mark(&head).starts_with(b"{") {
            break;
        }
        let line = if index == 0 { without_mark(&head) } else { &head[start..] };
        if let Some(format) = line_format(line.trim_ascii(), index == 0) {
            return Ok((head, Some(format)));
        }
    }
    Ok((head, None))
}

/// The bytes without a byte order mark and whitespace at the start.
fn without_mark(head: &[u8]) -> &[u8] {
    head.strip_prefix("\u{feff}".as_bytes()).unwrap_or(head).trim_ascii_start()
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
