//! Members of items that the API does not accept.

use crate::convert::Located;
use crate::diagnostic::{Diagnostics, Message, Rule, rule, sanitize_short};
use crate::json::is_valid;
use crate::responses::{Item, Reasoning, ToolKind};
use crate::source::Span;

/// A function call whose arguments are not JSON: `<tool_call function_name="f" tool_call_id="c">{"a":</tool_call>`
const ARGUMENTS_NOT_JSON: Rule = rule!("arguments-not-json" Warning Malformed is_allowable is_of_responses);
/// An id that does not start as ids of its type do: `<assistant id="0">…</assistant>`
const ID_PREFIX: Rule = rule!("id-prefix" Warning Malformed is_allowable is_of_responses);
/// Reasoning with a field that the API sends and does not accept: `<reasoning id="rs_1" status="completed">…</reasoning>`
const REASONING_FIELDS: Rule = rule!("reasoning-fields" Warning Malformed is_allowable is_of_responses);

/// How the ids of each type of item start.
const PREFIXES: [(&str, &str); 12] = [
    ("message", "msg"),
    ("reasoning", "rs"),
    ("function_call", "fc"),
    ("custom_tool_call", "ctc"),
    ("web_search_call", "ws"),
    ("file_search_call", "fs"),
    ("computer_call", "cu"),
    ("code_interpreter_call", "ci"),
    ("image_generation_call", "ig"),
    ("mcp_call", "mcp"),
    ("mcp_list_tools", "mcpl"),
    ("mcp_approval_request", "mcpr"),
];
const MAX_SHOWN_LENGTH: usize = 40;

pub(super) const RULES: &[Rule] = &[ARGUMENTS_NOT_JSON, ID_PREFIX, REASONING_FIELDS];

pub(super) fn check_item(located: &Located<'_>, diagnostics: &mut Diagnostics) {
    if let Item::ToolCall(call) = &located.item
        && call.kind == ToolKind::Function
        && !is_valid(&call.input)
    {
        let message = Message::new(
            format!("the arguments of `{}` are not JSON", call.name),
            "called here",
            "models do write such calls; if you wrote it, fix the arguments, or add `type=\"custom_tool_call\"` \
             for free text",
        );
        diagnostics.add(&ARGUMENTS_NOT_JSON, message, located.span);
    }
    check_prefix(located, diagnostics);
    if let Item::Reasoning(reasoning) = &located.item {
        check_reasoning(reasoning, located.span, diagnostics);
    }
}

fn check_prefix(located: &Located<'_>, diagnostics: &mut Diagnostics) {
    let item_kind = located.item.kind();
    let Some((kind, prefix)) = PREFIXES.iter().find(|(kind, _)| *kind == item_kind) else { return };
    let id = located.item.rest().get_str("id").filter(|id| !id.is_empty() && !id.starts_with(prefix));
    if let Some(id) = id {
        let message = Message::new(
            format!("`{}` is not an id of a `{kind}`", sanitize_short(&id, MAX_SHOWN_LENGTH)),
            format!("does not start with `{prefix}_`"),
            format!("OpenAI's API accepts only its own ids, which start with `{prefix}_`: remove the id"),
        );
        diagnostics.add(&ID_PREFIX, message, located.span);
    }
}

fn check_reasoning(reasoning: &Reasoning<'_>, span: Span, diagnostics: &mut Diagnostics) {
    let has_content = reasoning.content.as_ref().is_some_and(|content| !content.is_empty());
    let fields = [("status", reasoning.rest.get_present("status").is_some()), ("content", has_content)];
    for (key, _) in fields.into_iter().filter(|(_, is_sent)| *is_sent) {
        let message = Message::new(
            format!("reasoning is sent back with `{key}`"),
            format!("has `{key}`"),
            format!("OpenAI's API sends `{key}` but does not accept it: remove it"),
        );
        diagnostics.add(&REASONING_FIELDS, message, span);
    }
}
