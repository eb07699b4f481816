//! Reads a stream and shows it as it arrives.

use std::io::{self, Read};

use crate::Input;
use crate::resources::system_message;

use crate::cli::display::{AnswerTo, Display, Show};
use crate::cli::error::Result;
use crate::cli::input::read_error;
use crate::cli::interruptible::Interruptible;
use crate::cli::report::{help, warning};

/// How many bytes of a stream are kept, unless a flag sets another limit.
pub(crate) const MAX_STREAM_BYTES: usize = 512 << 20;

/// Reads standard input until its end or Ctrl-C, and shows its text on standard error.
///
/// This is only a display: the bytes are converted afterwards, like those of a file.
pub(crate) fn read(most: usize) -> Result<Input> {
    let display = Display::new(Show { answer: AnswerTo::Stderr, is_quiet: false });
    let bytes = show_stream(io::stdin(), most, display).map_err(|error| read_error("standard input", &error))?;
    Ok(Input::from(bytes).with_name("<stdin>"))
}

/// Reads a stream until its end or Ctrl-C, and shows its text. After `most` bytes the stream is cut.
pub(crate) fn show_stream(
    stream: impl Read + Send + 'static,
    most: usize,
    mut display: Display,
) -> io::Result<Vec<u8>> {
    let mut stream = Interruptible::new(stream);
    let mut bytes = Vec::new();
    display.wait();
    loop {
        match stream.next_chunk() {
            Ok(chunk) if chunk.is_empty() => break,
            Ok(chunk) => {
                bytes.extend(chunk);
                let is_too_long = bytes.len() > most;
                bytes.truncate(most);
                display.show(&bytes, false);
                if is_too_long {
                    display.end_line();
                    warning(&format!("the stream has more than {most} bytes, and the rest is not read"));
                    help("`from-response --max-stream-bytes` allows more");
                    break;
                }
            }
            Err(error) if bytes.is_empty() => return Err(error),
            Err(error) => {
                display.end_line();
                warning(&format!("the stream broke off: {}", system_message(&error)));
                break;
            }
        }
    }
    display.show(&bytes, true);
    display.show_response(&bytes);
    display.finish();
    Ok(bytes)
}
