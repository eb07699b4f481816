//! Finds the files that are imported into bodies, and so are not documents of their own.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use chatmd::convert::Context;
use chatmd::diagnostic::Diagnostics;
use chatmd::json::StringArena;
use chatmd::resolve::Resolver;
use chatmd::source::{SourceId, Sources, Span};
use chatmd::syntax::{Node, parse_body};

use crate::cli::args::CheckArgs;
use crate::cli::input::Input;
use crate::cli::report::add;

/// The files that one document imports.
#[derive(Default)]
struct Imports {
    at_top_level: HashSet<PathBuf>,
    into_bodies: HashSet<PathBuf>,
}

/// The files that the documents import into bodies only.
pub(crate) fn fragments(documents: &[PathBuf], args: &CheckArgs) -> HashSet<PathBuf> {
    if documents.len() < 2 {
        return HashSet::new();
    }
    let named = documents.iter().filter(|document| *document != Path::new("-"));
    // A file that cannot be read is reported when it is checked.
    let inputs = named.filter_map(|document| Input::file(document).ok());
    let imports: Vec<_> = inputs.map(|input| (input.path.clone(), imports(input, args))).collect();
    let mut fragments: HashSet<PathBuf> = imports.iter().flat_map(|(_, files)| files.into_bodies.clone()).collect();
    // Whatever a fragment imports is imported into a body.
    let is_document = |path: &Option<PathBuf>| path.as_ref().is_none_or(|path| !fragments.contains(path));
    let documents = imports.iter().filter(|(path, _)| is_document(path));
    let elements: HashSet<&PathBuf> = documents.flat_map(|(_, files)| &files.at_top_level).collect();
    fragments.retain(|path| !elements.contains(path));
    fragments
}

fn imports(input: Input, args: &CheckArgs) -> Imports {
    let mut imports = Imports::default();
    let Ok(directory) = args.files.directory(input.path.as_deref()) else { return imports };
    let (sources, strings, mut diagnostics) = (Sources::new(), StringArena::default(), Diagnostics::new());
    let source = add(input, &sources, &mut diagnostics);
    if diagnostics.has_errors() {
        return imports;
    }
    let resolver = Resolver::new(&sources, &directory);
    Context::new(&resolver, &strings).read(source, args.whitespace.into(), args.files.limits(), &mut diagnostics);
    let top_level: HashSet<(SourceId, usize)> = sources.ids().flat_map(|id| top_level_elements(&sources, id)).collect();
    for id in sources.ids().filter(|id| *id != source) {
        let is_top_level = |import: Span| top_level.contains(&(import.source, import.start));
        let is_at_top_level = sources.import_chain(id).all(is_top_level);
        let files = if is_at_top_level { &mut imports.at_top_level } else { &mut imports.into_bodies };
        files.extend(sources.get(id).path.clone());
    }
    imports
}

/// Where each element at top level of a source starts.
fn top_level_elements(sources: &Sources, id: SourceId) -> Vec<(SourceId, usize)> {
    let nodes = parse_body(sources, id, &mut Diagnostics::new());
    let elements = nodes.iter().filter(|node| matches!(node, Node::Element(_)));
    elements.map(|node| (id, node.span().start)).collect()
}
