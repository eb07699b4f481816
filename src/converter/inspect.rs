//! Formatting, statistics, transcripts, locations and file lists.

use std::collections::HashMap;
use std::path::PathBuf;

use super::append::ids;
use super::{Converter, Error, Input, SourcePlace};
use crate::convert::{Request, RequestOptions, named_call, named_part, usage_of_document};
use crate::diagnostic::{Diagnostics, ReplyProblem, Report, RequestProblem, sanitize_line};
use crate::document::{self, Reference, Use, is_same, references};
use crate::error::RoundTripError;
use crate::responses::{ApiError, UnusedReasoning};
use crate::show;
use crate::source::Sources;
use crate::stats::{self, Stats};
use crate::syntax::{self, Node};
use crate::wire::Api;

/// A result and its warnings.
#[derive(Debug)]
#[non_exhaustive]
pub struct Output<T> {
    /// The result.
    pub value: T,
    /// The warnings.
    pub warnings: Report,
}

impl<T> Output<T> {
    /// A result with the diagnostics that were reported. Returns the problems if there is an error among them.
    pub(super) fn new(value: T, diagnostics: Diagnostics, sources: Sources) -> Result<Self, Error> {
        Self { value, warnings: Report::new(diagnostics, Vec::new(), sources) }.unless_errors()
    }

    /// The same result. Returns the problems if there is an error among them.
    pub(super) fn unless_errors(self) -> Result<Self, Error> {
        if self.warnings.has_errors() { Err(Error::Problems(self.warnings)) } else { Ok(self) }
    }
}

/// A file that a document refers to.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct FileReference {
    /// The path as it is written.
    pub target: String,
    /// The file that refers to it, if it is known.
    pub base: Option<PathBuf>,
    /// Where the file is; `None` if it cannot be read.
    pub path: Option<PathBuf>,
}

