//! The rules that only `check` applies, by family.
//!
//! A new rule is a constant of its family, with its page in `docs/rules`. A new family has a row in [`FAMILIES`], and its checks are called
//! here.

pub(super) mod base64_in_text;
mod calls;
mod code;
mod fields;
mod hidden_characters;
mod items;
mod loose_schema;
mod markdown_image;
mod media;
mod ochat;
pub(super) mod parts;
mod raw_in_word;
pub(super) mod schema;
mod secret;
mod stringified_content;
mod tool_name;
mod turns;
mod typographic_quotes;
mod unknown_element;
mod unknown_rule;
mod unknown_tool;
mod windows_line_breaks;
mod wires;

use std::sync::LazyLock;

use crate::convert::Located;
use crate::diagnostic::{Diagnostics, Rule, problem_rules};
use crate::lint::code::MarkdownBody;
use crate::lint::fix::{Body, Fix, Problems, SiblingNode};
use crate::lint::request::WholeRequest;
use crate::lint::sent::SentRequest;
use crate::lint::source::SourceText;
use crate::lint::text::{SentFile, SentText};
use crate::syntax::Element;
use crate::wire::{LEDGER_RULES, LocatedTool};

/// The rules of each family, in the order in which they are listed.
const FAMILIES: [&[Rule]; 23] = [
    calls::RULES,
    wires::RULES,
    media::RULES,
    &[tool_name::TOOL_NAME],
    &[loose_schema::LOOSE_SCHEMA],
    parts::RULES,
    turns::RULES,
    schema::RULES,
    &[unknown_element::UNKNOWN_ELEMENT],
    &[windows_line_breaks::WINDOWS_LINE_BREAKS],
    &[unknown_tool::UNKNOWN_TOOL],
    fields::RULES,
    items::RULES,
    &[base64_in_text::BASE64_IN_TEXT],
    &[stringified_content::STRINGIFIED_CONTENT],
    &[secret::SECRET],
    &[hidden_characters::HIDDEN_CHARACTERS],
    &[typographic_quotes::TYPOGRAPHIC_QUOTES],
    code::RULES,
    &[markdown_image::MARKDOWN_IMAGE],
    &[raw_in_word::RAW_IN_WORD],
    &[unknown_rule::UNKNOWN_RULE],
    ochat::RULES,
];

/// Checks the whole request. It is skipped if a turn failed to parse, because that would cause false positives.
pub(super) fn check_request(request: &WholeRequest<'_, '_>, diagnostics: &mut Diagnostics) {
    calls::check_request(request, diagnostics);
    loose_schema::check_request(request, diagnostics);
    turns::check_request(request, diagnostics);
    unknown_tool::check_request(request, diagnostics);
    fields::check_request(request, diagnostics);
}

/// Checks the JSON of a request for the Messages or the Chat API.
pub(super) fn check_sent(sent: &SentRequest<'_>, diagnostics: &mut Diagnostics) {
    wires::check_sent(sent, diagnostics);
    tool_name::check_sent(sent, diagnostics);
    schema::check_sent(sent, diagnostics);
}

/// Checks a tool.
pub(super) fn check_tool(tool: &LocatedTool<'_>, diagnostics: &mut Diagnostics) {
    tool_name::check_tool(tool, diagnostics);
    loose_schema::check_tool(tool, diagnostics);
}

/// Checks all items that could be read.
pub(super) fn check_items(items: &[Located<'_>], diagnostics: &mut Diagnostics) {
    calls::check_items(items, diagnostics);
    for located in items {
        media::check_item(located, diagnostics);
        tool_name::check_item(located, diagnostics);
        parts::check_item(located, diagnostics);
        schema::check_item(located, diagnostics);
        items::check_item(located, diagnostics);
    }
}

/// Checks a text in an item.
pub(super) fn check_text(text: &SentText<'_>, diagnostics: &mut Diagnostics) {
    base64_in_text::check_text(text, diagnostics);
    stringified_content::check_text(text, diagnostics);
    hidden_characters::check_text(text, diagnostics);
}

/// Checks a file that the document sends.
pub(super) fn check_file(file: &SentFile<'_>, diagnostics: &mut Diagnostics) {
    secret::check_file(file, diagnostics);
    hidden_characters::check_file(file, diagnostics);
}

/// Checks the text of the document, and of each file that it imports.
pub(super) fn check_source(source: &SourceText<'_>, diagnostics: &mut Diagnostics) {
    windows_line_breaks::check_source(source, diagnostics);
    secret::check_source(source, diagnostics);
    hidden_characters::check_source(source, diagnostics);
    typographic_quotes::check_source(source, diagnostics);
    raw_in_word::check_source(source, diagnostics);
    unknown_rule::check_source(source, diagnostics);
    ochat::check_source(source, diagnostics);
}

/// Checks the body of an element, with its Markdown code.
pub(super) fn check_body(body: &MarkdownBody<'_, '_>, diagnostics: &mut Diagnostics) {
    unknown_element::check_body(body, diagnostics);
    code::check_body(body, diagnostics);
    markdown_image::check_body(body, diagnostics);
}

/// The fixes for the problems at a node of a body.
pub(super) fn fix_node(place: SiblingNode<'_, '_>, body: &Body, problems: &Problems<'_>) -> Vec<Fix> {
    let mut fixes = base64_in_text::fix_node(place, body, problems);
    fixes.extend(code::fix_node(place, body, problems));
    fixes.extend(markdown_image::fix_node(place, body, problems));
    fixes
}

/// The fixes for the problems of an element at top level.
pub(super) fn fix_element(element: &Element<'_>, problems: &Problems<'_>) -> impl Iterator<Item = Fix> {
    let fixes = [loose_schema::fix_element, typographic_quotes::fix_element].map(|fix| fix(element, problems));
    fixes.into_iter().flatten()
}

/// All rules: first of the problems of reading and converting, then of the lints. A name stands for all of
/// its rows: it is an error, fixable or allowable if one of them is.
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
