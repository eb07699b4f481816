//! `unknown-tool`: a `tool_choice` that names no tool.

use std::borrow::Cow;
use std::collections::HashSet;

use crate::diagnostic::{Diagnostics, Message, Rule, nearest, rule};
use crate::json::Object;
use crate::lint::request::WholeRequest;

/// `<config tool_choice="nosuch"/>`, `<config tool_choice="required"/>`
pub(super) const UNKNOWN_TOOL: Rule = rule!("unknown-tool" Error Malformed is_allowable is_of_responses);

pub(super) fn check_request(whole: &WholeRequest<'_, '_>, diagnostics: &mut Diagnostics) {
    // A stored prompt brings tools of its own.
    if whole.is_set("prompt") {
        return;
    }
    let Some(choice) = whole.fields.get("tool_choice") else { return };
    let mut names = Vec::new();
    let of_items = whole.request.items.iter().flat_map(|located| located.item.rest().get_objects("tools"));
    whole.fields.get_objects("tools").chain(of_items).for_each(|tool| collect(&tool, &mut names));
    if choice.raw() == "\"required\"" && names.is_empty() && !whole.server_has_history {
        let title = "`tool_choice` is `required`, but the request has no tools";
        let message = Message::new(title, "no tool to call", "declare a tool, or choose `auto` or `none`");
        return diagnostics.add(&UNKNOWN_TOOL, message, whole.field_place("tool_choice"));
    }
    let Ok(choice) = choice.object() else { return };
    let chosen = choice.get_objects("tools").chain([choice]);
    let known: HashSet<&str> = names.iter().map(String::as_str).collect();
    let unknown = chosen.filter_map(|choice| chosen_name(&choice)).filter(|name| !known.contains(name.as_str()));
    for name in unknown.take(MAX_REPORTED) {
        let help = match nearest(&name, names.iter().map(String::as_str)) {
            Some(meant) => format!("did you mean `{meant}`?"),
            None => "declare the tool, or choose `auto`, `none` or `required`".to_owned(),
        };
        let title = format!("`tool_choice` names `{name}`, which is not a tool of the request");
        let message = Message::new(title, "no such tool", help);
        diagnostics.add(&UNKNOWN_TOOL, message, whole.field_place("tool_choice"));
    }
}

/// The names, labels and types of a tool, and of the tools in a namespace.
fn collect(tool: &Object<'_>, names: &mut Vec<String>) {
    let own = ["name", "server_label"].iter().filter_map(|key| tool.get_str(key)).map(Cow::into_owned);
    names.extend(own.chain(tool.get_str("type").map(|kind| family(&kind))));
    names.extend(tool.get_objects("tools").filter_map(|inner| inner.get_str("name").map(Cow::into_owned)));
}

/// At most this many unknown tools are reported.
const MAX_REPORTED: usize = 32;
/// Tools whose types have several spellings.
const FAMILIES: [&str; 2] = ["web_search", "computer"];

/// A type without its variant: `web_search` for `web_search_preview`.
fn family(kind: &str) -> String {
    FAMILIES.into_iter().find(|family| kind.starts_with(family)).unwrap_or(kind).to_owned()
}

/// The name of the function, the label of the server or the type of the hosted tool that is chosen.
fn chosen_name(choice: &Object<'_>) -> Option<String> {
    let key = match choice.get_str("type")?.as_ref() {
        "function" | "custom" => "name",
        "mcp" => "server_label",
        "allowed_tools" => return None,
        hosted => return Some(family(hosted)),
    };
    choice.get_str(key).map(Cow::into_owned)
}
