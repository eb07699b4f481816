//! Stores the content of `data:` URLs as files named by the hash of their bytes.

use std::cell::RefCell;
use std::collections::{BTreeMap, HashSet};
use std::fmt;
use std::path::{Path, PathBuf};

use super::media::{
    DataUrl, base64, data_url, decode_base64, extension_of, file_type, hash, image_type, is_animated_gif,
};
use super::{Loaded, NoFiles, ReadError, Resources};

/// Longer texts are kept even if nothing shows that they are media.
const MAX_PLAIN_TEXT: usize = 1000;
/// How many digits of the hash a name has.
const SHORT_NAME: usize = 12;

/// The stored files, each content once. It can also read them.
pub struct MediaStore<'r> {
    /// How documents refer to the directory.
    directory: String,
    /// The files that exist already.
    existing: &'r dyn Resources,
    files: RefCell<BTreeMap<String, Vec<u8>>>,
}

impl<'r> MediaStore<'r> {
    /// An empty store for a directory, by the path that documents refer to it with.
    pub fn new(directory: impl Into<String>) -> Self {
        Self { directory: directory.into(), existing: &NoFiles, files: RefCell::default() }
    }

    /// A store that gives no file the name of another one that exists.
    #[must_use]
    pub fn among(self, existing: &'r dyn Resources) -> Self {
        Self { existing, ..self }
    }

    /// The directory, as documents refer to it.
    pub fn directory(&self) -> &str {
        &self.directory
    }

    /// Keeps the image of a `data:` URL and gives its path; `None` where the file would not give back the same URL.
    pub fn keep_image(&self, url: &str) -> Option<String> {
        let bytes = DataUrl::parse(url)?.bytes()?;
        let media_type = image_type(&bytes).filter(|_| !is_animated_gif(&bytes))?;
        let extension = media_type.strip_prefix("image/")?;
        let is_exact = data_url(media_type, &bytes) == url;
        is_exact.then(|| self.keep(bytes, extension))
    }

    /// Keeps the file of a `data:` URL or of base64 and gives its path; `None` where the file would not give back the
    /// same text.
    pub fn keep_file(&self, data: &str, filename: &str) -> Option<String> {
        let url = DataUrl::parse(data);
        let bytes = decode_base64(url.map_or(data, |url| url.base64))?;
        let extension = extension(filename);
        let is_exact = match url {
            Some(_) => data_url(file_type(&bytes, &format!("file.{extension}")), &bytes) == data,
            None => base64(&bytes) == data,
        };
        is_exact.then(|| self.keep(bytes, &extension))
    }

    /// Keeps the content of base64 or of a base64 `data:` URL, and gives its path and the URL's type; `None` where the
    /// file would not give back the same text.
    ///
    /// Base64 without a URL is kept if it is an image or a file, or long.
    pub fn keep_base64(&self, text: &str) -> Option<(String, Option<String>)> {
        if let Some(url) = DataUrl::parse(text) {
            let bytes = url.bytes()?;
            let is_exact = data_url(url.media_type, &bytes) == text;
            let extension = extension_of(url.media_type).unwrap_or("bin");
            return is_exact.then(|| (self.keep(bytes, extension), Some(url.media_type.to_owned())));
        }
        // The shortest base64 of anything whose first bytes show what it is.
        let bytes = if text.len() >= 12 { decode_base64(text)? } else { return None };
        let shown = Some(file_type(&bytes, "")).filter(|media_type| *media_type != "application/octet-stream");
        let is_kept = shown.is_some() || text.len() > MAX_PLAIN_TEXT;
        let extension = shown.and_then(extension_of).unwrap_or("bin");
        (is_kept && base64(&bytes) == text).then(|| (self.keep(bytes, extension), None))
    }

    /// Keeps a long text and gives its path.
    pub fn keep_text(&self, text: &str) -> Option<String> {
        (text.len() > MAX_PLAIN_TEXT).then(|| self.keep(text.as_bytes().to_vec(), "txt"))
    }

    /// Keeps the content of a file and gives its path. An image is named by its type, another file by its own extension.
    pub fn keep_copy(&self, bytes: Vec<u8>, filename: &str) -> String {
        let image = image_type(&bytes).and_then(|media_type| media_type.strip_prefix("image/"));
        let extension = image.map_or_else(|| extension(filename), str::to_owned);
        self.keep(bytes, &extension)
    }

    /// The names and contents that were kept.
    pub fn into_files(self) -> BTreeMap<String, Vec<u8>> {
        self.files.into_inner()
    }

    /// Keeps the files that a text refers to. Files of another version of the text are not needed.
    pub fn into_used_files(self, text: &str) -> BTreeMap<String, Vec<u8>> {
        let mut files = self.into_files();
        let is_name = |c: char| c.is_ascii_alphanumeric() || c == '.';
        let names = text.split(|c| !is_name(c)).filter(|word| files.contains_key(*word));
        let names: HashSet<&str> = names.collect();
        files.retain(|name, _| names.contains(name.as_str()));
        files
    }

    fn keep(&self, bytes: Vec<u8>, extension: &str) -> String {
        let digits = hash(&bytes);
        let short = format!("{}.{extension}", &digits[..SHORT_NAME]);
        let name = if self.is_name_of_other(&short, &bytes) { format!("{digits}.{extension}") } else { short };
        let path = format!("{}/{name}", self.directory);
        self.files.borrow_mut().insert(name, bytes);
        path
    }

    /// Whether a file of this name has other content. A damaged file, whose content does not have the hash, is replaced.
    fn is_name_of_other(&self, name: &str, bytes: &[u8]) -> bool {
        if let Some(kept) = self.files.borrow().get(name) {
            return kept != bytes;
        }
        match self.existing.read(&format!("{}/{name}", self.directory), None) {
            Ok(file) => file.bytes != bytes && hash(&file.bytes).as_bytes().starts_with(&name.as_bytes()[..SHORT_NAME]),
            Err(error) => matches!(error, ReadError::TooLarge { .. } | ReadError::TooMuch { .. }),
        }
    }
}

/// Whether a name without its extension is the beginning of a hash, as long as in the names of stored files.
#[cfg(feature = "cli")]
pub(crate) fn is_hash_name(stem: &str) -> bool {
    // A name is longer if another file has the short one.
    matches!(stem.len(), SHORT_NAME | 64) && stem.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'))
}

/// The extension of a file name if it is a plain word, else `bin`.
fn extension(filename: &str) -> String {
    let extension = Path::new(filename).extension().and_then(|extension| extension.to_str()).unwrap_or("bin");
    let is_plain = extension.len() <= 8 && extension.bytes().all(|b| b.is_ascii_alphanumeric());
    if is_plain { extension.to_ascii_lowercase() } else { "bin".to_owned() }
}

impl fmt::Debug for MediaStore<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MediaStore").field("directory", &self.directory).finish_non_exhaustive()
    }
}

impl Resources for MediaStore<'_> {
    fn read(&self, path: &str, _: Option<&Path>) -> Result<Loaded, ReadError> {
        let name = path.rsplit('/').next().unwrap_or(path);
        let bytes = self.files.borrow().get(name).cloned().ok_or(ReadError::Missing)?;
        Ok(Loaded { path: PathBuf::from(path), bytes })
    }
}
