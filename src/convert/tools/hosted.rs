//! Tools that the API runs, MCP servers, and custom tools: attributes and the body are their fields.

use crate::convert::Context;
use crate::convert::join::Nested;
use crate::diagnostic::{Diagnostics, ElementProblem, RequestProblem};
use crate::document::{Declaration, read_attribute};
use crate::element::{Tag, Usage, is_of_ochat};
use crate::json::{Json, Object};
use crate::responses::is_extension;
use crate::source::Span;
use crate::syntax::Attributes;

/// Attributes of an MCP server that are not fields of the same name.
pub(in crate::convert) const SERVER_KEYS: [&str; 5] = ["mcp_server", "name", "include", "includes", "strict"];

/// Whether an attribute of this name is never sent.
pub(in crate::convert) fn is_host_key(name: &str) -> bool {
    let is_host = Tag::Tool.attribute(name).is_some_and(|row| row.usage == Usage::Host);
    is_host || name == "type" || is_of_ochat(name)
}

impl<'d> Context<'d> {
    /// A tool of this type. With `type="hosted"` the name is the type.
    pub(super) fn hosted_tool(
        &self,
        kind: &str,
        tool: &'d Declaration<'d>,
        span: Span,
        diagnostics: &mut Diagnostics,
    ) -> Option<Json<'d>> {
        let mut fields = Object::default();
        fields.insert("type", self.strings.string(kind));
        let not_sent: &[&str] = if tool.attributes.value("type") == Some("hosted") { &["name"] } else { &[] };
        self.add_attributes(&mut fields, tool, not_sent, diagnostics);
        self.add_body(&mut fields, tool, diagnostics);
        if kind == "custom" && fields.get("name").is_none() {
            diagnostics
                .report(ElementProblem::MissingAttribute { tag: Tag::Tool, name: "name", is_in_code: false }, span);
            return None;
        }
        Some(self.strings.object(&fields))
    }

    /// The tools of an MCP server; `None` if the API cannot reach it.
    pub(super) fn mcp_tool(
        &self,
        server: &'d str,
        tool: &'d Declaration<'d>,
        span: Span,
        diagnostics: &mut Diagnostics,
    ) -> Option<Json<'d>> {
        if server.starts_with("stdio:") {
            diagnostics.report(RequestProblem::UnreachableServer(server.to_owned()), span);
            return None;
        }
        let mut fields = Object::default();
        fields.insert("type", self.strings.string("mcp"));
        fields.insert("server_url", self.strings.string(server));
        let allowed = ["name", "include", "includes"].iter().find_map(|key| tool.attributes.value(key));
        if let Some(allowed) = allowed {
            fields.insert("allowed_tools", self.list(allowed));
        }
        self.add_attributes(&mut fields, tool, &SERVER_KEYS, diagnostics);
        self.add_body(&mut fields, tool, diagnostics);
        if fields.get("server_label").is_none() {
            fields.insert("server_label", self.strings.string(&label(server)));
        }
        Some(self.strings.object(&fields))
    }

    /// Adds all attributes as fields, except those that are not sent.
    fn add_attributes(
        &self,
        fields: &mut Object<'d>,
        tool: &'d Declaration<'d>,
        not_sent: &[&str],
        diagnostics: &mut Diagnostics,
    ) {
        // The attributes have different names, so only those that are there already can be repeated.
        let known: Vec<String> = fields.iter().map(|(name, _)| name.to_owned()).collect();
        for (attribute, _) in tool.attributes.with_last().filter(|(_, is_last)| *is_last) {
            let name = attribute.name.as_ref();
            if not_sent.contains(&name) || is_host_key(name) {
                continue;
            }
            let row = Tag::Tool.attribute(name);
            if row.and_then(|row| row.key).is_some_and(is_extension) {
                continue;
            }
            let value = match attribute.value.as_deref() {
                Some(value) => self.attribute_value(row.map(|row| row.kind), value),
                None if name == "description" => Json::NULL,
                None => Json::TRUE,
            };
            if known.iter().any(|known| known == name) {
                diagnostics.report(RequestProblem::DuplicateField(name.to_owned()), attribute.span);
            } else {
                fields.insert(name.to_owned(), value);
            }
        }
        self.insert_extensions(fields, &tool.attributes, diagnostics);
    }

    /// Adds the members for other APIs.
    pub(super) fn insert_extensions(
        &self,
        fields: &mut Object<'d>,
        attributes: &Attributes<'d>,
        diagnostics: &mut Diagnostics,
    ) {
        for row in Tag::Tool.definition().attributes {
            let Some(key) = row.key.filter(|key| is_extension(key)) else { continue };
            if let Some(attribute) = attributes.get(row.name) {
                let field = read_attribute(row.kind, attribute.clone(), diagnostics);
                self.value(row.kind, &field).into_iter().for_each(|value| fields.insert(key, value));
            }
        }
    }

    fn add_body(&self, fields: &mut Object<'d>, tool: &'d Declaration<'d>, diagnostics: &mut Diagnostics) {
        if let Some((json, span)) = tool.json() {
            let body = Json::parse(json, self.strings).and_then(Json::object).unwrap_or_default();
            self.join(fields, &body, Nested::Refuse, span, diagnostics);
        }
    }
}

/// A label for a server: its host, with `_` for characters that are not letters or digits.
fn label(server: &str) -> String {
    let rest = server.split_once("://").map_or(server, |(_, rest)| rest);
    let host = rest.split(['/', '?', '#']).next().unwrap_or(rest);
    // A name and a password may precede the host, and a port may follow it.
    let host = host.rsplit('@').next().unwrap_or(host);
    let port = host.rfind(':').filter(|colon| !host[*colon..].contains(']'));
    let host = &host[..port.unwrap_or(host.len())];
    host.replace(|c: char| !c.is_ascii_alphanumeric(), "_")
}
