//! Reports what differs between a document and its request.

use super::Request;
use crate::diagnostic::{Diagnostics, Hint, Message, Rule, Severity};
use crate::options::RequestOptions;
use crate::wire::{Class, Entry};

impl Request<'_> {
    /// Reports what differs: one diagnostic for each rule, with the first place and the count.
    pub(crate) fn report_ledger(&self, options: &RequestOptions, diagnostics: &mut Diagnostics) {
        for entries in self.ledger.by_rule() {
            let breaks_prefix = entries.iter().any(|entry| entry.prefix);
            if is_reported(entries[0], options.changes) || breaks_prefix {
                report(entries[0], entries.len(), breaks_prefix, diagnostics);
            }
        }
    }

    /// Reports what differs, each entry at its place.
    pub(crate) fn report_entries(&self, with_changes: bool, diagnostics: &mut Diagnostics) {
        for entry in self.ledger.iter().filter(|entry| is_reported(entry, with_changes) || entry.prefix) {
            report(entry, 1, entry.prefix, diagnostics);
        }
    }
}

/// Whether an entry is reported. Changes that keep the meaning are reported only on demand.
fn is_reported(entry: &Entry, with_changes: bool) -> bool {
    match entry.rule.class {
        Class::Moved | Class::Respelled | Class::Hint => with_changes,
        Class::Withheld | Class::Dropped | Class::Refused => true,
    }
}

fn report(first: &Entry, count: usize, breaks_prefix: bool, diagnostics: &mut Diagnostics) {
    let mut title = first.message.clone();
    if count > 1 {
        title = format!("{title}, and {} more like it", count - 1);
    }
    let (help, hint) = match first.rule.name() {
        "missing-max-tokens" => ("write `<config max_tokens=\"8192\">`", Some(Hint::SetMaxTokens)),
        _ if breaks_prefix => ("the API may remove or reject the reasoning after this place", None),
        _ => (help(first.rule.class), None),
    };
    let message =
        Message { title, label: first.rule.class.name().to_owned(), related: None, help: help.to_owned(), hint };
    let rule = if breaks_prefix { warning(&first.rule.rule) } else { &first.rule.rule };
    diagnostics.add(rule, message, first.span);
}

/// The rule of a change that the API may answer to.
fn warning(rule: &'static Rule) -> &'static Rule {
    const WARNINGS: [Rule; 2] = [
        Rule { severity: Severity::Warning, ..crate::diagnostic::rule!("moved-output" Warning Malformed is_allowable) },
        Rule { severity: Severity::Warning, ..crate::diagnostic::rule!("moved-system" Warning Malformed is_allowable) },
    ];
    const { &WARNINGS }.iter().find(|one| one.name == rule.name).unwrap_or(rule)
}

fn help(class: Class) -> &'static str {
    match class {
        Class::Moved => "the same content is sent at another place",
        Class::Respelled => "the same content is sent in other words",
        Class::Hint => "it is not sent, and the model is told the same",
        Class::Withheld => "it stays in the document",
        Class::Dropped => "it is not sent, and the model is told less",
        Class::Refused => "change it, or choose another API",
    }
}
