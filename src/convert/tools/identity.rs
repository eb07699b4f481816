//! Tool identity and `tool_choice`.

use crate::json::{Json, StringArena};

/// The key by which one tool replaces another: its name, its server label, or else its type.
pub(in crate::convert) fn identity(tool: Json<'_>) -> String {
    let tool = tool.object().unwrap_or_default();
    let member = |key: &str| Some(format!("{key}={}", tool.get_str(key)?));
    ["name", "server_label", "type"].iter().find_map(|key| member(key)).unwrap_or_default()
}

/// The `tool_choice` that selects this tool, if it is declared, sent or labelled under this name.
pub(in crate::convert) fn choice<'s>(tool: Json<'_>, name: &str, strings: &'s StringArena) -> Option<Json<'s>> {
    let tool = tool.object().ok()?;
    let member = |key: &str| tool.get_str(key);
    let name = if name == "get_contents" { "read_file" } else { name };
    let is_it =
        ["declared_as", "name", "server_label"].iter().any(|key| member(key).is_some_and(|known| known == name));
    let kind = member("type")?;
    if !is_it && kind != name {
        return None;
    }
    Some(strings.write_object(|object| {
        object.text("type", &kind);
        for key in ["name", "server_label"] {
            if let Some(value) = member(key) {
                object.text(key, &value);
            }
        }
    }))
}
