//! The input of a conversion: a text, its name in messages and its path on disk.

use std::path::PathBuf;

use crate::diagnostic::Diagnostics;
use crate::document::add_text;
use crate::source::{Origins, SourceId, Sources};

/// A document, or a response, that is to be converted.
///
/// ```
/// let document = chatmd::Input::from("<user>\nHello.\n</user>\n").with_name("chat.md");
/// assert_eq!(document.name, "chat.md");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Input {
    /// Its name in messages.
    pub name: String,
    /// Where it is on disk. Relative references in it start from there.
    pub path: Option<PathBuf>,
    /// The text as UTF-8. Other bytes are reported as a problem.
    pub bytes: Vec<u8>,
    /// The lines that the text comes from, if it was made from another one.
    pub(crate) origins: Origins,
}

impl Input {
    /// The same input with a name for messages.
    #[must_use]
    pub fn with_name(self, name: impl Into<String>) -> Self {
        Self { name: name.into(), ..self }
    }

    /// The same input with its place on disk.
    #[must_use]
    pub fn with_path(self, path: impl Into<PathBuf>) -> Self {
        Self { path: Some(path.into()), ..self }
    }

    /// Adds it to the sources. Reports bytes that are not UTF-8.
    pub(super) fn add_to(self, sources: &Sources, diagnostics: &mut Diagnostics) -> SourceId {
        let (Ok(source) | Err(source)) = add_text(sources, self.name, self.path, self.bytes, None, diagnostics);
        sources.set_origins(source, self.origins);
        source
    }
}

impl From<Vec<u8>> for Input {
    fn from(bytes: Vec<u8>) -> Self {
        Self { name: "<input>".to_owned(), path: None, bytes, origins: Origins::default() }
    }
}

impl From<String> for Input {
    fn from(text: String) -> Self {
        text.into_bytes().into()
    }
}

impl From<&str> for Input {
    fn from(text: &str) -> Self {
        text.to_owned().into()
    }
}
