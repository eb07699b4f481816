//! ochat's shell tools: functions whose parameters depend on their mode.

use super::ToTool;
use crate::convert::request::config::shown;
use crate::diagnostic::RequestProblem;
use crate::document::Declaration;
use crate::json::Json;
use crate::json::write::{ObjectWriter, array, string};
use crate::source::Span;
use crate::syntax::{Attribute, nested_elements};
use crate::wire::LocatedTool;

const STRING_SCHEMA: &str = r#"{"type":"string"}"#;
const STRING_ARRAY_SCHEMA: &str = r#"{"type":"array","items":{"type":"string"}}"#;

/// A parameter of a shell tool.
struct Parameter {
    name: &'static str,
    schema: &'static str,
    /// Whether a call must have it.
    is_required: bool,
}

impl Parameter {
    /// A string that a call must have.
    fn text(name: &'static str) -> Self {
        Self { name, schema: STRING_SCHEMA, is_required: true }
    }

    /// The list of arguments.
    fn arguments(is_required: bool) -> Self {
        Self { name: "arguments", schema: STRING_ARRAY_SCHEMA, is_required }
    }
}

impl<'d> ToTool<'_, 'd> {
    /// Converts `<tool type="shell" name mode>` to a function.
    pub(super) fn shell_tool(mut self) -> Option<LocatedTool<'d>> {
        let parameters = self.shell_parameters()?;
        self.function_attributes()?;
        self.fields.replace("parameters", parameters);
        Some(self.finish_function())
    }

    fn shell_parameters(&mut self) -> Option<Json<'d>> {
        let tool = self.tool;
        let Some(mode) = tool.attributes.get("mode").filter(|mode| mode.value.is_some()) else {
            return self.report_missing("mode");
        };
        let mut parameters: Vec<Parameter> = match mode.value.as_deref().unwrap_or_default() {
            "structured" => vec![Parameter::text("program"), Parameter::arguments(true)],
            "chain" => vec![Parameter::text("command")],
            "raw" => vec![Parameter::text("script")],
            kind @ ("fixed" | "script") => arguments(tool, kind == "fixed", self.span).into_iter().collect(),
            _ => return self.report_wrong(mode, "`fixed`, `structured`, `chain`, `raw` or `script`"),
        };
        let default_rationale = if mode.value.as_deref() == Some("fixed") { "none" } else { "optional" };
        for (name, default) in [("stdin", "none"), ("rationale", default_rationale)] {
            let attribute = tool.attributes.get(name).filter(|attribute| attribute.value.is_some());
            let presence = attribute.and_then(|attribute| attribute.value.as_deref()).unwrap_or(default);
            match (presence, attribute) {
                ("required" | "optional", _) => {
                    parameters.push(Parameter { is_required: presence == "required", ..Parameter::text(name) });
                }
                ("none", _) | (_, None) => {}
                (_, Some(attribute)) => return self.report_wrong(attribute, "`none`, `optional` or `required`"),
            }
        }
        Some(self.context.strings.write_object(|schema| write_schema(schema, &parameters)))
    }

    /// Reports an attribute with an unknown value.
    fn report_wrong<T>(&mut self, attribute: &Attribute<'_>, wanted: &'static str) -> Option<T> {
        let (name, found) = (attribute.name.to_string(), attribute.value.as_deref().map(shown));
        self.diagnostics.report(RequestProblem::InvalidConfig { name, wanted, found }, attribute.span);
        None
    }
}

/// The arguments that the model adds to a command or a script, unless `<arguments>` excludes them.
fn arguments(tool: &Declaration<'_>, is_fixed: bool, span: Span) -> Option<Parameter> {
    let elements = nested_elements(tool.source().unwrap_or_default(), "arguments", span.source);
    match elements.last().and_then(|arguments| arguments.value("mode")) {
        Some("none") => None,
        mode => Some(Parameter::arguments(is_fixed && mode == Some("required"))),
    }
}

fn write_schema(schema: &mut ObjectWriter<'_>, parameters: &[Parameter]) {
    schema.text("type", "object");
    let mut properties = ObjectWriter::new(schema.key("properties"));
    for parameter in parameters {
        properties.key(parameter.name).push_str(parameter.schema);
    }
    properties.end();
    let required = parameters.iter().filter(|parameter| parameter.is_required);
    array(schema.key("required"), required, |out, parameter| string(out, parameter.name));
    schema.key("additionalProperties").push_str("false");
}
