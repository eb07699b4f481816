//! `<tool>` declarations and the request's tools.

mod built_in;
mod function;
mod hosted;
mod identity;
mod make_strict;
mod repeated;
mod shell;
mod strict;

pub(super) use built_in::BuiltIns;
use built_in::write_tool;
pub(super) use function::default_strict;
pub(super) use hosted::{SERVER_KEYS, is_host_key};
pub(super) use identity::{choice, identity};
pub use make_strict::make_strict;
pub(super) use repeated::is_function;
pub use repeated::repeated_names;
pub use strict::{StrictViolation, strict_violation};

use crate::convert::Context;
use crate::diagnostic::{Diagnostics, ElementProblem};
use crate::document::Declaration;
use crate::element::Tag;
use crate::json::Json;
use crate::source::Span;

/// A tool of the request and where it is declared.
#[derive(Debug, Clone, Copy)]
pub struct LocatedTool<'d> {
    /// The tool as JSON.
    pub json: Json<'d>,
    /// Its declaration.
    pub span: Span,
    /// Who wrote its parameters.
    pub schema: SchemaAuthor,
    /// Whether `strict` follows from its parameters, and nobody wrote it.
    pub is_strict_derived: bool,
}

/// Who wrote the parameters of a tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SchemaAuthor {
    /// The author of the document, who may also set `strict`.
    Author {
        /// Whether the declaration has `strict`.
        has_explicit_strict: bool,
    },
    /// Not the author: they are built in, given by the caller, or absent.
    Given,
}

impl LocatedTool<'_> {
    /// Writes the tool as it is sent.
    pub fn write(&self, out: &mut String) {
        write_tool(out, self.json);
    }
}

impl<'d> Context<'d> {
    /// Converts a declaration to the API's tool. Reports a problem and returns `None` if there is no such tool.
    pub(super) fn tool(
        &self,
        tool: &'d Declaration<'d>,
        span: Span,
        diagnostics: &mut Diagnostics,
    ) -> Option<LocatedTool<'d>> {
        let attributes = &tool.attributes;
        let is_strict_derived = !attributes.has("strict");
        let given = |json: Json<'d>| LocatedTool { json, span, schema: SchemaAuthor::Given, is_strict_derived };
        let name = attributes.value("name").filter(|name| !name.is_empty());
        if let Some(server) = attributes.value("mcp_server") {
            return self.mcp_tool(server, tool, span, diagnostics).map(given);
        }
        match (attributes.value("type").filter(|kind| !kind.is_empty()), name) {
            (Some("function"), _) => self.function_of_fields(tool, span, diagnostics),
            (Some("shell"), Some(_)) if tool.json().is_none() => self.shell_tool(tool, span, diagnostics).map(given),
            (Some("hosted"), Some(name)) => self.hosted_tool(name, tool, span, diagnostics).map(given),
            (None | Some("shell" | "chatml" | "moderator"), Some(name)) => {
                self.named_tool(name, tool, span, diagnostics)
            }
            (None | Some("hosted" | "chatml" | "moderator"), None) => {
                diagnostics
                    .report(ElementProblem::MissingAttribute { tag: Tag::Tool, name: "name", is_in_code: false }, span);
                None
            }
            (Some(kind), _) => self.hosted_tool(kind, tool, span, diagnostics).map(given),
        }
    }
}

/// The name of a declared function, by which a given tool replaces it.
pub(super) fn function_name<'d>(tool: &'d Declaration<'_>) -> Option<&'d str> {
    let kind = tool.attributes.value("type").filter(|kind| !kind.is_empty());
    let is_function = matches!(kind, None | Some("function" | "shell" | "chatml" | "moderator"));
    tool.attributes.value("name").filter(|_| is_function && !tool.attributes.has("mcp_server"))
}
