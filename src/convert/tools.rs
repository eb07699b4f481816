//! `<tool>` declarations and the request's tools.

use std::borrow::Cow;

use super::Context;
use super::from_config::listed;
use super::set::set;
use crate::diagnostic::{Diagnostics, Problem};
use crate::document::Declaration;
use crate::element::Tag;
use crate::json::write::ObjectWriter;
use crate::json::{Json, Kind, Object, StringArena, is_valid};
use crate::source::{Span, Spanned};
use crate::syntax::{Attribute, Attributes};

/// ochat's built-in tools as the API defines them.
const BUILT_IN: &str = include_str!("builtin_tools.json");

/// The parameters of a command tool: its arguments.
const COMMAND_PARAMETERS: &str = r#"{"type":"object","properties":{"arguments":{"type":"array","items":{"type":"string"}}},"required":["arguments"],"additionalProperties":false}"#;
/// The parameters of an agent tool: its input.
const AGENT_PARAMETERS: &str =
    r#"{"type":"object","properties":{"input":{"type":"string"}},"required":["input"],"additionalProperties":false}"#;

/// Attributes for the host that runs the tool. They are never sent.
const HOST_KEYS: [&str; 5] = ["type", "command", "agent", "local", "schema"];

impl<'d> Context<'d> {
    /// Converts a declaration to the API's tool. Reports a problem and returns `None` if there is no such tool.
    pub(super) fn tool(&self, tool: &'d Attributes<'_>, span: Span, diagnostics: &mut Diagnostics) -> Option<Json<'d>> {
        let Some(server) = tool.value("mcp_server") else {
            let Some(name) = tool.value("name").filter(|name| !name.is_empty()) else {
                diagnostics.report(Problem::MissingAttribute { tag: Tag::Tool, name: "name" }, span);
                return None;
            };
            return self.named_tool(name, tool, span, diagnostics);
        };
        if server.starts_with("stdio:") {
            diagnostics.report(Problem::UnreachableServer(server.to_owned()), span);
            return None;
        }
        Some(self.mcp_tool(server, tool))
    }

    fn named_tool(
        &self,
        name: &'d str,
        tool: &'d Attributes<'_>,
        span: Span,
        diagnostics: &mut Diagnostics,
    ) -> Option<Json<'d>> {
        match tool.value("type") {
            Some("hosted") => return Some(self.hosted_tool(name, tool)),
            Some("custom") => return Some(self.custom_tool(name, tool)),
            _ => {}
        }
        let known = built_in(name, self.strings).and_then(|tool| tool.object().ok());
        let parameters = if let Some(schema) = tool.value("schema") {
            Some(self.json_file(schema, span, diagnostics)?)
        } else if tool.has("command") {
            Json::parse(COMMAND_PARAMETERS, self.strings).ok()
        } else if tool.has("agent") {
            Json::parse(AGENT_PARAMETERS, self.strings).ok()
        } else {
            None
        };
        match (parameters, known) {
            (Some(parameters), _) => Some(self.function(name, parameters, tool)),
            (None, Some(known)) => Some(self.known_tool(known, tool)),
            (None, None) => {
                diagnostics.report(Problem::UnknownTool(name.to_owned()), span);
                None
            }
        }
    }

    fn function(&self, name: &str, parameters: Json<'_>, tool: &'d Attributes<'_>) -> Json<'d> {
        self.object(|object| {
            object.text("type", "function");
            object.text("name", name);
            if let Some(description) = tool.value("description") {
                object.text("description", description);
            }
            object.json("parameters", parameters);
            object.key("strict").push_str(if tool.value("strict") == Some("false") { "false" } else { "true" });
            self.extend(object, tool, &["name", "description", "strict"]);
        })
    }

    /// A built-in tool with the declaration's own attributes.
    fn known_tool(&self, mut known: Object<'d>, tool: &'d Attributes<'_>) -> Json<'d> {
        if let Some(description) = tool.value("description") {
            set(&mut known, "description", self.strings.string(description), self);
        }
        if tool.value("strict") == Some("false") && known.get("strict").is_some() {
            set(&mut known, "strict", Json::FALSE, self);
        }
        self.object(|object| object.members(&known))
    }

    fn hosted_tool(&self, name: &str, tool: &'d Attributes<'_>) -> Json<'d> {
        self.object(|object| {
            object.text("type", name);
            self.extend(object, tool, &["name"]);
        })
    }

    fn custom_tool(&self, name: &str, tool: &'d Attributes<'_>) -> Json<'d> {
        self.object(|object| {
            object.text("type", "custom");
            object.text("name", name);
            self.extend(object, tool, &["name"]);
        })
    }

    fn mcp_tool(&self, server: &str, tool: &'d Attributes<'_>) -> Json<'d> {
        self.object(|object| {
            object.text("type", "mcp");
            object.text("server_label", &tool.value("server_label").map_or_else(|| label(server), Cow::Borrowed));
            object.text("server_url", server);
            let allowed = ["includes", "include", "name"].iter().find_map(|key| tool.value(key));
            if let Some(allowed) = allowed {
                object.json("allowed_tools", self.list(allowed));
            }
            let approval = tool.value("require_approval").unwrap_or("never");
            object.json("require_approval", self.json_or_string(self.strings.keep(approval.to_owned())));
            let known = ["mcp_server", "server_label", "includes", "include", "name", "require_approval", "strict"];
            self.extend(object, tool, &known);
        })
    }

    /// Adds all attributes as fields, except the `known` ones.
    fn extend(&self, object: &mut ObjectWriter<'_>, tool: &'d Attributes<'_>, known: &[&str]) {
        for (attribute, is_last) in tool.with_last() {
            let name = attribute.name.as_ref();
            if !is_last || known.contains(&name) || HOST_KEYS.contains(&name) || name.starts_with("ochat-") {
                continue;
            }
            match attribute.value.as_deref() {
                Some(value) => object.json(name, self.json_or_string(value)),
                None => object.key(name).push_str("true"),
            }
        }
    }
}

