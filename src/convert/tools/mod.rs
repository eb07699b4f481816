//! `<tool>` declarations and the request's tools.

mod built_in;
mod function;
mod hosted;
mod identity;
mod make_strict;
mod repeated;
mod shell;
mod strict;

pub(super) use built_in::built_in_name;
pub(crate) use built_in::write_tool;
pub(super) use function::default_strict;
pub(super) use hosted::{SERVER_KEYS, is_host_key};
pub(super) use identity::{choice, identity};
pub use make_strict::make_strict;
pub(super) use repeated::is_function;
pub use repeated::repeated_names;
pub use strict::{StrictViolation, strict_violation};

use crate::convert::Context;
use crate::convert::request::join::add_members;
use crate::diagnostic::{Diagnostics, ElementProblem};
use crate::document::Declaration;
use crate::element::Tag;
use crate::json::{Json, Object};
use crate::source::Span;
use crate::wire::LocatedTool;

/// A declaration that becomes a tool.
struct ToTool<'w, 'd> {
    context: &'w Context<'d>,
    tool: &'d Declaration<'d>,
    span: Span,
    diagnostics: &'w mut Diagnostics,
    /// The fields of the tool so far.
    fields: Object<'d>,
}

impl<'d> Context<'d> {
    /// Converts a declaration to the API's tool. Reports a problem and returns `None` if there is no such tool.
    pub(super) fn tool(
        &self,
        tool: &'d Declaration<'d>,
        span: Span,
        diagnostics: &mut Diagnostics,
    ) -> Option<LocatedTool<'d>> {
        ToTool { context: self, tool, span, diagnostics, fields: Object::default() }.convert()
    }
}

impl<'d> ToTool<'_, 'd> {
    fn convert(mut self) -> Option<LocatedTool<'d>> {
        let attributes = &self.tool.attributes;
        let name = attributes.value("name").filter(|name| !name.is_empty());
        if let Some(server) = attributes.value("mcp_server") {
            return self.mcp_tool(server);
        }
        match (attributes.value("type").filter(|kind| !kind.is_empty()), name) {
            (Some("function"), _) => self.function_of_fields(),
            (Some("shell"), Some(_)) if self.tool.json().is_none() => self.shell_tool(),
            (Some("hosted"), Some(name)) => self.hosted_tool(name),
            (None | Some("shell" | "chatml" | "moderator"), Some(name)) => self.named_tool(name),
            (None | Some("hosted" | "chatml" | "moderator"), None) => self.report_missing("name"),
            (Some(kind), _) => self.hosted_tool(kind),
        }
    }

    /// Reports an attribute that the declaration needs.
    fn report_missing<T>(&mut self, name: &'static str) -> Option<T> {
        let problem = ElementProblem::MissingAttribute { tag: Tag::Tool, name, is_in_code: false };
        self.diagnostics.report(problem, self.span);
        None
    }

    /// Adds a string.
    fn insert_string(&mut self, key: &'static str, text: &str) {
        self.fields.insert(key, self.context.strings.string(text));
    }

    /// The members of the body, and where it is written.
    fn body(&self) -> Option<(Object<'d>, Span)> {
        let (json, span) = self.tool.json()?;
        Some((Json::parse(json, self.context.strings).and_then(Json::object).unwrap_or_default(), span))
    }

    /// Adds the members of the body.
    fn join_body(&mut self) {
        if let Some((body, span)) = self.body() {
            add_members(&mut self.fields, &body, span, self.diagnostics);
        }
    }

    /// The tool, whose parameters the author of the document has not written.
    fn finish_without_parameters(self) -> LocatedTool<'d> {
        let json = self.context.strings.object(&self.fields);
        LocatedTool { is_strict_derived: !self.tool.attributes.has("strict"), ..LocatedTool::given(json, self.span) }
    }
}

/// The name of a declared function. A tool of the options with this name replaces the declaration.
pub(super) fn function_name<'d>(tool: &'d Declaration<'_>) -> Option<&'d str> {
    let kind = tool.attributes.value("type").filter(|kind| !kind.is_empty());
    let is_function = matches!(kind, None | Some("function" | "shell" | "chatml" | "moderator"));
    tool.attributes.value("name").filter(|_| is_function && !tool.attributes.has("mcp_server"))
}
