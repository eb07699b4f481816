//! Functions: their parameters, and whether these are strict.

use super::built_in::built_in;
use super::strict::strict_violation;
use super::{LocatedTool, SchemaAuthor};
use crate::convert::Context;
use crate::convert::join::Nested;
use crate::diagnostic::{Diagnostics, ElementProblem, RequestProblem};
use crate::document::{Declaration, declared_file};
use crate::element::{Tag, Usage, is_of_ochat};
use crate::json::{Json, Object};
use crate::source::Span;
use crate::syntax::Attributes;

/// The parameters of a command tool: its arguments.
const COMMAND_PARAMETERS: &str = r#"{"type":"object","properties":{"arguments":{"type":"array","items":{"type":"string"}}},"required":["arguments"],"additionalProperties":false}"#;
/// The parameters of an agent tool: its input.
const AGENT_PARAMETERS: &str =
    r#"{"type":"object","properties":{"input":{"type":"string"}},"required":["input"],"additionalProperties":false}"#;

/// The `strict` attribute of a declaration.
pub(super) enum Strict<'d> {
    /// Missing: it depends on the parameters.
    Derived,
    /// `true`, `false` or null.
    Explicit(Json<'d>),
    /// `unset`: the field is not sent.
    Unset,
}

impl<'d> Context<'d> {
    /// A function that is declared by its name: it has a JSON body, a schema file, a command or an agent, or is built in.
    pub(super) fn named_tool(
        &self,
        name: &str,
        tool: &'d Declaration<'d>,
        span: Span,
        diagnostics: &mut Diagnostics,
    ) -> Option<LocatedTool<'d>> {
        report_unknown(&tool.attributes, diagnostics);
        let mut fields = self.function_attributes(tool, span, diagnostics)?;
        if let Some((json, span)) = tool.json() {
            let parameters = Json::parse(json, self.strings).ok()?;
            let is_from_file = fields.get("parameters").is_some() && has_schema(&tool.attributes);
            if is_from_file {
                diagnostics.report(RequestProblem::DuplicateField("parameters".to_owned()), span);
            }
            fields.take("parameters");
            fields.insert("parameters", parameters);
        }
        match (fields.get("parameters"), built_in(name, self.strings)) {
            (Some(_), _) => Some(self.finish_function(fields, tool, span, diagnostics)),
            (None, Some(known)) => {
                let mut json = self.built_in_tool(known, tool, span, diagnostics);
                if let (Some(is_async), Ok(mut built_in)) = (fields.get("async"), json.object()) {
                    built_in.insert("async", is_async);
                    json = self.strings.object(&built_in);
                }
                let is_strict_derived = !tool.attributes.has("strict");
                Some(LocatedTool { json, span, schema: SchemaAuthor::Given, is_strict_derived })
            }
            // A malformed body has been reported.
            (None, None) if tool.source().is_some_and(is_text) => None,
            (None, None) => {
                diagnostics.report(RequestProblem::UnknownTool(name.to_owned()), span);
                None
            }
        }
    }

    /// `<tool type="function">`: the body holds fields of the tool.
    pub(super) fn function_of_fields(
        &self,
        tool: &'d Declaration<'d>,
        span: Span,
        diagnostics: &mut Diagnostics,
    ) -> Option<LocatedTool<'d>> {
        report_unknown(&tool.attributes, diagnostics);
        let mut fields = self.function_attributes(tool, span, diagnostics)?;
        if let Some((json, span)) = tool.json() {
            let body = Json::parse(json, self.strings).and_then(Json::object).unwrap_or_default();
            if tool.attributes.has("strict") && body.get("strict").is_some() {
                diagnostics.report(RequestProblem::DuplicateField("strict".to_owned()), span);
            }
            self.join(&mut fields, &body, Nested::Refuse, span, diagnostics);
        }
        if fields.get("name").is_none() {
            diagnostics
                .report(ElementProblem::MissingAttribute { tag: Tag::Tool, name: "name", is_in_code: false }, span);
            return None;
        }
        Some(self.finish_function(fields, tool, span, diagnostics))
    }

    /// The fields that the attributes of a function set, except `strict`. `None` if its schema cannot be read.
    fn function_attributes(
        &self,
        tool: &'d Declaration<'d>,
        span: Span,
        diagnostics: &mut Diagnostics,
    ) -> Option<Object<'d>> {
        let attributes = &tool.attributes;
        let mut fields = Object::default();
        fields.insert("type", self.strings.string("function"));
        if let Some(name) = attributes.value("name") {
            fields.insert("name", self.strings.string(name));
        }
        if let Some(description) = description(attributes) {
            fields.insert("description", self.optional_string(description));
        }
        if let Some(is_async) = is_async(attributes, diagnostics) {
            fields.insert("async", truth(is_async));
        }
        self.insert_extensions(&mut fields, attributes, diagnostics);
        if let (Some(_), Some(_)) = (attributes.value("schema"), attributes.value("input_schema")) {
            diagnostics.report(RequestProblem::DuplicateField("parameters".to_owned()), span);
        }
        let parameters = match declared_file(Tag::Tool, attributes) {
            Some(file) => Some(self.json_file(file.value.as_deref()?, file.span, diagnostics)?),
            None if attributes.has("command") => Json::parse(COMMAND_PARAMETERS, self.strings).ok(),
            None if attributes.has("agent") => Json::parse(AGENT_PARAMETERS, self.strings).ok(),
            None => None,
        };
        if let Some(parameters) = parameters {
            fields.insert("parameters", parameters);
        }
        Some(fields)
    }

    /// Adds `strict`, unless the body has it.
    fn finish_function(
        &self,
        mut fields: Object<'d>,
        tool: &'d Declaration<'d>,
        span: Span,
        diagnostics: &mut Diagnostics,
    ) -> LocatedTool<'d> {
        let is_in_body = fields.get("strict").is_some();
        match strict(&tool.attributes, diagnostics) {
            _ if is_in_body => {}
            Strict::Explicit(json) => fields.insert("strict", json),
            Strict::Unset => {}
            Strict::Derived => fields.insert("strict", truth(default_strict(fields.get("parameters")))),
        }
        let has_explicit_strict = is_in_body || tool.attributes.has("strict");
        let is_written = tool.json().is_some() || has_schema(&tool.attributes);
        let schema = if is_written { SchemaAuthor::Author { has_explicit_strict } } else { SchemaAuthor::Given };
        LocatedTool { json: self.strings.object(&fields), span, schema, is_strict_derived: !has_explicit_strict }
    }

    pub(super) fn optional_string(&self, text: Option<&str>) -> Json<'d> {
        text.map_or(Json::NULL, |text| self.strings.string(text))
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

