//! The lock that every command takes before it rewrites a document.

use std::fs::{self, File, Metadata, OpenOptions, TryLockError};
use std::io::{self, ErrorKind};
use std::path::Path;
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread;
use std::time::Duration;

use crate::cli::error::{CliError, ExitStatus};
use crate::cli::input::read_error;
use crate::cli::report::note;

/// How long a run waits for a lock before it prints a note.
const NOTE_AFTER: Duration = Duration::from_secs(1);

/// An exclusive lock on a document, released on drop.
pub(crate) struct Lock {
    _file: File,
}

impl Lock {
    /// Waits for the lock of a document, which must be a regular file.
    pub(crate) fn take(path: &Path) -> Result<Self, CliError> {
        let name = path.display().to_string();
        let failed = |error: io::Error| CliError::new(ExitStatus::Io, format!("cannot lock {name}: {error}"));
        let mut waiting = None;
        loop {
            // Checked before the file is opened, because opening a pipe blocks.
            require_regular(path)?;
            let file = open(path).map_err(|error| read_error(&name, &error))?;
            match file.try_lock() {
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => {
                    waiting.get_or_insert_with(|| note_if_waiting(&name));
                    file.lock().map_err(failed)?;
                }
                Err(TryLockError::Error(error)) => return Err(failed(error)),
            }
            // Another run may have replaced the file in the meantime.
            let is_current = fs::metadata(path).and_then(|current| Ok(is_same(&file.metadata()?, &current)));
            if is_current.map_err(|error| read_error(&name, &error))? {
                return Ok(Self { _file: file });
            }
        }
    }
}

/// Returns an error unless the path is a regular file.
pub(crate) fn require_regular(path: &Path) -> Result<(), CliError> {
    let name = path.display().to_string();
    let metadata = fs::metadata(path).map_err(|error| read_error(&name, &error))?;
    if metadata.is_dir() {
        return Err(read_error(&name, &ErrorKind::IsADirectory.into()));
    }
    if !metadata.is_file() {
        return Err(CliError::new(ExitStatus::Io, format!("cannot rewrite {name}: it is not a regular file")));
    }
    Ok(())
}

/// Opens a file to lock it. A read-only file can be locked too.
fn open(path: &Path) -> io::Result<File> {
    OpenOptions::new().read(true).write(true).open(path).or_else(|error| match error.kind() {
        ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem => File::open(path),
        _ => Err(error),
    })
}

/// Prints a note after [`NOTE_AFTER`], unless the returned sender is dropped before.
fn note_if_waiting(name: &str) -> Sender<()> {
    let (sender, dropped) = mpsc::channel();
    let text = format!("waiting for the lock on {name}, which another program holds");
    thread::spawn(move || {
        if dropped.recv_timeout(NOTE_AFTER) == Err(RecvTimeoutError::Timeout) {
            note(&text);
        }
    });
    sender
}

#[cfg(unix)]
fn is_same(a: &Metadata, b: &Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    (a.dev(), a.ino()) == (b.dev(), b.ino())
}

#[cfg(not(unix))]
fn is_same(a: &Metadata, b: &Metadata) -> bool {
    a.modified().ok() == b.modified().ok() && a.len() == b.len()
}
