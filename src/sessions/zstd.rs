//! Decompresses sessions that are stored as zstd data.

use std::error::Error;
use std::io::{self, BufRead, BufReader, ErrorKind, Read, Take};

use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};

use super::SessionLimits;

/// How long a line may be. A few bytes of zstd data can become a line of any length.
const MAX_LINE: usize = 256 << 20;
/// How many bytes of any ratio are decompressed, and how many for each compressed byte above that. A few bytes of zstd data
/// can become any number of bytes.
const SMALL: u64 = 64 << 20;
const MAX_RATIO: u64 = 1000;
/// How much is decompressed at once.
const BUFFER: usize = 64 << 10;

/// The content of zstd data, which may have several frames.
#[allow(clippy::unnecessary_wraps)] // without the feature it fails
pub(super) fn decompressed<'r>(source: impl BufRead + 'r, limits: SessionLimits) -> io::Result<Box<dyn BufRead + 'r>> {
    // Its limit only counts what is read.
    let source = source.take(u64::MAX);
    let frames = Frames { source, decoder: FrameDecoder::new(), is_in_frame: false, line: 0, written: 0, limits };
    Ok(Box::new(BufReader::with_capacity(BUFFER, frames)))
}

struct Frames<R> {
    source: Take<R>,
    decoder: FrameDecoder,
    is_in_frame: bool,
    /// How much of the current line was decompressed.
    line: usize,
    /// How much was decompressed.
    written: u64,
    limits: SessionLimits,
}

impl<R: BufRead> Frames<R> {
    /// Reads the header of the next frame that has content; `false` at the end.
    fn start_frame(&mut self) -> io::Result<bool> {
        while !self.source.fill_buf()?.is_empty() {
            match self.decoder.reset(&mut self.source) {
                Ok(()) => return Ok(true),
                Err(FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::SkipFrame { length, .. })) => {
                    io::copy(&mut self.source.by_ref().take(length.into()), &mut io::sink())?;
                }
                Err(error) => return Err(damaged(error)),
            }
        }
        Ok(false)
    }

    fn end_frame(&mut self) -> io::Result<()> {
        self.is_in_frame = false;
        let expected = self.decoder.get_checksum_from_data();
        if expected.is_some() && expected != self.decoder.get_calculated_checksum() {
            return Err(damaged("its checksum is wrong"));
        }
        Ok(())
    }

    /// Counts the bytes, and those after the last line break.
    fn count(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.written += bytes.len() as u64;
        let most =
            self.limits.most.unwrap_or_else(|| SMALL.max((u64::MAX - self.source.limit()).saturating_mul(MAX_RATIO)));
        if self.written > most {
            let why = match self.limits.most {
                Some(most) => format!("it has more than {most} bytes after decompression"),
                None => format!(
                    "it has more than {} MiB and {MAX_RATIO} times its compressed size after decompression",
                    SMALL >> 20
                ),
            };
            return Err(io::Error::new(ErrorKind::FileTooLarge, why));
        }
        if !self.limits.total.take(bytes.len() as u64) {
            let why = format!("more than {} bytes are read in all", self.limits.total.total());
            return Err(io::Error::new(ErrorKind::QuotaExceeded, why));
        }
        self.line = match memchr::memrchr(b'\n', bytes) {
            Some(at) => bytes.len() - at - 1,
            None => self.line + bytes.len(),
        };
        if self.line > MAX_LINE {
            let why = format!("a line is longer than {} MiB after decompression", MAX_LINE >> 20);
            return Err(io::Error::new(ErrorKind::InvalidData, why));
        }
        Ok(())
    }
}

impl<R: BufRead> Read for Frames<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            if !self.is_in_frame {
                self.is_in_frame = self.start_frame()?;
                if !self.is_in_frame {
                    return Ok(0);
                }
            }
            if self.decoder.can_collect() == 0 && !self.decoder.is_finished() {
                self.decoder.decode_blocks(&mut self.source, BlockDecodingStrategy::UptoBlocks(1)).map_err(damaged)?;
            }
            let length = self.decoder.read(buffer)?;
            if length > 0 {
                self.count(&buffer[..length])?;
                return Ok(length);
            }
            if self.decoder.is_finished() {
                self.end_frame()?;
            }
        }
    }
}

fn damaged(why: impl Into<Box<dyn Error + Send + Sync>>) -> io::Error {
    io::Error::new(ErrorKind::InvalidData, format!("the zstd data is damaged or cut: {}", why.into()))
}
