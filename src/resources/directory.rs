//! Reads regular files from the disk, inside chosen directories only.

use std::borrow::Cow;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

use cap_fs_ext::{FileTypeExt, OpenOptionsSyncExt};
use cap_std::ambient_authority;
use cap_std::fs::{Dir, Metadata, OpenOptions};

use super::{Budget, FileKind, Loaded, ReadError, Resources, check_name, names_directory, walk};

/// Reads regular files inside a set of directories, its roots.
///
/// A relative path is looked up in the directory of the file that holds it,
/// then in each root in the order in which they were given.
///
/// Links may point from one root into another, but not outside. A path is
/// resolved first and then opened relative to the handle of its root, so that
/// replacing a file by a link in between does not help. Reads never block, and
/// they stop at the limits for one file and for all files.
#[derive(Debug)]
pub struct Directory {
    roots: Vec<Root>,
    current_dir: Option<PathBuf>,
    ceiling: u64,
    /// How many bytes may be read in all.
    total: Budget,
}

#[derive(Debug)]
struct Root {
    /// As the caller named it.
    name: PathBuf,
    /// Absolute and free of links.
    path: PathBuf,
    dir: Dir,
}

impl Directory {
    /// The largest file that is read unless [`Directory::ceiling`] sets another limit: 64 MiB.
    pub const DEFAULT_CEILING: u64 = 64 << 20;
    /// How much is read in all unless [`Directory::total`] sets another limit: 512 MiB.
    pub const DEFAULT_TOTAL: u64 = 512 << 20;

    /// Allows the directory that a document is in, with everything below it.
    #[must_use]
    pub fn of(document_dir: impl AsRef<Path>) -> Self {
        Self {
            roots: Vec::new(),
            current_dir: None,
            ceiling: Self::DEFAULT_CEILING,
            total: Budget::new(Self::DEFAULT_TOTAL),
        }
        .root(document_dir)
    }

    /// Allows `dir` too, with everything below it; `/` allows everything.
    ///
    /// If it is not a directory, or cannot be opened, it allows nothing.
    #[must_use]
    pub fn root(mut self, dir: impl AsRef<Path>) -> Self {
        let name = dir.as_ref().to_owned();
        let opened = fs::canonicalize(&name).and_then(|path| {
            let dir = Dir::open_ambient_dir(&path, ambient_authority())?;
            Ok(Root { name, path, dir })
        });
        self.roots.extend(opened);
        self
    }

    /// Names the current directory, so that [`Resources::is_in_current_dir`] can answer. It is not a root.
    #[must_use]
    pub fn current_dir(mut self, dir: impl AsRef<Path>) -> Self {
        self.current_dir = fs::canonicalize(dir).ok();
        self
    }

    /// Refuses files of more than `bytes` bytes.
    #[must_use]
    pub fn ceiling(mut self, bytes: u64) -> Self {
        self.ceiling = bytes;
        self
    }

    /// Refuses to read more than `bytes` bytes in all; a file that is read twice counts twice.
    #[must_use]
    pub fn total(self, bytes: u64) -> Self {
        self.budget(Budget::new(bytes))
    }

    /// Refuses to read more bytes than are left in a budget, which others may use too.
    #[must_use]
    pub fn budget(mut self, bytes: Budget) -> Self {
        self.total = bytes;
        self
    }

    /// How many bytes may still be read.
    #[must_use]
    pub fn remaining(&self) -> &Budget {
        &self.total
    }

    fn read_from(&self, start: &Path, name: &str) -> Result<Loaded, ReadError> {
        let roots: Vec<&Path> = self.roots.iter().map(|root| root.path.as_path()).collect();
        let path = walk::resolve(start, Path::new(name), &roots)?;
        let (dir, inner) = self
            .roots
            .iter()
            .find_map(|root| Some((&root.dir, path.strip_prefix(&root.path).ok()?)))
            .ok_or(ReadError::Outside)?;
        if inner.as_os_str().is_empty() {
            return Err(ReadError::NotAFile(FileKind::Directory));
        }
        // Opening a device can have an effect, so it is not left to the open
        // handle alone to tell what this is.
        self.check(&dir.metadata(inner)?)?;
        if names_directory(name) {
            return Err(ReadError::Missing);
        }
        let bytes = self.read_regular_file(dir, inner)?;
        Ok(Loaded { path, bytes })
    }

