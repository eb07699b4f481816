//! The tools of a request: declared, in the body of `<config>`, or in JSON.

use std::borrow::Cow;
use std::collections::HashMap;

use super::places::Places;
use super::rules;
use crate::convert::{Request, repeated_names};
use crate::diagnostic::{Diagnostics, RequestProblem};
use crate::json::{Json, Kind, Step};
use crate::wire::LocatedTool;

/// At most this many tools of one name are reported.
const MAX_REPEATED: usize = 32;

/// Runs the checks of tools.
pub(super) fn check_tools(request: &Request<'_>, places: &Places<'_>, diagnostics: &mut Diagnostics) {
    let in_body = in_body(request, places);
    let tools = if request.tools.is_empty() { &in_body } else { &request.tools };
    // Two declared tools of one name are reported where they are converted.
    if request.tools.is_empty() || places.are_in_json() {
        check_names(tools, diagnostics);
    }
    check_labels(tools, diagnostics);
    for tool in tools {
        rules::check_tool(tool, diagnostics);
    }
}

/// The tools in the body of `<config>`. A missing `strict` is not sent.
fn in_body<'d>(request: &Request<'d>, places: &Places<'_>) -> Vec<LocatedTool<'d>> {
    let tools = request.fields.get_list("tools");
    let (all, _) = places.of_field(&[Step::Key("tools".to_owned())]);
    let located = |json: Json<'d>| {
        let span = places.of_value(json).unwrap_or(all);
        LocatedTool { is_authored: true, ..LocatedTool::given(json, span) }
    };
    tools.into_iter().filter(|tool| tool.kind() == Kind::Object).map(located).collect()
}

fn check_names(tools: &[LocatedTool<'_>], diagnostics: &mut Diagnostics) {
    let json: Vec<Json<'_>> = tools.iter().map(|tool| tool.json).collect();
    for repeated in repeated_names(&json).into_iter().take(MAX_REPEATED) {
        let problem = RequestProblem::DuplicateTool { name: repeated.name, first: tools[repeated.first].span };
        diagnostics.report(problem, tools[repeated.again].span);
    }
}

/// Two servers cannot have one label.
fn check_labels(tools: &[LocatedTool<'_>], diagnostics: &mut Diagnostics) {
    let mut seen = HashMap::new();
    for tool in tools {
        let Ok(members) = tool.json.object() else { continue };
        let is_server = members.get_str("type").is_some_and(|kind| kind == "mcp");
        let Some(label) = members.get_str("server_label").filter(|_| is_server).map(Cow::into_owned) else { continue };
        if let Some(first) = seen.get(&label).copied() {
            diagnostics.report(RequestProblem::DuplicateTool { name: label, first }, tool.span);
        } else {
            seen.insert(label, tool.span);
        }
    }
}
