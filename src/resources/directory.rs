//! Reads regular files from the disk, inside chosen directories only.

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

use cap_fs_ext::{FileTypeExt, OpenOptionsSyncExt};
use cap_std::ambient_authority;
use cap_std::fs::{Dir, Metadata, OpenOptions};

use super::{Kind, Loaded, ReadError, Resources, check_name, names_directory, walk};

/// Reads regular files inside a set of directories, its roots.
///
/// A link may lead from one root into another, and nowhere else. What a name
/// stands for is decided twice: once to choose the root, and again by the open
/// handle of that root, so that exchanging a file for a link in between gains
/// nothing. No read waits for another process or takes in more than the
/// ceiling and one byte.
#[derive(Debug)]
pub struct Directory {
    current_dir: PathBuf,
    roots: Vec<Root>,
    ceiling: u64,
}

#[derive(Debug)]
struct Root {
    path: PathBuf,
    dir: Dir,
}

impl Directory {
    /// The ceiling of a folder for which none was set: 64 MiB.
    pub const DEFAULT_CEILING: u64 = 64 << 20;

    /// Allows `current_dir`, and looks up there what has no other place.
    #[must_use]
    pub fn new(current_dir: impl AsRef<Path>) -> Self {
        let current_dir = current_dir.as_ref();
        Self {
            current_dir: fs::canonicalize(current_dir).unwrap_or_else(|_| current_dir.into()),
            roots: Vec::new(),
            ceiling: Self::DEFAULT_CEILING,
        }
        .root(current_dir)
    }

    /// Allows `dir` too, with all below it; `/` allows everything.
    ///
    /// A relative `dir` starts at the current directory given to
    /// [`Directory::new`]. One that is no directory, or cannot be opened, allows
    /// nothing.
    #[must_use]
    pub fn root(mut self, dir: impl AsRef<Path>) -> Self {
        let opened = fs::canonicalize(self.current_dir.join(dir)).and_then(|path| {
            let dir = Dir::open_ambient_dir(&path, ambient_authority())?;
            Ok(Root { path, dir })
        });
        self.roots.extend(opened);
        self
    }

    /// Refuses files of more than `bytes` bytes.
    #[must_use]
    pub fn ceiling(mut self, bytes: u64) -> Self {
        self.ceiling = bytes;
        self
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
            return Err(ReadError::NotAFile(Kind::Directory));
        }
        // Opening a device can have an effect, so it is not left to the open
        // handle alone to tell what this is.
        self.check(&dir.metadata(inner)?)?;
        if names_directory(name) {
            return Err(ReadError::Missing);
        }
        let bytes = self.read_file(dir, inner)?;
        Ok(Loaded { path, bytes })
    }

    fn read_file(&self, dir: &Dir, inner: &Path) -> Result<Vec<u8>, ReadError> {
        // Opening a named pipe would wait for its writer.
        let file = dir.open_with(inner, OpenOptions::new().read(true).nonblock(true))?;
        self.check(&file.metadata()?)?;

        // The length is only a claim: a file can grow, and those of /proc
        // report none.
        let mut bytes = Vec::new();
        file.take(self.ceiling.saturating_add(1)).read_to_end(&mut bytes)?;
        self.check_length(bytes.len() as u64)?;
        Ok(bytes)
    }

    fn check(&self, metadata: &Metadata) -> Result<(), ReadError> {
        let file_type = metadata.file_type();
        if file_type.is_file() {
            return self.check_length(metadata.len());
        }
        Err(ReadError::NotAFile(if file_type.is_dir() {
            Kind::Directory
        } else if file_type.is_fifo() {
            Kind::Fifo
        } else if file_type.is_socket() {
            Kind::Socket
        } else {
            Kind::Device
        }))
    }

    fn check_length(&self, length: u64) -> Result<(), ReadError> {
        let ceiling = self.ceiling;
        if length > ceiling {
            return Err(ReadError::TooLarge { ceiling });
        }
        Ok(())
    }
}

impl Resources for Directory {
    fn read(&self, path: &str, base: Option<&Path>) -> Result<Loaded, ReadError> {
        check_name(path)?;
        let beside = base.and_then(Path::parent).and_then(|dir| fs::canonicalize(self.current_dir.join(dir)).ok());
        match beside.map(|dir| self.read_from(&dir, path)) {
            None | Some(Err(ReadError::Missing)) => self.read_from(&self.current_dir, path),
            Some(answer) => answer,
        }
    }
}
