//! The lock that everything takes which rewrites a document.

use std::fs::{self, File, Metadata, OpenOptions, TryLockError};
use std::io::{self, ErrorKind};
use std::path::Path;
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread;
use std::time::Duration;

use crate::cli::error::{CliError, ExitStatus};
use crate::cli::input::unreadable;
use crate::cli::report::note;

/// How long a run waits for a lock without a word.
const PATIENCE: Duration = Duration::from_secs(1);

/// A document that no other run of this program rewrites until this is dropped.
pub(crate) struct Lock {
    _file: File,
}

impl Lock {
    /// Locks a document, as soon as nobody else holds its lock. It has to be a regular file.
    pub(crate) fn take(path: &Path) -> Result<Self, CliError> {
        let name = path.display().to_string();
        let failed = |error: io::Error| CliError {
            exit: ExitStatus::InputOutput,
            message: format!("cannot lock {name}: {error}"),
            help: None,
        };
        let mut waiting = None;
        loop {
            // Asked before it is opened: opening a pipe waits for its other end.
            require_regular(path)?;
            let file = open(path).map_err(|error| unreadable(&name, &error))?;
            match file.try_lock() {
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => {
                    waiting.get_or_insert_with(|| say_so_later(&name));
                    file.lock().map_err(failed)?;
                }
                Err(TryLockError::Error(error)) => return Err(failed(error)),
            }
            // While we waited, another file may have been put in its place.
            let is_current = fs::metadata(path).and_then(|found| Ok(is_same(&file.metadata()?, &found)));
            if is_current.map_err(|error| unreadable(&name, &error))? {
                return Ok(Self { _file: file });
            }
        }
    }
}

/// Refuses what cannot be rewritten: a directory, a pipe or a device. What is missing is an error of its own kind.
pub(crate) fn require_regular(path: &Path) -> Result<(), CliError> {
    let name = path.display().to_string();
    let found = fs::metadata(path).map_err(|error| unreadable(&name, &error))?;
    if found.is_dir() {
        return Err(unreadable(&name, &ErrorKind::IsADirectory.into()));
    }
    let message = format!("cannot rewrite {name}: it is not a regular file");
    let refused = CliError { exit: ExitStatus::InputOutput, message, help: None };
    if found.is_file() { Ok(()) } else { Err(refused) }
}

/// Opens a file to lock it. One that may not be written can be locked too: whether it has to be written comes later.
fn open(path: &Path) -> io::Result<File> {
    OpenOptions::new().read(true).write(true).open(path).or_else(|error| match error.kind() {
        ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem => File::open(path),
        _ => Err(error),
    })
}

/// Says that the run waits, unless what is returned is dropped soon.
fn say_so_later(name: &str) -> Sender<()> {
    let (sender, dropped) = mpsc::channel();
    let text = format!("waiting for the lock on {name}, which another program holds");
    thread::spawn(move || {
        if dropped.recv_timeout(PATIENCE) == Err(RecvTimeoutError::Timeout) {
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
