//! What conversions are compared with: programs that do the least work with the same bytes.
//!
//! `limit FILE` writes a file as one JSON string, `value FILE` reads JSON into `serde_json::Value`, `events FILE` does so
//! with every event of a stream, `copy FILE TO` reads and writes a file, and `nothing` does nothing.

use std::io::{self, BufWriter, Write};
use std::{env, fs};

use serde_json::Value;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["limit", path] => limit(&fs::read_to_string(path)?)?,
        ["value", path] => drop(serde_json::from_str::<Value>(&fs::read_to_string(path)?)?),
        ["events", path] => {
            for line in fs::read_to_string(path)?.lines() {
                if let Some(event) = line.strip_prefix("data: ") {
                    drop(serde_json::from_str::<Value>(event)?);
                }
            }
        }
        ["copy", path, to] => fs::write(to, fs::read_to_string(path)?)?,
        ["nothing"] => {}
        _ => return Err("expected limit, value, events, copy or nothing".into()),
    }
    Ok(())
}

/// Writes a text as `{"input":"…"}`, looking at every byte once.
fn limit(text: &str) -> io::Result<()> {
    let mut out = BufWriter::with_capacity(1 << 16, io::stdout().lock());
    let mut written = 0;
    out.write_all(b"{\"input\":\"")?;
    for (at, byte) in text.bytes().enumerate() {
        if byte != b'"' && byte != b'\\' && byte >= b' ' {
            continue;
        }
        out.write_all(&text.as_bytes()[written..at])?;
        written = at + 1;
        match byte {
            b'\n' => out.write_all(b"\\n")?,
            b'\r' => out.write_all(b"\\r")?,
            b'\t' => out.write_all(b"\\t")?,
            b'"' | b'\\' => out.write_all(&[b'\\', byte])?,
            _ => write!(out, "\\u{byte:04x}")?,
        }
    }
    out.write_all(&text.as_bytes()[written..])?;
    out.write_all(b"\"}\n")?;
    out.flush()
}
