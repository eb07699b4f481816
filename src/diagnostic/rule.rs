//! The table of everything that can be reported.

/// Whether a problem stops the work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Severity {
    /// Nothing is written.
    Error,
    /// The work goes on.
    Warning,
}

/// What sort of failure a problem is; a command has an exit code for each.
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

/// A problem or a lint, as people name it.
#[derive(Debug, PartialEq, Eq)]
pub struct Rule {
    /// Its name, the same everywhere: `unknown-attribute`.
    pub name: &'static str,
    /// Whether it is an error or a warning.
    pub severity: Severity,
    /// The sort of failure it is.
    pub kind: ErrorKind,
    /// Whether `check` can fix it in some documents.
    pub is_fixable: bool,
    /// Whether a document may be right in spite of it, so that it can be allowed.
    pub is_allowable: bool,
    /// What it means, with a bad and a good example, in Markdown.
    pub page: &'static str,
}

impl Rule {
    /// The first sentence of its page.
    pub fn summary(&self) -> &'static str {
        let text = self.page.split("\n\n").nth(1).unwrap_or_default();
        text.split_inclusive(". ").next().unwrap_or_default().trim_end()
    }
}

/// One row of a table of rules.
macro_rules! rule {
    ($name:literal $severity:ident $kind:ident $($property:ident)*) => {
        $crate::diagnostic::Rule {
            name: $name,
            severity: $crate::diagnostic::Severity::$severity,
            kind: $crate::diagnostic::ErrorKind::$kind,
            $($property: true,)*
            ..$crate::diagnostic::rule::no_properties(include_str!(concat!("../../docs/rules/", $name, ".md")))
        }
    };
}

/// Makes a table of rules, and the function that gives the rule of each variant. A variant without a row does not
/// compile.
macro_rules! rules {
    (
        $(#[$documentation:meta])* $table:ident of $enum:ident;
        $($name:literal $severity:ident $kind:ident $($property:ident)*: $($variant:ident)|+;)*
        $(otherwise $other:pat => $rule:expr;)?
    ) => {
        $(#[$documentation])*
        pub const $table: &[$crate::diagnostic::Rule] =
            &[$($crate::diagnostic::rule::rule!($name $severity $kind $($property)*)),*];

        impl $enum {
            /// Its row in the table of rules.
            pub fn rule(&self) -> &'static $crate::diagnostic::Rule {
                match self {
                    $($($enum::$variant { .. })|+ => {
                        const { &$crate::diagnostic::rule::rule!($name $severity $kind $($property)*) }
                    })*
                    $($other => $rule,)?
                }
            }
        }
    };
}
pub(super) use {rule, rules};

/// A rule without properties, of which only the page counts.
pub(super) const fn no_properties(page: &'static str) -> Rule {
    Rule {
        name: "",
        severity: Severity::Error,
        kind: ErrorKind::Malformed,
        is_fixable: false,
        is_allowable: false,
        page,
    }
}
