//! Files that are written whole or not at all.

use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use tempfile::{NamedTempFile, PersistError};

use crate::cli::report::warning;

/// As many links as the kernel follows.
const MAX_LINKS: usize = 40;

/// The temporary file that is being written, for an interrupt to remove.
static UNFINISHED: Mutex<Option<PathBuf>> = Mutex::new(None);

/// The temporary file that is being written. While this is held, none is begun.
pub(crate) fn unfinished() -> MutexGuard<'static, Option<PathBuf>> {
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Puts new content in the place of a file, so that at every instant the old file or the new one is there.
///
/// Links are followed. The new file has the mode, owner and group of the old one, as far as the user may set them,
/// and is never readable by more people.
pub(crate) fn replace(path: &Path, content: &[u8]) -> io::Result<()> {
    let target = target(path);
    let existing = fs::metadata(&target).ok();
    if existing.as_ref().is_some_and(|existing| !existing.is_file()) {
        // A device or a pipe has no content to keep.
        return OpenOptions::new().write(true).open(&target)?.write_all(content);
    }
    if existing.is_some() {
        // Opening says whether the file may be written at all; renaming over it would not ask.
        OpenOptions::new().write(true).open(&target)?;
    }
    put(&target, content, existing.as_ref(), |file, target| file.persist(target))
}

/// Writes a file that does not exist yet, with the mode, owner and group of another one if that is given.
///
/// An error of the kind `AlreadyExists` if there is something in its place.
pub(crate) fn create(path: &Path, content: &[u8], like: Option<&Metadata>) -> io::Result<()> {
    put(&target(path), content, like, |file, target| file.persist_noclobber(target))
}

/// Where a path leads: the file behind its links, also if there is no such file yet.
pub(crate) fn target(path: &Path) -> PathBuf {
    fs::canonicalize(path).unwrap_or_else(|_| end_of_links(path))
}

/// Writes a temporary file beside the target and gives it the target's name.
fn put(
    target: &Path,
    content: &[u8],
    like: Option<&Metadata>,
    persist: impl FnOnce(NamedTempFile, &Path) -> Result<File, PersistError>,
) -> io::Result<()> {
    let directory = target.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut file = begin(directory, like.is_none())?;
    let written = file.write_all(content).and_then(|()| {
        like.map_or(Ok(()), |like| keep_access(file.as_file(), like))?;
        file.as_file().sync_all()
    });
    let persisted = written.and_then(|()| Ok(persist(file, target)?));
    *unfinished() = None;
    persisted?;
    // The new name is on disk only when its directory is. The content is in its place all the same.
    if let Ok(Err(error)) = File::open(directory).map(|directory| directory.sync_all()) {
        warning(&format!("{} is written, but may be lost in a power failure: {error}", target.display()));
    }
    Ok(())
}

/// Creates a temporary file in `directory`, which only its owner may read unless it is to be like any new file.
fn begin(directory: &Path, is_new: bool) -> io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".chatmd-").suffix(".tmp");
    #[cfg(unix)]
    if is_new {
        // The umask takes away what new files do not get.
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    }
    // The name is noted inside the lock, so that an interrupt meets no file without a note.
    let mut note = unfinished();
    let file = builder.tempfile_in(directory)?;
    *note = Some(file.path().to_owned());
    Ok(file)
}

/// Gives a file the owner, group and mode of another one.
///
/// If the group cannot be kept, its members and everybody else get what both had, so that nobody gains access.
#[cfg(unix)]
fn keep_access(file: &File, like: &Metadata) -> io::Result<()> {
    use std::os::unix::fs::{MetadataExt, PermissionsExt, fchown};
    let own = file.metadata()?;
    let is_other = (own.uid(), own.gid()) != (like.uid(), like.gid());
    // Only root may give a file away; its owner may give it to another of the owner's groups.
    if is_other && fchown(file, Some(like.uid()), Some(like.gid())).is_err() {
        let _ = fchown(file, None, Some(like.gid()));
    }
    let mode = like.mode() & 0o7777;
    let shared = mode >> 3 & mode & 0o7;
    let is_kept = file.metadata()?.gid() == like.gid();
    let mode = if is_kept { mode } else { mode & 0o700 | shared << 3 | shared };
    file.set_permissions(PermissionsExt::from_mode(mode))
}

#[cfg(not(unix))]
fn keep_access(file: &File, like: &Metadata) -> io::Result<()> {
    file.set_permissions(like.permissions())
}

/// Where a link leads that leads to nothing yet.
fn end_of_links(path: &Path) -> PathBuf {
    let mut target = path.to_owned();
    for _ in 0..MAX_LINKS {
        let Ok(next) = fs::read_link(&target) else { break };
        target = target.parent().map_or(next.clone(), |parent| parent.join(&next));
    }
    target
}
