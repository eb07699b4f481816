//! `id-prefix`: an id that does not start as ids of its type do.

use crate::convert::Located;
use crate::diagnostic::{Diagnostics, Message, Rule, rule, sanitize_short};
use crate::lint::entry::Lint;

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

/// `<assistant id="0">…</assistant>`
pub(super) struct IdPrefix {
    id: String,
    kind: &'static str,
    prefix: &'static str,
}

impl Lint for IdPrefix {
    const RULE: Rule = rule!("id-prefix" Warning Malformed is_allowable);

    fn message(&self) -> Message {
        let Self { id, kind, prefix } = self;
        Message::new(
            format!("`{id}` is not an id of a `{kind}`"),
            format!("does not start with `{prefix}_`"),
            format!("OpenAI's API accepts only its own ids, which start with `{prefix}_`: remove the id"),
        )
    }

    fn check_items(items: &[Located<'_>], diagnostics: &mut Diagnostics) {
        for located in items {
            let item_kind = located.item.kind();
            let Some((kind, prefix)) = PREFIXES.iter().find(|(kind, _)| *kind == item_kind) else { continue };
            let id = located.item.rest().get_str("id").filter(|id| !id.is_empty());
            if let Some(id) = id.filter(|id| !id.starts_with(prefix)) {
                IdPrefix { id: sanitize_short(&id, MAX_SHOWN_LENGTH), kind, prefix }.report(located.span, diagnostics);
            }
        }
    }
}
