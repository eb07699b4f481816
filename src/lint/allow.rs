//! Which rules are allowed: by an option everywhere, by `<!-- chatmd:allow RULE -->` in one element.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use super::names::find_rule;
use super::source::{each_node, has_blocks};
use crate::diagnostic::Diagnostic;
use crate::document::{Directive, DirectiveKind};
use crate::source::{SourceId, Sources, Span};
use crate::syntax::{Node, is_whitespace};

type Names = HashSet<&'static str>;

/// The rules that are allowed, and where.
pub(super) struct Allowances {
    everywhere: Names,
    /// For each source, the ranges that comments apply to. They are in order and do not overlap.
    ranges: HashMap<SourceId, Vec<(Range<usize>, Names)>>,
}

impl Allowances {
    pub(super) fn new(everywhere: &[String]) -> Self {
        let rules = everywhere.iter().flat_map(|name| find_rule(name));
        Self { everywhere: rules.map(|rule| rule.name).collect(), ranges: HashMap::new() }
    }

    /// Adds the comments of a source. A comment at top level applies to the next element, one inside an element to
    /// that element.
    pub(super) fn collect(&mut self, nodes: &[Node<'_>]) {
        // In a file that is imported into a body, a comment applies to the whole file.
        if let (Some(first), false) = (nodes.first(), has_blocks(nodes)) {
            let mut rules = Names::new();
            allow_in(nodes, &mut rules);
            self.ranges.insert(first.span().source, vec![(0..usize::MAX, rules)]);
            return;
        }
        let mut pending = Names::new();
        let mut start = None;
        for node in nodes {
            match node {
                Node::Comment(comment) if allowed_names(comment.value).is_some() => {
                    start = start.or(Some(comment.span.start));
                    allow(comment.value, &mut pending);
                }
                Node::Comment(comment) if Directive::parse(comment.value).is_none() => {}
                Node::Text(_) | Node::Raw(_) => {}
                Node::Comment(_) | Node::Element(_) => {
                    let mut rules = std::mem::take(&mut pending);
                    allow_in(std::slice::from_ref(node), &mut rules);
                    let span = node.span();
                    let range = start.take().unwrap_or(span.start)..span.end;
                    if !rules.is_empty() {
                        self.ranges.entry(span.source).or_default().push((range, rules));
                    }
                }
            }
        }
    }

    /// Whether a diagnostic is allowed at its place, or where the file that contains it is imported. A diagnostic
    /// that prevents a request stays.
    pub(super) fn allow(&self, diagnostic: &Diagnostic, sources: &Sources) -> bool {
        if !diagnostic.rule().is_allowable {
            return false;
        }
        let rule = diagnostic.rule().name;
        let mut places = std::iter::once(diagnostic.span).chain(sources.import_chain(diagnostic.span.source));
        self.everywhere.contains(rule) || places.any(|place| self.allow_at(rule, place))
    }

    fn allow_at(&self, rule: &str, place: Span) -> bool {
        let Some(ranges) = self.ranges.get(&place.source) else { return false };
        let index = ranges.partition_point(|(range, _)| range.start <= place.start);
        ranges[..index].last().is_some_and(|(range, rules)| place.start < range.end && rules.contains(rule))
    }
}

/// Adds the rules that comments in these nodes allow.
fn allow_in(nodes: &[Node<'_>], rules: &mut Names) {
    each_node(nodes, &mut |node| {
        if let Node::Comment(comment) = node {
            allow(comment.value, rules);
        }
    });
}

fn allow(comment: &str, rules: &mut Names) {
    let names = allowed_names(comment).into_iter().flat_map(split_names);
    rules.extend(names.flat_map(find_rule).filter(|rule| rule.is_allowable).map(|rule| rule.name));
}

/// The list of names in a `chatmd:allow` comment. A reason may follow after a colon or in parentheses.
pub(super) fn allowed_names(comment: &str) -> Option<&str> {
    let names = Directive::data_of(comment, DirectiveKind::Allow)?;
    Some(names.split([':', '(']).next().unwrap_or_default().trim_matches(is_whitespace))
}

/// The names in such a list.
pub(super) fn split_names(names: &str) -> impl Iterator<Item = &str> {
    names.split([',', ' ', '\n', '\t', '\r']).filter(|name| !name.is_empty())
}
