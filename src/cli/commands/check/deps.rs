//! `chatmd check --deps`: lists the files that documents would read.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use crate::sanitize::on_one_line;
use crate::{FileReference, Input};

use crate::cli::args::{CheckArgs, ReadArgs};
use crate::cli::error::{ExitStatus, Result};
use crate::cli::output;
use crate::cli::report::readable;

/// Lists the files of all documents, each once. Lists nothing if a document cannot be read.
pub(crate) fn run(inputs: Vec<Result<Input>>, args: &CheckArgs) -> Result<ExitStatus> {
    let (mut files, mut exits) = (BTreeSet::new(), Vec::new());
    for input in inputs {
        match input.and_then(|input| files_of(input, &args.read)) {
            Ok(more) => files.extend(more),
            Err(failure) => exits.push(failure.report()),
        }
    }
    let exit = ExitStatus::first_failure(exits);
    if exit == ExitStatus::Success {
        let current_dir = std::env::current_dir()?;
        let paths = files.iter().map(|path| path.strip_prefix(&current_dir).unwrap_or(path));
        if args.null {
            let ends = paths.flat_map(|path| [path.as_os_str().as_encoded_bytes(), b"\0"]);
            output::print(ends.collect::<Vec<_>>().concat())?;
        } else {
            let shown = |path: &Path| format!("{}\n", on_one_line(&path.display().to_string()));
            output::print(paths.map(shown).collect::<String>())?;
        }
    }
    Ok(exit)
}

/// The files that a document and its imports read. A file that cannot be read is listed at its expected path.
pub(crate) fn files_of(document: Input, read: &ReadArgs) -> Result<BTreeSet<PathBuf>> {
    // A document that does not parse may refer to any file.
    let referenced = read.with(document, |converter, document| readable(converter.files(document)))?;
    let current_dir = std::env::current_dir()?;
    let path = |file: FileReference| {
        let target = &file.target;
        file.path.unwrap_or_else(|| {
            let next_to_document = file.base.as_deref().and_then(Path::parent).unwrap_or(&current_dir).join(target);
            let in_current_dir = current_dir.join(target);
            let is_elsewhere = !next_to_document.exists() && in_current_dir.exists();
            if is_elsewhere { in_current_dir } else { next_to_document }
        })
    };
    Ok(referenced.into_iter().map(path).collect())
}