    fn read_regular_file(&self, dir: &Dir, inner: &Path) -> Result<Vec<u8>, ReadError> {
        // Opening a named pipe would wait for its writer.
        let file = dir.open_with(inner, OpenOptions::new().read(true).nonblock(true))?;
        let metadata = file.metadata()?;
        self.check(&metadata)?;

        // The length is only a claim: a file can grow, and those of /proc
        // report none.
        let most = self.ceiling.min(self.total.left());
        let claimed = metadata.len().min(most).saturating_add(1);
        let mut bytes = Vec::with_capacity(usize::try_from(claimed).unwrap_or_default());
        // A file of the standard library is read into uninitialized memory.
        file.into_std().take(most.saturating_add(1)).read_to_end(&mut bytes)?;
        let length = bytes.len() as u64;
        self.check_length(length)?;
        if self.total.take(length) { Ok(bytes) } else { Err(self.too_much()) }
    }

    fn check(&self, metadata: &Metadata) -> Result<(), ReadError> {
        let file_type = metadata.file_type();
        if file_type.is_file() {
            return self.check_length(metadata.len());
        }
        Err(ReadError::NotAFile(if file_type.is_dir() {
            FileKind::Directory
        } else if file_type.is_fifo() {
            FileKind::Fifo
        } else if file_type.is_socket() {
            FileKind::Socket
        } else {
            FileKind::Device
        }))
    }

    fn check_length(&self, length: u64) -> Result<(), ReadError> {
        let ceiling = self.ceiling;
        if length > ceiling {
            return Err(ReadError::TooLarge { ceiling });
        }
        if length > self.total.left() {
            return Err(self.too_much());
        }
        Ok(())
    }

    fn too_much(&self) -> ReadError {
        ReadError::TooMuch { ceiling: self.total.total() }
    }

    /// The directory of a file, free of links. A document may name many files, so that of a root is not resolved again.
    fn directory_of(&self, file: Option<&Path>) -> Option<Cow<'_, Path>> {
        let parent = file?.parent()?;
        match self.roots.iter().find(|root| root.name == parent || root.path == parent) {
            Some(root) => Some(Cow::Borrowed(&root.path)),
            None => fs::canonicalize(parent).ok().map(Cow::Owned),
        }
    }
}

impl Resources for Directory {
    fn read(&self, path: &str, base: Option<&Path>) -> Result<Loaded, ReadError> {
        check_name(path)?;
        let beside = self.directory_of(base);
        let others = self.roots.iter().map(|root| root.path.as_path()).filter(|root| Some(*root) != beside.as_deref());
        let mut first_error = None;
        for start in beside.as_deref().into_iter().chain(others) {
            match self.read_from(start, path) {
                Err(error @ (ReadError::Missing | ReadError::Outside)) => first_error = first_error.or(Some(error)),
                answer => return answer,
            }
        }
        Err(first_error.unwrap_or(ReadError::Outside))
    }

    fn is_in_current_dir(&self, path: &str, base: Option<&Path>) -> bool {
        let Some(current_dir) = self.current_dir.as_deref() else { return false };
        // If it is a root, the file was looked up there already.
        if self.roots.iter().any(|root| root.path == current_dir) || check_name(path).is_err() {
            return false;
        }
        let is_file = |start: &Path| {
            let place = walk::resolve(start, Path::new(path), &[current_dir]);
            place.is_ok_and(|place| place.is_file())
        };
        self.directory_of(base).is_some_and(|beside| is_file(&beside)) || is_file(current_dir)
    }
}
