//! The rules that only `check` applies, by family.
//!
//! A new rule is a constant of its family, with its page in `docs/rules`. A new family has a row in [`FAMILIES`], and its checks are called
//! here.

pub(super) mod bodies;
mod calls;
mod fields;
mod hidden_characters;
mod items;
mod media;
mod ochat;
mod other_apis;
pub(super) mod parts;
pub(super) mod parts_as_text;
pub(super) mod schema;
mod secret;
pub(super) mod sources;
pub(super) mod tools;
mod turns;

use std::sync::LazyLock;

use crate::convert::Located;
use crate::diagnostic::{Diagnostics, Rule, problem_rules};
use crate::lint::request::WholeRequest;
use crate::lint::sent::SentRequest;
use crate::lint::source::SourceText;
use crate::lint::text::SentText;
use crate::source::{Sources, Span};
use crate::wire::LEDGER_RULES;

/// The rules of each family, in the order in which they are listed.
const FAMILIES: [&[Rule]; 15] = [
    calls::RULES,
    other_apis::RULES,
    media::RULES,
    tools::RULES,
    parts::RULES,
    turns::RULES,
    schema::RULES,
    &[bodies::UNKNOWN_ELEMENT, sources::WINDOWS_LINE_BREAKS],
    fields::RULES,
    items::RULES,
    parts_as_text::RULES,
    &[secret::SECRET, hidden_characters::HIDDEN_CHARACTERS, sources::TYPOGRAPHIC_QUOTES],
    bodies::RULES,
    &[sources::RAW_IN_WORD, sources::UNKNOWN_RULE],
    ochat::RULES,
];

/// Checks the whole request. It is skipped if a turn failed to parse, because that would cause false positives.
pub(super) fn check_request(request: &WholeRequest<'_, '_>, diagnostics: &mut Diagnostics) {
    calls::check_request(request, diagnostics);
    tools::check_request(request, diagnostics);
    turns::check_request(request, diagnostics);
    fields::check_request(request, diagnostics);
}

/// Checks the JSON of a request for the Messages or the Chat API.
pub(super) fn check_sent(sent: &SentRequest<'_>, diagnostics: &mut Diagnostics) {
    other_apis::check_sent(sent, diagnostics);
    tools::check_sent(sent, diagnostics);
    schema::check_sent(sent, diagnostics);
}

/// Checks all items that could be read.
pub(super) fn check_items(items: &[Located<'_>], diagnostics: &mut Diagnostics) {
    calls::check_items(items, diagnostics);
    for located in items {
        media::check_item(located, diagnostics);
        tools::check_item(located, diagnostics);
        parts::check_item(located, diagnostics);
        schema::check_item(located, diagnostics);
        items::check_item(located, diagnostics);
    }
}

/// Checks an item while a request is written: items that are sent as parts of a message, and long base64 in an output.
pub fn check_converted(located: &Located<'_>, sources: &Sources, diagnostics: &mut Diagnostics) {
    parts::check_converted(located, diagnostics);
    parts_as_text::check_converted(located, sources, diagnostics);
}

/// Checks a text in an item.
pub(super) fn check_text(text: &SentText<'_>, diagnostics: &mut Diagnostics) {
    parts_as_text::check_text(text, diagnostics);
    hidden_characters::check_text(text, diagnostics);
}

/// Checks the text of a file that the document sends. `span` is where the document refers to it.
pub(super) fn check_file(path: &str, text: &str, span: Span, diagnostics: &mut Diagnostics) {
    secret::check_file(path, text, span, diagnostics);
    hidden_characters::check_file(path, text, span, diagnostics);
}

/// Checks the text of the document, and of each file that it imports.
pub(super) fn check_source(source: &SourceText<'_>, diagnostics: &mut Diagnostics) {
    sources::check_source(source, diagnostics);
    secret::check_source(source, diagnostics);
    hidden_characters::check_source(source, diagnostics);
    ochat::check_source(source, diagnostics);
}

/// All rules: first of the problems of reading and converting, then of the lints, then of the ledger. Several rules may have one
/// name. They are merged: the result is an error, fixable or allowable if one of them is.
pub fn rules() -> impl Iterator<Item = &'static Rule> {
    static RULES: LazyLock<Vec<Rule>> = LazyLock::new(|| {
        let mut rules: Vec<Rule> = Vec::new();
        let ledger = LEDGER_RULES.iter().map(|row| &row.rule);
        for row in problem_rules().map(|(_, rule)| rule).chain(FAMILIES.into_iter().flatten()).chain(ledger) {
            match rules.iter_mut().find(|rule| rule.name == row.name) {
                Some(rule) => rule.merge(row),
                None => rules.push(*row),
            }
        }
        rules
    });
    RULES.iter()
}
