//! `unknown-tool-choice`: a `tool_choice` that names no tool.

use crate::diagnostic::{Diagnostics, Message, Rule, nearest, rule};
use crate::json::{Json, Object};
use crate::lint::entry::{Check, Lint};
use crate::lint::request::Request;

/// `<config tool_choice="nosuch"/>`
pub(super) struct UnknownToolChoice<'r> {
    name: &'r str,
    meant: Option<&'r str>,
}

impl Lint for UnknownToolChoice<'_> {
    const RULE: Rule = rule!("unknown-tool-choice" Error Malformed is_allowable);
    const CHECKS: &'static [Check] = &[Check::Request(check)];

    fn message(&self) -> Message {
        let help = match self.meant {
            Some(meant) => format!("did you mean `{meant}`?"),
            None => "declare the tool, or choose `auto`, `none` or `required`".to_owned(),
        };
        Message::new(
            format!("`tool_choice` names `{}`, which is not a tool of the request", self.name),
            "no such tool",
            help,
        )
    }
}

fn check(request: &Request<'_, '_>, diagnostics: &mut Diagnostics) {
    // A stored prompt brings tools of its own.
    if request.is_set("prompt") {
        return;
    }
    let Some(choice) = request.fields.get("tool_choice").and_then(|choice| choice.object().ok()) else { return };
    let mut names = Vec::new();
    let declared = request.fields.get("tools").and_then(|tools| tools.array().ok()).unwrap_or_default();
    let items = request.items.iter().filter_map(|located| located.item.rest().get("tools")?.array().ok());
    declared.into_iter().chain(items.flatten()).for_each(|tool| collect(tool, &mut names));
    let allowed = choice.get("tools").and_then(|tools| tools.array().ok()).unwrap_or_default();
    let chosen = allowed.into_iter().filter_map(|tool| tool.object().ok()).chain([choice]);
    for name in chosen.filter_map(|choice| chosen_name(&choice)) {
        if !names.contains(&name) {
            let meant = nearest(&name, names.iter().map(String::as_str));
            UnknownToolChoice { name: &name, meant }.report(request.field_place("tool_choice"), diagnostics);
        }
    }
}

/// The names and labels of a tool, and of the tools in a namespace.
fn collect(tool: Json<'_>, names: &mut Vec<String>) {
    let Ok(tool) = tool.object() else { return };
    let own = ["name", "server_label"].iter().filter_map(|key| tool.get_str(key)).map(std::borrow::Cow::into_owned);
    names.extend(own);
    for inner in tool.get("tools").and_then(|tools| tools.array().ok()).unwrap_or_default() {
        let name = inner.object().ok().and_then(|inner| inner.get_str("name").map(std::borrow::Cow::into_owned));
        names.extend(name);
    }
}

/// The name of the function or the label of the server that is chosen.
fn chosen_name(choice: &Object<'_>) -> Option<String> {
    let key = match choice.get_str("type")?.as_ref() {
        "function" | "custom" => "name",
        "mcp" => "server_label",
        _ => return None,
    };
    choice.get_str(key).map(std::borrow::Cow::into_owned)
}
