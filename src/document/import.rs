//! `<import>`: other files' blocks and content, in place.

use std::path::{Component, Path, PathBuf};

use super::layout::carried_data;
use super::{Block, Body, Document, Import, Part, lower, lower_body};
use crate::diagnostic::{Diagnostics, Problem, Remedy};
use crate::resources::{Loaded, ReadError, Resources};
use crate::source::{NotUtf8, SourceId, Sources, Span, Spanned, decode};
use crate::syntax::write::Whitespace;
use crate::syntax::{Node, parse, parse_body};

/// How much imports may bring.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// How many files may stand inside each other.
    pub depth: usize,
    /// How many imports there may be in all.
    pub imports: usize,
    /// How many bytes they may bring in all.
    pub bytes: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { depth: 128, imports: 10_000, bytes: 64 << 20 }
    }
}

/// Puts what is imported in the place of every `<import>`. One that cannot be read is reported and stays.
pub fn expand<'s>(
    document: Document<'s>,
    whitespace: Whitespace,
    sources: &'s Sources,
    resources: &dyn Resources,
    limits: Limits,
    diagnostics: &mut Diagnostics,
) -> Document<'s> {
    let path = document.blocks.first().and_then(|block| sources.get(block.span.source).path.clone());
    let open = path.into_iter().collect();
    let mut expansion = Expansion { whitespace, sources, resources, limits, diagnostics, open, imports: 0, bytes: 0 };
    Document { blocks: expansion.blocks(document.blocks) }
}

struct Expansion<'s, 'f> {
    whitespace: Whitespace,
    sources: &'s Sources,
    resources: &'f dyn Resources,
    limits: Limits,
    diagnostics: &'f mut Diagnostics,
    /// The files around the place where the expansion stands, the document first.
    open: Vec<PathBuf>,
    imports: usize,
    bytes: usize,
}

