//! `--follow`: a stream shown as it arrives.

use std::io::{self, Read, Write};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use chatmd::diagnostic::sanitize_line;
use chatmd::responses::{Follower, News};
use clap::builder::styling::Style;

use crate::cli::input::{Input, unreadable};
use crate::cli::output::{is_interrupted, wait_for_interrupt};

/// How long an interrupt may go unnoticed.
const PAUSE: Duration = Duration::from_millis(50);

/// Reads standard input to its end, or to Ctrl-C, and shows what comes on stderr.
///
/// A message that had begun is ended there, with the status `incomplete`.
pub(crate) fn read() -> anyhow::Result<Input> {
    wait_for_interrupt();
    let (sender, chunks) = mpsc::sync_channel(16);
    thread::spawn(move || {
        let mut chunk = vec![0; 64 << 10];
        loop {
            let read = io::stdin().lock().read(&mut chunk).map(|length| chunk[..length].to_owned());
            let is_last = read.as_ref().is_ok_and(Vec::is_empty) || read.is_err();
            if sender.send(read).is_err() || is_last {
                return;
            }
        }
    });
    let mut follower = Follower::default();
    let mut bytes = Vec::new();
    while !is_interrupted() {
        match chunks.recv_timeout(PAUSE) {
            Ok(Ok(chunk)) if chunk.is_empty() => break,
            Ok(Ok(chunk)) => {
                show(&follower.push(&chunk));
                bytes.extend(chunk);
            }
            Ok(Err(error)) => return Err(unreadable("standard input", &error).into()),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => break,
        }
    }
    let unfinished = follower.unfinished();
    if !unfinished.is_empty() {
        // Whatever line was being written when the stream stopped is not part of this.
        let complete = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
        bytes.truncate(complete);
        bytes.extend(unfinished.into_bytes());
    }
    Ok(Input { name: "<stdin>".to_owned(), path: None, bytes })
}

fn show(news: &[News]) {
    let dimmed = Style::new().dimmed();
    let bold = Style::new().bold();
    let mut stderr = anstream::stderr().lock();
    for one in news {
        // Whether anybody sees it or not, the document is written.
        let _ = match one {
            News::Text(text) => write!(stderr, "{}", harmless(text)),
            News::Reasoning(text) => write!(stderr, "{dimmed}{}{dimmed:#}", harmless(text)),
            News::ToolCall(name) => writeln!(stderr, "{bold}{}{bold:#} …", sanitize_line(name)),
            News::ItemDone => writeln!(stderr),
        };
    }
    let _ = stderr.flush();
}

/// Text that cannot move the cursor, with its line breaks.
fn harmless(text: &str) -> String {
    let is_harmful = |c: char| c.is_control() && c != '\n' && c != '\t';
    text.chars().map(|c| if is_harmful(c) { '\u{fffd}' } else { c }).collect()
}
