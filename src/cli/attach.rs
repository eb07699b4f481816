//! Images and files that the user adds to a document.

use std::fs;
use std::path::Path;

use crate::cli::commands::media;
use crate::cli::error::{ExitStatus, Failure, Result};
use crate::cli::input::{read_error, read_file};
use crate::cli::paths::{resolve, shown};
use crate::resources::media::image_type;
use crate::resources::{Directory, Loaded, MediaStore, ReadError, Resources};

/// The files of a document, and those that are not written yet.
pub(crate) struct Attachments<'a> {
    document: &'a Path,
    directory: &'a Directory,
    /// The copies for `--media DIR`.
    store: Option<MediaStore<'a>>,
}

impl<'a> Attachments<'a> {
    /// The files that a document may read. With `media`, attached files are copied to that directory.
    pub(crate) fn new(document: &'a Path, media: Option<&Path>, directory: &'a Directory) -> Result<Self> {
        let path = media.map(|media| media::readable_directory(media, Some(document), directory)).transpose()?;
        let store = path.map(|path| MediaStore::new(path).among(directory));
        Ok(Self { document, directory, store })
    }

    /// The directory of the copies, as the document refers to it.
    pub(crate) fn media(&self) -> Option<&str> {
        self.store.as_ref().map(MediaStore::directory)
    }

    /// How the document refers to a file, or with `--media` to its copy. Unless `always_copies`, there is a copy only if the
    /// document may not read the file itself.
    pub(crate) fn reference(&self, path: &Path, always_copies: bool) -> Result<String> {
        require_file(path)?;
        let store = self.store.as_ref();
        let reads_own = store.is_none() || !always_copies;
        if reads_own && let Some(own) = self.own_reference(path)? {
            return Ok(own);
        }
        let store = store.ok_or_else(|| {
            let message = format!("{} may not read {}", shown(self.document), shown(path));
            let help = "`--media DIR` copies it to a directory that the document may read";
            Failure::new(ExitStatus::Refused, message).with_help(help)
        })?;
        Ok(store.keep_copy(read_file(path)?.bytes, &path.to_string_lossy()))
    }

    /// How the document refers to the copy of an image or a PDF that is not in a file; `None` without `--media`, and for other
    /// content.
    pub(crate) fn copy(&self, bytes: &[u8]) -> Option<String> {
        let is_media = bytes.starts_with(b"%PDF-") || image_type(bytes).is_some();
        let store = self.store.as_ref().filter(|_| is_media)?;
        Some(store.keep_copy(bytes.to_vec(), "file.pdf"))
    }

    /// How the document refers to a file; `None` if the document may not read the file.
    pub(crate) fn own_reference(&self, path: &Path) -> Result<Option<String>> {
        let reference = media::relative_path(path, Some(self.document))?;
        let is_outside = self.directory.read(&reference, Some(&resolve(self.document))) == Err(ReadError::Outside);
        Ok(Some(reference).filter(|_| !is_outside))
    }

    /// The copies, by their names in the directory of `--media`.
    pub(crate) fn into_copies(self) -> std::collections::BTreeMap<String, Vec<u8>> {
        self.store.map(MediaStore::into_files).unwrap_or_default()
    }
}

/// Returns an error unless the path is a regular file.
pub(crate) fn require_file(path: &Path) -> Result<()> {
    let metadata = fs::metadata(path).map_err(|error| read_error(&shown(path), &error))?;
    if metadata.is_file() {
        return Ok(());
    }
    Err(Failure::new(ExitStatus::Refused, format!("{} is not a regular file", shown(path))))
}

impl Resources for Attachments<'_> {
    fn read(&self, path: &str, base: Option<&Path>) -> Result<Loaded, ReadError> {
        let is_stored = |store: &&MediaStore<'_>| Path::new(path).parent() == Some(Path::new(store.directory()));
        let stored = self.store.as_ref().filter(is_stored).and_then(|store| store.read(path, base).ok());
        stored.map_or_else(|| self.directory.read(path, base), Ok)
    }

    fn is_in_current_dir(&self, path: &str, base: Option<&Path>) -> bool {
        self.directory.is_in_current_dir(path, base)
    }
}
