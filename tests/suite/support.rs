//! Reading documents and fixtures in tests.

use std::fs;
use std::path::{Path, PathBuf};

use chatmd::diagnostic::Diagnostics;
use chatmd::document::{self, Document};
use chatmd::source::Sources;
use chatmd::syntax::write::Whitespace;
use chatmd::syntax::{self, Node};

pub(crate) const MODES: [Whitespace; 2] = [Whitespace::Layout, Whitespace::Verbatim];

/// The syntax tree of a text, and what is wrong with it.
pub(crate) fn parse<'s>(sources: &'s Sources, text: &str) -> (Vec<Node<'s>>, Diagnostics) {
    let mut found = Diagnostics::new();
    let source = sources.add("test.md", text.to_owned(), None);
    let nodes = syntax::parse(sources, source, &mut found);
    (nodes, found)
}

/// The document of a text, and what is wrong with it.
pub(crate) fn read<'s>(sources: &'s Sources, text: &str, whitespace: Whitespace) -> (Document<'s>, Diagnostics) {
    let (nodes, mut found) = parse(sources, text);
    let document = document::lower(&nodes, whitespace, &mut found);
    (document, found)
}

pub(crate) fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures")
}

/// The files of a fixture folder with this ending, below it too, in a fixed order.
pub(crate) fn files(folder: &str, ending: &str) -> Vec<PathBuf> {
    fn walk(folder: &Path, ending: &str, found: &mut Vec<PathBuf>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                walk(&path, ending, found);
            } else if path.to_string_lossy().ends_with(ending) {
                found.push(path);
            }
        }
    }
    let mut found = Vec::new();
    walk(&fixtures().join(folder), ending, &mut found);
    found.sort();
    assert!(!found.is_empty(), "no {ending} in fixtures/{folder}");
    found
}

/// Every ChatMarkdown text of the fixtures: whole documents and the examples of the reference.
pub(crate) fn documents() -> Vec<String> {
    let folders = ["problems", "requests", "responses", "examples"];
    let whole = folders.iter().flat_map(|folder| files(folder, ".md")).filter_map(|path| fs::read_to_string(path).ok());
    let examples = files("spec", ".md").into_iter().flat_map(|path| crate::spec::examples(&path));
    whole.chain(examples.map(|example| example.source)).collect()
}
