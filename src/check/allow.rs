//! What is allowed: by a flag everywhere, by `<!-- chatmd:allow RULE -->` in one element.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use super::items::report;
use super::rules::{Rule, find_rule, nearest_rule};
use crate::diagnostic::{Concern, Diagnostic, Diagnostics};
use crate::document::layout::{carried, word};
use crate::source::{SourceId, Spanned};
use crate::syntax::{Node, is_whitespace};

type Codes = HashSet<&'static str>;

/// What is allowed where.
pub(super) struct Allowances<'a> {
    everywhere: &'a HashSet<&'a str>,
    /// For each source, in order and apart from each other, the ranges that comments speak of.
    ranges: HashMap<SourceId, Vec<(Range<usize>, Codes)>>,
}

impl<'a> Allowances<'a> {
    pub(super) fn new(everywhere: &'a HashSet<&'a str>) -> Self {
        Self { everywhere, ranges: HashMap::new() }
    }

    /// Takes in the comments of a source. One at top level speaks of the next element, one inside of the element around it.
    pub(super) fn collect(&mut self, nodes: &[Node<'_>], found: &mut Diagnostics) {
        let mut pending = HashSet::new();
        let mut start = None;
        for node in nodes {
            match node {
                Node::Comment(comment) if rules_of(comment.value).is_some() => {
                    start = start.or(Some(comment.span.start));
                    allowed(*comment, &mut pending, found);
                }
                Node::Comment(comment) if carried(comment.value).is_none() => {}
                Node::Text(_) | Node::Raw(_) => {}
                Node::Comment(_) | Node::Element(_) => {
                    let mut rules = std::mem::take(&mut pending);
                    inside(std::slice::from_ref(node), &mut rules, found);
                    let span = node.span();
                    let range = start.take().unwrap_or(span.start)..span.end;
                    if !rules.is_empty() {
                        self.ranges.entry(span.source).or_default().push((range, rules));
                    }
                }
            }
        }
    }

    /// Whether a problem is allowed where it stands.
    pub(super) fn cover(&self, one: &Diagnostic) -> bool {
        let code = one.problem.code();
        let here = self.ranges.get(&one.span.source).and_then(|ranges| {
            let index = ranges.partition_point(|(range, _)| range.start <= one.span.start);
            ranges[..index].last().filter(|(range, _)| one.span.start < range.end)
        });
        self.everywhere.contains(code) || here.is_some_and(|(_, rules)| rules.contains(code))
    }
}

/// Takes in the comments inside of elements.
fn inside(nodes: &[Node<'_>], rules: &mut Codes, found: &mut Diagnostics) {
    for node in nodes {
        match node {
            Node::Comment(comment) => allowed(*comment, rules, found),
            Node::Element(element) => inside(&element.children, rules, found),
            Node::Text(_) | Node::Raw(_) => {}
        }
    }
}

fn allowed(comment: Spanned<&str>, rules: &mut Codes, found: &mut Diagnostics) {
    for name in rules_of(comment.value).into_iter().flat_map(|names| names.split([',', ' ', '\n', '\t', '\r'])) {
        match find_rule(name) {
            _ if name.is_empty() => {}
            Some(rule) if rule.can_be_allowed() => {
                rules.insert(rule.code);
            }
            rule => {
                let concern = Concern::UnknownRule {
                    name: name.to_owned(),
                    is_error: rule.is_some(),
                    meant: nearest_rule(name).map(|rule: &Rule| rule.name),
                };
                report(concern, comment.span, found);
            }
        }
    }
}

/// The names behind `chatmd:allow`, up to a colon and the reason.
fn rules_of(comment: &str) -> Option<&str> {
    let said = carried(comment)?;
    let names = said.strip_prefix("allow").filter(|_| word(said) == "allow")?;
    Some(names.split(':').next().unwrap_or_default().trim_matches(is_whitespace))
}
