//! The diagnostics of a run, with the texts that they are about.

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::ops::Range;
use std::sync::OnceLock;

use super::fix::{Key, applied, apply, key};
use super::redact::sanitize_about;
use super::render::place;
use super::{Colors, Diagnostic, Diagnostics, Fix, Hints, NoHints, Rule, Severity, render};
use crate::source::{Source, SourceId, Sources};

/// The diagnostics of a document, in document order.
///
/// It owns the texts that it is about: places and messages are there after everything else is dropped. It is displayed
/// as the command line shows it, without colours.
#[derive(Default)]
pub struct Report {
    /// Set once, so that it can be while the texts are still borrowed.
    diagnostics: OnceLock<Diagnostics>,
    fixes: Vec<Fix>,
    sources: Sources,
    /// Whether they are about a stream that ended before its response did.
    is_cut: bool,
    /// What differs between a document and its request, as JSON lines.
    #[allow(clippy::box_collection)] // errors stay small
    ledger: OnceLock<Box<String>>,
}

/// One thing that was found, and its place.
#[derive(Clone, Copy)]
pub struct Finding<'r> {
    diagnostic: &'r Diagnostic,
    fix: Option<&'r Fix>,
    sources: &'r Sources,
}

impl Report {
    /// A report about these texts. Without diagnostics, the texts are dropped.
    #[doc(hidden)]
    pub fn new(diagnostics: Diagnostics, fixes: Vec<Fix>, sources: Sources) -> Self {
        let report = Self { fixes, ..Self::about(sources) };
        report.set(diagnostics);
        report.without_unneeded_texts()
    }

    /// A report about these texts that is not made yet.
    pub(crate) fn about(sources: Sources) -> Self {
        Self { diagnostics: OnceLock::new(), fixes: Vec::new(), sources, is_cut: false, ledger: OnceLock::new() }
    }

    /// The same report, about a stream that ended before its response did.
    pub(crate) fn of_cut_stream(mut self, is_cut: bool) -> Self {
        self.is_cut = is_cut;
        self
    }

    /// Whether it is about a stream that ended before its response did.
    pub(crate) fn is_cut(&self) -> bool {
        self.is_cut
    }

    /// The texts that it is about.
    pub(crate) fn sources(&self) -> &Sources {
        &self.sources
    }

    /// Sets the diagnostics, unless they are set already.
    pub(crate) fn set(&self, mut diagnostics: Diagnostics) {
        self.diagnostics.get_or_init(|| {
            diagnostics.sort(&self.sources);
            diagnostics
        });
    }

    /// Sets the entries of the ledger.
    pub(crate) fn set_ledger(&self, lines: impl FnOnce() -> String) {
        self.ledger.get_or_init(|| Box::new(lines()));
    }

    /// What differs between the document and its request: a JSON object on each line.
    pub fn ledger(&self) -> &str {
        self.ledger.get().map_or("", |lines| lines.as_str())
    }

    /// The same report, without the texts if nothing was found in them.
    pub(crate) fn without_unneeded_texts(self) -> Self {
        if self.is_empty() { Self { ledger: self.ledger, ..Self::default() } } else { self }
    }

    fn diagnostics(&self) -> &Diagnostics {
        self.diagnostics.get_or_init(Diagnostics::new)
    }

    /// Whether nothing was found.
    pub fn is_empty(&self) -> bool {
        self.diagnostics().is_empty()
    }

    /// Whether anything prevents a conversion.
    pub fn has_errors(&self) -> bool {
        self.diagnostics().has_errors()
    }

