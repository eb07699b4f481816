//! Everything a document refers to, read once: files, pages and the answers of agents.
//!
//! Conversion, `check`, `show`, `stats` and source maps ask a [`Resolver`] by the place where something is named. The
//! first of them reads it; the others get the same content. So nothing is read or run twice, and content that is not
//! requested is not read at all.

use std::fmt;
use std::path::PathBuf;

use elsa::FrozenMap;

use crate::diagnostic::{Ceiling, Diagnostics, FileProblem};
use crate::document::{MediaSource, load_file};
use crate::resources::media::is_web_url;
use crate::resources::{ProgramError, Programs, Resources};
use crate::source::{SourceId, Sources, Span};

/// Reads what a document refers to, each thing once.
pub struct Resolver<'d> {
    /// The texts that the document was read from.
    pub sources: &'d Sources,
    /// The only reader of files.
    pub resources: &'d dyn Resources,
    programs: Option<&'d dyn Programs>,
    /// Whether anything is read. Otherwise everything has the content [`UNREAD`].
    reads: bool,
    contents: FrozenMap<SourcePosition, Box<Option<Content>>>,
}

impl fmt::Debug for Resolver<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Resolver").field("sources", self.sources).field("reads", &self.reads).finish_non_exhaustive()
    }
}

/// Placeholder for files that are not read. It is valid both as text and as an image.
const UNREAD: &[u8] = b"GIF89a";

/// Where something is named: every element has a place of its own.
type SourcePosition = (SourceId, usize);

/// The content of a file, a page or an agent's answer.
#[derive(Debug)]
pub struct Content {
    /// The whole content.
    pub bytes: Vec<u8>,
    /// Where a file is.
    pub path: Option<PathBuf>,
}

impl<'d> Resolver<'d> {
    /// Reads files, and runs no program.
    pub fn new(sources: &'d Sources, resources: &'d dyn Resources) -> Self {
        Self { sources, resources, programs: None, reads: true, contents: FrozenMap::new() }
    }

    /// The same without reading anything, for places in a request that is not sent.
    #[must_use]
    pub fn without_reading(&self) -> Self {
        Self { reads: false, ..Self::new(self.sources, self.resources) }
    }

    /// Whether files are read.
    pub fn reads(&self) -> bool {
        self.reads
    }

    /// Runs these programs for pages and agents, if there are any.
    #[must_use]
    pub fn with_programs(self, programs: Option<&'d dyn Programs>) -> Self {
        Self { programs, ..self }
    }

    /// The file that is named at a place. The first failure to read it is reported.
    pub fn file(&self, path: &str, span: Span, diagnostics: &mut Diagnostics) -> Option<&Content> {
        self.once(span, || self.read(path, span, diagnostics))
    }

    /// The page at a URL, if a program may fetch it.
    pub fn page(&self, url: &str, span: Span, diagnostics: &mut Diagnostics) -> Option<&Content> {
        self.once(span, || self.fetch(url, span, diagnostics))
    }

    /// The prompt of an agent, from a file or from the web.
    pub fn prompt(&self, source: MediaSource<'_>, span: Span, diagnostics: &mut Diagnostics) -> Option<Content> {
        match source {
            MediaSource::Local(path) => self.read(path, span, diagnostics),
            MediaSource::Url(url) | MediaSource::FileId(url) => self.fetch(url, span, diagnostics),
        }
    }

    fn read(&self, path: &str, span: Span, diagnostics: &mut Diagnostics) -> Option<Content> {
        match load_file(path, span, self.sources, self.resources) {
            Ok(file) => Some(Content { bytes: file.bytes, path: Some(file.path) }),
            Err(problem) => {
                diagnostics.report(problem, span);
                None
            }
        }
    }

    fn fetch(&self, url: &str, span: Span, diagnostics: &mut Diagnostics) -> Option<Content> {
        // Anything else could name a file, or be read as an option of the program.
        match self.programs.filter(|_| is_web_url(url)).and_then(|programs| programs.fetch(url)) {
            None => diagnostics.report(FileProblem::RemoteDoc(url.to_owned()), span),
            Some(Err(error)) => {
                let failed = |why| FileProblem::FetchFailed { url: url.to_owned(), why };
                diagnostics.report(program_problem(&error, url, failed), span);
            }
            Some(Ok(bytes)) => return Some(Content { bytes, path: None }),
        }
        None
    }

    /// Whether agents may be asked.
    pub fn can_ask(&self) -> bool {
        self.programs.is_some_and(Programs::can_ask)
    }

    /// The answer of an agent to a request.
    pub fn answer(&self, request: &str, name: &str, span: Span, diagnostics: &mut Diagnostics) -> Option<String> {
        let failed = |why| FileProblem::AgentFailed { why };
        let problem = match self.programs?.ask(request)? {
            Ok(answer) => match String::from_utf8(answer) {
                Ok(answer) => return Some(answer.strip_suffix('\n').unwrap_or(&answer).to_owned()),
                Err(error) => failed(format!("it is not UTF-8: {error}")),
            },
            Err(error) => program_problem(&error, name, failed),
        };
        diagnostics.report(problem, span);
        None
    }

    /// The content that belongs to a place; `read` gives it the first time.
    pub fn once(&self, span: Span, read: impl FnOnce() -> Option<Content>) -> Option<&Content> {
        let place = (span.source, span.start);
        let read = || if self.reads { read() } else { Some(Content { bytes: UNREAD.to_owned(), path: None }) };
        let known = self.contents.get(&place);
        known.unwrap_or_else(|| self.contents.insert(place, Box::new(read()))).as_ref()
    }
}

/// The problem of a program that gave nothing. A limit of all programs is not a failure of this one.
fn program_problem(error: &ProgramError, name: &str, failed: impl FnOnce(String) -> FileProblem) -> FileProblem {
    let why = error.to_string();
    match error {
        ProgramError::TooManyRuns(limit) => FileProblem::TooManyRuns { limit: *limit },
        ProgramError::TooMuchInAll(_) => {
            FileProblem::FileTooLarge { path: name.to_owned(), why, ceiling: Ceiling::Total }
        }
        ProgramError::NotStarted(_)
        | ProgramError::Failed(..)
        | ProgramError::TooSlow(_)
        | ProgramError::TooMuch(_) => failed(why),
    }
}
