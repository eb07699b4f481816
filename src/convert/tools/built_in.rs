//! ochat's built-in tools.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::function::{Strict, description, strict};
use crate::convert::Context;
use crate::convert::set::set;
use crate::diagnostic::Diagnostics;
use crate::document::Declaration;
use crate::json::write::{ObjectWriter, array, string};
use crate::json::{Json, Object, StringArena};
use crate::source::Span;
use crate::syntax::nested_elements;

/// ochat's built-in tools as the API defines them. `declared_as` is the name of those that are sent under another name.
const BUILT_IN: &str = include_str!("built_in.json");

/// The tool that may be declared with directories to read from.
const READ_FILE: &str = "read_file";

impl<'d> Context<'d> {
    /// The built-in tool that is declared, with the declaration's own attributes.
    pub(super) fn built_in_tool(
        &self,
        mut known: Object<'d>,
        tool: &'d Declaration<'d>,
        span: Span,
        diagnostics: &mut Diagnostics,
    ) -> Json<'d> {
        if let Some(description) = description(&tool.attributes) {
            set(&mut known, "description", self.optional_string(description), self);
        }
        match (strict(&tool.attributes, diagnostics), known.get("strict").is_some()) {
            (Strict::Explicit(json), true) => set(&mut known, "strict", json, self),
            (Strict::Unset, true) => drop(known.take("strict")),
            (Strict::Derived, _) | (_, false) => {}
        }
        let is_read_file = known.get_str("name").is_some_and(|name| name == READ_FILE);
        let roots = tool.source().filter(|_| is_read_file).map(|body| nested_elements(body, "read", span.source));
        let ids: Vec<&str> = roots.iter().flatten().filter_map(|root| root.value("id")).collect();
        if !ids.is_empty() {
            set(&mut known, "parameters.properties.root", self.root(&ids), self);
        }
        self.strings.object(&known)
    }

    /// The property that chooses one of the directories.
    fn root(&self, ids: &[&str]) -> Json<'d> {
        self.object(|root| {
            root.text("type", "string");
            array(root.key("enum"), ids, |out, id| string(out, id));
        })
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

/// The built-in tools by what is sent for them.
pub(in crate::convert) struct BuiltIns(HashMap<String, String>);

impl BuiltIns {
    pub(in crate::convert) fn new() -> Self {
        let entry = |tool: Object<'_>| Some((sent(&tool), declared_name(&tool)?));
        Self(all(&StringArena::default()).filter_map(entry).collect())
    }

    /// The name that declares this tool, if it is equal to a built-in tool.
    pub(in crate::convert) fn declared_name(&self, tool: Json<'_>) -> Option<String> {
        self.0.get(&sent(&tool.object().ok()?)).cloned()
    }
}

fn sent(tool: &Object<'_>) -> String {
    let mut json = String::new();
    write_sent(&mut json, tool);
    json
}

/// Writes a tool as it is sent, without `declared_as`.
pub(in crate::convert) fn write_tool(out: &mut String, tool: Json<'_>) {
    write_sent(out, &tool.object().unwrap_or_default());
}

fn write_sent(out: &mut String, tool: &Object<'_>) {
    let mut object = ObjectWriter::new(out);
    for (key, value) in tool.iter().filter(|(key, _)| *key != "declared_as") {
        object.json(key, value);
    }
    object.end();
}