impl<'s> Expansion<'s, '_> {
    fn blocks(&mut self, blocks: Vec<Spanned<Block<'s>>>) -> Vec<Spanned<Block<'s>>> {
        let mut expanded = Vec::with_capacity(blocks.len());
        for block in blocks {
            match block.value {
                Block::Import(import) => expanded.extend(self.imported_blocks(import, block.span)),
                Block::Message(mut message) => {
                    message.body = self.body(message.body);
                    expanded.push(Spanned::new(Block::Message(message), block.span));
                }
                value => expanded.push(Spanned::new(value, block.span)),
            }
        }
        expanded
    }

    fn body(&mut self, body: Body<'s>) -> Body<'s> {
        let mut expanded = Vec::with_capacity(body.len());
        for part in body {
            match part.value {
                Part::Import(import) => expanded.extend(self.imported_body(import, part.span)),
                Part::Agent(mut agent) => {
                    agent.body = self.body(agent.body);
                    expanded.push(Spanned::new(Part::Agent(agent), part.span));
                }
                value => expanded.push(Spanned::new(value, part.span)),
            }
        }
        expanded
    }

    fn imported_blocks(&mut self, import: Import<'s>, at: Span) -> Vec<Spanned<Block<'s>>> {
        let Some(source) = self.enter(&import, at) else { return vec![Spanned::new(Block::Import(import), at)] };
        let nodes = parse(self.sources, source, self.diagnostics);
        self.report_carried(&nodes);
        let mut document = lower(&nodes, self.whitespace, self.diagnostics);
        // The next turn of that file is not one of this document.
        document.remove_placeholder();
        let blocks = self.blocks(document.blocks);
        self.open.pop();
        blocks
    }

    fn imported_body(&mut self, import: Import<'s>, at: Span) -> Body<'s> {
        let Some(source) = self.enter(&import, at) else { return vec![Spanned::new(Part::Import(import), at)] };
        let nodes = parse_body(self.sources, source, self.diagnostics);
        self.report_carried(&nodes);
        let body = lower_body(nodes, self.whitespace, self.diagnostics);
        let body = self.body(body);
        self.open.pop();
        body
    }

    /// Reads the file and notes that it is open; `None` if it cannot be, which is reported.
    fn enter(&mut self, import: &Import<'s>, at: Span) -> Option<SourceId> {
        let refuse = |problem: Problem, diagnostics: &mut Diagnostics| {
            diagnostics.report(problem, at);
            None
        };
        if self.imports == self.limits.imports {
            self.imports += 1;
            return refuse(Problem::TooManyImports { limit: self.limits.imports }, self.diagnostics);
        }
        if self.imports > self.limits.imports || self.bytes > self.limits.bytes {
            return None;
        }
        self.imports += 1;
        let file = match read_file(&import.path, at, self.sources, self.resources) {
            Ok(file) => file,
            Err(problem) => return refuse(problem, self.diagnostics),
        };
        if self.open.contains(&file.path) {
            return refuse(Problem::ImportCycle, self.diagnostics);
        }
        if self.sources.import_chain(at.source).count() >= self.limits.depth {
            return refuse(Problem::ImportTooDeep { limit: self.limits.depth }, self.diagnostics);
        }
        self.bytes += file.bytes.len();
        if self.bytes > self.limits.bytes {
            return refuse(Problem::ImportsTooLarge { limit: self.limits.bytes }, self.diagnostics);
        }
        let name = self.name_of(&import.path, &file.path, at.source);
        let path = Some(file.path.clone());
        match decode(file.bytes) {
            Ok(text) => {
                self.open.push(file.path);
                Some(self.sources.add_file(name, path, text, Some(at)))
            }
            Err(NotUtf8 { valid, byte, looks_like_utf16 }) => {
                let offset = valid.len();
                let source = self.sources.add_file(name, path, valid, Some(at));
                let problem = Problem::NotUtf8 { byte, offset, looks_like_utf16 };
                self.diagnostics.report(problem, Span::new(source, offset..offset));
                None
            }
        }
    }

    /// How messages name a file: as a path from where the document is named from.
    fn name_of(&self, written: &str, read: &Path, importer: SourceId) -> String {
        let importer = self.sources.get(importer);
        let directory = |path: &Path| path.parent().unwrap_or(Path::new("")).join(written);
        // What is not beside the importer was found in another root.
        let is_beside = importer.path.as_deref().is_some_and(|path| same_place(&directory(path), read));
        let named = directory(Path::new(&importer.name));
        if is_beside { named.to_string_lossy().into_owned() } else { written.to_owned() }
    }

    /// Only the document itself may carry data for this program.
    fn report_carried(&mut self, nodes: &[Node<'_>]) {
        for node in nodes {
            match node {
                Node::Element(element) => self.report_carried(&element.children),
                Node::Comment(comment) if carried_data(comment.value).is_some_and(|(kind, _)| kind != "allow") => {
                    self.diagnostics.report(Problem::CarriedInImport, comment.span);
                }
                Node::Comment(_) | Node::Text(_) | Node::Raw(_) => {}
            }
        }
    }
}

/// Reads the file that `path` names at a place of a text.
pub fn read_file(path: &str, at: Span, sources: &Sources, resources: &dyn Resources) -> Result<Loaded, Problem> {
    let source = sources.get(at.source);
    // A text that is neither the document nor from a file was fetched.
    if source.path.is_none() && source.imported_at.is_some() {
        let why = "a prompt that was fetched reads no files".to_owned();
        return Err(Problem::FileRefused { path: path.to_owned(), why, remedy: Remedy::LocalPrompt });
    }
    let base = source.path.as_deref();
    resources.read(path, base).map_err(|error| {
        let (path, why) = (path.to_owned(), error.to_string());
        match error {
            ReadError::Missing => {
                let is_in_current_dir = resources.is_in_current_dir(&path, base);
                Problem::FileMissing { path, is_in_current_dir }
            }
            ReadError::Outside => {
                let is_in_current_dir = resources.is_in_current_dir(&path, base);
                let remedy = if is_in_current_dir { Remedy::CurrentDir } else { Remedy::Root };
                Problem::FileRefused { path, why, remedy }
            }
            ReadError::NotAFile(_) => Problem::FileRefused { path, why, remedy: Remedy::RegularFile },
            ReadError::TooLarge { .. } | ReadError::LinkLoop | ReadError::InvalidName(_) => {
                Problem::FileUnfit { path, why }
            }
            ReadError::Unreadable(why) => Problem::FileUnreadable { path, why },
        }
    })
}

/// Whether two paths are the same once `.` and `..` are taken at their word.
fn same_place(a: &Path, b: &Path) -> bool {
    let plain = |path: &Path| {
        let mut plain = PathBuf::new();
        for step in path.components() {
            match step {
                Component::CurDir => {}
                Component::ParentDir => drop(plain.pop()),
                Component::Normal(_) | Component::RootDir | Component::Prefix(_) => plain.push(step),
            }
        }
        plain
    };
    plain(a) == plain(b)
}
