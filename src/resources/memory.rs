//! Files without a disk.

use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};

use super::{FileKind, Loaded, ReadError, Resources, check_name, names_directory, normalize};

/// Files held in memory, in one tree whose top no name can leave.
///
/// Directories exist as far as files are in them, and there are no links.
///
/// # Examples
///
/// ```
/// # use chatmd::resources::{Memory, ReadError, Resources};
/// # use std::path::Path;
/// let files = Memory::new().with("parts/intro.md", "Hello");
///
/// let base = Path::new("parts/main.md");
/// assert_eq!(files.read("intro.md", Some(base))?.bytes, b"Hello");
/// assert_eq!(files.read("../../x", Some(base)), Err(ReadError::Outside));
/// # Ok::<(), ReadError>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct Memory {
    files: BTreeMap<PathBuf, Vec<u8>>,
}

impl Memory {
    /// Holds no file.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a file, or replaces the one with the same path.
    ///
    /// A path that is absolute or climbs above the top adds nothing.
    #[must_use]
    pub fn with(mut self, path: &str, bytes: impl Into<Vec<u8>>) -> Self {
        if let Some(path) = resolve(Path::new(""), Path::new(path)) {
            self.files.insert(path, bytes.into());
        }
        self
    }

    fn read_from(&self, start: &Path, name: &str) -> Result<Loaded, ReadError> {
        let path = resolve(start, Path::new(name)).ok_or(ReadError::Outside)?;
        match self.files.get(&path) {
            Some(_) if names_directory(name) => Err(ReadError::Missing),
            Some(bytes) => Ok(Loaded { path, bytes: bytes.clone() }),
            None if self.has_directory(&path) => Err(ReadError::NotAFile(FileKind::Directory)),
            None => Err(ReadError::Missing),
        }
    }

    fn has_directory(&self, path: &Path) -> bool {
        path.as_os_str().is_empty() || self.files.keys().any(|file| file.starts_with(path))
    }
}

impl Resources for Memory {
    fn read(&self, path: &str, base: Option<&Path>) -> Result<Loaded, ReadError> {
        check_name(path)?;
        let beside = base.and_then(Path::parent).and_then(|dir| resolve(Path::new(""), dir));
        match beside.map(|dir| self.read_from(&dir, path)) {
            None | Some(Err(ReadError::Missing)) => self.read_from(Path::new(""), path),
            Some(answer) => answer,
        }
    }
}

/// The normalized path of a relative `path` from `start`, or `None` if it leaves the top.
fn resolve(start: &Path, path: &Path) -> Option<PathBuf> {
    let is_below = |path: &Path| matches!(path.components().next(), None | Some(Component::Normal(_)));
    let normalized = normalize(&start.join(path));
    is_below(&normalized).then_some(normalized)
}
