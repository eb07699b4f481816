//! Changes to a document that are safe to make without asking.

use std::ops::Range;

use super::Diagnostic;
use crate::source::SourceId;

/// A change to the text of a document.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Fix {
    /// The bytes of the document that are replaced.
    pub span: Range<usize>,
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

/// The fixes that are applied. If two overlap, only the first is.
pub(crate) fn applied(fixes: &[Fix]) -> impl Iterator<Item = &Fix> {
    let mut at = 0;
    fixes.iter().filter(move |fix| {
        let is_free = fix.span.start >= at;
        if is_free {
            at = fix.span.end;
        }
        is_free
    })
}

/// Applies fixes, which are in order, to a text. If two overlap, only the first is applied.
pub(crate) fn apply(text: &str, fixes: &[Fix]) -> String {
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    for fix in applied(fixes) {
        out.push_str(&text[at..fix.span.start]);
        out.push_str(&fix.replacement);
        at = fix.span.end;
    }
    out.push_str(&text[at..]);
    out
}
