//! Converts the tools of a request to `<tool>` declarations.

use std::borrow::Cow;

use super::config::{attribute, json_body, object_json};
use crate::convert::attributes::{field, listed};
use crate::convert::tools::{SERVER_KEYS, built_in_name, default_strict, is_host_key, repeated_names};
use crate::document::{Declaration, Field};
use crate::element::{AttributeKind, Tag};
use crate::json::{Json, Kind, Object};
use crate::responses::is_extension;
use crate::source::Span;
use crate::syntax::{Attribute, Attributes};

/// Types that mean something else as the `type` of a declaration.
const AMBIGUOUS_TYPES: [&str; 3] = ["hosted", "chatml", "moderator"];

/// The declarations for a request's tools; `None` if one of them has no declaration. Other APIs than Responses get a
/// `strict` only if a declaration has it.
pub(super) fn declarations<'j>(tools: Json<'j>, is_for_other_api: bool) -> Option<Vec<Declaration<'j>>> {
    let one = |tool: Json<'j>| {
        let declared = Declared { attributes: Vec::new(), is_for_other_api };
        match built_in_name(tool) {
            Some(name) => Some(declared.with("name", name.into()).end(None)),
            None => declared.tool(tool.object().ok()?),
        }
    };
    let tools = tools.array().ok()?;
    // Declarations of one name would be an error.
    if !repeated_names(&tools).is_empty() {
        return None;
    }
    let declarations = tools.into_iter().map(one).collect::<Option<Vec<_>>>()?;
    (!declarations.is_empty()).then_some(declarations)
}

/// A declaration that is being written.
struct Declared<'j> {
    attributes: Vec<Attribute<'j>>,
    /// Whether the request is for an API that does not derive `strict`.
    is_for_other_api: bool,
}

impl<'j> Declared<'j> {
    fn push(&mut self, name: impl Into<Cow<'j, str>>, value: Option<Cow<'j, str>>) {
        self.attributes.push(Attribute { name: name.into(), value, span: Span::NOWHERE });
    }

    fn with(mut self, name: &'static str, value: Cow<'j, str>) -> Self {
        self.push(name, Some(value));
        self
    }

    fn end(self, body: Option<String>) -> Declaration<'j> {
        let body = body.map(json_body);
        Declaration { tag: Tag::Tool, attributes: Attributes(self.attributes), body, update: None }
    }

    fn tool(self, mut tool: Object<'j>) -> Option<Declaration<'j>> {
        let kind = tool.take("type")?.as_str().ok().filter(|kind| !kind.is_empty())?;
        match kind.as_ref() {
            "function" => self.function(tool),
            "mcp" => Some(self.server(tool)),
            "custom" if tool.get("name").is_none() => None,
            kind if AMBIGUOUS_TYPES.contains(&kind) => {
                let declared = self.with("type", "hosted".into()).with("name", Cow::Owned(kind.to_owned()));
                Some(declared.fields(&tool, &["name"]))
            }
            // A shell tool with a name is one of ochat's.
            "shell" => Some(self.with("type", kind).fields(&tool, &["name"])),
            _ => Some(self.with("type", kind).fields(&tool, &[])),
        }
    }

    /// A function: its parameters are the body, or one of the fields in the body if there are other fields.
    fn function(mut self, mut tool: Object<'j>) -> Option<Declaration<'j>> {
        // Without a name it is not a function that can be declared.
        let has_name = tool.get("name")?.as_str().is_ok_and(|name| !name.is_empty());
        for key in ["name", "description", "async"].into_iter().filter(|key| has_name || *key != "name") {
            self.take(key, &mut tool);
        }
        self.strict(&mut tool);
        let extensions: Vec<String> =
            tool.iter().map(|(key, _)| key.to_owned()).filter(|key| is_extension(key)).collect();
        for key in extensions {
            self.take(&key, &mut tool);
        }
        let parameters = tool.get("parameters").filter(|parameters| parameters.kind() == Kind::Object);
        if let Some(parameters) = parameters.filter(|_| has_name && tool.iter().count() == 1) {
            return Some(self.end(Some(parameters.raw().to_owned())));
        }
        let kind = Attribute { name: "type".into(), value: Some("function".into()), span: Span::NOWHERE };
        self.attributes.insert(0, kind);
        Some(self.fields_in_body(&tool))
    }

    /// Moves a member to its attribute, if there is one that can express the value.
    fn take(&mut self, key: &str, tool: &mut Object<'j>) {
        if let Some(attribute) = tool.get(key).and_then(|value| member(key, value)) {
            tool.take(key);
            self.attributes.push(attribute);
        }
    }

    /// Moves `strict` to an attribute, unless it has its default value.
    fn strict(&mut self, tool: &mut Object<'j>) {
        let expected = if default_strict(tool.get("parameters")) { "true" } else { "false" };
        match tool.get("strict").map(|strict| (strict.kind(), strict.raw())) {
            None => self.push("strict", Some("unset".into())),
            Some((Kind::Null, _)) => self.push("strict", None),
            Some((Kind::Boolean, strict)) if strict != expected || self.is_for_other_api => {
                self.push("strict", Some(strict.into()));
            }
            Some((Kind::Boolean, _)) => {}
            // It stays in the body.
            Some((Kind::Number | Kind::String | Kind::Array | Kind::Object, _)) => return,
        }
        tool.take("strict");
    }

    fn fields_in_body(self, tool: &Object<'_>) -> Declaration<'j> {
        self.end(object_json(|body| body.members(tool)))
    }

    /// The tools of an MCP server.
    fn server(mut self, mut tool: Object<'j>) -> Declaration<'j> {
        let url = tool.get_str("server_url").filter(|url| !url.starts_with("stdio:"));
        let (Some(url), Some(_)) = (url, tool.get("server_label")) else {
            return self.with("type", "mcp".into()).fields(&tool, &["mcp_server"]);
        };
        tool.take("server_url");
        self.push("mcp_server", Some(url));
        if let Some(names) = tool.get("allowed_tools").and_then(listed) {
            tool.take("allowed_tools");
            self.push("includes", Some(names));
        }
        self.fields(&tool, &SERVER_KEYS)
    }

    /// Adds fields: as attributes where possible, otherwise in the body.
    fn fields(mut self, tool: &Object<'j>, not_attributes: &[&str]) -> Declaration<'j> {
        let body = object_json(|body| {
            for (key, value) in tool.iter() {
                if let Some(attribute) = member(key, value).filter(|_| is_extension(key)) {
                    self.attributes.push(attribute);
                    continue;
                }
                let is_name = !key.is_empty() && key.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
                let may_be_attribute =
                    is_name && !is_host_key(key) && key != "mcp_server" && !not_attributes.contains(&key);
                let row = Tag::Tool.attribute(key).filter(|row| row.kind != AttributeKind::Own);
                let field = field(row.map_or(AttributeKind::Json, |row| row.kind), value);
                match attribute(key.to_owned().into(), field).filter(|_| may_be_attribute) {
                    Some(attribute) => self.attributes.push(attribute),
                    None => body.json(key, value),
                }
            }
        });
        self.end(body)
    }
}

/// The attribute of a member, if there is one that can express the value.
fn member<'j>(key: &str, value: Json<'j>) -> Option<Attribute<'j>> {
    let row = Tag::Tool.definition().attributes.iter().find(|row| row.key == Some(key))?;
    // A bare boolean is true.
    let is_bare = row.kind == AttributeKind::Boolean && value == Json::TRUE;
    attribute(row.name.into(), if is_bare { Field::Null } else { field(row.kind, value) })
}
