//! The public API, which every command calls.

pub mod answer;
pub mod append;
mod ask;
pub mod calls;
mod check;
pub mod cut;
mod edit;
pub mod imports;
pub mod input;
pub mod inspect;
#[cfg(feature = "render")]
mod render;
pub mod request;
pub mod response;
mod session;
pub mod source_map;
pub mod turn;

pub use crate::convert::Call;
pub use answer::{Answer, AnswerOptions, AnswerPart, Answered};
pub use append::{AppendOptions, Appended};
pub use cut::{Cut, CutPlace};
pub use imports::Imports;
pub use input::Input;
pub use inspect::{FileReference, Location, Output};
pub use response::{InputKind, Reply, ResponseOptions};
pub use source_map::{SourceMap, SourcePlace};
pub use turn::Turn;

use std::fmt;

use crate::convert::{Context, Request, RequestOptions, Wanted};
use crate::diagnostic::{Diagnostics, Report};
use crate::document::{Document, Limits};
use crate::error::Error;
use crate::json::StringArena;
use crate::resolve::Resolver;
use crate::resources::{NoFiles, Programs, Resources};
use crate::source::{Sources, Span};
use crate::syntax::write::Whitespace;

/// Converts documents to requests, and responses to documents.
///
/// By default a document cannot read files, and no program is run.
///
/// ```
/// use chatmd::resources::Memory;
/// use chatmd::{Converter, RequestOptions};
///
/// let files = Memory::new().with("rules.md", "Be brief.");
/// let converter = Converter::new().resources(&files);
/// let document = "<config model=\"gpt-5\"/>\n<system>\n<import src=\"rules.md\"/>\n</system>\n";
/// let output = converter.to_request(document, &RequestOptions::default())?;
/// assert!(output.value.contains(r#""text":"Be brief.""#));
/// # Ok::<(), chatmd::Error>(())
/// ```
#[derive(Clone, Copy)]
pub struct Converter<'r> {
    resources: &'r dyn Resources,
    programs: Option<&'r dyn Programs>,
    whitespace: Whitespace,
    limits: Limits,
}

impl fmt::Debug for Converter<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { whitespace, limits, .. } = self;
        f.debug_struct("Converter").field("whitespace", whitespace).field("limits", limits).finish_non_exhaustive()
    }
}

impl Default for Converter<'_> {
    fn default() -> Self {
        Self { resources: &NoFiles, programs: None, whitespace: Whitespace::default(), limits: Limits::default() }
    }
}

/// A document that has been read, and everything needed to convert it.
struct Reading<'d> {
    document: &'d Document<'d>,
    context: Context<'d>,
    options: &'d RequestOptions,
    /// Where a problem of the whole request is reported.
    place: Span,
}

impl<'d> Reading<'d> {
    /// The request of the document. No model is needed.
    fn request(&self, diagnostics: &mut Diagnostics) -> Request<'d> {
        Request::of(self.document, &self.context, self.options, Wanted::Unsent, self.place, diagnostics)
    }

    /// Where the value at a path of the request is written.
    fn locate(&self, path: &str, diagnostics: &mut Diagnostics) -> Option<Span> {
        self.with_located(diagnostics, |request| request.locate(path))
    }

    /// Reads the request with the places of its parts.
    fn with_located<T>(&self, diagnostics: &mut Diagnostics, read: impl FnOnce(&Request<'_>) -> T) -> T {
        // The places do not depend on what is in other files, and a missing file must not hide them.
        let resolver = self.context.resolver.without_reading();
        let context = Context { resolver: &resolver, locates_parts: true, ..self.context };
        read(&Request::of(self.document, &context, self.options, Wanted::Unsent, self.place, diagnostics))
    }
}

impl<'r> Converter<'r> {
    /// A converter whose documents read no files and run no programs.
    pub fn new() -> Self {
        Self::default()
    }

    /// Lets documents read these files.
    #[must_use]
    pub fn resources(self, resources: &'r dyn Resources) -> Self {
        Self { resources, ..self }
    }

    /// Lets documents run these programs, for pages and agents.
    #[must_use]
    pub fn programs(self, programs: &'r dyn Programs) -> Self {
        Self { programs: Some(programs), ..self }
    }

    /// Sets which whitespace of a body is content.
    #[must_use]
    pub fn whitespace(self, whitespace: Whitespace) -> Self {
        Self { whitespace, ..self }
    }

    /// Limits the number of files and of bytes that are imported.
    #[must_use]
    pub fn limits(self, limits: Limits) -> Self {
        Self { limits, ..self }
    }

    /// Reads a document and its imports, and passes it to `work`. Returns an error if either reports one.
    fn with_document<T>(
        &self,
        input: impl Into<Input>,
        options: &RequestOptions,
        work: impl for<'d> FnOnce(&Reading<'d>, &mut Diagnostics) -> T,
    ) -> Result<Output<T>, Error> {
        self.with_context(input, options, |context, place, _, diagnostics| {
            let document = context.read(place.source, diagnostics);
            work(&Reading { document: &document, context, options, place }, diagnostics)
        })
    }

    fn context<'d>(&self, resolver: &'d Resolver<'d>, strings: &'d StringArena) -> Context<'d> {
        Context::new(resolver, strings, self.whitespace, self.limits)
    }

    /// Prepares to read a document, and calls `work` with the place of the document and its report. Returns an error if
    /// `work` reports one.
    fn with_context<T>(
        &self,
        input: impl Into<Input>,
        options: &RequestOptions,
        work: impl for<'d> FnOnce(Context<'d>, Span, &'d Report, &mut Diagnostics) -> T,
    ) -> Result<Output<T>, Error> {
        let (sources, strings) = (Sources::new(), StringArena::default());
        let mut diagnostics = Diagnostics::new();
        let source = input.into().add_to(&sources, &mut diagnostics);
        let report = Report::about(sources);
        if diagnostics.has_errors() {
            report.set(diagnostics);
            return Err(Error::Problems(report));
        }
        let value = {
            let sources = report.sources();
            let resolver = Resolver::new(sources, self.resources).with_programs(self.programs);
            let model = options.model.as_deref().or(options.default_model.as_deref());
            let locates_parts = options.source_map;
            let context = Context { model, locates_parts, ..self.context(&resolver, &strings) };
            let start = sources.get(source).start();
            let place = Span::new(source, start..start);
            work(context, place, &report, &mut diagnostics)
        };
        report.set(diagnostics);
        Output { value, warnings: report.without_unneeded_texts() }.unless_errors()
    }
}
