//! Resolves a name step by step.
//!
//! `canonicalize` cannot do this alone: it fails in the same way for a name that is
//! missing inside the roots and one that is missing outside, and it would tell
//! by its success that a directory outside exists.

use std::fs;
use std::io::{Error, ErrorKind};
use std::path::{Component, Path, PathBuf, Prefix};

use super::ReadError;

/// The limit of Linux; other systems have a similar one.
const MAX_LINKS: usize = 40;

/// The existing place, free of links, that `path` names from the directory
/// `start`.
///
/// The place is inside one of `roots`. `start` and `roots` are canonical.
/// Apart from links that lead back to a root, nothing outside the roots
/// influences the answer.
///
/// The answer is a snapshot: what is there when it is opened may be different.
pub(super) fn resolve(start: &Path, path: &Path, roots: &[&Path]) -> Result<PathBuf, ReadError> {
    let inside = |place: &Path| roots.iter().any(|root| place.starts_with(root));
    let above = |place: &Path| roots.iter().any(|root| root.starts_with(place));

    let mut place = start.to_path_buf();
    let mut ahead = path.to_path_buf();
    let mut links = 0;
    let mut missing = false;
    loop {
        let mut steps = ahead.components();
        let Some(step) = steps.next() else { break };
        let mut rest = steps.as_path().to_path_buf();
        match step {
            Component::CurDir => {}
            // Merely looking at a network path sends the user's credentials to
            // the server it names.
            Component::Prefix(prefix) if !is_local(prefix.kind()) => {
                return Err(ReadError::Outside);
            }
            Component::Prefix(_) | Component::RootDir => place.push(step),
            Component::ParentDir if inside(&place) || above(&place) => {
                place.pop();
            }
            // If `..` worked here, it would reveal that the outside directory exists.
            Component::ParentDir => return Err(ReadError::Outside),
            Component::Normal(name) => {
                place.push(name);
                if inside(&place) {
                    // After a missing directory the walk continues by name alone,
                    // to find out whether it ends outside.
                    if !missing {
                        match fs::symlink_metadata(&place) {
                            Ok(metadata) if metadata.is_symlink() && links == MAX_LINKS => {
                                return Err(ReadError::LinkLoop);
                            }
                            Ok(metadata) if metadata.is_symlink() => {
                                links += 1;
                                rest = fs::read_link(&place)?.join(rest);
                                place.pop();
                            }
                            Ok(_) => {}
                            Err(error) if is_missing(&error) => missing = true,
                            Err(error) => return Err(error.into()),
                        }
                    }
                } else if !above(&place) {
                    // Only a link can lead back in from here.
                    place = fs::canonicalize(&place).map_err(|_| ReadError::Outside)?;
                }
            }
        }
        ahead = rest;
    }

    if !inside(&place) {
        Err(ReadError::Outside)
    } else if missing {
        Err(ReadError::Missing)
    } else {
        // On case-insensitive file systems, two different paths may name this file.
        Ok(fs::canonicalize(&place)?)
    }
}

fn is_missing(error: &Error) -> bool {
    matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory)
}

fn is_local(prefix: Prefix<'_>) -> bool {
    matches!(prefix, Prefix::Disk(_) | Prefix::VerbatimDisk(_))
}
