//! Functions: their parameters, and whether these are strict.

use super::ToTool;
use super::built_in::built_in;
use super::strict::strict_violation;
use crate::diagnostic::{ElementProblem, RequestProblem};
use crate::document::declared_file;
use crate::element::{Tag, Usage, is_of_ochat};
use crate::json::{Json, Object};
use crate::responses::is_extension;
use crate::syntax::Attributes;
use crate::wire::LocatedTool;

/// The parameters of a command tool: its arguments.
const COMMAND_PARAMETERS: &str = r#"{"type":"object","properties":{"arguments":{"type":"array","items":{"type":"string"}}},"required":["arguments"],"additionalProperties":false}"#;
/// The parameters of an agent tool: its input.
const AGENT_PARAMETERS: &str =
    r#"{"type":"object","properties":{"input":{"type":"string"}},"required":["input"],"additionalProperties":false}"#;

/// The `strict` attribute of a declaration.
pub(super) enum Strict {
    /// Missing: it depends on the parameters.
    Derived,
    /// `true`, `false` or null.
    Explicit(Json<'static>),
    /// `unset`: the field is not sent.
    Unset,
}

impl<'d> ToTool<'_, 'd> {
    /// A function that is declared by its name: it has a JSON body, a schema file, a command or an agent, or is built in.
    pub(super) fn named_tool(mut self, name: &str) -> Option<LocatedTool<'d>> {
        self.report_unknown();
        self.function_attributes()?;
        if let Some((json, span)) = self.tool.json() {
            let parameters = Json::parse(json, self.context.strings).ok()?;
            if self.fields.take("parameters").is_some() && has_schema(&self.tool.attributes) {
                self.diagnostics.report(RequestProblem::DuplicateField("parameters".to_owned()), span);
            }
            self.fields.insert("parameters", parameters);
        }
        match (self.fields.get("parameters"), built_in(name, self.context.strings)) {
            (Some(_), _) => Some(self.finish_function()),
            (None, Some(known)) => Some(self.built_in_tool(known)),
            // A malformed body has been reported.
            (None, None) if self.tool.source().is_some_and(is_text) => None,
            (None, None) => {
                self.diagnostics.report(RequestProblem::UnknownTool(name.to_owned()), self.span);
                None
            }
        }
    }

    /// `<tool type="function">`: the body holds fields of the tool.
    pub(super) fn function_of_fields(mut self) -> Option<LocatedTool<'d>> {
        self.report_unknown();
        self.function_attributes()?;
        let is_twice = |body: &Object<'_>| self.tool.attributes.has("strict") && body.get("strict").is_some();
        if let Some((_, span)) = self.body().filter(|(body, _)| is_twice(body)) {
            self.diagnostics.report(RequestProblem::DuplicateField("strict".to_owned()), span);
        }
        self.join_body();
        if self.fields.get("name").is_none() {
            return self.report_missing("name");
        }
        Some(self.finish_function())
    }

    /// Adds the fields that the attributes of a function set, except `strict`. Returns `None` if its schema cannot be read.
    pub(super) fn function_attributes(&mut self) -> Option<()> {
        let attributes = &self.tool.attributes;
        self.insert_string("type", "function");
        self.insert_rows(|key| is_extension(key) || ["name", "description", "async"].contains(&key));
        if let (Some(_), Some(_)) = (attributes.value("schema"), attributes.value("input_schema")) {
            self.diagnostics.report(RequestProblem::DuplicateField("parameters".to_owned()), self.span);
        }
        let parameters = match declared_file(Tag::Tool, attributes) {
            Some(file) => Some(self.context.json_file(file.value.as_deref()?, file.span, self.diagnostics)?),
            None if attributes.has("command") => Json::parse(COMMAND_PARAMETERS, self.context.strings).ok(),
            None if attributes.has("agent") => Json::parse(AGENT_PARAMETERS, self.context.strings).ok(),
            None => None,
        };
        if let Some(parameters) = parameters {
            self.fields.insert("parameters", parameters);
        }
        Some(())
    }

    /// Adds `strict`, unless the body has it.
    pub(super) fn finish_function(mut self) -> LocatedTool<'d> {
        let is_in_body = self.fields.get("strict").is_some();
        match self.strict() {
            _ if is_in_body => {}
            Strict::Explicit(json) => self.fields.insert("strict", json),
            Strict::Unset => {}
            Strict::Derived => {
                let is_strict = default_strict(self.fields.get("parameters"));
                self.fields.insert("strict", if is_strict { Json::TRUE } else { Json::FALSE });
            }
        }
        let is_authored = self.tool.json().is_some() || has_schema(&self.tool.attributes);
        let tool = self.finish_without_parameters();
        LocatedTool { is_strict_derived: tool.is_strict_derived && !is_in_body, is_authored, ..tool }
    }

    /// Reads the `strict` attribute. Invalid values are reported.
    pub(super) fn strict(&mut self) -> Strict {
        let Some(attribute) = self.tool.attributes.get("strict") else { return Strict::Derived };
        match attribute.value.as_deref() {
            Some("true") => Strict::Explicit(Json::TRUE),
            Some("false") => Strict::Explicit(Json::FALSE),
            None => Strict::Explicit(Json::NULL),
            Some("unset") => Strict::Unset,
            Some(_) => {
                let (name, wanted, found) = ("strict".to_owned(), "`true`, `false` or `unset`", None);
                self.diagnostics.report(RequestProblem::InvalidConfig { name, wanted, found }, attribute.span);
                Strict::Derived
            }
        }
    }

    /// Reports attributes of a function that have no meaning. They are never sent.
    fn report_unknown(&mut self) {
        for (attribute, _) in self.tool.attributes.with_last().filter(|(_, is_last)| *is_last) {
            let name = attribute.name.as_ref();
            let is_known = Tag::Tool.attribute(name).is_some_and(|row| row.usage != Usage::Hosted);
            if !is_known && !is_of_ochat(name) {
                let problem = ElementProblem::UnknownAttribute { tag: Tag::Tool, name: name.to_owned() };
                self.diagnostics.report(problem, attribute.span);
            }
        }
    }
}

/// Default for `strict`: whether the parameters satisfy strict mode.
pub(in crate::convert) fn default_strict(parameters: Option<Json<'_>>) -> bool {
    parameters.is_some_and(|parameters| strict_violation(parameters).is_none())
}

/// Whether the body of a tool is neither empty nor made of elements.
fn is_text(body: &str) -> bool {
    let body = body.trim_start();
    !body.is_empty() && !body.starts_with('<')
}

fn has_schema(attributes: &Attributes<'_>) -> bool {
    attributes.value("schema").or_else(|| attributes.value("input_schema")).is_some()
}
