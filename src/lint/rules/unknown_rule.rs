//! `unknown-rule`: a `chatmd:allow` comment that allows nothing.

use std::collections::HashSet;

use super::{find_rule, nearest_rule};
use crate::diagnostic::{Diagnostics, Hint, Message, Rule, rule};
use crate::lint::allow::{allowed_names, split_names};
use crate::lint::entry::{Check, Lint};
use crate::lint::source::{SourceText, each_comment};

pub(super) enum UnknownRule<'s> {
    /// `<!-- chatmd:allow -->`
    Missing,
    /// `<!-- chatmd:allow speling -->`
    Unknown {
        name: &'s str,
        /// A rule with a similar name.
        similar: Option<&'static str>,
    },
    /// `<!-- chatmd:allow unterminated-raw -->`
    NotAllowable(&'s str),
}

impl Lint for UnknownRule<'_> {
    const RULE: Rule = rule!("unknown-rule" Warning Malformed is_allowable);
    const CHECKS: &'static [Check] = &[Check::Source(check)];

    fn message(&self) -> Message {
        let label = "allows nothing";
        match self {
            Self::Missing => {
                Message::new("`chatmd:allow` does not name a rule", label, "write `<!-- chatmd:allow RULE -->`")
            }
            Self::Unknown { name, similar: Some(similar) } => {
                Message::new(format!("unknown rule `{name}`"), label, format!("did you mean `{similar}`?"))
            }
            Self::Unknown { name, similar: None } => {
                Message::new(format!("unknown rule `{name}`"), label, "check its spelling").hint(Hint::ListRules)
            }
            Self::NotAllowable(name) => Message::new(
                format!("`{name}` cannot be allowed"),
                label,
                "a document with this error cannot be sent: fix it",
            ),
        }
    }
}

fn check(source: &SourceText<'_>, diagnostics: &mut Diagnostics) {
    each_comment(source.nodes, &mut |comment| {
        let Some(names) = allowed_names(comment.value) else { return };
        if names.is_empty() {
            UnknownRule::Missing.report(comment.span, diagnostics);
        }
        let mut seen = HashSet::new();
        for name in split_names(names).filter(|name| seen.insert(*name)) {
            match find_rule(name) {
                Some(rule) if rule.is_allowable => {}
                Some(_) => UnknownRule::NotAllowable(name).report(comment.span, diagnostics),
                None => {
                    let similar = nearest_rule(name).map(|rule| rule.name);
                    UnknownRule::Unknown { name, similar }.report(comment.span, diagnostics);
                }
            }
        }
    });
}
