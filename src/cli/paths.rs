//! Where a path leads on disk.

use std::fs::{self, Metadata};
use std::path::{Path, PathBuf};

/// The number of links that the kernel follows.
const MAX_LINKS: usize = 40;

/// The absolute path of a file without links. If the file does not exist, only its directory is resolved.
pub(crate) fn resolve(path: &Path) -> PathBuf {
    let in_parent = || Some(fs::canonicalize(parent(path)).ok()?.join(path.file_name()?));
    fs::canonicalize(path).ok().or_else(in_parent).unwrap_or_else(|| path.to_owned())
}

/// The file that a path or link refers to, even if that file does not exist yet.
pub(crate) fn link_target(path: &Path) -> PathBuf {
    fs::canonicalize(path).unwrap_or_else(|_| follow_links(path))
}

/// How many names a file has.
#[cfg(unix)]
pub(crate) fn links(metadata: &Metadata) -> u64 {
    std::os::unix::fs::MetadataExt::nlink(metadata)
}

#[cfg(not(unix))]
pub(crate) fn links(_: &Metadata) -> u64 {
    1
}

/// The directory that holds a path; `.` for a bare name.
pub(crate) fn parent(path: &Path) -> &Path {
    path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Follows a link whose target does not exist.
fn follow_links(path: &Path) -> PathBuf {
    let mut target = path.to_owned();
    for _ in 0..MAX_LINKS {
        let Ok(next) = fs::read_link(&target) else { break };
        target = target.parent().map_or(next.clone(), |parent| parent.join(&next));
    }
    target
}
