//! Images and files beside documents: `from-response --media`, and `chatmd media`.

use std::collections::HashSet;
use std::fs;
use std::path::Path;

use anyhow::Context;
use chatmd::resources::MediaStore;
use chatmd::syntax::write::Whitespace;

use super::deps::files_of;
use crate::cli::args::{Common, FromResponseArgs, MediaArgs};
use crate::cli::error::ExitStatus;
use crate::cli::input::Input;
use crate::cli::output;

/// The store that `--media` asks for, with paths as the document that is written will need them.
pub(crate) fn store(args: &FromResponseArgs) -> anyhow::Result<Option<MediaStore>> {
    if args.media == Path::new("inline") {
        return Ok(None);
    }
    let document = args.append.as_ref().or(args.output.output.as_ref()).filter(|path| *path != Path::new("-"));
    // References start where the document really is.
    let document = document.map(|path| fs::canonicalize(path).unwrap_or_else(|_| path.clone()));
    let directory = document.as_deref().and_then(Path::parent).unwrap_or(Path::new(""));
    let from = fs::canonicalize(directory.join(".")).or_else(|_| std::path::absolute(directory))?;
    let to = fs::canonicalize(&args.media).or_else(|_| std::path::absolute(&args.media))?;
    let path = pathdiff::diff_paths(&to, &from).unwrap_or(to);
    let steps: Vec<_> = path.iter().map(|step| step.to_string_lossy()).collect();
    Ok(Some(MediaStore::new(if steps.is_empty() { ".".to_owned() } else { steps.join("/") })))
}

/// Writes what was taken out, each file once.
pub(crate) fn write(directory: &Path, media: MediaStore) -> anyhow::Result<()> {
    let files = media.into_files();
    if files.is_empty() {
        return Ok(());
    }
    fs::create_dir_all(directory).with_context(|| format!("cannot create {}", directory.display()))?;
    for (name, bytes) in files {
        let path = directory.join(name);
        // The name is the content's hash: a file that is there is the same file, unless a crash cut it short.
        if fs::metadata(&path).is_ok_and(|existing| existing.len() == bytes.len() as u64) {
            continue;
        }
        output::replace(&path, &bytes).map_err(|error| output::unwritable(&path, &error))?;
    }
    Ok(())
}

pub(crate) fn run(args: &MediaArgs, common: &Common) -> anyhow::Result<ExitStatus> {
    let mut used = HashSet::new();
    for document in &args.documents {
        // A document that does not read may use anything.
        match files_of(Input::file(document)?, Whitespace::Layout, &args.files, common)? {
            Ok(paths) => used.extend(paths.iter().filter_map(|path| fs::canonicalize(path).ok())),
            Err(exit) => return Ok(exit),
        }
    }
    let entries = fs::read_dir(&args.directory)
        .map_err(|error| crate::cli::input::unreadable(&args.directory.display().to_string(), &error))?;
    let mut unused = Vec::new();
    for entry in entries {
        let path = entry?.path();
        if is_named_by_hash(&path) && !used.contains(&fs::canonicalize(&path)?) {
            unused.push(path);
        }
    }
    unused.sort();
    let mut listed = String::new();
    for path in &unused {
        if args.prune {
            fs::remove_file(path).map_err(|error| output::unwritable(path, &error))?;
        }
        listed += &path.display().to_string();
        listed.push('\n');
    }
    output::print(&listed)?;
    Ok(ExitStatus::Done)
}

/// Whether a file is one that `--media` writes: anything else in the directory is not ours to judge.
fn is_named_by_hash(path: &Path) -> bool {
    let stem = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
    path.is_file() && stem.len() == 64 && stem.bytes().all(|b| b.is_ascii_hexdigit())
}
