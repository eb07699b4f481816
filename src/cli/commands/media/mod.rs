//! `chatmd media`, and the files that `from-response --media` writes.

mod prune;

use std::collections::{BTreeMap, HashSet};
use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use crate::resources::media::hash;
use crate::resources::{Directory, ReadError, Resources, is_hash_name};
use crate::sanitize::on_one_line;
use crate::syntax::write::Whitespace;

use super::check::deps::files_of;
use crate::cli::args::{FileArgs, MediaArgs, ReadArgs, WhitespaceArgs};
use crate::cli::error::{ExitStatus, Failure, Result};
use crate::cli::input::{read_error, read_file};
use crate::cli::lock::Lock;
use crate::cli::output;
use crate::cli::paths::{resolve, shown};
use crate::cli::replace::replace_entry;
use crate::cli::report::warning;
use crate::cli::settings::media_directories;
use prune::require_unnamed;

/// The directory of `--media DIR`, relative to the document that will be written, or `None` for `inline`; and the files
/// that exist.
pub(crate) fn directory(
    media: &Path,
    document: Option<&Path>,
    files: &FileArgs,
) -> Result<(Option<String>, Directory)> {
    let files = files.directory(document.map(resolve).as_deref())?.total(u64::MAX);
    let is_inline = media == Path::new("inline");
    let directory = if is_inline { None } else { Some(readable_directory(media, document, &files)?) };
    Ok((directory, files))
}

/// The directory of `--media DIR` as a document refers to it. The document must be allowed to read it.
pub(crate) fn readable_directory(media: &Path, document: Option<&Path>, files: &Directory) -> Result<String> {
    let path = relative_path(media, document)?;
    // A directory that does not exist yet cannot be a root.
    let is_allowed = media_directories().iter().any(|directory| resolve(directory) == resolve(media));
    if !is_allowed && files.read(&path, document.map(resolve).as_deref()) == Err(ReadError::Outside) {
        let document = document.map_or("the document".into(), shown);
        let message = format!("{document} may not read {}, the directory of `--media`", shown(media));
        let help = "choose a directory below the document's own, or allow it with `--root DIR`";
        return Err(Failure::new(ExitStatus::Refused, message).with_help(help));
    }
    Ok(path)
}

/// A path as a document refers to it. Without a document, references start at the current directory.
pub(crate) fn relative_path(path: &Path, document: Option<&Path>) -> Result<String> {
    // Relative references start at the real place of the document.
    let document = document.map(|path| fs::canonicalize(path).unwrap_or_else(|_| path.to_owned()));
    let directory = document.as_deref().and_then(Path::parent).unwrap_or(Path::new(""));
    let from = fs::canonicalize(directory.join(".")).or_else(|_| std::path::absolute(directory))?;
    let to = fs::canonicalize(path).or_else(|_| std::path::absolute(path))?;
    let relative = pathdiff::diff_paths(&to, &from).unwrap_or(to);
    let steps: Option<Vec<&str>> = relative.iter().map(|step| step.to_str()).collect();
    let steps = steps.ok_or_else(|| {
        let message = format!("a document cannot refer to {}: the name is not UTF-8", shown(path));
        Failure::new(ExitStatus::Refused, message).with_help("rename it")
    })?;
    Ok(if steps.is_empty() { ".".to_owned() } else { steps.join("/") })
}

/// Writes files by their names.
pub(crate) fn write(directory: &Path, files: &BTreeMap<String, Vec<u8>>) -> Result<()> {
    if files.is_empty() {
        return Ok(());
    }
    output::create_directory(directory)?;
    for (name, bytes) in files {
        let path = directory.join(name);
        if !is_written(&path, bytes)? {
            replace_entry(&path, bytes).map_err(|error| output::write_error(&path, &error))?;
        }
    }
    Ok(())
}

/// Whether a file of this name and content is there. Links and everything else that is not a file are refused.
fn is_written(path: &Path, bytes: &[u8]) -> Result<bool> {
    let name = shown(path);
    match fs::symlink_metadata(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(false),
        Err(error) => Err(read_error(&name, &error)),
        Ok(existing) if !existing.is_file() => {
            let what = if existing.is_symlink() { "a link" } else { "not a regular file" };
            let error = Failure::new(ExitStatus::Refused, format!("cannot write {name}: it is {what}"));
            Err(error.with_help("remove it, or choose another directory with `--media`"))
        }
        // The name is of the hash of the content. A file that does not have this hash is damaged.
        Ok(_) => Ok(fs::read(path).is_ok_and(|content| content == bytes)),
    }
}

pub(crate) fn run(args: &MediaArgs) -> Result<ExitStatus> {
    // Held until the files are removed, so that no other run appends a reference to one of them.
    let _locks = if args.prune { Lock::take_all(&args.documents)? } else { Vec::new() };
    let whitespace = WhitespaceArgs { mode: Whitespace::Layout };
    let read = ReadArgs { whitespace, files: args.files.clone() };
    let mut used = HashSet::new();
    for document in &args.documents {
        // A document that does not parse may use any file, so nothing is listed or removed.
        let paths = files_of(read_file(document)?, &read)?;
        used.extend(paths.iter().filter_map(|path| fs::canonicalize(path).ok()));
    }
    let entries = fs::read_dir(&args.directory).map_err(|error| read_error(&shown(&args.directory), &error))?;
    let mut unused = Vec::new();
    for entry in entries {
        let path = entry?.path();
        if is_named_by_hash(&path) && !used.contains(&fs::canonicalize(&path)?) {
            unused.push(path);
        }
    }
    unused.sort();
    if args.prune {
        require_unnamed(&unused, &args.directory, args.files.max_file_bytes)?;
    }
    let mut listed = String::new();
    for path in &unused {
        if args.prune {
            let stem = path.file_stem().and_then(|stem| stem.to_str());
            // The name is the beginning of the hash of the content.
            if !fs::read(path).is_ok_and(|content| stem.is_some_and(|stem| hash(&content).starts_with(stem))) {
                warning(&format!("{} is kept: its content does not match the hash in its name", shown(path)));
                continue;
            }
            fs::remove_file(path).map_err(|error| output::write_error(path, &error))?;
        }
        listed += &on_one_line(&path.display().to_string());
        listed.push('\n');
    }
    output::print(listed)?;
    Ok(ExitStatus::Success)
}

/// Whether this is a file with a name as `--media` gives it. Other files in the directory are left alone.
fn is_named_by_hash(path: &Path) -> bool {
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let (stem, extension) = name.split_once('.').unwrap_or_default();
    let is_extension =
        matches!(extension.len(), 1..=8) && extension.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit());
    is_hash_name(stem) && is_extension && fs::symlink_metadata(path).is_ok_and(|metadata| metadata.is_file())
}
