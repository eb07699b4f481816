//! Reads a stream that an interrupt only ends: whatever has arrived is kept.

use std::io::{self, Read};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use crate::cli::interrupt::{finish_on_interrupt, is_interrupted};

/// How often interrupts are checked.
const POLL_INTERVAL: Duration = Duration::from_millis(50);
/// How many chunks wait until they are asked for.
const MAX_WAITING: usize = 16;
const CHUNK_BYTES: usize = 64 << 10;

/// A stream that ends at its end or at an interrupt.
pub(crate) struct Interruptible {
    chunks: Receiver<io::Result<Vec<u8>>>,
    /// The rest of the last chunk for [`Read`].
    rest: io::Cursor<Vec<u8>>,
    /// How many chunks are still taken after an interrupt: those that had arrived before it.
    last_chunks: usize,
}

impl Interruptible {
    /// From now on the first interrupt only ends the stream.
    pub(crate) fn new(mut stream: impl Read + Send + 'static) -> Self {
        finish_on_interrupt();
        let (sender, chunks) = mpsc::sync_channel(MAX_WAITING);
        thread::spawn(move || {
            let mut chunk = vec![0; CHUNK_BYTES];
            loop {
                let read = stream.read(&mut chunk).map(|length| chunk[..length].to_owned());
                let is_last = read.as_ref().is_ok_and(Vec::is_empty) || read.is_err();
                if sender.send(read).is_err() || is_last {
                    return;
                }
            }
        });
        Self { chunks, rest: io::Cursor::default(), last_chunks: MAX_WAITING }
    }

    /// The next bytes; none at the end.
    pub(crate) fn next_chunk(&mut self) -> io::Result<Vec<u8>> {
        while !is_interrupted() {
            match self.chunks.recv_timeout(POLL_INTERVAL) {
                Ok(chunk) => return chunk,
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Ok(Vec::new()),
            }
        }
        let Some(left) = self.last_chunks.checked_sub(1) else { return Ok(Vec::new()) };
        self.last_chunks = left;
        self.chunks.try_recv().unwrap_or_else(|_| Ok(Vec::new()))
    }
}

impl Read for Interruptible {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = self.rest.read(buffer)?;
        if length > 0 || buffer.is_empty() {
            return Ok(length);
        }
        self.rest = io::Cursor::new(self.next_chunk()?);
        self.rest.read(buffer)
    }
}
