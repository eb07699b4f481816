//! The rules that only `check` applies, one file each.
//!
//! A new rule is a file here with a row in [`LINTS`], and its page in `docs/rules`.

mod annotation_range;
mod arguments_not_json;
pub(super) mod base64_in_text;
mod blank_text;
mod broken_base64;
mod call_without_output;
mod comment_in_code;
mod empty_message;
mod empty_source;
mod exclusive_fields;
mod hidden_characters;
mod id_prefix;
mod invalid_value;
mod json_not_mentioned;
pub(super) mod limit_exceeded;
mod loose_schema;
mod markdown_image;
mod missing_field;
mod no_input;
mod no_user_message;
mod ochat_attribute;
mod ochat_comment;
mod ochat_front_matter;
mod ochat_markup;
mod output_before_call;
mod output_without_call;
pub(super) mod part_not_allowed;
mod pending_approval;
mod pending_call;
mod prefill;
mod raw_in_word;
mod reasoning_fields;
mod reasoning_without_item;
mod repeated_id;
mod result_not_adjacent;
mod root_schema;
mod secret;
mod stringified_content;
mod tag_in_code;
mod tool_name;
mod typographic_quotes;
mod unknown_element;
mod unknown_field;
mod unknown_rule;
mod unknown_tool;
mod unknown_value;
mod unsupported_image;
pub(super) mod unsupported_part;
mod windows_line_breaks;
mod wrong_media_type;
mod wrong_type;

use std::sync::LazyLock;

use crate::diagnostic::{Rule, problem_rules};
use crate::lint::entry::Entry;
use crate::wire::LEDGER_RULES;

/// Every lint, in the order in which rules are listed.
pub(super) const LINTS: &[Entry] = &[
    Entry::of::<call_without_output::CallWithoutOutput<'_>>(),
    Entry::of::<pending_call::PendingCall<'_>>(),
    Entry::of::<output_without_call::OutputWithoutCall<'_>>(),
    Entry::of::<output_before_call::OutputBeforeCall<'_>>(),
    Entry::of::<repeated_id::RepeatedId<'_>>(),
    Entry::of::<result_not_adjacent::ResultNotAdjacent>(),
    Entry::of::<prefill::Prefill>(),
    Entry::of::<blank_text::BlankText>(),
    Entry::of::<root_schema::RootSchema>(),
    Entry::of::<limit_exceeded::LimitExceeded>(),
    Entry::of::<broken_base64::BrokenBase64>(),
    Entry::of::<wrong_media_type::WrongMediaType<'_>>(),
    Entry::of::<unsupported_image::UnsupportedImage<'_>>(),
    Entry::of::<empty_source::EmptySource>(),
    Entry::of::<tool_name::ToolName<'_>>(),
    Entry::of::<loose_schema::LooseSchema>(),
    Entry::of::<part_not_allowed::PartNotAllowed<'_>>(),
    Entry::of::<reasoning_without_item::ReasoningWithoutItem>(),
    Entry::of::<wrong_type::WrongType>(),
    Entry::of::<invalid_value::InvalidValue>(),
    Entry::of::<missing_field::MissingField>(),
    Entry::of::<unknown_value::UnknownValue<'_>>(),
    Entry::of::<unknown_field::UnknownField<'_>>(),
    Entry::of::<unknown_element::UnknownElement<'_>>(),
    Entry::of::<windows_line_breaks::WindowsLineBreaks>(),
    Entry::of::<unknown_tool::UnknownTool<'_>>(),
    Entry::of::<exclusive_fields::ExclusiveFields>(),
    Entry::of::<json_not_mentioned::JsonNotMentioned>(),
    Entry::of::<no_input::NoInput>(),
    Entry::of::<no_user_message::NoUserMessage>(),
    Entry::of::<empty_message::EmptyMessage>(),
    Entry::of::<unsupported_part::UnsupportedPart>(),
    Entry::of::<arguments_not_json::ArgumentsNotJson<'_>>(),
    Entry::of::<pending_approval::PendingApproval<'_>>(),
    Entry::of::<id_prefix::IdPrefix>(),
    Entry::of::<reasoning_fields::ReasoningFields>(),
    Entry::of::<annotation_range::AnnotationRange>(),
    Entry::of::<base64_in_text::Base64InText>(),
    Entry::of::<stringified_content::StringifiedContent>(),
    Entry::of::<secret::Secret<'_>>(),
    Entry::of::<hidden_characters::HiddenCharacters<'_>>(),
    Entry::of::<typographic_quotes::TypographicQuotes<'_>>(),
    Entry::of::<tag_in_code::TagInCode>(),
    Entry::of::<comment_in_code::CommentInCode>(),
    Entry::of::<markdown_image::MarkdownImageInText<'_>>(),
    Entry::of::<raw_in_word::RawInWord>(),
    Entry::of::<unknown_rule::UnknownRule<'_>>(),
    Entry::of::<ochat_markup::OchatMarkup>(),
    Entry::of::<ochat_attribute::OchatAttribute<'_>>(),
    Entry::of::<ochat_comment::OchatComment>(),
    Entry::of::<ochat_front_matter::OchatFrontMatter>(),
];

/// All rules: those of the problems of reading and converting first, then those of the lints. A name stands for all of
/// its rows: it is an error, fixable or allowable if one of them is.
pub fn rules() -> impl Iterator<Item = &'static Rule> {
    static RULES: LazyLock<Vec<Rule>> = LazyLock::new(|| {
        let mut rules: Vec<Rule> = Vec::new();
        let ledger = LEDGER_RULES.iter().map(|row| &row.rule);
        for row in problem_rules().map(|(_, rule)| rule).chain(LINTS.iter().map(|lint| lint.rule)).chain(ledger) {
            match rules.iter_mut().find(|rule| rule.name == row.name) {
                Some(rule) => rule.merge(row),
                None => rules.push(*row),
            }
        }
        rules
    });
    RULES.iter()
}
