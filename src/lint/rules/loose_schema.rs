//! `loose-schema`: parameters of a function that break the rules of strict mode.

use crate::convert::{StrictViolation, make_strict, strict_violation};
use crate::diagnostic::{Diagnostics, Message, Rule, rule};
use crate::json::{Json, Object, StringArena};
use crate::lint::fix::{Fix, Problems};
use crate::lint::request::WholeRequest;
use crate::syntax::{Element, Node};
use crate::wire::LocatedTool;

/// `<tool name="t">{"type":"object"}</tool>`
pub(super) const LOOSE_SCHEMA: Rule = rule!("loose-schema" Warning Malformed is_fixable is_allowable);

pub(super) fn check_tool(tool: &LocatedTool<'_>, diagnostics: &mut Diagnostics) {
    let Ok(function) = tool.json.object() else { return };
    let is_strict = is_strict(&function);
    if tool.is_authored
        && (tool.is_strict_derived || is_strict)
        && let Some(violation) = function.get("parameters").and_then(strict_violation)
    {
        let name = function.get_str("name").unwrap_or_default();
        diagnostics.add(&LOOSE_SCHEMA, message(&name, &violation, is_strict), tool.span);
    }
}

/// The schema of the answer.
pub(super) fn check_request(whole: &WholeRequest<'_, '_>, diagnostics: &mut Diagnostics) {
    let Some(format) = whole.text_format().filter(is_strict) else { return };
    if let Some(StrictViolation { path, requirement }) = format.get("schema").and_then(strict_violation) {
        let path = path.replacen("parameters", "schema", 1);
        let message = message("text.format", &StrictViolation { path, requirement }, true);
        diagnostics.add(&LOOSE_SCHEMA, message, whole.field_place("text.format"));
    }
}

/// Makes the schema strict, if it is the body of the tool and accepts the same values afterwards.
pub(super) fn fix_element(element: &Element<'_>, problems: &Problems<'_>) -> Option<Fix> {
    let fixes = problems.at(element.span.start, &[LOOSE_SCHEMA.name])?;
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

fn is_strict(tool: &Object<'_>) -> bool {
    tool.get("strict").is_some_and(|strict| strict.raw() == "true")
}

/// `is_strict` is whether the schema is sent as strict.
fn message(name: &str, violation: &StrictViolation, is_strict: bool) -> Message {
    let StrictViolation { path, requirement } = violation;
    let (title, help) = if is_strict {
        let title = format!("`{name}` is strict, but its schema is not: `{path}` {requirement}");
        (title, "the API may reject it: fix the schema, or set `strict` to false")
    } else {
        let title = format!("`{name}` is sent as `strict: false`: `{path}` {requirement}");
        (title, "fix the schema, so that calls always match it, or write `strict=\"false\"`")
    };
    Message::new(title, "declared here", help)
}