impl Converter<'_> {
    /// Formats a document without changing its meaning. The result is read back and compared.
    pub fn format(&self, document: impl Into<Input>) -> Result<Output<String>, Error> {
        let (sources, mut diagnostics) = (Sources::new(), Diagnostics::new());
        let source = document.into().add_to(&sources, &mut diagnostics);
        let format = |diagnostics: &mut _| document::format(&sources, source, self.whitespace, diagnostics);
        let formatted = if diagnostics.has_errors() { None } else { format(&mut diagnostics) };
        let value = formatted.unwrap_or_default();
        if !diagnostics.has_errors()
            && !is_same(&sources, source, sources.add("", value.clone(), None), self.whitespace)
        {
            return Err(RoundTripError { what: "the formatted document".to_owned() }.into());
        }
        Output::new(value, diagnostics, sources)
    }

    /// Counts what the request of a document costs.
    pub fn stats(&self, document: impl Into<Input>, options: &RequestOptions) -> Result<Output<Stats>, Error> {
        self.with_document(document, options, |reading, diagnostics| {
            let usage = usage_of_document(reading.document);
            Stats { usage, ..stats::count(&reading.request(diagnostics)) }
        })
    }

    /// A document as a transcript for people. Files that cannot be read are shown by their names.
    pub fn show(&self, document: impl Into<Input>, options: &show::Options) -> Result<Output<String>, Error> {
        self.with_document(document, &RequestOptions::default(), |reading, diagnostics| {
            *diagnostics = diagnostics.without(|rule| rule.is_about_other_file);
            let source = reading.context.sources.get(reading.place.source);
            let head = show::show_front_matter(syntax::front_matter(&source.text[source.start()..]), options);
            let transcript = show::show(reading.document, reading.context.resolver, options);
            let gap = if head.is_empty() || transcript.is_empty() { "" } else { "\n" };
            [head.as_str(), gap, &transcript].concat()
        })
    }

    /// Where the value at `path` of the document's request is written. The nearest enclosing part that has a place
    /// counts. The path is what the API's errors name, such as `input[3].output[0].image_url`, or a JSON pointer.
    pub fn locate(
        &self,
        document: impl Into<Input>,
        options: &RequestOptions,
        path: &str,
    ) -> Result<Output<Option<Location>>, Error> {
        self.with_document(document, &for_path(options, path), |reading, diagnostics| {
            let (span, (existing, value, is_whole)) =
                reading.with_located(diagnostics, |request| match (request.locate(path), request.follow(path)) {
                    (Some(span), followed) => Some((span, followed)),
                    (None, followed) if followed.2 => Some((request.locate_inside(path)?, followed)),
                    (None, followed) => Some((request.place, followed)),
                })?;
            let sources = reading.context.sources;
            let (source, line) = (sources.get(span.source), sources.line_column(span).0);
            let line_text = source.text[source.line_range(line - 1)].to_owned();
            let place = SourcePlace::new(span, source.name.as_str().into(), sources);
            Some(Location { place, line_text, existing, value, is_whole })
        })
    }

    /// The error of the API at the place in the document that caused it; `None` if that is not known.
    pub fn locate_error(
        &self,
        document: impl Into<Input>,
        options: &RequestOptions,
        error: &ApiError,
    ) -> Option<Report> {
        let located = self.with_document(document, options, |reading, diagnostics| {
            let api = Request::api_of(reading.document, &reading.context, reading.options);
            let named = named_part(error);
            let param = named.and_then(|param| {
                let span = reading.locate(param, diagnostics)?;
                // If an element could not be converted, the indices of the items after it are wrong.
                (!diagnostics.has_errors()).then(|| (param.to_owned(), span))
            });
            let call = || named_call(reading.document, api, &error.message);
            // A whole message of several blocks says less than a call in it.
            let is_message = api != Api::Responses && named.is_some_and(|named| !named.contains("content"));
            let cause = if is_message { call().or(param) } else { param.or_else(call) };
            *diagnostics = Diagnostics::new();
            if let Some((param, span)) = cause {
                diagnostics.report(RequestProblem::ApiError { message: error.to_string(), param }, span);
            }
        });
        match located {
            Err(Error::Problems(report)) => Some(report),
            Ok(_) | Err(Error::Api(_) | Error::RoundTrip(_) | Error::Answer(_) | Error::Io(_)) => None,
        }
    }

    /// Reasoning that the API did not use, as warnings at its places in the document of the request. Also returns the
    /// reasoning that the document does not have.
    pub(crate) fn locate_unused<'u>(
        &self,
        document: impl Into<Input>,
        unused: &'u [UnusedReasoning],
    ) -> Result<Output<Vec<&'u UnusedReasoning>>, Error> {
        self.with_document(document, &RequestOptions::default(), |reading, diagnostics| {
            *diagnostics = Diagnostics::new();
            let blocks = reading.document.blocks.iter();
            let places: HashMap<_, _> =
                blocks.flat_map(|block| ids(&block.value).into_iter().map(|id| (id, block.span))).collect();
            let mut missing = Vec::new();
            for one in unused {
                match places.get(one.id.as_str()) {
                    Some(span) => {
                        diagnostics.report(ReplyProblem::UnusedReasoning { why: sanitize_line(&one.why) }, *span);
                    }
                    None => missing.push(one),
                }
            }
            missing
        })
    }

    /// The files that a document and its imports read.
    pub fn files(&self, document: impl Into<Input>) -> Result<Output<Vec<FileReference>>, Error> {
        self.with_document(document, &RequestOptions::default(), |reading, _| {
            let sources = reading.context.sources;
            let imported = sources.ids().filter_map(|id| {
                let (path, at) = (sources.get(id).path.clone()?, sources.get(id).imported_at?);
                let base = sources.get(at.source).path.clone();
                Some(FileReference { target: import_target(sources.slice(at)), base, path: Some(path) })
            });
            let is_file = |usage, target: &str| usage == Use::File || usage == Use::Agent && !target.contains("://");
            let references = references(reading.document).into_iter();
            let named =
                references.filter(|one| is_file(one.usage, &one.target)).map(|Reference { target, span, .. }| {
                    let base = sources.get(span.source).path.clone();
                    let path = self.resources.read(&target, base.as_deref()).ok().map(|file| file.path);
                    FileReference { target: target.into_owned(), base, path }
                });
            imported.chain(named).collect()
        })
    }

    /// The syntax tree of a document as JSON.
    pub fn outline(&self, document: impl Into<Input>) -> Result<Output<String>, Error> {
        let (sources, mut diagnostics) = (Sources::new(), Diagnostics::new());
        let source = document.into().add_to(&sources, &mut diagnostics);
        let value = if diagnostics.has_errors() {
            String::new()
        } else {
            let nodes = syntax::parse(&sources, source, &mut diagnostics);
            serde_json::to_string(&document::outline(&nodes, self.whitespace)).unwrap_or_default()
        };
        Output::new(value, diagnostics, sources)
    }
}

/// The options for a path. One that begins with `input`, as the paths of a ledger do, is of the Responses API.
pub(super) fn for_path(options: &RequestOptions, path: &str) -> RequestOptions {
    let is_of_responses = ["input", "/input", "instructions"].iter().any(|list| path.starts_with(list));
    RequestOptions { api: if is_of_responses { Some(Api::Responses) } else { options.api }, ..options.clone() }
}

/// The path that an `<import>` names, as it is written.
fn import_target(written: &str) -> String {
    let sources = Sources::new();
    let nodes = syntax::parse_body(&sources, sources.add("", written.to_owned(), None), &mut Diagnostics::new());
    let target = nodes.iter().find_map(|node| match node {
        Node::Element(element) => element.attributes.value("src"),
        Node::Text(_) | Node::Raw(_) | Node::Comment(_) => None,
    });
    target.unwrap_or_default().to_owned()
}

/// A place, and its line.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Location {
    /// The place.
    pub place: SourcePlace,
    /// The text of its line.
    pub line_text: String,
    /// The beginning of the path that exists in the request.
    pub existing: String,
    /// The value there, in words.
    pub value: String,
    /// Whether the whole path exists.
    pub is_whole: bool,
}
