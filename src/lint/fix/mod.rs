//! Changes that are safe to make without asking.
//!
//! The fix of a lint is in the file of the lint. The fixes for problems of reading are here.

mod place;
mod raw;
mod unclosed;

pub(super) use place::{Body, Problems, SiblingNode};
pub(super) use raw::wrap_in_raw;

use crate::convert::Context;
use crate::diagnostic::{Diagnostics, apply};
pub(super) use crate::diagnostic::{Fix, Key, key};
use crate::document::{self, lower};
use crate::lint::CheckOptions;
use crate::lint::code::Markdown;
use crate::lint::rules::{bodies, parts_as_text, sources, tools};
use crate::source::{SourceId, Sources};
use crate::syntax::write::Whitespace;
use crate::syntax::{Node, parse};

/// The fixes for the diagnostics of a document, in order.
pub(super) fn fixes(
    source: SourceId,
    nodes: &[Node<'_>],
    context: &Context<'_>,
    options: &CheckOptions,
    diagnostics: &Diagnostics,
) -> Vec<Fix> {
    let (sources, whitespace) = (context.sources, context.whitespace);
    let problems = Problems::of(diagnostics, source);
    if problems.is_empty() {
        return Vec::new();
    }
    let text = &sources.get(source).text;
    let mut candidates = Candidates { whitespace, ..Candidates::default() };
    if options.fragment {
        candidates.collect(nodes, &Body::of_fragment(nodes, text), &problems);
    }
    for (index, node) in nodes.iter().enumerate() {
        if let (Node::Element(element), false) = (node, options.fragment) {
            let place = SiblingNode { siblings: nodes, index };
            candidates.wraps.extend(unclosed::missing_slash(place, &Markdown::default(), &problems));
            let body = Body::of(element, text, &problems);
            candidates.closings.extend(unclosed::at_top_level(element, &body));
            candidates.closings.extend(unclosed::message_at_end(element, text, &problems));
            candidates.others.extend(tools::fix_element(element, &problems));
            candidates.others.extend(sources::fix_element(element, &problems));
            candidates.collect(&element.children, &body, &problems);
        }
    }
    let Candidates { wraps, closings, others, .. } = candidates;
    if wraps.is_empty() && closings.is_empty() && others.is_empty() {
        return Vec::new();
    }
    let text_with = |fixes: &[Fix]| {
        let text = apply(text, fixes);
        // A fragment has the meaning that it has in the body of a message.
        if options.fragment { format!("<user>{text}</user>") } else { text }
    };
    let read = |fixes: &[Fix]| ErrorCounts::of(&text_with(fixes), whitespace);
    let before = read(&[]);
    let mut fixes = if before.syntax > 0 {
        // The structure is not known yet: fix the syntax first.
        closings
    } else if !wraps.is_empty() && is_same(&text_with(&[]), &text_with(&wraps), whitespace) {
        [others, wraps].concat()
    } else {
        // Wrapping text must not change the document.
        others
    };
    fixes.sort_by_key(|fix| fix.span.start);
    let after = read(&fixes);
    let helps = before.syntax == 0 || after.syntax < before.syntax;
    if helps && after.all <= before.all { fixes } else { Vec::new() }
}

/// The fixes that are possible.
#[derive(Default)]
struct Candidates {
    whitespace: Whitespace,
    /// Fixes that do not change the meaning.
    wraps: Vec<Fix>,
    closings: Vec<Fix>,
    others: Vec<Fix>,
}

impl Candidates {
    fn collect(&mut self, nodes: &[Node<'_>], body: &Body, problems: &Problems) {
        for (index, node) in nodes.iter().enumerate() {
            let place = SiblingNode { siblings: nodes, index };
            self.wraps.extend(raw::nested_block(place, problems));
            self.wraps.extend(unclosed::missing_slash(place, &body.markdown, problems));
            self.closings.extend(unclosed::in_body(place, body));
            // In verbatim mode, the line breaks that these fixes add would be content.
            if self.whitespace == Whitespace::Layout {
                self.others.extend(parts_as_text::fix_node(place, body, problems));
                self.others.extend(bodies::fix_node(place, body, problems));
            }
            if let Node::Element(element) = node
                && element.tag.is_inline()
            {
                self.collect(&element.children, body, problems);
            }
        }
    }
}

/// How many errors a text has.
struct ErrorCounts {
    syntax: usize,
    /// Errors of syntax and of the elements' meaning.
    all: usize,
}

impl ErrorCounts {
    fn of(text: &str, whitespace: Whitespace) -> Self {
        let (sources, mut diagnostics) = (Sources::new(), Diagnostics::new());
        let source = sources.add("", text.to_owned(), None);
        let nodes = parse(&sources, source, &mut diagnostics);
        let syntax = diagnostics.error_count();
        lower(&nodes, whitespace, &mut diagnostics);
        Self { syntax, all: diagnostics.error_count() }
    }
}

fn is_same(a: &str, b: &str, whitespace: Whitespace) -> bool {
    let sources = Sources::new();
    let (a, b) = (sources.add("", a.to_owned(), None), sources.add("", b.to_owned(), None));
    document::is_same(&sources, a, b, whitespace)
}
