//! Diagnostics and how they are rendered.
//!
//! A stage reports problems into a [`Diagnostics`] and continues, so that all problems of a document are reported at once
//! and in order.

mod excerpt;
pub mod fix;
mod message;
mod nearest;
mod problem;
mod redact;
mod render;
pub mod report;
pub mod rule;

use std::borrow::Cow;
use std::collections::HashMap;

pub use fix::Fix;
pub(crate) use fix::{Key, apply, key};
#[doc(hidden)]
pub use message::{Hint, Hints, Message, NoHints, counted, thousands};
#[doc(hidden)]
pub use nearest::nearest;
#[doc(hidden)]
pub use problem::{
    Ceiling, DirectivePlace, DirectiveProblem, ElementProblem, FileProblem, OutputProblem, Problem, Remedy,
    ReplyProblem, RequestProblem, ResponseBody, SyntaxProblem, problem_rules,
};
#[doc(hidden)]
pub use redact::{sanitize_line, sanitize_lines, sanitize_short};
#[doc(hidden)]
pub use render::{Colors, render};
pub use report::{Finding, Report};
pub use rule::Severity;
pub(crate) use rule::rule;
#[doc(hidden)]
pub use rule::{ErrorKind, Rule};

use crate::source::{SourceId, Sources, Span};

/// One violation of a rule, and its place.
#[doc(hidden)]
#[derive(Debug, Clone, PartialEq)]
pub struct Diagnostic {
    /// The text that shows it.
    pub span: Span,
    rule: &'static Rule,
    cause: Cause,
}

/// What is wrong. The words for a problem are made when they are shown: most problems of a document with very many are
/// only counted.
#[derive(Debug, Clone, PartialEq)]
enum Cause {
    Problem(Problem),
    Message(Box<Message>),
}

impl Diagnostic {
    /// What is wrong and what to do.
    pub fn message(&self) -> Cow<'_, Message> {
        match &self.cause {
            Cause::Problem(problem) => Cow::Owned(problem.message()),
            Cause::Message(message) => Cow::Borrowed(message),
        }
    }

    /// The problem of reading or converting that it is, unless it is another violation of a rule.
    pub fn problem(&self) -> Option<&Problem> {
        match &self.cause {
            Cause::Problem(problem) => Some(problem),
            Cause::Message(_) => None,
        }
    }

    /// The rule that it breaks.
    pub fn rule(&self) -> &'static Rule {
        self.rule
    }

    /// Whether it prevents any output.
    pub fn is_error(&self) -> bool {
        self.rule.severity == Severity::Error
    }
}

/// The diagnostics that the stages of one run have reported.
#[doc(hidden)]
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Diagnostics {
    diagnostics: Vec<Diagnostic>,
}

impl Diagnostics {
    /// An empty list.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a problem of reading or converting.
    pub fn report(&mut self, problem: impl Into<Problem>, span: Span) {
        let problem = problem.into();
        self.diagnostics.push(Diagnostic { span, rule: problem.rule(), cause: Cause::Problem(problem) });
    }

    /// Adds a violation of any rule.
    pub fn add(&mut self, rule: &'static Rule, message: Message, span: Span) {
        self.diagnostics.push(Diagnostic { span, rule, cause: Cause::Message(Box::new(message)) });
    }

    /// Adds the diagnostics of another stage.
    pub fn append(&mut self, mut other: Diagnostics) {
        self.diagnostics.append(&mut other.diagnostics);
    }

    /// Only the errors.
    #[must_use]
    pub fn errors(&self) -> Diagnostics {
        Diagnostics { diagnostics: self.iter().filter(|one| one.is_error()).cloned().collect() }
    }

    /// How many errors there are.
    pub fn error_count(&self) -> usize {
        self.iter().filter(|one| one.is_error()).count()
    }

    /// All diagnostics except those of rules for which `is_expected` holds.
    #[must_use]
    pub fn without(&self, is_expected: impl Fn(&Rule) -> bool) -> Diagnostics {
        Diagnostics { diagnostics: self.iter().filter(|one| !is_expected(one.rule)).cloned().collect() }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.diagnostics.is_empty()
    }

    /// Whether any of them is an error.
    pub fn has_errors(&self) -> bool {
        self.iter().any(Diagnostic::is_error)
    }

    /// The diagnostics in the order they were added, or in document order after [`Diagnostics::sort`].
    pub fn iter(&self) -> std::slice::Iter<'_, Diagnostic> {
        self.diagnostics.iter()
    }

    /// Sorts them in document order. The diagnostics of an imported file come where its `<import>` is.
    pub fn sort(&mut self, sources: &Sources) {
        let mut chains: HashMap<SourceId, Vec<usize>> = HashMap::new();
        for source in self.diagnostics.iter().map(|one| one.span.source) {
            chains.entry(source).or_insert_with(|| {
                let mut offsets: Vec<usize> = sources.import_chain(source).map(|at| at.start).collect();
                offsets.reverse();
                offsets
            });
        }
        let place = |span: Span| chains.get(&span.source).into_iter().flatten().copied().chain([span.start]);
        self.diagnostics.sort_by(|a, b| {
            if a.span.source == b.span.source {
                a.span.start.cmp(&b.span.start)
            } else {
                place(a.span).cmp(place(b.span))
            }
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
