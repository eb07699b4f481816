//! `unknown-rule`: a `chatmd:allow` comment that allows nothing.

use std::collections::HashSet;

use crate::diagnostic::{Diagnostics, Hint, Message, Rule, rule};
use crate::lint::allow::{allowed_names, split_names};
use crate::lint::entry::Lint;
use crate::lint::names::{NotARule, find_rule};
use crate::lint::source::{SourceText, each_comment};

pub(super) enum UnknownRule<'s> {
    /// `<!-- chatmd:allow -->`
    Missing,
    /// `<!-- chatmd:allow speling -->`
    Unknown { name: &'s str, why: NotARule },
    /// `<!-- chatmd:allow unterminated -->`
    NotAllowable(&'s str),
}

impl Lint for UnknownRule<'_> {
    const RULE: Rule = rule!("unknown-rule" Warning Malformed is_allowable);

    fn message(&self) -> Message {
        let label = "allows nothing";
        match self {
            Self::Missing => {
                Message::new("`chatmd:allow` does not name a rule", label, "write `<!-- chatmd:allow RULE -->`")
            }
            Self::Unknown { name, why } => {
                let message = Message::new(format!("unknown rule `{name}`"), label, why.to_string());
                if *why == NotARule::Unknown { message.hint(Hint::ListRules) } else { message }
            }
            Self::NotAllowable(name) => Message::new(
                format!("`{name}` cannot be allowed"),
                label,
                "a document with this error cannot be sent: fix it",
            ),
        }
    }

    /// A former name is an error: its rule would be reported again without a word.
    fn rule(&self) -> &'static Rule {
        match self {
            Self::Unknown { why: NotARule::Renamed(_), .. } => const { &rule!("unknown-rule" Error Malformed) },
            Self::Unknown { .. } | Self::Missing | Self::NotAllowable(_) => const { &Self::RULE },
        }
    }

    fn check_source(source: &SourceText<'_>, diagnostics: &mut Diagnostics) {
        each_comment(source.nodes, &mut |comment| {
            let Some(names) = allowed_names(comment.value) else { return };
            if names.is_empty() {
                UnknownRule::Missing.report(comment.span, diagnostics);
            }
            let mut seen = HashSet::new();
            for name in split_names(names).filter(|name| seen.insert(*name)) {
                match find_rule(name) {
                    Ok(rule) if rule.is_allowable => {}
                    Ok(_) => UnknownRule::NotAllowable(name).report(comment.span, diagnostics),
                    Err(why) => UnknownRule::Unknown { name, why }.report(comment.span, diagnostics),
                }
            }
        });
    }
}
