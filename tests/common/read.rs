//! Reading documents and fixtures in tests.
#![allow(dead_code)] // each test binary uses a part

#[path = "examples.rs"]
pub(crate) mod examples;

use std::fs;
use std::path::{Path, PathBuf};

use chatmd::internal::diagnostic::Diagnostics;
use chatmd::internal::document::{self, Document};
use chatmd::internal::source::Sources;
use chatmd::internal::syntax::write::Whitespace;
use chatmd::internal::syntax::{self, Node};

pub(crate) const MODES: [Whitespace; 2] = [Whitespace::Layout, Whitespace::Verbatim];

/// The syntax tree of a text, and its problems.
pub(crate) fn parse<'s>(sources: &'s Sources, text: &str) -> (Vec<Node<'s>>, Diagnostics) {
    let mut diagnostics = Diagnostics::new();
    let source = sources.add("test.md", text.to_owned(), None);
    let nodes = syntax::parse(sources, source, &mut diagnostics);
    (nodes, diagnostics)
}

/// The document of a text, and its problems.
pub(crate) fn read<'s>(sources: &'s Sources, text: &str, whitespace: Whitespace) -> (Document<'s>, Diagnostics) {
    let (nodes, mut diagnostics) = parse(sources, text);
    let document = document::lower(&nodes, whitespace, &mut diagnostics);
    (document, diagnostics)
}

pub(crate) fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures")
}

/// The files below a fixture directory with this ending, in a fixed order.
pub(crate) fn files(directory: &str, ending: &str) -> Vec<PathBuf> {
    fn walk(directory: &Path, ending: &str, matches: &mut Vec<PathBuf>) {
        for entry in fs::read_dir(directory).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                walk(&path, ending, matches);
            } else if path.to_string_lossy().ends_with(ending) {
                matches.push(path);
            }
        }
    }
    let mut matches = Vec::new();
    walk(&fixtures().join(directory), ending, &mut matches);
    matches.sort();
    assert!(!matches.is_empty(), "no {ending} in fixtures/{directory}");
    matches
}

/// Every ChatMarkdown text of the fixtures: whole documents and the examples of the reference.
pub(crate) fn documents() -> Vec<String> {
    let directories = ["problems", "requests", "responses", "seeds", "examples"];
    let whole = directories
        .iter()
        .flat_map(|directory| files(directory, ".md"))
        .filter_map(|path| fs::read_to_string(path).ok());
    let examples = files("../docs/language", ".md").into_iter().flat_map(|path| examples::examples(&path));
    whole.chain(examples.map(|example| example.source)).collect()
}
