//! `unknown-rule`: a `chatmd:allow` comment that allows nothing.

use std::collections::HashSet;

use crate::diagnostic::{Diagnostics, Hint, Message, Rule, rule};
use crate::lint::allow::{allowed_names, split_names};
use crate::lint::names::{NotARule, find_rule};
use crate::lint::source::{SourceText, each_comment};

/// `<!-- chatmd:allow -->`, `<!-- chatmd:allow speling -->`, `<!-- chatmd:allow unterminated -->`
pub(super) const UNKNOWN_RULE: Rule = rule!("unknown-rule" Warning Malformed is_allowable);

pub(super) fn check_source(source: &SourceText<'_>, diagnostics: &mut Diagnostics) {
    let label = "allows nothing";
    each_comment(source.nodes, &mut |comment| {
        let Some(names) = allowed_names(comment.value) else { return };
        if names.is_empty() {
            let help = "write `<!-- chatmd:allow RULE -->`";
            let message = Message::new("`chatmd:allow` does not name a rule", label, help);
            diagnostics.add(&UNKNOWN_RULE, message, comment.span);
        }
        let mut seen = HashSet::new();
        for name in split_names(names).filter(|name| seen.insert(*name)) {
            match find_rule(name) {
                Ok(rule) if rule.is_allowable => {}
                Ok(_) => {
                    let help = "a document with this error cannot be sent: fix it";
                    let message = Message::new(format!("`{name}` cannot be allowed"), label, help);
                    diagnostics.add(&UNKNOWN_RULE, message, comment.span);
                }
                Err(why) => {
                    let message = Message::new(format!("unknown rule `{name}`"), label, why.to_string());
                    match why {
                        // The rule of a former name is reported: say that the comment does not allow it.
                        NotARule::Renamed(_) => {
                            let rule = const { &rule!("unknown-rule" Error Malformed) };
                            diagnostics.add(rule, message, comment.span);
                        }
                        NotARule::Similar(_) => diagnostics.add(&UNKNOWN_RULE, message, comment.span),
                        NotARule::Unknown => {
                            diagnostics.add(&UNKNOWN_RULE, message.hint(Hint::ListRules), comment.span);
                        }
                    }
                }
            }
        }
    });
}