/// The built-in tool that is declared under this name.
fn built_in<'d>(name: &str, strings: &'d StringArena) -> Option<Json<'d>> {
    let name = if name == "get_contents" { "read_file" } else { name };
    let is_it = |tool: &Json<'d>| {
        let Ok(tool) = tool.object() else { return false };
        let declared = tool.get("declared_as").or_else(|| tool.get("name"));
        declared.and_then(|declared| declared.as_str().ok()).is_some_and(|declared| declared == name)
    };
    Json::parse(BUILT_IN, strings).ok()?.array().ok()?.into_iter().find(is_it)
}

/// Writes a tool as it is sent, without `declared_as`.
pub(super) fn write_tool(out: &mut String, tool: Json<'_>) {
    let mut object = ObjectWriter::new(out);
    for (key, value) in tool.object().unwrap_or_default().iter().filter(|(key, _)| *key != "declared_as") {
        object.json(key, value);
    }
    object.end();
}

/// The key by which one tool replaces another: its name, its server label, or else its type.
pub(super) fn identity(tool: Json<'_>) -> String {
    let tool = tool.object().unwrap_or_default();
    let member = |key: &str| Some(format!("{key}={}", tool.get(key)?.as_str().ok()?));
    ["name", "server_label", "type"].iter().find_map(|key| member(key)).unwrap_or_default()
}

/// The `tool_choice` that selects this tool, if it is declared, sent or labelled under this name.
pub(super) fn choice(tool: Json<'_>, name: &str) -> Option<String> {
    let tool = tool.object().ok()?;
    let member = |key: &str| tool.get(key)?.as_str().ok();
    let name = if name == "get_contents" { "read_file" } else { name };
    let is_it =
        ["declared_as", "name", "server_label"].iter().any(|key| member(key).is_some_and(|known| known == name));
    let kind = member("type")?;
    if !is_it && kind != name {
        return None;
    }
    let mut json = String::new();
    let mut object = ObjectWriter::new(&mut json);
    object.text("type", &kind);
    for key in ["name", "server_label"] {
        if let Some(value) = member(key) {
            object.text(key, &value);
        }
    }
    object.end();
    Some(json)
}

