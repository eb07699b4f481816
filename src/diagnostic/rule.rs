//! Rules: the kinds of problems and findings.

use std::fmt;

/// Whether a violation of a rule prevents output. The most severe comes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Severity {
    /// Nothing is written.
    Error,
    /// The output is written.
    Warning,
    /// The output is written, and nothing is wrong.
    Note,
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Note => "note",
        })
    }
}

/// The kind of an error. The command has an exit code for each.
#[doc(hidden)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ErrorKind {
    /// The text breaks a rule of the language, or the API would reject it.
    Malformed,
    /// A file is missing.
    Missing,
    /// A file, a URL or a program is not allowed.
    Refused,
    /// A file exists and cannot be read.
    Unreadable,
    /// The API reported an error.
    Api,
}

/// Anything that can be reported: a problem or a lint.
#[doc(hidden)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rule {
    /// Its name: `unknown-attribute`.
    pub name: &'static str,
    /// Whether it is an error or a warning.
    pub severity: Severity,
    /// The kind of error it is.
    pub kind: ErrorKind,
    /// Whether `check` can fix it in some documents.
    pub is_fixable: bool,
    /// Whether it can be allowed, because a document that violates it may be right.
    pub is_allowable: bool,
    /// Whether it is only about a file that a document refers to.
    pub is_about_other_file: bool,
    /// Whether it is about the Responses API alone.
    pub is_of_responses: bool,
    /// What it means, with a bad and a good example, in Markdown.
    pub page: &'static str,
}

impl Rule {
    /// A rule that can be neither fixed nor allowed.
    pub(crate) const fn new(name: &'static str, severity: Severity, kind: ErrorKind, page: &'static str) -> Self {
        Self {
            name,
            severity,
            kind,
            is_fixable: false,
            is_allowable: false,
            is_about_other_file: false,
            is_of_responses: false,
            page,
        }
    }

    /// Adds the properties of another row with its name.
    pub(crate) fn merge(&mut self, row: &Rule) {
        self.severity = self.severity.min(row.severity);
        self.is_fixable |= row.is_fixable;
        self.is_allowable |= row.is_allowable;
    }

    /// The first sentence of its page.
    pub fn summary(&self) -> &'static str {
        let text = self.page.split("\n\n").nth(1).unwrap_or_default();
        text.split_inclusive(". ").next().unwrap_or_default().trim_end()
    }
}

/// One rule: its name, its severity, its kind and its properties. A rule without a page does not compile.
macro_rules! rule {
    ($name:literal $severity:ident $kind:ident $($property:ident)*) => {
        $crate::diagnostic::Rule {
            $($property: true,)*
            ..$crate::diagnostic::Rule::new(
                $name,
                $crate::diagnostic::Severity::$severity,
                $crate::diagnostic::ErrorKind::$kind,
                include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/rules/", $name, ".md")),
            )
        }
    };
}

pub(crate) use rule;
