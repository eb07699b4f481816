//! Data in a page that cannot be checked for secrets.

use std::collections::HashSet;

use super::Renderer;
use crate::diagnostic::{Diagnostics, sanitize_short};
use crate::show::long_base64_runs;
use crate::source::{SourceId, Sources, Span};
use crate::syntax::{Element, Node, parse};

/// Longer names are cut in messages.
const MAX_NAME_LENGTH: usize = 120;
/// The marker before the data of a `data:` URL.
const BASE64_MARKER: &str = ";base64,";

/// Something in a page that cannot be checked for secrets.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Unchecked {
    /// Its line in the document, from 1, or the line of the import that brings it.
    pub line: usize,
    /// What it is: `image`, `file`, `encrypted reasoning`; `document` if the document was left out of the page.
    pub what: &'static str,
    /// Its name, if it has one, on one line and without secrets.
    pub name: String,
}

impl Renderer<'_, '_> {
    /// Remembers data that may hold secrets and cannot be checked.
    pub(super) fn cannot_check(&mut self, span: Span, what: &'static str, name: &str) {
        let sources = self.resolver.sources;
        let span = sources.import_chain(span.source).last().unwrap_or(span);
        let line = sources.line_column(span).0;
        self.page.unchecked.push(Unchecked { line, what, name: sanitize_short(name, MAX_NAME_LENGTH) });
    }

    /// Remembers data that the page does not show, if the page holds the document with the data.
    pub(super) fn cannot_check_source(&mut self, span: Span, what: &'static str, name: &str) {
        if self.options.has_source {
            self.cannot_check(span, what, name);
        }
    }

    /// Remembers an image in Markdown, unless it is found with the other base64 of the document.
    pub(super) fn cannot_check_markdown(&mut self, span: Span) {
        let is_imported = self.resolver.sources.import_chain(span.source).next().is_some();
        if is_imported || !self.options.has_source {
            self.cannot_check(span, "image", "");
        }
    }

    /// Remembers the base64 of a document that the page holds, on lines where nothing else was remembered.
    pub(super) fn cannot_check_base64(&mut self, document: SourceId) {
        let sources = self.resolver.sources;
        let mut unchecked = Vec::new();
        walk(&parse(sources, document, &mut Diagnostics::new()), sources, &mut unchecked);
        let known: HashSet<usize> = self.page.unchecked.iter().map(|one| one.line).collect();
        unchecked.retain(|one| !known.contains(&one.line));
        unchecked.dedup_by_key(|one| one.line);
        self.page.unchecked.extend(unchecked);
        self.page.unchecked.sort_by_key(|one| one.line);
    }
}

/// All base64. In tags and comments, it has the line where they start, because that is where images are reported.
fn walk(nodes: &[Node<'_>], sources: &Sources, unchecked: &mut Vec<Unchecked>) {
    for node in nodes {
        match node {
            Node::Text(text) => in_range(text.span, None, sources, unchecked),
            Node::Raw(raw) => in_range(raw.span, None, sources, unchecked),
            Node::Comment(comment) => in_range(comment.span, Some(comment.span), sources, unchecked),
            Node::Element(Element { opening, children, .. }) => {
                in_range(*opening, Some(*opening), sources, unchecked);
                walk(children, sources, unchecked);
            }
        }
    }
}

fn in_range(span: Span, place: Option<Span>, sources: &Sources, unchecked: &mut Vec<Unchecked>) {
    let text = sources.slice(span);
    let urls = memchr::memmem::find_iter(text.as_bytes(), BASE64_MARKER).map(|head| (head, "data URL"));
    let mut starts: Vec<(usize, &'static str)> = urls.collect();
    starts.extend(long_base64_runs(text).map(|run| (run.start, "base64")));
    starts.sort_unstable();
    unchecked.extend(starts.into_iter().map(|(start, what)| {
        let line = sources.line_column(place.unwrap_or(Span { start: span.start + start, ..span })).0;
        Unchecked { line, what, name: String::new() }
    }));
}
