//! The rules that only `check` applies, by family.
//!
//! A new rule is a [`Lint`] here with a row in [`LINTS`], and its page in `docs/rules`.

pub(super) mod base64_in_text;
mod calls;
mod code;
mod fields;
mod hidden_characters;
mod invalid_value;
mod items;
mod loose_schema;
mod markdown_image;
pub(super) mod media;
mod ochat;
pub(super) mod parts;
mod raw_in_word;
mod result_not_adjacent;
mod schema;
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
use crate::diagnostic::{Diagnostics, Message, Rule, problem_rules};
use crate::lint::api::Rejected;
use crate::lint::code::MarkdownBody;
use crate::lint::fix::{Body, Fix, Problems, SiblingNode};
use crate::lint::media::Media;
use crate::lint::request::WholeRequest;
use crate::lint::sent::SentRequest;
use crate::lint::source::SourceText;
use crate::lint::text::{SentFile, SentText};
use crate::source::Span;
use crate::syntax::Element;
use crate::wire::{LEDGER_RULES, LocatedTool};

/// A rule of `check`, with the checks that it needs.
pub(super) trait Lint: Sync {
    /// The name, severity, properties and page of the rule.
    fn rule(&self) -> &'static Rule;

    /// Reports a finding.
    fn report(&self, message: Message, span: Span, diagnostics: &mut Diagnostics) {
        diagnostics.add(self.rule(), message, span);
    }

    /// Checks the whole request. It is skipped if a turn failed to parse, because that would cause false positives.
    fn check_request(&self, _request: &WholeRequest<'_, '_>, _diagnostics: &mut Diagnostics) {}

    /// Checks a place in the request that the description of the API does not allow.
    fn check_api(&self, _rejected: &Rejected<'_>, _span: Span, _diagnostics: &mut Diagnostics) {}

    /// Checks the JSON of a request for the Messages or the Chat API.
    fn check_sent(&self, _sent: &SentRequest<'_>, _diagnostics: &mut Diagnostics) {}

    /// Checks all tools that could be read.
    fn check_tools(&self, _tools: &[LocatedTool<'_>], _diagnostics: &mut Diagnostics) {}

    /// Checks all items that could be read.
    fn check_items(&self, _items: &[Located<'_>], _diagnostics: &mut Diagnostics) {}

    /// Checks an image or a file in an item.
    fn check_media(&self, _media: &Media<'_>, _diagnostics: &mut Diagnostics) {}

    /// Checks a text in an item.
    fn check_text(&self, _text: &SentText<'_>, _diagnostics: &mut Diagnostics) {}

    /// Checks a file that the document sends.
    fn check_file(&self, _file: &SentFile<'_>, _diagnostics: &mut Diagnostics) {}

    /// Checks the text of the document, and of each file that it imports.
    fn check_source(&self, _source: &SourceText<'_>, _diagnostics: &mut Diagnostics) {}

    /// Checks the same text, with [`CheckOptions::portable`](crate::lint::CheckOptions::portable) only.
    fn check_portable(&self, _source: &SourceText<'_>, _diagnostics: &mut Diagnostics) {}

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
    &calls::CallWithoutOutput,
    &calls::PendingCall,
    &calls::OutputWithoutCall,
    &calls::OutputBeforeCall,
    &calls::RepeatedId,
    &result_not_adjacent::ResultNotAdjacent,
    &wires::Prefill,
    &wires::BlankText,
    &wires::InvalidSchema,
    &media::LimitExceeded,
    &media::BrokenBase64,
    &media::WrongMediaType,
    &media::UnsupportedImage,
    &media::EmptySource,
    &tool_name::ToolName,
    &loose_schema::LooseSchema,
    &parts::PartNotAllowed,
    &turns::ReasoningWithoutItem,
    &schema::WrongType,
    &invalid_value::InvalidValue,
    &schema::MissingField,
    &schema::UnknownValue,
    &schema::UnknownField,
    &unknown_element::UnknownElement,
    &windows_line_breaks::WindowsLineBreaks,
    &unknown_tool::UnknownTool,
    &fields::ExclusiveFields,
    &fields::JsonNotMentioned,
    &turns::NoInput,
    &turns::NoUserMessage,
    &turns::EmptyMessage,
    &parts::UnsupportedPart,
    &items::ArgumentsNotJson,
    &calls::PendingApproval,
    &items::IdPrefix,
    &items::ReasoningFields,
    &parts::AnnotationRange,
    &base64_in_text::Base64InText,
    &stringified_content::StringifiedContent,
    &secret::Secret,
    &hidden_characters::HiddenCharacters,
    &typographic_quotes::TypographicQuotes,
    &code::TagInCode,
    &code::CommentInCode,
    &markdown_image::MarkdownImage,
    &raw_in_word::RawInWord,
    &unknown_rule::UnknownRule,
    &ochat::OchatMarkup,
    &ochat::OchatAttribute,
    &ochat::OchatComment,
    &ochat::OchatFrontMatter,
];

/// The lints that check items. Some are about the Responses API alone.
pub(super) fn lints_of_items(is_of_responses: bool) -> impl Iterator<Item = &'static dyn Lint> {
    LINTS.iter().copied().filter(move |lint| is_of_responses || !lint.rule().is_of_responses)
}

/// All rules: those of the problems of reading and converting first, then those of the lints. A name stands for all of
/// its rows: it is an error, fixable or allowable if one of them is.
pub fn rules() -> impl Iterator<Item = &'static Rule> {
    static RULES: LazyLock<Vec<Rule>> = LazyLock::new(|| {
        let mut rules: Vec<Rule> = Vec::new();
        let ledger = LEDGER_RULES.iter().map(|row| &row.rule);
        for row in problem_rules().map(|(_, rule)| rule).chain(LINTS.iter().map(|lint| lint.rule())).chain(ledger) {
            match rules.iter_mut().find(|rule| rule.name == row.name) {
                Some(rule) => rule.merge(row),
                None => rules.push(*row),
            }
        }
        rules
    });
    RULES.iter()
}
