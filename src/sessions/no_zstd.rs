//! Without the feature `zstd`, compressed sessions are not read.

use std::io::{self, BufRead, ErrorKind};

use super::SessionLimits;

pub(super) fn decompressed<'r>(_: impl BufRead + 'r, _: SessionLimits) -> io::Result<Box<dyn BufRead + 'r>> {
    Err(io::Error::new(ErrorKind::InvalidData, "this build has no support for zstd data"))
}
