//! `chatmd media --prune`: refuses to delete files that other documents nearby reference.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

use ignore::WalkBuilder;

use crate::cli::error::{CliError, ExitStatus};
use crate::cli::paths::{parent, shown};

/// The number of digits in the name of a media file.
const HASH_DIGITS: usize = 64;

/// Returns an error if a document that was not given names one of the files. Looks at all documents below the current
/// directory, or below the parent of the media directory if that is elsewhere.
pub(super) fn require_unnamed(unused: &[PathBuf], directory: &Path) -> anyhow::Result<()> {
    let hash = |path: &Path| path.file_stem().map(|stem| stem.to_string_lossy().into_owned());
    let by_hash: HashMap<String, &PathBuf> = unused.iter().filter_map(|path| Some((hash(path)?, path))).collect();
    if by_hash.is_empty() {
        return Ok(());
    }
    let (directory, current_dir) = (fs::canonicalize(directory)?, fs::canonicalize(".")?);
    let tree = if directory.starts_with(&current_dir) { &current_dir } else { parent(&directory) };
    // A document need not parse to be kept, and one that git ignores counts too.
    for entry in WalkBuilder::new(tree).standard_filters(false).build().flatten() {
        let path = entry.path();
        let is_document = path.extension().is_some_and(|extension| extension == "md") && path.is_file();
        let Some(text) = is_document.then(|| fs::read(path).ok()).flatten() else { continue };
        let mut words = text.split(|byte| !byte.is_ascii_hexdigit()).filter(|word| word.len() == HASH_DIGITS);
        let named = words.find_map(|word| by_hash.get(std::str::from_utf8(word).unwrap_or_default()));
        if let Some(file) = named {
            let document = shown(path.strip_prefix(&current_dir).unwrap_or(path));
            let message = format!("nothing was deleted: {document} uses {}", shown(file));
            let help = format!("name {document} too, or delete it first");
            return Err(CliError::new(ExitStatus::Refused, message).with_help(help).into());
        }
    }
    Ok(())
}
