//! The rules that only `check` applies, by family.
//!
//! A new rule is a constant of a [`Lint`], with its page in `docs/rules`. A new lint has a row in [`LINTS`].

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

/// A family of rules of `check`, with the checks that they need.
pub(super) trait Lint: Sync {
    /// The name, severity, properties and page of each rule.
    fn rules(&self) -> &'static [Rule];

    /// Checks the whole request. It is skipped if a turn failed to parse, because that would cause false positives.
    fn check_request(&self, _request: &WholeRequest<'_, '_>, _diagnostics: &mut Diagnostics) {}

    /// Checks the JSON of a request for the Messages or the Chat API.
    fn check_sent(&self, _sent: &SentRequest<'_>, _diagnostics: &mut Diagnostics) {}

    /// Checks all tools that could be read.
    fn check_tools(&self, _tools: &[LocatedTool<'_>], _diagnostics: &mut Diagnostics) {}

    /// Checks all items that could be read.
    fn check_items(&self, _items: &[Located<'_>], _diagnostics: &mut Diagnostics) {}

    /// Checks a text in an item.
    fn check_text(&self, _text: &SentText<'_>, _diagnostics: &mut Diagnostics) {}

    /// Checks a file that the document sends.
    fn check_file(&self, _file: &SentFile<'_>, _diagnostics: &mut Diagnostics) {}

    /// Checks the text of the document, and of each file that it imports.
    fn check_source(&self, _source: &SourceText<'_>, _diagnostics: &mut Diagnostics) {}

    /// Checks the body of an element, with its Markdown code.
    fn check_body(&self, _body: &MarkdownBody<'_, '_>, _diagnostics: &mut Diagnostics) {}

    /// The fixes for the problems at a node of a body.
    fn fix_node(&self, _place: SiblingNode<'_, '_>, _body: &Body, _problems: &Problems<'_>) -> Vec<Fix> {
        Vec::new()
    }

    /// The fix for a problem of an element at top level.
    fn fix_element(&self, _element: &Element<'_>, _problems: &Problems<'_>) -> Option<Fix> {
        None
    }
}

/// Every lint, in the order in which rules are listed.
pub(super) const LINTS: &[&dyn Lint] = &[
    &calls::Calls,
    &wires::SentMessages,
    &media::Media,
    &tool_name::ToolName,
    &loose_schema::LooseSchema,
    &parts::Parts,
    &turns::Turns,
    &schema::Values,
    &unknown_element::UnknownElement,
    &windows_line_breaks::WindowsLineBreaks,
    &unknown_tool::UnknownTool,
    &fields::Fields,
    &items::Members,
    &base64_in_text::Base64InText,
    &stringified_content::StringifiedContent,
    &secret::Secret,
    &hidden_characters::HiddenCharacters,
    &typographic_quotes::TypographicQuotes,
    &code::MarkupInCode,
    &markdown_image::MarkdownImage,
    &raw_in_word::RawInWord,
    &unknown_rule::UnknownRule,
    &ochat::Ochat,
];

/// Runs a check of every lint. For another API than Responses, the rules of that API alone do not count.
pub(super) fn run(is_of_responses: bool, diagnostics: &mut Diagnostics, check: impl Fn(&dyn Lint, &mut Diagnostics)) {
    let mut found = Diagnostics::new();
    for lint in LINTS {
        check(*lint, &mut found);
    }
    diagnostics.append(if is_of_responses { found } else { found.without(|rule| rule.is_of_responses) });
}

/// All rules: first of the problems of reading and converting, then of the lints. A name stands for all of
/// its rows: it is an error, fixable or allowable if one of them is.
pub fn rules() -> impl Iterator<Item = &'static Rule> {
    static RULES: LazyLock<Vec<Rule>> = LazyLock::new(|| {
        let mut rules: Vec<Rule> = Vec::new();
        let ledger = LEDGER_RULES.iter().map(|row| &row.rule);
        for row in problem_rules().map(|(_, rule)| rule).chain(LINTS.iter().flat_map(|lint| lint.rules())).chain(ledger)
        {
            match rules.iter_mut().find(|rule| rule.name == row.name) {
                Some(rule) => rule.merge(row),
                None => rules.push(*row),
            }
        }
        rules
    });
    RULES.iter()
}
