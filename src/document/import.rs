//! `<import>`: replaces the element by the content of the file.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use super::{Block, Body, Directive, Media, MediaKind, Part, lower, lower_body};
use crate::diagnostic::{Ceiling, Diagnostics, DirectiveProblem, FileProblem, Remedy, SyntaxProblem};
pub use crate::options::Limits;
use crate::resources::media::image_type;
use crate::resources::{Loaded, ReadError, Resources, normalize};
use crate::source::{NotUtf8, SourceId, Sources, Span, Spanned, decode};
use crate::syntax::write::Whitespace;
use crate::syntax::{Node, parse_body_inside, parse_imported};

/// Replaces the imports of one document by the content of their files.
pub struct Expansion<'s, 'r> {
    pub(super) whitespace: Whitespace,
    pub(super) sources: &'s Sources,
    resources: &'r dyn Resources,
    limits: Limits,
    /// The files that are being expanded, the document among them.
    open: HashSet<PathBuf>,
    most_open: usize,
    imports: usize,
    bytes: usize,
}

/// A file that is being expanded, and the rest of its content. The document has no path here.
pub(super) type OpenFile<T> = (Option<PathBuf>, std::vec::IntoIter<Spanned<T>>);

/// Nested imports are a list of open files instead of recursion, so that the import depth does not use up the stack.
impl<'s, 'r> Expansion<'s, 'r> {
    /// Creates the state for expanding the imports of `source`.
    pub fn new(
        source: SourceId,
        whitespace: Whitespace,
        sources: &'s Sources,
        resources: &'r dyn Resources,
        limits: Limits,
    ) -> Self {
        let open: HashSet<PathBuf> = sources.get(source).path.clone().into_iter().collect();
        let most_open = limits.depth.saturating_add(open.len());
        Self { whitespace, sources, resources, limits, open, most_open, imports: 0, bytes: 0 }
    }

    /// A body with this many elements around it, in which imports are replaced.
    pub fn body(&mut self, body: Body<'s>, elements: usize, diagnostics: &mut Diagnostics) -> Body<'s> {
        let may_import = |kind| matches!(kind, MediaKind::Import | MediaKind::Agent);
        if !body.iter().any(|part| matches!(&part.value, Part::Media(media) if may_import(media.kind))) {
            return body;
        }
        let mut expanded = Vec::with_capacity(body.len());
        let mut files: Vec<OpenFile<Part<'s>>> = vec![(None, body.into_iter())];
        while let Some((path, parts)) = files.last_mut() {
            let Some(Spanned { value, span }) = parts.next() else {
                self.leave(path.take());
                files.pop();
                continue;
            };
            match value {
                Part::Media(import) if import.kind == MediaKind::Import => match self.enter(&import, span, diagnostics)
                {
                    Some((source, path)) => {
                        files.push((Some(path), self.parts_of(source, elements, diagnostics).into_iter()));
                    }
                    None => expanded.push(Spanned::new(Part::Media(import), span)),
                },
                Part::Media(mut media) => {
                    media.body = self.body(media.body, elements + 1, diagnostics);
                    expanded.push(Spanned::new(Part::Media(media), span));
                }
                Part::Text(_) | Part::Summary(_) | Part::Metadata(_) => expanded.push(Spanned::new(value, span)),
            }
        }
        expanded
    }

    /// The blocks of a file that an import at top level names.
    pub(super) fn blocks_of(
        &mut self,
        import: &Media<'s>,
        at: Span,
        diagnostics: &mut Diagnostics,
    ) -> Option<OpenFile<Block<'s>>> {
        let (source, path) = self.enter(import, at, diagnostics)?;
        let nodes = parse_imported(self.sources, source, diagnostics);
        report_directives(&nodes, diagnostics);
        let mut document = lower(&nodes, self.whitespace, diagnostics);
        // The placeholder for the next turn of that file is not one of this document.
        document.remove_placeholder();
        Some((Some(path), document.blocks.into_iter()))
    }

