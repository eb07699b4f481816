//! `chatmd media`, and the files that `from-response --media` writes.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context;
use chatmd::syntax::write::Whitespace;
use ignore::WalkBuilder;

use super::deps::files_of;
use crate::cli::args::{Common, FromResponseArgs, MediaArgs};
use crate::cli::error::{CliError, ExitStatus};
use crate::cli::input::{read_error, read_file};
use crate::cli::output;
use crate::cli::paths::parent;

/// The number of digits in the name of a media file.
const HASH_DIGITS: usize = 64;

/// The directory of `--media DIR`, relative to the document that will be written; `None` for `inline`.
pub(crate) fn directory(args: &FromResponseArgs) -> anyhow::Result<Option<String>> {
    if args.media == Path::new("inline") {
        return Ok(None);
    }
    let document = args.append.as_ref().or(args.output.output.as_ref()).filter(|path| *path != Path::new("-"));
    relative_path(&args.media, document.map(PathBuf::as_path)).map(Some)
}

/// A path as a document refers to it. Without a document, references start at the current directory.
pub(crate) fn relative_path(path: &Path, document: Option<&Path>) -> anyhow::Result<String> {
    // Relative references start at the real place of the document.
    let document = document.map(|path| fs::canonicalize(path).unwrap_or_else(|_| path.to_owned()));
    let directory = document.as_deref().and_then(Path::parent).unwrap_or(Path::new(""));
    let from = fs::canonicalize(directory.join(".")).or_else(|_| std::path::absolute(directory))?;
    let to = fs::canonicalize(path).or_else(|_| std::path::absolute(path))?;
    let path = pathdiff::diff_paths(&to, &from).unwrap_or(to);
    let steps: Vec<_> = path.iter().map(|step| step.to_string_lossy()).collect();
    Ok(if steps.is_empty() { ".".to_owned() } else { steps.join("/") })
}

/// Writes files by their names.
pub(crate) fn write(directory: &Path, files: &BTreeMap<String, Vec<u8>>) -> anyhow::Result<()> {
    if files.is_empty() {
        return Ok(());
    }
    fs::create_dir_all(directory).with_context(|| format!("cannot create {}", directory.display()))?;
    for (name, bytes) in files {
        let path = directory.join(name);
        // The name is the hash of the content, so a file of this name and length has the same content.
        if fs::metadata(&path).is_ok_and(|existing| existing.len() == bytes.len() as u64) {
            continue;
        }
        output::write_file(&path, bytes)?;
    }
    Ok(())
}

pub(crate) fn run(args: &MediaArgs, common: &Common) -> anyhow::Result<ExitStatus> {
    let mut used = HashSet::new();
    for document in &args.documents {
        // A document that does not parse may use any file, so nothing is listed or removed.
        let paths = files_of(read_file(document)?, Whitespace::Layout, &args.files, common)?;
        used.extend(paths.iter().filter_map(|path| fs::canonicalize(path).ok()));
    }
    let entries =
        fs::read_dir(&args.directory).map_err(|error| read_error(&args.directory.display().to_string(), &error))?;
    let mut unused = Vec::new();
    for entry in entries {
        let path = entry?.path();
        if is_named_by_hash(&path) && !used.contains(&fs::canonicalize(&path)?) {
            unused.push(path);
        }
    }
    unused.sort();
    if args.prune {
        require_unnamed(&unused, &args.directory)?;
    }
    let mut listed = String::new();
    for path in &unused {
        if args.prune {
            fs::remove_file(path).map_err(|error| output::write_error(path, &error))?;
        }
        listed += &path.display().to_string();
        listed.push('\n');
    }
    output::print(&listed)?;
    Ok(ExitStatus::Success)
}

/// Returns an error if a document that was not given names one of the files. Looks at all documents below the current
/// directory, or below the parent of the media directory if that is elsewhere.
fn require_unnamed(unused: &[PathBuf], directory: &Path) -> anyhow::Result<()> {
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
            let document = path.strip_prefix(&current_dir).unwrap_or(path).display();
            let message = format!("nothing was deleted: {document} uses {}", file.display());
            let help = format!("name {document} too, or delete it first");
            return Err(CliError::new(ExitStatus::Refused, message).with_help(help).into());
        }
    }
    Ok(())
}

/// Whether `--media` wrote this file. Other files in the directory are left alone.
fn is_named_by_hash(path: &Path) -> bool {
    let stem = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
    path.is_file() && stem.len() == HASH_DIGITS && stem.bytes().all(|b| b.is_ascii_hexdigit())
}
