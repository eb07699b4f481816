//! Where the settings of a run are.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use clap::ArgMatches;

use crate::cli::paths::{parent, resolve};

const NAME: &str = "chatmd.toml";

/// A file of settings.
pub(super) struct SettingsFile {
    pub(super) path: PathBuf,
    /// The directory of the file.
    pub(super) directory: PathBuf,
    /// Whether the user wrote it. Any other one may have come with a document.
    pub(super) is_of_user: bool,
}

/// The files for a command: first the one near its documents, then the one of the user.
pub(super) fn files(names: &[&str], matches: &ArgMatches) -> Vec<SettingsFile> {
    let user = of_user();
    // The documents of batch results are below the current directory.
    let documents = if names == ["batch", "results"] { Vec::new() } else { documents(names, matches) };
    let near = near(&documents).filter(|near| user.as_ref() != Some(near));
    let file = |path: PathBuf, is_of_user| SettingsFile {
        directory: parent(&path).to_owned(),
        path: if is_of_user { path } else { from_current_dir(&path) },
        is_of_user,
    };
    near.map(|path| file(path, false)).into_iter().chain(user.map(|path| file(path, true))).collect()
}

/// A path as the user would write it.
pub(super) fn from_current_dir(path: &Path) -> PathBuf {
    let current = env::current_dir().ok();
    current.and_then(|current| pathdiff::diff_paths(path, current)).unwrap_or_else(|| path.to_owned())
}

/// The files that a command gets.
pub(super) fn documents(names: &[&str], matches: &ArgMatches) -> Vec<PathBuf> {
    let paths = |id: &str| -> Vec<PathBuf> {
        matches.try_get_many::<PathBuf>(id).ok().flatten().unwrap_or_default().cloned().collect()
    };
    let ids: &[&str] = match names {
        // FILE is not a document.
        ["from-response"] => &["append", "output", "document"],
        ["ask"] => &["file", "output"],
        [..] => &["file", "documents", "files", "paths"],
    };
    let mut documents = ids.iter().map(|id| paths(id)).find(|paths| !paths.is_empty()).unwrap_or_default();
    documents.retain(|path| path != Path::new("-"));
    if documents.is_empty() { paths("stdin_filename") } else { documents }
}

/// The nearest file that is in the directory of all documents or above it, up to the directory that holds `.git`.
fn near(documents: &[PathBuf]) -> Option<PathBuf> {
    let directories =
        documents.iter().map(|path| if path.is_dir() { resolve(path) } else { parent(&resolve(path)).to_owned() });
    let common = directories.reduce(|one, other| {
        let is_common = |directory: &&Path| other.starts_with(directory);
        one.ancestors().find(is_common).unwrap_or(Path::new("")).to_owned()
    });
    let directory = match common {
        Some(directory) => directory,
        None => env::current_dir().ok()?,
    };
    let repository = directory.ancestors().find(|ancestor| ancestor.join(".git").exists());
    let top = repository.unwrap_or(&directory);
    let mut places = directory.ancestors().take_while(|ancestor| ancestor.starts_with(top));
    places.find_map(|ancestor| Some(ancestor.join(NAME)).filter(|path| fs::symlink_metadata(path).is_ok()))
}

/// `$XDG_CONFIG_HOME/chatmd/chatmd.toml`, or the same in `~/.config`, if it exists.
fn of_user() -> Option<PathBuf> {
    let path = |name: &str| env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let directory = path("XDG_CONFIG_HOME").or_else(|| Some(path("HOME")?.join(".config")))?;
    Some(directory.join("chatmd").join(NAME)).filter(|path| fs::symlink_metadata(path).is_ok())
}