/// A boolean as JSON.
pub(super) fn truth(value: bool) -> Json<'static> {
    if value { Json::TRUE } else { Json::FALSE }
}

fn has_schema(attributes: &Attributes<'_>) -> bool {
    attributes.value("schema").or_else(|| attributes.value("input_schema")).is_some()
}

/// The description, which is null if the attribute has no value.
#[allow(clippy::option_option)] // outer: whether the attribute is there; inner: its value
pub(super) fn description<'a>(attributes: &'a Attributes<'_>) -> Option<Option<&'a str>> {
    attributes.get("description").map(|attribute| attribute.value.as_deref())
}

/// Reads the `async` attribute, which needs no value. Invalid values are reported.
fn is_async(attributes: &Attributes<'_>, diagnostics: &mut Diagnostics) -> Option<bool> {
    let attribute = attributes.get("async")?;
    match attribute.value.as_deref() {
        Some("true") | None => Some(true),
        Some("false") => Some(false),
        Some(_) => {
            let (name, wanted, found) = ("async".to_owned(), "`true` or `false`", None);
            diagnostics.report(RequestProblem::InvalidConfig { name, wanted, found }, attribute.span);
            None
        }
    }
}

/// Reads the `strict` attribute. Invalid values are reported.
pub(super) fn strict(attributes: &Attributes<'_>, diagnostics: &mut Diagnostics) -> Strict<'static> {
    let Some(attribute) = attributes.get("strict") else { return Strict::Derived };
    match attribute.value.as_deref() {
        Some("true") => Strict::Explicit(Json::TRUE),
        Some("false") => Strict::Explicit(Json::FALSE),
        None => Strict::Explicit(Json::NULL),
        Some("unset") => Strict::Unset,
        Some(_) => {
            let (name, wanted, found) = ("strict".to_owned(), "`true`, `false` or `unset`", None);
            diagnostics.report(RequestProblem::InvalidConfig { name, wanted, found }, attribute.span);
            Strict::Derived
        }
    }
}

/// Reports attributes of a function that have no meaning. They are never sent.
fn report_unknown(attributes: &Attributes<'_>, diagnostics: &mut Diagnostics) {
    for (attribute, _) in attributes.with_last().filter(|(_, is_last)| *is_last) {
        let name = attribute.name.as_ref();
        let is_known = Tag::Tool.attribute(name).is_some_and(|row| row.usage != Usage::Hosted);
        if !is_known && !is_of_ochat(name) {
            let problem = ElementProblem::UnknownAttribute { tag: Tag::Tool, name: name.to_owned() };
            diagnostics.report(problem, attribute.span);
        }
    }
}
