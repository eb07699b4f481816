//! `chatmd media --prune`: refuses to delete files that other files nearby name.

use std::collections::HashMap;
use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};

use ignore::WalkBuilder;

use crate::cli::error::{ExitStatus, Failure, Result};
use crate::cli::paths::{parent, shown};
use crate::resources::is_hash_name;

/// Returns an error if a file names one of the unused ones. Looks at all files of at most `ceiling` bytes below the current
/// directory, or below the parent of the media directory if that is elsewhere: an import may have any name. In
/// the data of git, only documents are looked at.
pub(super) fn require_unnamed(unused: &[PathBuf], directory: &Path, ceiling: u64) -> Result<()> {
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
        let is_media = || path.parent() == Some(&directory) && hash(path).is_some_and(|stem| is_hash_name(&stem));
        let is_of_git = || path.strip_prefix(tree).is_ok_and(|path| path.iter().any(|step| step == ".git"));
        if !is_document(path) && (is_media() || is_of_git()) {
            continue;
        }
        let Some(text) = read(path, ceiling) else { continue };
        let words = text.split(|byte| !byte.is_ascii_hexdigit()).filter_map(|word| std::str::from_utf8(word).ok());
        let named = words.filter(|word| is_hash_name(word)).find_map(|word| by_hash.get(word));
        if let Some(file) = named {
            let document = shown(path.strip_prefix(&current_dir).unwrap_or(path));
            let message = format!("nothing was deleted: {document} uses {}", shown(file));
            let help = if is_document(path) {
                format!("name {document} too, or delete it first")
            } else {
                format!("name the documents that import {document}, or delete it first")
            };
            return Err(Failure::new(ExitStatus::Refused, message).with_help(help));
        }
    }
    Ok(())
}

fn is_document(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "md")
}

/// The content of a regular file that is not too large. A link to one counts too.
fn read(path: &Path, ceiling: u64) -> Option<Vec<u8>> {
    if !fs::metadata(path).is_ok_and(|metadata| metadata.is_file() && metadata.len() <= ceiling) {
        return None;
    }
    let mut content = Vec::new();
    File::open(path).ok()?.take(ceiling).read_to_end(&mut content).ok()?;
    Some(content)
}
