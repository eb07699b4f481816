//! Finds the documents in a directory.

use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use crate::resources::system_message;
use crate::syntax::opens_document;
use ignore::{DirEntry, WalkBuilder, WalkState};

use crate::cli::error::{CliError, ExitStatus};
use crate::cli::input::read_error;
use crate::cli::paths::{resolve, shown};

/// At most this many bytes of a file are read to find out whether it is a document.
const MAX_HEAD_BYTES: u64 = 64 * 1024;

/// The files of a directory that exclude others.
const RULES: [&str; 3] = [".gitignore", ".ignore", ".git/info/exclude"];
/// Larger ignore files are refused.
const MAX_RULES_BYTES: u64 = 1 << 20;
/// The error for a directory without documents.
pub(crate) const NO_DOCUMENTS: &str = "there are no documents in this directory";
/// The help for it.
pub(crate) const DOCUMENTS_ARE: &str = "documents are files `*.md` that start with a tag or a `chatmd:` comment";

/// The documents in a directory and below, in order, and why something in it could not be read. Documents are files
/// `*.md` that start like one. Hidden files and those that a `.gitignore` excludes are not looked at.
pub(crate) fn documents_in(directory: &Path) -> (Vec<PathBuf>, Vec<CliError>) {
    let results: Mutex<(Vec<PathBuf>, Vec<CliError>)> = Mutex::default();
    // The walk reads the rules of the directories above too.
    if let Some(rules) = resolve(directory).ancestors().find_map(unusable_rules) {
        return (Vec::new(), vec![not_rules(&rules)]);
    }
    let refused: Arc<Mutex<Vec<PathBuf>>> = Arc::default();
    let is_entered = {
        let refused = Arc::clone(&refused);
        move |entry: &DirEntry| {
            let is_directory = entry.file_type().is_some_and(|kind| kind.is_dir());
            let rules = is_directory.then(|| unusable_rules(entry.path())).flatten();
            let is_entered = rules.is_none();
            refused.lock().unwrap_or_else(PoisonError::into_inner).extend(rules);
            is_entered
        }
    };
    let walk = WalkBuilder::new(directory).require_git(false).filter_entry(is_entered).build_parallel();
    walk.run(|| {
        Box::new(|entry| {
            let result = entry.map_err(|error| unreadable(&error)).and_then(|entry| document(&entry));
            let mut results = results.lock().unwrap_or_else(PoisonError::into_inner);
            match result {
                Ok(path) => results.0.extend(path),
                Err(error) => results.1.push(error),
            }
            WalkState::Continue
        })
    });
    let (mut documents, mut errors) = results.into_inner().unwrap_or_else(PoisonError::into_inner);
    errors.extend(refused.lock().unwrap_or_else(PoisonError::into_inner).iter().map(|rules| not_rules(rules)));
    documents.sort();
    errors.sort_by(|a, b| a.message.cmp(&b.message));
    (documents, errors)
}

/// A file of a directory that would exclude others, but cannot be read in bounded time: a pipe, a device or a large file.
fn unusable_rules(directory: &Path) -> Option<PathBuf> {
    let is_unusable = |path: &PathBuf| match fs::metadata(path) {
        Ok(metadata) => !metadata.is_dir() && (!metadata.is_file() || metadata.len() > MAX_RULES_BYTES),
        Err(_) => false,
    };
    RULES.iter().map(|name| directory.join(name)).find(is_unusable)
}

fn not_rules(path: &Path) -> CliError {
    CliError::new(ExitStatus::Io, format!("cannot read {}: it is not a small regular file", shown(path)))
        .with_help("remove it, or name the documents instead of their directory")
}

/// The path of an entry that is a document.
fn document(entry: &DirEntry) -> Result<Option<PathBuf>, CliError> {
    let is_file = entry.file_type().is_some_and(|kind| kind.is_file());
    let path = entry.path();
    if !is_file || path.extension().is_none_or(|extension| extension != "md") {
        return Ok(None);
    }
    let mut head = Vec::new();
    let read = File::open(path).and_then(|file| file.take(MAX_HEAD_BYTES).read_to_end(&mut head));
    read.map_err(|error| read_error(&shown(path), &error))?;
    let text = head.utf8_chunks().next().map_or("", |chunk| chunk.valid());
    Ok(opens_document(text).then(|| path.to_owned()))
}

fn unreadable(error: &ignore::Error) -> CliError {
    let is_missing = error.io_error().is_some_and(|error| error.kind() == std::io::ErrorKind::NotFound);
    CliError::new(
        if is_missing { ExitStatus::Missing } else { ExitStatus::Io },
        format!("cannot read {}", system_message(error)),
    )
}
