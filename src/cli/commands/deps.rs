//! Every file that documents would read: `chatmd check --deps`.

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

/// Lists the files of all documents, each once; nothing if one of them cannot be read.
pub(crate) fn run(inputs: Vec<anyhow::Result<Input>>, args: &CheckArgs, common: &Common) -> anyhow::Result<ExitStatus> {
    let (mut files, mut exits) = (BTreeSet::new(), Vec::new());
    for input in inputs {
        match input.and_then(|input| files_of(input, args.whitespace.into(), &args.files, common)) {
            Ok(Ok(more)) => files.extend(more),
            Ok(Err(exit)) => exits.push(exit),
            Err(error) => exits.push(CliError::report(&error)),
        }
    }
    let exit = ExitStatus::of_all(exits);
    if exit == ExitStatus::Done {
        let here = std::env::current_dir()?;
        let shown = |path: &PathBuf| format!("{}\n", path.strip_prefix(&here).unwrap_or(path).display());
        output::print(&files.iter().map(shown).collect::<String>())?;
    }
    Ok(exit)
}

/// The files that a document and what it imports read. One that cannot be read counts where it is, or else where it
/// should be.
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
    // What does not read may refer to anything.
    if let Err(exit) = report_errors(&diagnostics, &sources, common) {
        return Ok(Err(exit));
    }
    let here = std::env::current_dir()?;
    let imported = sources.ids().filter(|id| *id != source).filter_map(|id| sources.get(id).path.clone());
    let mut files: BTreeSet<PathBuf> = imported.collect();
    for Reference { target, usage, span } in references(&document) {
        if usage == Use::File || usage == Use::Agent && !target.contains("://") {
            let base = sources.get(span.source).path.as_deref();
            let unread = || {
                let beside = base.and_then(Path::parent).unwrap_or(&here).join(target);
                let other = here.join(target);
                if !beside.exists() && other.exists() { other } else { beside }
            };
            files.insert(directory.read(target, base).map_or_else(|_| unread(), |file| file.path));
        }
    }
    Ok(Ok(files))
}
