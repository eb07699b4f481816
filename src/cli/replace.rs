//! Writes files atomically.

use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, Write};
use std::path::Path;

use crate::resources::system_message;
use tempfile::{NamedTempFile, PersistError, TempDir};

use crate::cli::interrupt::temporary;
use crate::cli::paths::{link_target, links, parent, shown};
use crate::cli::report::warning;

/// Replaces the content of a file atomically: at any time either the old or the new file exists.
///
/// Links are followed. The new file keeps the mode, owner and group of the old one as far as permissions allow, and is
/// never readable by more people.
pub(crate) fn replace(path: &Path, content: &[u8]) -> io::Result<()> {
    replace_with(path, |out| out.write_all(content))
}

/// The same with what `write` writes.
pub(crate) fn replace_with(path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    if fs::metadata(path).is_ok_and(|existing| !existing.is_file()) {
        // A device or a pipe cannot be replaced, only written to. The link of an open pipe leads to no path.
        return write(&mut OpenOptions::new().write(true).open(path)?);
    }
    let target = link_target(path);
    let existing = fs::metadata(&target).ok();
    if let Some(existing) = &existing {
        // A rename does not check whether the old file is writable; opening it does.
        OpenOptions::new().write(true).open(&target)?;
        if links(existing) > 1 {
            let names = links(existing);
            warning(&format!("{} is one of {names} names of a file; only this name is changed", shown(path)));
        }
    }
    put(&target, write, existing.as_ref(), |file, target| file.persist(target))
}

/// Does everything that replacing a file by itself would do, except for the last step.
pub(crate) fn rehearse(path: &Path) -> io::Result<()> {
    let target = link_target(path);
    let content = fs::read(&target)?;
    OpenOptions::new().write(true).open(&target)?;
    let mut file = create_temporary(parent(&target), false)?;
    let (path, written) = (file.path().to_owned(), file.write_all(&content).and_then(|()| file.as_file().sync_all()));
    drop(file);
    temporary().retain(|other| *other != path);
    written
}

/// Replaces a directory entry itself, atomically, with the mode, owner and group of a file there. Links are not followed.
pub(crate) fn replace_entry(path: &Path, content: &[u8]) -> io::Result<()> {
    let like = fs::symlink_metadata(path).ok().filter(Metadata::is_file);
    put(path, |out| out.write_all(content), like.as_ref(), |file, target| file.persist(target))
}

/// Creates a file, with the mode, owner and group of `like` if given. Fails with `AlreadyExists` if it exists.
pub(crate) fn create(path: &Path, content: &[u8], like: Option<&Metadata>) -> io::Result<()> {
    put(&link_target(path), |out| out.write_all(content), like, |file, target| file.persist_noclobber(target))
}

/// Writes a temporary file next to the target and renames it.
fn put(
    target: &Path,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    like: Option<&Metadata>,
    persist: impl FnOnce(NamedTempFile, &Path) -> Result<File, PersistError>,
) -> io::Result<()> {
    let directory = parent(target);
    let mut file = create_temporary(directory, like.is_none())?;
    let written = write(&mut file).and_then(|()| {
        like.map_or(Ok(()), |like| keep_access(file.as_file(), like, target))?;
        file.as_file().sync_all()
    });
    let path = file.path().to_owned();
    let persisted = written.and_then(|()| Ok(persist(file, target)?));
    temporary().retain(|other| *other != path);
    persisted?;
    // The rename is durable only once the directory is flushed. The content is in place even if that fails.
    if let Ok(Err(error)) = File::open(directory).map(|directory| directory.sync_all()) {
        let why = system_message(&error);
        warning(&format!("{} is written, but may be lost in a power failure: {why}", shown(target)));
    }
    Ok(())
}

/// Creates a directory for temporary files that only its owner can read.
pub(crate) fn private_directory() -> io::Result<TempDir> {
    let mut builder = tempfile::Builder::new();
    builder.prefix("chatmd-");
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o700));
    builder.tempdir()
}

/// Creates a temporary file. If it replaces an existing file, only its owner may read it.
fn create_temporary(directory: &Path, is_new: bool) -> io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".chatmd-").suffix(".tmp");
    #[cfg(unix)]
    if is_new {
        // The umask restricts this further.
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    }
    // Locked before the file is created, so that an interrupt always knows the file.
    let mut temporary = temporary();
    let file = builder.tempfile_in(directory)?;
    temporary.push(file.path().to_owned());
    Ok(file)
}

/// Gives a file the owner, group and mode of another one.
///
/// If the group cannot be kept, group and others both get only the permissions that both had, so that no user gains access.
#[cfg(unix)]
fn keep_access(file: &File, like: &Metadata, target: &Path) -> io::Result<()> {
    use std::os::unix::fs::{MetadataExt, PermissionsExt, fchown};
    let own = file.metadata()?;
    let is_other = (own.uid(), own.gid()) != (like.uid(), like.gid());
    // Only root may change the owner; the owner may choose any of their own groups.
    if is_other && fchown(file, Some(like.uid()), Some(like.gid())).is_err() {
        let _ = fchown(file, None, Some(like.gid()));
    }
    let mode = like.mode() & 0o7777;
    let shared = mode >> 3 & mode & 0o7;
    let own = file.metadata()?;
    if own.uid() != like.uid() {
        warning(&format!("the owner of {} cannot be kept: it belongs to user {} now", shown(target), own.uid()));
    }
    let mode = if own.gid() == like.gid() { mode } else { mode & 0o700 | shared << 3 | shared };
    // With a POSIX ACL, the group bits are the ACL mask. Without the ACL, the group itself would get these permissions.
    let mode = if keep_access_list(file, target) { mode } else { mode & 0o700 };
    file.set_permissions(PermissionsExt::from_mode(mode))
}

/// Gives a file the ACL of another one, or none if that has none. Returns false if that fails.
#[cfg(target_os = "linux")]
fn keep_access_list(file: &File, like: &Path) -> bool {
    use rustix::fs::{XattrFlags, fremovexattr, fsetxattr, getxattr};
    use rustix::io::Errno;
    const NAME: &str = "system.posix_acl_access";
    let mut list = Vec::with_capacity(1 << 16);
    match getxattr(like, NAME, rustix::buffer::spare_capacity(&mut list)) {
        Ok(_) => fsetxattr(file, NAME, &list, XattrFlags::empty()).is_ok(),
        // A directory may give an ACL to every new file in it.
        Err(Errno::NODATA | Errno::OPNOTSUPP | Errno::NOENT) => {
            matches!(fremovexattr(file, NAME), Ok(()) | Err(Errno::NODATA | Errno::OPNOTSUPP))
        }
        Err(_) => false,
    }
}

#[cfg(all(unix, not(target_os = "linux")))]
fn keep_access_list(_: &File, _: &Path) -> bool {
    true
}

#[cfg(not(unix))]
fn keep_access(file: &File, like: &Metadata, _: &Path) -> io::Result<()> {
    file.set_permissions(like.permissions())
}
