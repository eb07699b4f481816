//! `<import>`: other files' blocks and content, in place.

use std::collections::HashSet;
use std::path::{Component, Path, PathBuf};

use super::layout::carried_data;
use super::{Block, Body, Document, Import, Part, lower, lower_body};
use crate::diagnostic::{Ceiling, Diagnostics, Problem, Remedy};
use crate::resources::{Loaded, ReadError, Resources};
use crate::source::{NotUtf8, SourceId, Sources, Span, Spanned, decode};
use crate::syntax::write::Whitespace;
use crate::syntax::{Node, parse, parse_body_inside};

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
    let open: HashSet<PathBuf> = path.into_iter().collect();
    let most_open = limits.depth.saturating_add(open.len());
    let mut expansion =
        Expansion { whitespace, sources, resources, limits, diagnostics, open, most_open, imports: 0, bytes: 0 };
    Document { blocks: expansion.blocks(document.blocks) }
}

struct Expansion<'s, 'f> {
    whitespace: Whitespace,
    sources: &'s Sources,
    resources: &'f dyn Resources,
    limits: Limits,
    diagnostics: &'f mut Diagnostics,
    /// The files around the place where the expansion stands, the document among them.
    open: HashSet<PathBuf>,
    most_open: usize,
    imports: usize,
    bytes: usize,
}

/// A file that is being read, and what of it is not expanded yet. The document has no path here.
type OpenFile<T> = (Option<PathBuf>, std::vec::IntoIter<Spanned<T>>);

/// Imports inside imports are a list of open files and no recursion, so that their number is no matter of the stack.
impl<'s> Expansion<'s, '_> {
    fn blocks(&mut self, blocks: Vec<Spanned<Block<'s>>>) -> Vec<Spanned<Block<'s>>> {
        let mut expanded = Vec::with_capacity(blocks.len());
        let mut files: Vec<OpenFile<Block<'s>>> = vec![(None, blocks.into_iter())];
        while let Some((path, blocks)) = files.last_mut() {
            let Some(Spanned { value, span }) = blocks.next() else {
                self.leave(path.take());
                files.pop();
                continue;
            };
            match value {
                Block::Import(import) => match self.enter(&import, span) {
                    Some((source, path)) => files.push((Some(path), self.blocks_of(source).into_iter())),
                    None => expanded.push(Spanned::new(Block::Import(import), span)),
                },
                Block::Message(mut message) => {
                    message.body = self.body(message.body, 1);
                    expanded.push(Spanned::new(Block::Message(message), span));
                }
                value => expanded.push(Spanned::new(value, span)),
            }
        }
        expanded
    }

    /// A body with this many elements around it.
    fn body(&mut self, body: Body<'s>, elements: usize) -> Body<'s> {
        let mut expanded = Vec::with_capacity(body.len());
        let mut files: Vec<OpenFile<Part<'s>>> = vec![(None, body.into_iter())];
        while let Some((path, parts)) = files.last_mut() {
            let Some(Spanned { value, span }) = parts.next() else {
                self.leave(path.take());
                files.pop();
                continue;
            };
            match value {
                Part::Import(import) => match self.enter(&import, span) {
                    Some((source, path)) => files.push((Some(path), self.parts_of(source, elements).into_iter())),
                    None => expanded.push(Spanned::new(Part::Import(import), span)),
                },
                Part::Agent(mut agent) => {
                    agent.body = self.body(agent.body, elements + 1);
                    expanded.push(Spanned::new(Part::Agent(agent), span));
                }
                value => expanded.push(Spanned::new(value, span)),
            }
        }
        expanded
    }

    fn blocks_of(&mut self, source: SourceId) -> Vec<Spanned<Block<'s>>> {
        let nodes = parse(self.sources, source, self.diagnostics);
        self.report_carried(&nodes);
        let mut document = lower(&nodes, self.whitespace, self.diagnostics);
        // The next turn of that file is not one of this document.
        document.remove_placeholder();
        document.blocks
    }

    fn parts_of(&mut self, source: SourceId, elements: usize) -> Body<'s> {
        let nodes = parse_body_inside(elements, self.sources, source, self.diagnostics);
        self.report_carried(&nodes);
        lower_body(nodes, self.whitespace, self.diagnostics)
    }

    /// Reads the file and notes that it is open; `None` if it cannot be, which is reported.
    fn enter(&mut self, import: &Import<'s>, at: Span) -> Option<(SourceId, PathBuf)> {
        if self.imports > self.limits.imports || self.bytes > self.limits.bytes {
            return None;
        }
        let file = match self.file(import, at) {
            Ok(file) => file,
            Err(problem) => {
                self.diagnostics.report(problem, at);
                return None;
            }
        };
        let name = self.name_of(&import.path, &file.path, at.source);
        let path = Some(file.path.clone());
        match decode(file.bytes) {
            Ok(text) => {
                self.open.insert(file.path.clone());
                Some((self.sources.add_file(name, path, text, Some(at)), file.path))
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

    /// The file that an import names, if one more may be brought in.
    fn file(&mut self, import: &Import<'s>, at: Span) -> Result<Loaded, Problem> {
        let Limits { depth, imports, bytes } = self.limits;
        self.imports += 1;
        if self.imports > imports {
            return Err(Problem::TooManyImports { limit: imports });
        }
        let file = read_file(&import.path, at, self.sources, self.resources)?;
        if self.open.contains(&file.path) {
            return Err(Problem::ImportCycle);
        }
        if self.open.len() >= self.most_open {
            return Err(Problem::ImportTooDeep { limit: depth });
        }
        self.bytes += file.bytes.len();
        if self.bytes > bytes {
            return Err(Problem::ImportsTooLarge { limit: bytes });
        }
        Ok(file)
    }

    fn leave(&mut self, path: Option<PathBuf>) {
        if let Some(path) = path {
            self.open.remove(&path);
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
                    self.diagnostics.report(Problem::DirectiveInImport, comment.span);
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
        return Err(Problem::ForbiddenFile { path: path.to_owned(), why, remedy: Remedy::LocalPrompt });
    }
    let base = source.path.as_deref();
    resources.read(path, base).map_err(|error| {
        let (path, why) = (path.to_owned(), error.to_string());
        match error {
            ReadError::Missing => {
                let is_in_current_dir = resources.is_in_current_dir(&path, base);
                Problem::MissingFile { path, is_in_current_dir }
            }
            ReadError::Outside => {
                let is_in_current_dir = resources.is_in_current_dir(&path, base);
                let remedy = if is_in_current_dir { Remedy::CurrentDirectory } else { Remedy::Directory };
                Problem::ForbiddenFile { path, why, remedy }
            }
            ReadError::NotAFile(_) => Problem::ForbiddenFile { path, why, remedy: Remedy::RegularFile },
            ReadError::TooLarge { .. } => Problem::UnusableFile { path, why, ceiling: Some(Ceiling::File) },
            ReadError::TooMuch { .. } => Problem::UnusableFile { path, why, ceiling: Some(Ceiling::Total) },
            ReadError::LinkLoop | ReadError::InvalidName(_) => Problem::UnusableFile { path, why, ceiling: None },
            ReadError::Unreadable(why) => Problem::UnreadableFile { path, why },
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
