//! What is allowed: by a flag everywhere, by `<!-- chatmd:allow RULE -->` in one element.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use super::items::report;
use super::rules::{find_rule, nearest_rule};
use crate::diagnostic::{Diagnostic, Diagnostics, Lint, Rule};
use crate::document::Directive;
use crate::source::{SourceId, Sources, Span, Spanned};
use crate::syntax::{Node, is_whitespace};

type Names = HashSet<&'static str>;

/// What is allowed where.
pub(super) struct Allowances {
    everywhere: Names,
    /// For each source, in order and apart from each other, the ranges that comments speak of.
    ranges: HashMap<SourceId, Vec<(Range<usize>, Names)>>,
}

impl Allowances {
    pub(super) fn new(everywhere: &[&'static Rule]) -> Self {
        Self { everywhere: everywhere.iter().map(|rule| rule.name).collect(), ranges: HashMap::new() }
    }

    /// Takes in the comments of a source. One at top level speaks of the next element, one inside of the element around it.
    pub(super) fn collect(&mut self, nodes: &[Node<'_>], diagnostics: &mut Diagnostics) {
        let is_block = |node: &Node<'_>| matches!(node, Node::Element(element) if !element.tag.is_inline());
        // In a file that is imported into a body there is nothing else to speak of.
        if let (Some(first), false) = (nodes.first(), nodes.iter().any(is_block)) {
            let mut rules = Names::new();
            inside(nodes, &mut rules, diagnostics);
            self.ranges.insert(first.span().source, vec![(0..usize::MAX, rules)]);
            return;
        }
        let mut pending = HashSet::new();
        let mut start = None;
        for node in nodes {
            match node {
                Node::Comment(comment) if rules_of(comment.value).is_some() => {
                    start = start.or(Some(comment.span.start));
                    allowed(*comment, &mut pending, diagnostics);
                }
                Node::Comment(comment) if Directive::parse(comment.value).is_none() => {}
                Node::Text(_) | Node::Raw(_) => {}
                Node::Comment(_) | Node::Element(_) => {
                    let mut rules = std::mem::take(&mut pending);
                    inside(std::slice::from_ref(node), &mut rules, diagnostics);
                    let span = node.span();
                    let range = start.take().unwrap_or(span.start)..span.end;
                    if !rules.is_empty() {
                        self.ranges.entry(span.source).or_default().push((range, rules));
                    }
                }
            }
        }
    }

    /// Whether a problem is allowed where it stands, or where the file that it stands in is imported.
    pub(super) fn cover(&self, one: &Diagnostic, sources: &Sources) -> bool {
        let rule = one.rule().name;
        let mut places = std::iter::once(one.span).chain(sources.import_chain(one.span.source));
        self.everywhere.contains(rule) || places.any(|place| self.covers(rule, place))
    }

    fn covers(&self, rule: &str, place: Span) -> bool {
        let Some(ranges) = self.ranges.get(&place.source) else { return false };
        let index = ranges.partition_point(|(range, _)| range.start <= place.start);
        ranges[..index].last().is_some_and(|(range, rules)| place.start < range.end && rules.contains(rule))
    }
}

/// Takes in the comments inside of elements.
fn inside(nodes: &[Node<'_>], rules: &mut Names, diagnostics: &mut Diagnostics) {
    for node in nodes {
        match node {
            Node::Comment(comment) => allowed(*comment, rules, diagnostics),
            Node::Element(element) => inside(&element.children, rules, diagnostics),
            Node::Text(_) | Node::Raw(_) => {}
        }
    }
}

fn allowed(comment: Spanned<&str>, rules: &mut Names, diagnostics: &mut Diagnostics) {
    if rules_of(comment.value) == Some("") {
        report(Lint::UnknownRule { name: String::new(), meant: None }, comment.span, diagnostics);
    }
    let mut seen = HashSet::new();
    for name in rules_of(comment.value).into_iter().flat_map(|names| names.split([',', ' ', '\n', '\t', '\r'])) {
        match find_rule(name) {
            _ if name.is_empty() || !seen.insert(name) => {}
            Some(rule) if rule.is_allowable => {
                rules.insert(rule.name);
            }
            Some(_) => report(Lint::NotAllowable(name.to_owned()), comment.span, diagnostics),
            None => {
                let meant = nearest_rule(name).map(|rule| rule.name);
                report(Lint::UnknownRule { name: name.to_owned(), meant }, comment.span, diagnostics);
            }
        }
    }
}

/// The names behind `chatmd:allow`, up to a colon or a parenthesis and the reason.
fn rules_of(comment: &str) -> Option<&str> {
    let Some(Directive::Allow(names)) = Directive::parse(comment) else { return None };
    Some(names.split([':', '(']).next().unwrap_or_default().trim_matches(is_whitespace))
}
