//! ochat's shell tools: functions whose parameters depend on their mode.

use super::ToTool;
use crate::diagnostic::RequestProblem;
use crate::document::Declaration;
use crate::json::Json;
use crate::json::write::{ObjectWriter, array, string};
use crate::source::Span;
use crate::syntax::nested_elements;
use crate::wire::LocatedTool;

const TEXT: &str = r#"{"type":"string"}"#;
const TEXTS: &str = r#"{"type":"array","items":{"type":"string"}}"#;

/// A parameter: its name, its schema, and whether a call must have it.
type Parameter = (&'static str, &'static str, bool);

impl<'d> ToTool<'_, 'd> {
    /// The function that a `<tool type="shell" name mode>` is.
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
            "structured" => vec![("program", TEXT, true), ("arguments", TEXTS, true)],
            "chain" => vec![("command", TEXT, true)],
            "raw" => vec![("script", TEXT, true)],
            kind @ ("fixed" | "script") => arguments(tool, kind == "fixed", self.span).into_iter().collect(),
            _ => {
                let wanted = "`fixed`, `structured`, `chain`, `raw` or `script`";
                self.diagnostics
                    .report(RequestProblem::InvalidConfig { name: "mode".to_owned(), wanted, found: None }, mode.span);
                return None;
            }
        };
        let default_rationale = if mode.value.as_deref() == Some("fixed") { "none" } else { "optional" };
        for (name, default) in [("stdin", "none"), ("rationale", default_rationale)] {
            match tool.attributes.value(name).unwrap_or(default) {
                "required" => parameters.push((name, TEXT, true)),
                "optional" => parameters.push((name, TEXT, false)),
                _ => {}
            }
        }
        Some(self.context.strings.write_object(|schema| write_schema(schema, &parameters)))
    }
}

/// The arguments that the model adds to a command or a script, unless `<arguments>` excludes them.
fn arguments(tool: &Declaration<'_>, is_fixed: bool, span: Span) -> Option<Parameter> {
    let elements = nested_elements(tool.source().unwrap_or_default(), "arguments", span.source);
    match elements.last().and_then(|arguments| arguments.value("mode")) {
        Some("none") => None,
        mode => Some(("arguments", TEXTS, is_fixed && mode == Some("required"))),
    }
}

fn write_schema(schema: &mut ObjectWriter<'_>, parameters: &[Parameter]) {
    schema.text("type", "object");
    let mut properties = ObjectWriter::new(schema.key("properties"));
    for (name, value, _) in parameters {
        properties.key(name).push_str(value);
    }
    properties.end();
    let required = parameters.iter().filter(|(.., is_required)| *is_required);
    array(schema.key("required"), required, |out, (name, ..)| string(out, name));
    schema.key("additionalProperties").push_str("false");
}
