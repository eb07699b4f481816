//! `unknown-tool`: a `tool_choice` that names no tool.

use std::collections::HashSet;

use crate::diagnostic::{Diagnostics, Message, Rule, nearest, rule};
use crate::json::{Json, Object};
use crate::lint::entry::Lint;
use crate::lint::request::WholeRequest;

pub(super) enum UnknownTool<'r> {
    /// `<config tool_choice="nosuch"/>`
    Unknown { name: &'r str, meant: Option<&'r str> },
    /// `<config tool_choice="required"/>`
    NoTools,
}

impl Lint for UnknownTool<'_> {
    const RULE: Rule = rule!("unknown-tool" Error Malformed is_allowable);

    fn message(&self) -> Message {
        let (name, meant) = match self {
            Self::Unknown { name, meant } => (name, meant),
            Self::NoTools => {
                let title = "`tool_choice` is `required`, but the request has no tools";
                return Message::new(title, "no tool to call", "declare a tool, or choose `auto` or `none`");
            }
        };
        let help = match meant {
            Some(meant) => format!("did you mean `{meant}`?"),
            None => "declare the tool, or choose `auto`, `none` or `required`".to_owned(),
        };
        Message::new(format!("`tool_choice` names `{name}`, which is not a tool of the request"), "no such tool", help)
    }

    fn check_request(request: &WholeRequest<'_, '_>, diagnostics: &mut Diagnostics) {
        // A stored prompt brings tools of its own.
        if request.is_set("prompt") {
            return;
        }
        let Some(choice) = request.fields.get("tool_choice") else { return };
        let mut names = Vec::new();
        let declared = request.fields.get("tools").and_then(|tools| tools.array().ok()).unwrap_or_default();
        let items = request.items.iter().filter_map(|located| located.item.rest().get("tools")?.array().ok());
        declared.into_iter().chain(items.flatten()).for_each(|tool| collect(tool, &mut names));
        if choice.raw() == "\"required\"" && names.is_empty() && !request.server_has_history {
            return UnknownTool::NoTools.report(request.field_place("tool_choice"), diagnostics);
        }
        let Ok(choice) = choice.object() else { return };
        let allowed = choice.get("tools").and_then(|tools| tools.array().ok()).unwrap_or_default();
        let chosen = allowed.into_iter().filter_map(|tool| tool.object().ok()).chain([choice]);
        let known: HashSet<&str> = names.iter().map(String::as_str).collect();
        let unknown = chosen.filter_map(|choice| chosen_name(&choice)).filter(|name| !known.contains(name.as_str()));
        for name in unknown.take(MAX_REPORTED) {
            let meant = nearest(&name, names.iter().map(String::as_str));
            UnknownTool::Unknown { name: &name, meant }.report(request.field_place("tool_choice"), diagnostics);
        }
    }
}

/// The names, labels and types of a tool, and of the tools in a namespace.
fn collect(tool: Json<'_>, names: &mut Vec<String>) {
    let Ok(tool) = tool.object() else { return };
    let own = ["name", "server_label"].iter().filter_map(|key| tool.get_str(key)).map(std::borrow::Cow::into_owned);
    names.extend(own.chain(tool.get_str("type").map(|kind| family(&kind))));
    for inner in tool.get("tools").and_then(|tools| tools.array().ok()).unwrap_or_default() {
        let name = inner.object().ok().and_then(|inner| inner.get_str("name").map(std::borrow::Cow::into_owned));
        names.extend(name);
    }
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
    choice.get_str(key).map(std::borrow::Cow::into_owned)
}
