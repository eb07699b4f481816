//! What can be mended without asking: text that only has to be marked as text, images that are written as text, tags
//! that were never closed.

use std::collections::HashMap;

use super::finder::Finder;
use crate::diagnostic::{Concern, Diagnostic, Diagnostics, Problem};
use crate::document::{self, lower};
use crate::source::{SourceId, Sources, Span};
use crate::syntax::write::Whitespace;
use crate::syntax::{parse, parse_body};

/// A change to a document's text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fix {
    /// What is replaced.
    pub span: Span,
    /// What comes in its place.
    pub replacement: String,
    /// The problem that it mends.
    pub(super) mends: Key,
}

/// What tells a problem from all others: its source, its code and where it starts.
pub(super) type Key = (SourceId, &'static str, usize);

pub(super) fn key(one: &Diagnostic) -> Key {
    (one.span.source, one.problem.code(), one.span.start)
}

/// A text with all fixes made. They are in order; of two that overlap the first is made.
pub fn apply(text: &str, fixes: &[Fix]) -> String {
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

/// The fixes of a document's problems, in order.
pub(super) fn fixes(source: SourceId, sources: &Sources, whitespace: Whitespace, found: &Diagnostics) -> Vec<Fix> {
    let mut problems: HashMap<usize, Vec<&Diagnostic>> = HashMap::new();
    for one in found.iter().filter(|one| one.span.source == source) {
        let place = match &one.problem {
            Problem::Mismatched { opened_at, .. } => opened_at.start,
            _ => one.span.start,
        };
        problems.entry(place).or_default().push(one);
    }
    if problems.is_empty() {
        return Vec::new();
    }
    let is_leak = |one: &&Diagnostic| matches!(one.problem, Problem::Concern(Concern::Base64InText { .. }));
    let has_leaks = problems.values().flatten().any(is_leak);
    let mut finder =
        Finder { whitespace, problems, has_leaks, wraps: Vec::new(), closings: Vec::new(), others: Vec::new() };
    let text = &sources.get(source).text;
    for node in &parse_body(sources, source, &mut Diagnostics::new()) {
        finder.block(node, text);
    }
    let Finder { wraps, closings, others, .. } = finder;
    let read = |fixes: &[Fix]| Reading::of(&apply(text, fixes), whitespace);
    let before = read(&[]);
    let mut fixes = if before.unreadable > 0 {
        // What stands where cannot be told yet: only what helps to read it is changed.
        closings
    } else if !wraps.is_empty() && is_same(text, &apply(text, &wraps), whitespace) {
        [others, wraps].concat()
    } else {
        // Marking text as text must not change it.
        others
    };
    fixes.sort_by_key(|fix| fix.span.start);
    let after = read(&fixes);
    let helps = before.unreadable == 0 || after.unreadable < before.unreadable;
    if helps && after.errors <= before.errors { fixes } else { Vec::new() }
}

/// How well a text reads.
struct Reading {
    /// What cannot be parsed.
    unreadable: usize,
    /// All errors, up to what the elements mean.
    errors: usize,
}

impl Reading {
    fn of(text: &str, whitespace: Whitespace) -> Self {
        let (sources, mut found) = (Sources::new(), Diagnostics::new());
        let source = sources.add("", text.to_owned(), None);
        let nodes = parse(&sources, source, &mut found);
        let unreadable = found.errors().iter().len();
        lower(&nodes, whitespace, &mut found);
        Self { unreadable, errors: found.errors().iter().len() }
    }
}

fn is_same(a: &str, b: &str, whitespace: Whitespace) -> bool {
    let sources = Sources::new();
    let (a, b) = (sources.add("", a.to_owned(), None), sources.add("", b.to_owned(), None));
    document::is_same(&sources, a, b, whitespace)
}
