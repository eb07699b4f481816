//! Diagnostics and how they are rendered.
//!
//! A stage reports problems into a [`Diagnostics`] and goes on, so that all problems of a document are reported at once
//! and in order.

mod describe;
mod excerpt;
mod lint;
mod message;
mod problem;
mod render;
mod rule;
mod sanitize;
mod secret;

use std::cmp::Ordering;

pub use lint::{LINTS, Lint};
pub use message::{Hint, Hints, Message, NoHints, thousands};
pub use problem::{Ceiling, PROBLEMS, Problem, Remedy};
pub use render::{Colors, render};
pub use rule::{ErrorKind, Rule, Severity};
pub use sanitize::{sanitize, sanitize_line, sanitize_short};
pub(crate) use secret::secrets;

use crate::source::{Sources, Span};

/// One problem and its place.
#[derive(Debug, Clone, PartialEq)]
pub struct Diagnostic {
    /// What is wrong.
    pub problem: Problem,
    /// The text that shows it.
    pub span: Span,
}

impl Diagnostic {
    /// The rule that it breaks.
    pub fn rule(&self) -> &'static Rule {
        self.problem.rule()
    }

    /// Whether nothing can be written because of it.
    pub fn is_error(&self) -> bool {
        self.rule().severity == Severity::Error
    }
}

/// Every rule there is: problems of reading and converting first, then lints.
pub fn rules() -> impl Iterator<Item = &'static Rule> {
    PROBLEMS.iter().chain(LINTS)
}

/// The problems that the stages of one run have reported.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Diagnostics {
    diagnostics: Vec<Diagnostic>,
}

impl Diagnostics {
    /// None yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a problem.
    pub fn report(&mut self, problem: Problem, span: Span) {
        self.diagnostics.push(Diagnostic { problem, span });
    }

    /// Adds what another stage has found.
    pub fn append(&mut self, mut other: Diagnostics) {
        self.diagnostics.append(&mut other.diagnostics);
    }

    /// Only the errors.
    #[must_use]
    pub fn errors(&self) -> Diagnostics {
        Diagnostics { diagnostics: self.iter().filter(|one| one.is_error()).cloned().collect() }
    }

    /// All but those that `is_expected` holds for.
    #[must_use]
    pub fn without(&self, is_expected: impl Fn(&Problem) -> bool) -> Diagnostics {
        Diagnostics { diagnostics: self.iter().filter(|one| !is_expected(&one.problem)).cloned().collect() }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.diagnostics.is_empty()
    }

    /// Whether any of them is an error.
    pub fn has_errors(&self) -> bool {
        self.iter().any(Diagnostic::is_error)
    }

    /// The problems in the order they are held.
    pub fn iter(&self) -> std::slice::Iter<'_, Diagnostic> {
        self.diagnostics.iter()
    }

    /// Puts them in document order: an imported file's problems stand where its `<import>` does.
    pub fn sort(&mut self, sources: &Sources) {
        let place = |span: Span| -> Vec<usize> {
            let mut offsets: Vec<usize> = sources.import_chain(span.source).map(|at| at.start).collect();
            offsets.reverse();
            offsets.push(span.start);
            offsets
        };
        self.diagnostics.sort_by(|a, b| match (a.span.source == b.span.source, a.span.start.cmp(&b.span.start)) {
            (true, order) => order,
            (false, _) => place(a.span).cmp(&place(b.span)).then(Ordering::Equal),
        });
    }
}

impl IntoIterator for Diagnostics {
    type Item = Diagnostic;
    type IntoIter = std::vec::IntoIter<Diagnostic>;

    fn into_iter(self) -> Self::IntoIter {
        self.diagnostics.into_iter()
    }
}

impl FromIterator<Diagnostic> for Diagnostics {
    fn from_iter<I: IntoIterator<Item = Diagnostic>>(diagnostics: I) -> Self {
        Self { diagnostics: diagnostics.into_iter().collect() }
    }
}

impl<'a> IntoIterator for &'a Diagnostics {
    type Item = &'a Diagnostic;
    type IntoIter = std::slice::Iter<'a, Diagnostic>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}
