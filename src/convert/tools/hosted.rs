//! Tools that the API runs, MCP servers, and custom tools: attributes and the body are their fields.

use super::ToTool;
use crate::diagnostic::RequestProblem;
use crate::element::{AttributeKind, Tag, Usage, is_of_ochat};
use crate::responses::is_extension;
use crate::wire::LocatedTool;

/// Attributes of an MCP server that are not fields of the same name.
pub(in crate::convert) const SERVER_KEYS: [&str; 5] = ["mcp_server", "name", "include", "includes", "strict"];

/// Whether an attribute of this name is never sent.
pub(in crate::convert) fn is_host_key(name: &str) -> bool {
    let is_host = Tag::Tool.attribute(name).is_some_and(|row| row.usage == Usage::Host);
    is_host || name == "type" || is_of_ochat(name)
}

impl<'d> ToTool<'_, 'd> {
    /// A tool of this type. With `type="hosted"` the name is the type.
    pub(super) fn hosted_tool(mut self, kind: &str) -> Option<LocatedTool<'d>> {
        self.insert_string("type", kind);
        let not_sent: &[&str] = if self.tool.attributes.value("type") == Some("hosted") { &["name"] } else { &[] };
        self.add_attributes(not_sent);
        self.join_body();
        if kind == "custom" && self.fields.get("name").is_none() {
            return self.report_missing("name");
        }
        Some(self.finish_without_parameters())
    }

    /// The tools of an MCP server; `None` if the API cannot reach it.
    pub(super) fn mcp_tool(mut self, server: &str) -> Option<LocatedTool<'d>> {
        if server.starts_with("stdio:") {
            self.diagnostics.report(RequestProblem::UnreachableServer(server.to_owned()), self.span);
            return None;
        }
        self.insert_string("type", "mcp");
        self.insert_string("server_url", server);
        let allowed = ["name", "include", "includes"].iter().find_map(|key| self.tool.attributes.value(key));
        if let Some(allowed) = allowed {
            self.fields.insert("allowed_tools", self.context.list(allowed));
        }
        self.add_attributes(&SERVER_KEYS);
        self.join_body();
        if self.fields.get("server_label").is_none() {
            self.insert_string("server_label", &label(server));
        }
        Some(self.finish_without_parameters())
    }

    /// Adds all attributes as fields, except those that are not sent.
    fn add_attributes(&mut self, not_sent: &[&str]) {
        // The attributes have different names, so only those that are there already can be repeated.
        let known: Vec<String> = self.fields.iter().map(|(name, _)| name.to_owned()).collect();
        for (attribute, _) in self.tool.attributes.with_last().filter(|(_, is_last)| *is_last) {
            let name = attribute.name.as_ref();
            let row = Tag::Tool.attribute(name);
            let is_of_other_api = row.and_then(|row| row.key).is_some_and(is_extension);
            if not_sent.contains(&name) || is_host_key(name) || is_of_other_api {
                continue;
            }
            let kind = row.map(|row| row.kind).filter(|kind| *kind != AttributeKind::Own);
            // A bare attribute is true unless its field may be null.
            let kind = kind.filter(|kind| attribute.value.is_some() || *kind == AttributeKind::Nullable);
            let kind = kind.unwrap_or(AttributeKind::Json);
            let value = self.context.config_value(kind, attribute, self.diagnostics);
            if known.iter().any(|known| known == name) {
                self.diagnostics.report(RequestProblem::DuplicateField(name.to_owned()), attribute.span);
            } else if let Some(value) = value {
                self.fields.insert(name.to_owned(), value);
            }
        }
        self.insert_rows(is_extension);
    }

    /// Adds the members that attributes with a row are, if their key is accepted.
    pub(super) fn insert_rows(&mut self, is_accepted: impl Fn(&str) -> bool) {
        for row in Tag::Tool.definition().attributes {
            let Some(key) = row.key.filter(|key| is_accepted(key)) else { continue };
            // A name without a value is missing.
            let attribute = self.tool.attributes.get(row.name);
            let attribute = attribute.filter(|attribute| attribute.value.is_some() || key != "name");
            if let Some(attribute) = attribute
                && let Some(value) = self.context.config_value(row.kind, attribute, self.diagnostics)
            {
                self.fields.insert(key, value);
            }
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
