//! `chatmd check --deps`: lists the files that documents would read.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use chatmd::convert::Context;
use chatmd::diagnostic::Diagnostics;
use chatmd::document::{Document, Reference, Use, references};
use chatmd::json::StringArena;
use chatmd::resolve::Resolver;
use chatmd::resources::Resources;
use chatmd::source::Sources;
use chatmd::syntax::write::Whitespace;

use crate::cli::args::{CheckArgs, Common, FileArgs};
use crate::cli::error::{CliError, ExitStatus};
use crate::cli::input::Input;
use crate::cli::output;
use crate::cli::report::{add, report_errors};

/// Lists the files of all documents, each once. Lists nothing if a document cannot be read.
pub(crate) fn run(inputs: Vec<anyhow::Result<Input>>, args: &CheckArgs, common: &Common) -> anyhow::Result<ExitStatus> {
    let (mut files, mut exits) = (BTreeSet::new(), Vec::new());
    for input in inputs {
        match input.and_then(|input| files_of(input, args.whitespace.into(), &args.files, common)) {
            Ok(Ok(more)) => files.extend(more),
            Ok(Err(exit)) => exits.push(exit),
            Err(error) => exits.push(CliError::report(&error)),
        }
    }
    let exit = ExitStatus::first_failure(exits);
    if exit == ExitStatus::Success {
        let current_dir = std::env::current_dir()?;
        let shown = |path: &PathBuf| format!("{}\n", path.strip_prefix(&current_dir).unwrap_or(path).display());
        output::print(&files.iter().map(shown).collect::<String>())?;
    }
    Ok(exit)
}

/// The files that a document and its imports read. A file that cannot be read is listed at its expected path.
pub(crate) fn files_of(
    input: Input,
    whitespace: Whitespace,
    files: &FileArgs,
    common: &Common,
) -> anyhow::Result<Result<BTreeSet<PathBuf>, ExitStatus>> {
    let directory = files.directory(input.path.as_deref())?;
    let (sources, strings) = (Sources::new(), StringArena::default());
    let mut diagnostics = Diagnostics::new();
    let source = add(input, &sources, &mut diagnostics);
    let resolver = Resolver::new(&sources, &directory);
    let context = Context::new(&resolver, &strings);
    let is_text = !diagnostics.has_errors();
    let read = |diagnostics| context.read(source, whitespace, files.limits(), diagnostics);
    let document = if is_text { read(&mut diagnostics) } else { Document::default() };
    // A document that does not parse may refer to any file.
    if let Err(exit) = report_errors(&diagnostics, &sources, common) {
        return Ok(Err(exit));
    }
    let current_dir = std::env::current_dir()?;
    let imported = sources.ids().filter(|id| *id != source).filter_map(|id| sources.get(id).path.clone());
    let mut files: BTreeSet<PathBuf> = imported.collect();
    for Reference { target, usage, span } in references(&document) {
        let target = target.as_ref();
        if usage == Use::File || usage == Use::Agent && !target.contains("://") {
            let base = sources.get(span.source).path.as_deref();
            let unread = || {
                let next_to_document = base.and_then(Path::parent).unwrap_or(&current_dir).join(target);
                let in_current_dir = current_dir.join(target);
                let is_elsewhere = !next_to_document.exists() && in_current_dir.exists();
                if is_elsewhere { in_current_dir } else { next_to_document }
            };
            files.insert(directory.read(target, base).map_or_else(|_| unread(), |file| file.path));
        }
    }
    Ok(Ok(files))
}
