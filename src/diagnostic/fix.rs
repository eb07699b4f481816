//! Changes to a document that are safe to make without asking.

use super::Diagnostic;
use crate::source::{SourceId, Span};

/// A change to the text of a document.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Fix {
    /// The text that is replaced.
    pub span: Span,
    /// The new text.
    pub replacement: String,
    /// The diagnostic that it fixes.
    pub(crate) fixes: Key,
}

/// Identifies a diagnostic: its source, its rule and where it starts.
pub(crate) type Key = (SourceId, &'static str, usize);

pub(crate) fn key(diagnostic: &Diagnostic) -> Key {
    (diagnostic.span.source, diagnostic.rule().name, diagnostic.span.start)
}

/// Applies fixes, which are in order, to a text. If two overlap, only the first is applied.
pub(crate) fn apply(text: &str, fixes: &[Fix]) -> String {
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    for fix in fixes {
        if fix.span.start < at {
            continue;
        }
        out.push_str(&text[at..fix.span.start]);
        out.push_str(&fix.replacement);
        at = fix.span.end;
    }
    out.push_str(&text[at..]);
    out
}
