//! Resolves paths.

use std::borrow::Cow;
use std::fs::{self, Metadata};
use std::path::{Path, PathBuf};

use crate::diagnostic::nearest;
use crate::sanitize::on_one_line;

/// The number of links that the kernel follows.
const MAX_LINKS: usize = 40;
/// At most this many names of a directory are compared with a missing one.
const MAX_NAMES: usize = 10_000;

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

/// A path in messages: on one line, because a line break in a name would look like another message.
pub(crate) fn shown(path: &Path) -> String {
    on_one_line(&path.to_string_lossy()).into_owned()
}

/// A path in a command that a message suggests.
pub(crate) fn quoted(path: &Path) -> String {
    let path = path.to_string_lossy();
    // A name that starts with `-` would be taken for a flag.
    let path = if path.starts_with('-') { Cow::Owned(format!("./{path}")) } else { path };
    let quoted = shlex::try_quote(&path).map_or_else(|_| path.to_string(), Cow::into_owned);
    on_one_line(&quoted).into_owned()
}

/// The directory that holds a path; `.` for a bare name.
pub(crate) fn parent(path: &Path) -> &Path {
    path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// A file next to a missing one that has a similar name.
pub(crate) fn similar(missing: &Path) -> Option<PathBuf> {
    let files = fs::read_dir(parent(missing)).ok()?.flatten().take(MAX_NAMES);
    let files = files.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_file()));
    let names: Vec<String> = files.filter_map(|entry| entry.file_name().into_string().ok()).collect();
    let name = missing.file_name()?.to_str()?;
    // For a short name, the ending makes a large difference.
    let with_ending = names.iter().find(|other| other.strip_suffix(".md") == Some(name)).map(String::as_str);
    let similar = with_ending.or_else(|| nearest(name, names.iter().map(String::as_str)))?;
    Some(missing.with_file_name(similar))
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
