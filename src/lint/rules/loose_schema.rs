//! `loose-schema`: parameters of a function that break the rules of strict mode.

use crate::convert::{LocatedTool, SchemaAuthor, StrictViolation, make_strict, strict_violation};
use crate::diagnostic::{Diagnostics, Message, Rule, rule};
use crate::json::{Json, StringArena};
use crate::lint::entry::Lint;
use crate::lint::fix::{Fix, Fixer, Problems};
use crate::lint::request::WholeRequest;
use crate::syntax::{Element, Node};

/// `<tool name="t">{"type":"object"}</tool>`
pub(super) struct LooseSchema {
    name: String,
    violation: StrictViolation,
    /// Whether the tool is sent as strict all the same.
    is_strict: bool,
}

impl Lint for LooseSchema {
    const RULE: Rule = rule!("loose-schema" Warning Malformed is_fixable is_allowable);
    const FIX: Option<Fixer> = Some(Fixer::Element(fix));

    fn message(&self) -> Message {
        let StrictViolation { path, requirement } = &self.violation;
        let (title, help) = if self.is_strict {
            let title = format!("`{}` is strict, but its schema is not: `{path}` {requirement}", self.name);
            (title, "the API may reject it: fix the schema, or set `strict` to false")
        } else {
            let title = format!("`{}` is sent as `strict: false`: `{path}` {requirement}", self.name);
            (title, "fix the schema, so that calls always match it, or write `strict=\"false\"`")
        };
        Message::new(title, "declared here", help)
    }

    fn check_tools(tools: &[LocatedTool<'_>], diagnostics: &mut Diagnostics) {
        for tool in tools {
            let SchemaAuthor::Author { has_explicit_strict } = tool.schema else { continue };
            let Ok(function) = tool.json.object() else { continue };
            let is_strict = function.get("strict").is_some_and(|strict| strict.raw() == "true");
            if has_explicit_strict && !is_strict {
                continue;
            }
            if let Some(violation) = function.get("parameters").and_then(strict_violation) {
                let name = function.get_str("name").unwrap_or_default().into_owned();
                LooseSchema { name, violation, is_strict }.report(tool.span, diagnostics);
            }
        }
    }

    /// The schema of the answer.
    fn check_request(request: &WholeRequest<'_, '_>, diagnostics: &mut Diagnostics) {
        let format = request.fields.get("text").and_then(|text| text.object().ok()?.get("format")?.object().ok());
        let Some(format) = format.filter(|format| format.get("strict").is_some_and(|strict| strict.raw() == "true"))
        else {
            return;
        };
        if let Some(StrictViolation { path, requirement }) = format.get("schema").and_then(strict_violation) {
            let path = path.replacen("parameters", "schema", 1);
            let violation = StrictViolation { path, requirement };
            LooseSchema { name: "text.format".to_owned(), violation, is_strict: true }
                .report(request.field_place("text.format"), diagnostics);
        }
    }
}

/// Makes the schema strict, if it is the body of the tool and that does not change what it accepts.
fn fix(element: &Element<'_>, problems: &Problems<'_>) -> Option<Fix> {
    let fixes = problems.at(element.span.start, &[LooseSchema::RULE.name])?;
    let [Node::Text(body)] = element.children.as_slice() else { return None };
    let strings = StringArena::default();
    let json = Json::parse_at(body.value, body.span.start, &strings).ok()?;
    // `<tool type="function">` has the fields of the tool in its body.
    let parameters = match element.attributes.value("type") {
        Some("function") => json.object().ok()?.get("parameters")?,
        Some(_) | None => json,
    };
    let start = parameters.offset();
    let span = start..start + parameters.raw().len();
    Some(Fix { span, replacement: make_strict(parameters)?, fixes })
}
