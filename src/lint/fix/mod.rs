//! What can be mended without asking: text that only has to be marked as text, images that are written as text, tags
//! that were never closed.

mod close;
mod lift;
mod place;
mod wrap;

use place::{Body, Place, Problems};

use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::document::{self, lower};
use crate::source::{SourceId, Sources, Span};
use crate::syntax::write::Whitespace;
use crate::syntax::{Node, parse, parse_body};

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
    (one.span.source, one.rule().name, one.span.start)
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
pub(super) fn fixes(
    source: SourceId,
    sources: &Sources,
    whitespace: Whitespace,
    diagnostics: &Diagnostics,
) -> Vec<Fix> {
    let problems = Problems::of(diagnostics, source);
    if problems.is_empty() {
        return Vec::new();
    }
    let text = &sources.get(source).text;
    let mut possible = Possible { whitespace, ..Possible::default() };
    for node in &parse_body(sources, source, &mut Diagnostics::new()) {
        if let Node::Element(element) = node {
            let body = Body::of(element, text, &problems);
            possible.closings.extend(close::at_top_level(element, &body));
            possible.look(&element.children, &body, &problems);
        }
    }
    let Possible { wraps, closings, others, .. } = possible;
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

/// What could be changed.
#[derive(Default)]
struct Possible {
    whitespace: Whitespace,
    /// What leaves the meaning as it is.
    wraps: Vec<Fix>,
    closings: Vec<Fix>,
    others: Vec<Fix>,
}

impl Possible {
    fn look(&mut self, nodes: &[Node<'_>], body: &Body, problems: &Problems<'_>) {
        for (index, node) in nodes.iter().enumerate() {
            let place = Place { siblings: nodes, index };
            self.wraps.extend(wrap::nested(place, problems));
            self.closings.extend(close::in_body(place, body));
            // In verbatim mode the line breaks that these bring would be content.
            if self.whitespace == Whitespace::Layout {
                self.others.extend(wrap::in_code(place, body, problems));
                self.others.extend(lift::images(place, body, problems));
            }
            if let Node::Element(element) = node
                && element.tag.is_inline()
            {
                self.look(&element.children, body, problems);
            }
        }
    }
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
        let (sources, mut diagnostics) = (Sources::new(), Diagnostics::new());
        let source = sources.add("", text.to_owned(), None);
        let nodes = parse(&sources, source, &mut diagnostics);
        let unreadable = diagnostics.errors().iter().len();
        lower(&nodes, whitespace, &mut diagnostics);
        Self { unreadable, errors: diagnostics.errors().iter().len() }
    }
}

fn is_same(a: &str, b: &str, whitespace: Whitespace) -> bool {
    let sources = Sources::new();
    let (a, b) = (sources.add("", a.to_owned(), None), sources.add("", b.to_owned(), None));
    document::is_same(&sources, a, b, whitespace)
}
