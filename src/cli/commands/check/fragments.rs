//! Finds the files that are imported into bodies, and so are not documents of their own.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use crate::{Imports, Input};

use crate::cli::args::CheckArgs;
use crate::cli::error::Failure;
use crate::cli::input;

/// The files that the documents import into bodies only.
pub(crate) fn fragments(documents: &[PathBuf], args: &CheckArgs) -> HashSet<PathBuf> {
    if documents.len() < 2 {
        return HashSet::new();
    }
    let named = documents.iter().filter(|document| *document != Path::new("-"));
    // A file that cannot be read is reported when it is checked.
    let inputs = named.filter_map(|document| input::read_file(document).ok());
    let imports: Vec<_> = inputs.map(|input| (input.path.clone(), imports(input, args))).collect();
    let mut fragments: HashSet<PathBuf> = imports.iter().flat_map(|(_, files)| files.into_bodies.clone()).collect();
    // Whatever a fragment imports is imported into a body.
    let is_document = |path: &Option<PathBuf>| path.as_ref().is_none_or(|path| !fragments.contains(path));
    let documents = imports.iter().filter(|(path, _)| is_document(path));
    let elements: HashSet<&PathBuf> = documents.flat_map(|(_, files)| &files.at_top_level).collect();
    fragments.retain(|path| !elements.contains(path));
    fragments
}

fn imports(document: Input, args: &CheckArgs) -> Imports {
    let imports = args.read.with(document, |converter, document| Ok::<_, Failure>(converter.imports(document)));
    imports.unwrap_or_default()
}
