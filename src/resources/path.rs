//! Paths, without looking at the file system.

use std::path::{Component, Path, PathBuf};

/// A path without `.`, and without `..` except at the start of a relative path.
///
/// ```
/// # use std::path::Path;
/// # use chatmd::resources::normalize;
/// assert_eq!(normalize(Path::new("./a/../b")), Path::new("b"));
/// assert_eq!(normalize(Path::new("a/../../b")), Path::new("../b"));
/// assert_eq!(normalize(Path::new("../../a")), Path::new("../../a"));
/// assert_eq!(normalize(Path::new("/../a")), Path::new("/a"));
/// ```
pub fn normalize(path: &Path) -> PathBuf {
    let mut normalized = PathBuf::new();
    for component in path.components() {
        match (component, normalized.components().next_back()) {
            (Component::ParentDir, Some(Component::Normal(_))) => drop(normalized.pop()),
            // The parent of the root is the root.
            (Component::CurDir, _) | (Component::ParentDir, Some(Component::RootDir | Component::Prefix(_))) => {}
            _ => normalized.push(component),
        }
    }
    normalized
}
