//! Finds the documents in a directory.

use std::collections::HashSet;
use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::mpsc;

use crate::resources::system_message;
use crate::syntax::is_document;
use ignore::{DirEntry, WalkBuilder};

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

/// The contents of directories and of the directories below them.
#[derive(Default)]
pub(crate) struct Found {
    /// The documents, in order.
    pub(crate) documents: Vec<PathBuf>,
    /// The directories of which something could not be read, and why. `None` for directories without documents.
    pub(crate) errors: Vec<(PathBuf, Option<Failure>)>,
    /// How many files `*.md` are not documents.
    others: usize,
}

impl Found {
    /// The files that are named, and the documents in the directories that are named. Documents are files `*.chat.md`, and other
    /// files `*.md` in which a line begins with an element. Hidden files and those that a `.gitignore` excludes are not looked at.
    pub(crate) fn at(paths: &[PathBuf]) -> Self {
        let mut found = Self::default();
        for path in paths {
            if path.is_dir() && path != Path::new("-") {
                found.walk(path);
            } else {
                found.documents.push(path.clone());
            }
        }
        found
    }

    /// Says how many files `*.md` are not documents.
    pub(crate) fn note_others(&self) {
        match self.others {
            0 => {}
            1 => note("1 other file `*.md` is not a document, and was not looked at"),
            count => note(&format!("{count} other files `*.md` are not documents, and were not looked at")),
        }
    }

    fn walk(&mut self, directory: &Path) {
        let (before, mut errors) = (self.documents.len(), Vec::new());
        let (refused, refusals) = mpsc::channel();
        // The walk reads the rules of the directories above too.
        if let Some(rules) = resolve(directory).ancestors().find_map(unusable_rules) {
            errors.push(not_rules(&rules));
        } else {
            let is_entered = move |entry: &DirEntry| {
                let is_directory = entry.file_type().is_some_and(|kind| kind.is_dir());
                let rules = is_directory.then(|| unusable_rules(entry.path())).flatten();
                rules.map(|rules| refused.send(rules)).is_none()
            };
            for entry in WalkBuilder::new(directory).require_git(false).filter_entry(is_entered).build() {
                let result = entry.map_err(|error| unreadable(&error)).and_then(|entry| self.add(&entry));
                errors.extend(result.err());
            }
        }
        errors.extend(refusals.try_iter().map(|rules| not_rules(&rules)));
        errors.sort_by_key(Failure::message);
        self.documents[before..].sort();
        if self.documents.len() == before && errors.is_empty() {
            self.errors.push((directory.to_owned(), None));
        }
        self.errors.extend(errors.into_iter().map(|error| (directory.to_owned(), Some(error))));
    }

    /// Adds an entry of a directory, if it is a document.
    fn add(&mut self, entry: &DirEntry) -> Result<()> {
        let is_file = entry.file_type().is_some_and(|kind| kind.is_file());
        let path = entry.path();
        if !is_file || path.extension().is_none_or(|extension| extension != "md") {
            return Ok(());
        }
        let mut head = Vec::new();
        if !path.as_os_str().as_encoded_bytes().ends_with(b".chat.md") {
            let read = File::open(path).and_then(|file| file.take(MAX_HEAD_BYTES).read_to_end(&mut head));
            read.map_err(|error| read_error(&shown(path), &error))?;
            if !is_document(head.utf8_chunks().next().map_or("", |chunk| chunk.valid())) {
                self.others += 1;
                return Ok(());
            }
        }
        self.documents.push(path.to_owned());
        Ok(())
    }
}

/// The documents that arguments name, with those in directories, and the exit codes of directories that cannot be read. No
/// argument means standard input.
pub(crate) fn documents_of(arguments: &[PathBuf]) -> (Vec<PathBuf>, Vec<ExitStatus>) {
    if arguments.is_empty() {
        return (vec![PathBuf::from("-")], Vec::new());
    }
    let mut found = Found::at(arguments);
    let mut exits = Vec::new();
    for (directory, error) in &found.errors {
        if let Some(error) = error {
            exits.push(error.report());
        } else {
            note(&format!("{}: {NO_DOCUMENTS}", shown(directory)));
            help(DOCUMENTS_ARE);
        }
    }
    found.note_others();
    // A document that is named and is in a directory too counts once.
    let mut seen = HashSet::new();
    found.documents.retain(|file| file == Path::new("-") || seen.insert(resolve(file)));
    (found.documents, exits)
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

fn unreadable(error: &ignore::Error) -> Failure {
    let is_missing = error.io_error().is_some_and(|error| error.kind() == std::io::ErrorKind::NotFound);
    Failure::new(
        if is_missing { ExitStatus::Missing } else { ExitStatus::Io },
        format!("cannot read {}", system_message(error)),
    )
}
