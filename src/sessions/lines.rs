//! Lines of a session. Only `\n` ends a line: U+2028 and others are content.

use std::io::{self, BufRead, ErrorKind};

/// How much of a line is kept for a message about it.
const MAX_SHOWN_LINE: usize = 120;

/// The lines of an input, one at a time.
pub(super) struct Lines<'r> {
    input: &'r mut dyn BufRead,
    buffer: Vec<u8>,
    /// The number of the last line.
    pub(super) number: usize,
    /// Why the rest of a compressed input cannot be read.
    pub(super) damage: Option<String>,
}

impl<'r> Lines<'r> {
    pub(super) fn new(input: &'r mut dyn BufRead) -> Self {
        Self { input, buffer: Vec::new(), number: 0, damage: None }
    }

    /// The next line that is not blank, and its number from 1.
    pub(super) fn next(&mut self) -> io::Result<Option<(usize, &[u8])>> {
        loop {
            self.buffer.clear();
            match self.input.read_until(b'\n', &mut self.buffer) {
                Ok(0) => return Ok(None),
                Ok(_) => {}
                Err(error) if error.kind() == ErrorKind::InvalidData => {
                    self.damage = Some(error.to_string());
                    return Ok(None);
                }
                Err(error) => return Err(error),
            }
            self.number += 1;
            if !self.buffer.trim_ascii().is_empty() {
                return Ok(Some((self.number, self.buffer.trim_ascii())));
            }
        }
    }
}

/// A line as text, without a byte order mark.
pub(super) fn text(line: &[u8]) -> Result<&str, String> {
    let text = std::str::from_utf8(line).map_err(|error| format!("not UTF-8 at byte {}", error.valid_up_to()))?;
    Ok(text.trim_start_matches('\u{feff}'))
}

/// How a line begins, for a message.
pub(super) fn start(line: &[u8]) -> String {
    let line = line.strip_prefix("\u{feff}".as_bytes()).unwrap_or(line);
    String::from_utf8_lossy(&line[..line.len().min(MAX_SHOWN_LINE)]).into_owned()
}
