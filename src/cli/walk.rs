//! Finds the documents in a directory.

use std::collections::HashSet;
use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use crate::resources::system_message;
use crate::syntax::is_document;
use ignore::{DirEntry, WalkBuilder, WalkState};

use crate::cli::error::{ExitStatus, Failure, Result};
use crate::cli::input::read_error;
use crate::cli::paths::{resolve, shown};
use crate::cli::report::{help, note};

/// At most this many bytes of a file are read to find out whether it is a document.
const MAX_HEAD_BYTES: u64 = 64 * 1024;

/// The files of a directory that exclude others.
const RULES: [&str; 3] = [".gitignore", ".ignore", ".git/info/exclude"];
/// Larger ignore files are refused.
const MAX_RULES_BYTES: u64 = 1 << 20;
/// The error for a directory without documents.
pub(crate) const NO_DOCUMENTS: &str = "no documents in this directory";
/// The help for it.
pub(crate) const DOCUMENTS_ARE: &str =
    "documents are files `*.chat.md`, and other files `*.md` in which a line begins with an element";

/// The contents of a directory and of the directories below it.
#[derive(Default)]
pub(crate) struct Found {
    /// The documents, in order.
    pub(crate) documents: Vec<PathBuf>,
    /// Why something could not be read.
    pub(crate) errors: Vec<Failure>,
    /// How many files `*.md` are not documents.
    pub(crate) others: usize,
}

/// Says how many files `*.md` of directories are not documents, if there are documents.
pub(crate) fn note_others(others: usize) {
    match others {
        0 => {}
        1 => note("1 other file `*.md` is not a document, and was not looked at"),
        count => note(&format!("{count} other files `*.md` are not documents, and were not looked at")),
    }
}

/// The documents in a directory and below. Documents are files `*.chat.md`, and other files `*.md` in which a line begins
/// with an element. Hidden files and those that a `.gitignore` excludes are not looked at.
pub(crate) fn documents_in(directory: &Path) -> Found {
    let results: Mutex<Found> = Mutex::default();
    // The walk reads the rules of the directories above too.
    if let Some(rules) = resolve(directory).ancestors().find_map(unusable_rules) {
        return Found { errors: vec![not_rules(&rules)], ..Found::default() };
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
            let result = entry.map_err(|error| unreadable(&error)).and_then(|entry| classify(&entry));
            let mut results = results.lock().unwrap_or_else(PoisonError::into_inner);
            match result {
                Ok(Entry::Document(path)) => results.documents.push(path),
                Ok(Entry::OtherMarkdown) => results.others += 1,
                Ok(Entry::Other) => {}
                Err(error) => results.errors.push(error),
            }
            WalkState::Continue
        })
    });
    let mut found = results.into_inner().unwrap_or_else(PoisonError::into_inner);
    found.errors.extend(refused.lock().unwrap_or_else(PoisonError::into_inner).iter().map(|rules| not_rules(rules)));
    found.documents.sort();
    found.errors.sort_by(|a, b| a.message.cmp(&b.message));
    found
}

/// The documents that arguments name, with those in directories, and the exit codes of directories that cannot be read. No
/// argument means standard input.
pub(crate) fn documents_of(arguments: &[PathBuf]) -> (Vec<PathBuf>, Vec<ExitStatus>) {
    if arguments.is_empty() {
        return (vec![PathBuf::from("-")], Vec::new());
    }
    let (mut files, mut exits, mut other_files) = (Vec::new(), Vec::new(), 0);
    for path in arguments {
        if path == Path::new("-") || !path.is_dir() {
            files.push(path.clone());
            continue;
        }
        let Found { documents, errors, others } = documents_in(path);
        if documents.is_empty() && errors.is_empty() {
            note(&format!("{}: {NO_DOCUMENTS}", shown(path)));
            help(DOCUMENTS_ARE);
        }
        other_files += others;
        files.extend(documents);
        exits.extend(errors.into_iter().map(|error| error.report()));
    }
    // A document that is named and is in a directory too counts once.
    let mut seen = HashSet::new();
    files.retain(|file| file == Path::new("-") || seen.insert(resolve(file)));
    note_others(other_files);
    (files, exits)
}

/// A file of a directory that would exclude others, but cannot be read in bounded time: a pipe, a device or a large file.
fn unusable_rules(directory: &Path) -> Option<PathBuf> {
    let is_unusable = |path: &PathBuf| match fs::metadata(path) {
        Ok(metadata) => !metadata.is_dir() && (!metadata.is_file() || metadata.len() > MAX_RULES_BYTES),
        Err(_) => false,
    };
    RULES.iter().map(|name| directory.join(name)).find(is_unusable)
}

fn not_rules(path: &Path) -> Failure {
    Failure::new(ExitStatus::Io, format!("cannot read {}: it is not a small regular file", shown(path)))
        .with_help("remove it, or name the documents instead of their directory")
}

/// An entry of a directory.
enum Entry {
    Document(PathBuf),
    /// A file `*.md` that is not a document.
    OtherMarkdown,
    Other,
}

/// What an entry of a directory is.
fn classify(entry: &DirEntry) -> Result<Entry> {
    let is_file = entry.file_type().is_some_and(|kind| kind.is_file());
    let path = entry.path();
    if !is_file || path.extension().is_none_or(|extension| extension != "md") {
        return Ok(Entry::Other);
    }
    if path.as_os_str().as_encoded_bytes().ends_with(b".chat.md") {
        return Ok(Entry::Document(path.to_owned()));
    }
    let mut head = Vec::new();
    let read = File::open(path).and_then(|file| file.take(MAX_HEAD_BYTES).read_to_end(&mut head));
    read.map_err(|error| read_error(&shown(path), &error))?;
    let text = head.utf8_chunks().next().map_or("", |chunk| chunk.valid());
    Ok(if is_document(text) { Entry::Document(path.to_owned()) } else { Entry::OtherMarkdown })
}

fn unreadable(error: &ignore::Error) -> Failure {
    let is_missing = error.io_error().is_some_and(|error| error.kind() == std::io::ErrorKind::NotFound);
    Failure::new(
        if is_missing { ExitStatus::Missing } else { ExitStatus::Io },
        format!("cannot read {}", system_message(error)),
    )
}
