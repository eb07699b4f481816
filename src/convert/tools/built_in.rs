//! ochat's built-in tools.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::ToTool;
use super::function::Strict;
use crate::json::write::{ObjectWriter, array, string};
use crate::json::{Json, Object, StringArena};
use crate::syntax::nested_elements;
use crate::wire::LocatedTool;

/// ochat's built-in tools as the API defines them. `declared_as` is the name of those that are sent under another name.
const BUILT_IN: &str = include_str!("built_in.json");

/// The tool that may be declared with directories to read from.
const READ_FILE: &str = "read_file";

impl<'d> ToTool<'_, 'd> {
    /// The built-in tool that is declared, with the fields that the declaration's own attributes set.
    pub(super) fn built_in_tool(mut self, mut known: Object<'d>) -> LocatedTool<'d> {
        for (key, value) in self.fields.iter().filter(|(key, _)| !["type", "name"].contains(key)) {
            known.put(key.to_owned(), value);
        }
        match (self.strict(), known.get("strict").is_some()) {
            (Strict::Explicit(json), true) => known.put("strict", json),
            (Strict::Unset, true) => drop(known.take("strict")),
            (Strict::Derived, _) | (_, false) => {}
        }
        let is_read_file = known.get_str("name").is_some_and(|name| name == READ_FILE);
        let body = self.tool.source().filter(|_| is_read_file);
        let roots = body.map(|body| nested_elements(body, "read", self.span.source));
        let ids: Vec<&str> = roots.iter().flatten().filter_map(|root| root.value("id")).collect();
        if !ids.is_empty() {
            // The property chooses one of the directories.
            let root = self.context.strings.write_object(|root| {
                root.text("type", "string");
                array(root.key("enum"), &ids, |out, id| string(out, id));
            });
            let members = self.context.at_path("parameters.properties.root", root);
            self.context.join(&mut known, &members, self.span, self.diagnostics);
        }
        self.fields = known;
        self.finish_without_parameters()
    }
}

fn all(strings: &StringArena) -> impl Iterator<Item = Object<'_>> {
    let tools = Json::parse(BUILT_IN, strings).and_then(Json::array).unwrap_or_default();
    tools.into_iter().filter_map(|tool| tool.object().ok())
}

/// The name that a built-in tool is declared under.
fn declared_name(tool: &Object<'_>) -> Option<String> {
    Some(tool.get_str("declared_as").or_else(|| tool.get_str("name"))?.into_owned())
}

/// The built-in tool that is declared under this name.
pub(super) fn built_in<'d>(name: &str, strings: &'d StringArena) -> Option<Object<'d>> {
    // A document may declare many tools, so they are not all read for each of them.
    static BY_NAME: LazyLock<HashMap<String, String>> = LazyLock::new(|| {
        let strings = StringArena::default();
        let entry = |tool: Object<'_>| Some((declared_name(&tool)?, strings.object(&tool).raw().to_owned()));
        all(&strings).filter_map(entry).collect()
    });
    let name = if name == "get_contents" { READ_FILE } else { name };
    Json::parse(BY_NAME.get(name)?, strings).and_then(Json::object).ok()
}

/// The name that declares this tool, if it is equal to a built-in tool.
pub(in crate::convert) fn built_in_name(tool: Json<'_>) -> Option<&'static str> {
    static BY_SENT: LazyLock<HashMap<String, String>> = LazyLock::new(|| {
        let entry = |tool: Object<'_>| Some((sent(&tool), declared_name(&tool)?));
        all(&StringArena::default()).filter_map(entry).collect()
    });
    BY_SENT.get(&sent(&tool.object().ok()?)).map(String::as_str)
}

fn sent(tool: &Object<'_>) -> String {
    let mut json = String::new();
    write_sent(&mut json, tool);
    json
}

/// Writes a tool as it is sent, without `declared_as`.
pub(crate) fn write_tool(out: &mut String, tool: Json<'_>) {
    write_sent(out, &tool.object().unwrap_or_default());
}

fn write_sent(out: &mut String, tool: &Object<'_>) {
    let mut object = ObjectWriter::new(out);
    for (key, value) in tool.iter().filter(|(key, _)| *key != "declared_as") {
        object.json(key, value);
    }
    object.end();
}
