//! The imports of a document, with their places.

use std::collections::HashSet;
use std::path::PathBuf;

use super::{Converter, Input};
use crate::diagnostic::Diagnostics;
use crate::json::StringArena;
use crate::resolve::Resolver;
use crate::source::{SourceId, Sources, Span};
use crate::syntax::{Node, parse_body};

/// The files that a document imports, directly or not.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Imports {
    /// Files whose elements become elements of the document.
    pub at_top_level: HashSet<PathBuf>,
    /// Files whose content becomes part of a message.
    pub into_bodies: HashSet<PathBuf>,
}

impl Converter<'_> {
    /// The files that a document imports. A file that cannot be read is left out.
    pub fn imports(&self, document: impl Into<Input>) -> Imports {
        let (sources, strings, mut diagnostics) = (Sources::new(), StringArena::default(), Diagnostics::new());
        let source = document.into().add_to(&sources, &mut diagnostics);
        let mut imports = Imports::default();
        if diagnostics.has_errors() {
            return imports;
        }
        let resolver = Resolver::new(&sources, self.resources);
        self.context(&resolver, &strings).read(source, &mut diagnostics);
        let elements: HashSet<(SourceId, usize)> = sources.ids().flat_map(|id| top_level(&sources, id)).collect();
        let is_top_level = |import: Span| elements.contains(&(import.source, import.start));
        for id in sources.ids().filter(|id| *id != source) {
            let is_at_top_level = sources.import_chain(id).all(is_top_level);
            let files = if is_at_top_level { &mut imports.at_top_level } else { &mut imports.into_bodies };
            files.extend(sources.get(id).path.clone());
        }
        imports
    }
}

/// Where each element at top level of a source starts.
fn top_level(sources: &Sources, id: SourceId) -> Vec<(SourceId, usize)> {
    let nodes = parse_body(sources, id, &mut Diagnostics::new());
    let elements = nodes.iter().filter(|node| matches!(node, Node::Element(_)));
    elements.map(|node| (id, node.span().start)).collect()
}