    fn parts_of(&mut self, source: SourceId, elements: usize, diagnostics: &mut Diagnostics) -> Body<'s> {
        let nodes = parse_body_inside(elements, self.sources, source, diagnostics);
        report_directives(&nodes, diagnostics);
        lower_body(nodes, self.whitespace, diagnostics)
    }

    /// Reads the file and marks it as open. Returns `None` if it cannot be read, which is reported.
    fn enter(&mut self, import: &Media<'s>, at: Span, diagnostics: &mut Diagnostics) -> Option<(SourceId, PathBuf)> {
        if self.imports > self.limits.imports || self.bytes > self.limits.bytes {
            return None;
        }
        let file = match self.file(import, at) {
            Ok(file) => file,
            Err(problem) => {
                diagnostics.report(problem, at);
                return None;
            }
        };
        let name = self.name_of(import.source().target(), &file.path, at.source);
        let path = Some(file.path.clone());
        let source = add_text(self.sources, name, path, file.bytes, Some(at), diagnostics).ok()?;
        self.open.insert(file.path.clone());
        Some((source, file.path))
    }

    /// The file that an import names, if the limits allow one more.
    fn file(&mut self, import: &Media<'s>, at: Span) -> Result<Loaded, FileProblem> {
        let Limits { depth, imports, bytes } = self.limits;
        self.imports += 1;
        if self.imports > imports {
            return Err(FileProblem::TooManyImports { limit: imports });
        }
        let file = load_file(import.source().target(), at, self.sources, self.resources)?;
        if self.open.contains(&file.path) {
            return Err(FileProblem::ImportCycle);
        }
        if self.open.len() >= self.most_open {
            return Err(FileProblem::ImportTooDeep { limit: depth });
        }
        self.bytes += file.bytes.len();
        if self.bytes > bytes {
            return Err(FileProblem::ImportsTooLarge { limit: bytes });
        }
        Ok(file)
    }

    /// Marks a file as read to its end.
    pub(super) fn leave(&mut self, path: Option<PathBuf>) {
        if let Some(path) = path {
            self.open.remove(&path);
        }
    }

    /// The name of a file in messages: a path relative to where the document's name starts.
    fn name_of(&self, written: &str, read: &Path, importer: SourceId) -> String {
        let importer = self.sources.get(importer);
        let directory = |path: &Path| path.parent().unwrap_or(Path::new("")).join(written);
        // A file that is not relative to the importer comes from another root.
        let is_beside = importer.path.as_deref().is_some_and(|path| normalize(&directory(path)) == normalize(read));
        let named = directory(Path::new(&importer.name));
        if is_beside { named.to_string_lossy().into_owned() } else { written.to_owned() }
    }
}

/// Adds the text of a file. Bytes that are not UTF-8 are reported as an error, and only the text before them is added.
pub fn add_text(
    sources: &Sources,
    name: String,
    path: Option<PathBuf>,
    bytes: Vec<u8>,
    imported_at: Option<Span>,
    diagnostics: &mut Diagnostics,
) -> Result<SourceId, SourceId> {
    let media_type = if imported_at.is_none() { image_type(&bytes) } else { None };
    match decode(bytes) {
        Ok(text) => Ok(sources.add_file(name, path, text, imported_at)),
        Err(NotUtf8 { valid, byte, looks_like_utf16 }) => {
            let offset = valid.len();
            let source = sources.add_file(name, path, valid, imported_at);
            let problem = SyntaxProblem::NotUtf8 { byte, offset, looks_like_utf16, media_type };
            diagnostics.report(problem, Span::new(source, offset..offset));
            Err(source)
        }
    }
}

/// Reports metadata: only the document itself may hold it.
fn report_directives(nodes: &[Node<'_>], diagnostics: &mut Diagnostics) {
    for node in nodes {
        match node {
            Node::Element(element) => report_directives(&element.children, diagnostics),
            Node::Comment(comment) if Directive::metadata(comment.value).is_some() => {
                diagnostics.report(DirectiveProblem::DirectiveInImport, comment.span);
            }
            Node::Comment(_) | Node::Text(_) | Node::Raw(_) => {}
        }
    }
}

/// Reads the file that `path` names at `at`.
pub fn load_file(path: &str, at: Span, sources: &Sources, resources: &dyn Resources) -> Result<Loaded, FileProblem> {
    let source = sources.get(at.source);
    // A text without a path that is not the document was fetched.
    if source.path.is_none() && source.imported_at.is_some() {
        let why = "a prompt that was fetched reads no files".to_owned();
        return Err(FileProblem::ForbiddenFile { path: path.to_owned(), why, remedy: Remedy::LocalPrompt });
    }
    let base = source.path.as_deref();
    resources.read(path, base).map_err(|error| {
        let (path, why) = (path.to_owned(), error.to_string());
        match error {
            ReadError::Missing => {
                let is_in_current_dir = resources.is_in_current_dir(&path, base);
                FileProblem::MissingFile { path, is_in_current_dir }
            }
            ReadError::Outside => {
                let is_in_current_dir = resources.is_in_current_dir(&path, base);
                let remedy = if is_in_current_dir { Remedy::CurrentDirectory } else { Remedy::Directory };
                FileProblem::ForbiddenFile { path, why, remedy }
            }
            ReadError::NotAFile(_) => FileProblem::ForbiddenFile { path, why, remedy: Remedy::RegularFile },
            ReadError::TooLarge { .. } => FileProblem::FileTooLarge { path, why, ceiling: Ceiling::File },
            ReadError::TooMuch { .. } => FileProblem::FileTooLarge { path, why, ceiling: Ceiling::Total },
            ReadError::LinkLoop | ReadError::InvalidName(_) => FileProblem::UnusableFile { path, why },
            ReadError::Unreadable(why) => FileProblem::UnreadableFile { path, why },
        }
    })
}
