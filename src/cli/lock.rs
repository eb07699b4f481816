//! The lock that every command takes before it rewrites a document.

use std::fs::{self, File, Metadata, OpenOptions, TryLockError};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use crate::Input;
use crate::resources::system_message;

use crate::cli::error::{ExitStatus, Failure, Result};
use crate::cli::input::{read_error, read_file};
use crate::cli::interrupt::exit_status;
use crate::cli::output::write_error;
use crate::cli::paths::{links, resolve, shown};
use crate::cli::replace::{create, replace};
use crate::cli::report::note;

/// How long a run waits for a lock before it prints a note.
const NOTE_AFTER: Duration = Duration::from_secs(1);

/// How often a run tries to get a lock that is held.
const POLL_INTERVAL: Duration = Duration::from_millis(5);

/// An exclusive lock on a document, released on drop.
pub(crate) struct Lock {
    file: File,
}

impl Lock {
    /// Waits for the lock of a document, which must be a regular file.
    pub(crate) fn take(path: &Path) -> Result<Self> {
        let name = shown(path);
        let failed =
            |error: io::Error| Failure::new(ExitStatus::Io, format!("cannot lock {name}: {}", system_message(&error)));
        let (start, mut is_noted) = (Instant::now(), false);
        loop {
            // Checked before the file is opened, because opening a pipe blocks.
            require_regular(path)?;
            let file = open(path).map_err(|error| read_error(&name, &error))?;
            // It may have been exchanged for a pipe since.
            if !file.metadata().is_ok_and(|metadata| metadata.is_file()) {
                continue;
            }
            match file.try_lock() {
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => {
                    if !is_noted && start.elapsed() > NOTE_AFTER {
                        note(&format!("waiting for the lock on {name}, which another program holds"));
                        is_noted = true;
                    }
                    if let Some(exit) = exit_status() {
                        let message = format!("interrupted while another program holds the lock on {name}");
                        return Err(Failure::new(exit, message));
                    }
                    thread::sleep(POLL_INTERVAL);
                    continue;
                }
                Err(TryLockError::Error(error)) => return Err(failed(error)),
            }
            // Another run may have replaced the file in the meantime.
            let is_current = fs::metadata(path).and_then(|current| Ok(is_same(&file.metadata()?, &current)));
            if is_current.map_err(|error| read_error(&name, &error))? {
                return Ok(Self { file });
            }
        }
    }

    /// Waits for the locks of several documents. A document that is named twice is locked once.
    pub(crate) fn take_all(paths: &[PathBuf]) -> Result<Vec<Self>> {
        // In the same order in every run, so that two runs never wait for each other.
        let mut paths: Vec<PathBuf> = paths.iter().map(|path| resolve(path)).collect();
        paths.sort();
        paths.dedup();
        allow_many_files();
        let mut locks: Vec<Self> = Vec::new();
        for path in paths {
            let metadata = fs::metadata(&path).map_err(|error| read_error(&shown(&path), &error))?;
            let is_held = |lock: &Self| lock.file.metadata().is_ok_and(|held| is_same(&held, &metadata));
            if links(&metadata) == 1 || !locks.iter().any(is_held) {
                locks.push(Self::take(&path)?);
            }
        }
        Ok(locks)
    }
}

/// Reads a document under its lock, and replaces the text by what `change` returns, if it returns any. A missing document
/// is empty, and is created if `creates`. Returns whether the document was written.
pub(crate) fn rewrite<E: From<Failure>>(
    path: &Path,
    creates: bool,
    mut change: impl FnMut(Input) -> Result<Option<String>, E>,
) -> Result<bool, E> {
    loop {
        // Held until the new document is written.
        let lock = match Lock::take(path) {
            Ok(lock) => Some(lock),
            Err(error) if error.exit == ExitStatus::Missing && creates => None,
            Err(error) => return Err(error.into()),
        };
        let document = match lock {
            Some(_) => read_file(path)?,
            None => Input::from("").with_path(resolve(path)),
        };
        let Some(text) = change(document)? else { return Ok(false) };
        let written = match lock {
            Some(_) => replace(path, text.as_bytes()),
            None => create(path, text.as_bytes(), None),
        };
        match written {
            Ok(()) => return Ok(true),
            Err(error) if lock.is_none() && error.kind() == ErrorKind::AlreadyExists => {
                // Another run has created it in the meantime: lock it and try again.
            }
            Err(error) => return Err(write_error(path, &error).into()),
        }
    }
}

/// Returns an error unless the path is a regular file.
pub(crate) fn require_regular(path: &Path) -> Result<()> {
    let name = shown(path);
    let metadata = fs::metadata(path).map_err(|error| read_error(&name, &error))?;
    if metadata.is_dir() {
        return Err(read_error(&name, &ErrorKind::IsADirectory.into()));
    }
    if !metadata.is_file() {
        return Err(Failure::new(ExitStatus::Io, format!("cannot rewrite {name}: it is not a regular file")));
    }
    Ok(())
}

/// Opens a file to lock it. A read-only file can be locked too.
fn open(path: &Path) -> io::Result<File> {
    let open = |options: &mut OpenOptions| {
        // A pipe would wait for the other end.
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::custom_flags(options, rustix::fs::OFlags::NONBLOCK.bits().cast_signed());
        options.read(true).open(path)
    };
    open(OpenOptions::new().write(true)).or_else(|error| match error.kind() {
        ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem => open(&mut OpenOptions::new()),
        _ => Err(error),
    })
}

/// Raises the number of files that may be open at once as far as the system allows.
fn allow_many_files() {
    #[cfg(unix)]
    {
        use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
        let Rlimit { maximum, .. } = getrlimit(Resource::Nofile);
        let _ = setrlimit(Resource::Nofile, Rlimit { current: maximum, maximum });
    }
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
