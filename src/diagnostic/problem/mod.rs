//! The problems of reading and converting, by family. Each family is a file: its variants, their rules and their messages.

mod directive;
mod element;
mod file;
mod output;
mod reply;
mod request;
mod syntax;

pub use directive::{DirectivePlace, DirectiveProblem};
pub use element::ElementProblem;
pub use file::{Ceiling, FileProblem, Remedy};
pub use output::{OutputProblem, ResponseBody};
pub use reply::ReplyProblem;
pub use request::RequestProblem;
pub use syntax::SyntaxProblem;

use crate::diagnostic::message::Message;
use crate::diagnostic::rule::Rule;

/// Makes the problems of a family. Each has the shortest text that causes it, its variant, its rule and its message. The table
/// has the name and the rule of every variant.
macro_rules! problems {
    (
        $(#[$documentation:meta])*
        $family:ident $table:ident
        $(
            $(#[$cause:meta])*
            $variant:ident $(($value:ident: $value_type:ty))? $({ $($(#[$about:meta])* $field:ident: $type:ty,)* })?:
            $name:literal $severity:ident $kind:ident $($property:ident)* => $message:expr;
        )*
    ) => {
        $(#[$documentation])*
        #[derive(Debug, Clone, PartialEq)]
        pub enum $family {
            $($(#[$cause])* $variant $(($value_type))? $({ $($(#[$about])* $field: $type,)* })?,)*
        }

        pub(super) const $table: &[(&str, crate::diagnostic::Rule)] =
            &[$((stringify!($variant), crate::diagnostic::rule!($name $severity $kind $($property)*))),*];

        impl $family {
            /// The rule of the problem.
            pub fn rule(&self) -> &'static crate::diagnostic::Rule {
                match self {
                    $($family::$variant { .. } => {
                        const { &crate::diagnostic::rule!($name $severity $kind $($property)*) }
                    })*
                }
            }

            /// The problem in words.
            pub(super) fn message(&self) -> Message {
                match self {
                    $($family::$variant $(($value))? $({ $($field),* })? => $message,)*
                }
            }
        }
    };
}
use problems;

/// Makes [`Problem`] of the families.
macro_rules! families {
    ($($(#[$documentation:meta])* $variant:ident($family:ident) $table:path;)*) => {
        /// A problem of reading or converting.
        #[derive(Debug, Clone, PartialEq)]
        pub enum Problem {
            $($(#[$documentation])* $variant($family),)*
        }

        $(impl From<$family> for Problem {
            fn from(problem: $family) -> Self {
                Problem::$variant(problem)
            }
        })*

        impl Problem {
            /// The rule of the problem.
            pub fn rule(&self) -> &'static Rule {
                match self {
                    $(Problem::$variant(problem) => problem.rule(),)*
                }
            }

            /// The problem in words.
            pub fn message(&self) -> Message {
                match self {
                    $(Problem::$variant(problem) => problem.message(),)*
                }
            }
        }

        /// The name of every variant with its rule, in the order of the stages. Problems that a user need not tell apart have
        /// the name of their rule in common.
        pub fn problem_rules() -> impl Iterator<Item = &'static (&'static str, Rule)> {
            [$($table),*].into_iter().flatten()
        }
    };
}

families! {
    /// Problems of the markup: bytes, tags, quotes and comments.
    Syntax(SyntaxProblem) syntax::SYNTAX;
    /// Problems of elements: where they are, their attributes and their bodies.
    Element(ElementProblem) element::ELEMENT;
    /// Problems of the outputs of tools.
    Output(OutputProblem) output::OUTPUT;
    /// Problems of `chatmd:` comments.
    Directive(DirectiveProblem) directive::DIRECTIVE;
    /// Problems of the files, pages and agents that a document names.
    File(FileProblem) file::FILE;
    /// Problems of the request: its fields, its tools and the options of the conversion.
    Request(RequestProblem) request::REQUEST;
    /// Problems of the JSON, the streams and the sessions that become documents.
    Reply(ReplyProblem) reply::REPLY;
}