/// A label for a server: its host, with `_` for characters that the API does not allow.
fn label(server: &str) -> Cow<'_, str> {
    let rest = server.split_once("://").map_or(server, |(_, rest)| rest);
    let host = rest.split(['/', '?', '#']).next().unwrap_or(rest);
    // A name and a password may precede the host.
    let host = host.rsplit('@').next().unwrap_or(host);
    Cow::Owned(host.replace(|c: char| !c.is_ascii_alphanumeric() && c != '-' && c != '_', "_"))
}

/// The `<tool>` declarations for a request's tools; `None` if one of them has no declaration.
pub(super) fn declarations<'j>(tools: Json<'j>, no_span: Span) -> Option<Vec<Spanned<Declaration<'j>>>> {
    let tools = tools.array().ok()?.into_iter();
    let one =
        |tool: Json<'j>| built_in_declaration(tool, no_span).or_else(|| declaration(tool.object().ok()?, no_span));
    let declarations = tools.map(one).collect::<Option<Vec<_>>>()?;
    (!declarations.is_empty()).then_some(declarations)
}

/// `<tool name="…"/>` for a tool that is exactly a built-in one.
fn built_in_declaration(tool: Json<'_>, no_span: Span) -> Option<Spanned<Declaration<'_>>> {
    let spelled = |tool: Json<'_>| {
        let mut json = String::new();
        write_tool(&mut json, tool);
        json
    };
    let strings = StringArena::default();
    let all = Json::parse(BUILT_IN, &strings).ok()?.array().ok()?;
    let known = all.into_iter().find(|known| spelled(*known) == spelled(tool))?.object().ok()?;
    let name = known.get("declared_as").or_else(|| known.get("name"))?.as_str().ok()?;
    let name = Attribute { name: "name".into(), value: Some(name.into_owned().into()), span: no_span };
    let declaration = Declaration { tag: Tag::Tool, attributes: Attributes(vec![name]), body: None };
    Some(Spanned::new(declaration, no_span))
}

fn declaration<'j>(mut tool: Object<'j>, no_span: Span) -> Option<Spanned<Declaration<'j>>> {
    let kind = tool.take("type")?.as_str().ok()?;
    let mut attributes = Vec::new();
    let mut push = |name: &'static str, value: Cow<'j, str>| {
        attributes.push(Attribute { name: name.into(), value: Some(value), span: no_span });
    };
    match kind.as_ref() {
        "mcp" => {
            let url = tool.take("server_url")?.as_str().ok().filter(|url| !url.starts_with("stdio:"))?;
            let approval = tool.take("require_approval")?.as_str().ok().filter(|approval| !is_valid(approval))?;
            push("mcp_server", url);
            push("server_label", tool.take("server_label")?.as_str().ok()?);
            push("includes", listed(tool.take("allowed_tools")?)?);
            push("require_approval", approval);
        }
        "function" | "custom" => return None,
        _ => {
            push("type", Cow::Borrowed("hosted"));
            push("name", kind);
        }
    }
    for (key, value) in tool.iter() {
        let is_name = !key.is_empty() && key.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
        if !is_name
            || HOST_KEYS.contains(&key)
            || ["name", "strict", "include", "includes"].contains(&key)
            || key.starts_with("ochat-")
        {
            return None;
        }
        let text = match value.kind() {
            Kind::String => value.as_str().ok().filter(|text| !is_valid(text))?,
            Kind::Null | Kind::Boolean | Kind::Number | Kind::Array | Kind::Object => value.compact(),
        };
        attributes.push(Attribute { name: key.to_owned().into(), value: Some(text), span: no_span });
    }
    let declaration = Declaration { tag: Tag::Tool, attributes: Attributes(attributes), body: None };
    Some(Spanned::new(declaration, no_span))
}