    /// Everything that was found, in document order.
    pub fn iter(&self) -> impl Iterator<Item = Finding<'_>> {
        let mut fixes: HashMap<Key, &Fix> = HashMap::new();
        for fix in &self.fixes {
            fixes.entry(fix.fixes).or_insert(fix);
        }
        self.diagnostics().iter().map(move |diagnostic| Finding {
            diagnostic,
            fix: fixes.get(&key(diagnostic)).copied(),
            sources: &self.sources,
        })
    }

    /// The same report without the warnings.
    #[must_use]
    pub fn errors(self) -> Self {
        Self { diagnostics: self.diagnostics().errors().into(), ..self }
    }

    /// The same report without the findings for which `is_expected` holds.
    #[must_use]
    pub fn without(self, mut is_expected: impl FnMut(Finding<'_>) -> bool) -> Self {
        let kept = self.iter().filter(|finding| !is_expected(*finding)).map(|finding| finding.diagnostic.clone());
        let kept: Diagnostics = kept.collect();
        Self { diagnostics: kept.into(), ..self }
    }

    /// Whether there are changes that fix some of the findings.
    pub fn has_fixes(&self) -> bool {
        !self.fixes.is_empty()
    }

    /// A document with the changes that fix some of the findings. `text` is the document that this report is about.
    ///
    /// A change may reveal another finding: check the new text again.
    pub fn fix(&self, text: &str) -> String {
        apply(text, &self.fixes)
    }

    /// The findings that [`Report::fix`] fixes.
    pub fn fixed(&self) -> impl Iterator<Item = Finding<'_>> {
        let keys: HashSet<Key> = applied(&self.fixes).map(|fix| fix.fixes).collect();
        self.iter().filter(move |finding| keys.contains(&key(finding.diagnostic)))
    }

    /// The report for people, with an excerpt for each finding. `hints` describes what the caller can change.
    #[doc(hidden)]
    pub fn render(&self, colors: Colors, hints: &dyn Hints) -> String {
        render(self.diagnostics(), &self.sources, colors, hints)
    }
}

impl<'r> Finding<'r> {
    /// The name of its rule: `unknown-attribute`.
    pub fn name(self) -> &'static str {
        self.rule().name
    }

    /// The rule that is broken.
    #[doc(hidden)]
    pub fn rule(self) -> &'static Rule {
        self.diagnostic.rule()
    }

    /// Whether it prevents a conversion.
    pub fn severity(self) -> Severity {
        self.rule().severity
    }

    /// What is wrong, in one line.
    pub fn message(self) -> String {
        sanitize_about(&self.diagnostic.message().title, self.diagnostic.span, self.sources)
    }

    /// What to do, in one line.
    pub fn help(self) -> String {
        self.help_with(&NoHints)
    }

    /// What to do, in one line. `hints` describes what the caller can change.
    #[doc(hidden)]
    pub fn help_with(self, hints: &dyn Hints) -> String {
        sanitize_about(&self.diagnostic.message().help_with(hints), self.diagnostic.span, self.sources)
    }

    /// The name of the text that it is in: the document, or a file that it imports.
    pub fn file(self) -> &'r str {
        &self.source().name
    }

    /// In JSON, the path of the value that it is about: `input[3].content[0]`. Empty for all of it, `None` in a document.
    pub fn path(self) -> Option<&'r str> {
        self.sources.path_of(self.diagnostic.span)
    }

    /// `chat.md:41:3`, or in JSON `request.json:12:7: input[3]`.
    pub fn place(self) -> String {
        place(self.diagnostic.span, self.sources)
    }

    /// The line of its first character, from 1. In a session or a stream, the line of the event.
    pub fn line(self) -> usize {
        self.sources.line_column(self.diagnostic.span).0
    }

    /// The column of its first character, from 1. Columns count characters.
    pub fn column(self) -> usize {
        self.sources.line_column(self.diagnostic.span).1
    }

    /// Line and column after its last character.
    pub fn end(self) -> (usize, usize) {
        self.sources.end_line_column(self.diagnostic.span)
    }

    /// Whether its text was made from another one: a session or a stream, whose line it has.
    pub(crate) fn is_in_made_text(self) -> bool {
        self.sources.is_made(self.diagnostic.span.source)
    }

    /// Its bytes in the text.
    pub fn span(self) -> Range<usize> {
        self.diagnostic.span.range()
    }

    /// The text that it is about.
    pub fn text(self) -> &'r str {
        self.sources.slice(self.diagnostic.span)
    }

    /// The change that fixes it, if one is known to be safe.
    pub fn fix(self) -> Option<&'r Fix> {
        self.fix
    }

    fn source(self) -> &'r Source {
        let id: SourceId = self.diagnostic.span.source;
        self.sources.get(id)
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.render(Colors::None, &NoHints).trim_end())
    }
}

impl fmt::Debug for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

impl fmt::Debug for Finding<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {} [{}]", self.place(), self.message(), self.name())
    }
}
