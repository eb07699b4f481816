//! The tools of a request, and their names.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use crate::convert::{Located, Request, StrictViolation, make_strict, repeated_names, strict_violation};
use crate::diagnostic::{Diagnostics, Message, RequestProblem, Rule, nearest, rule};
use crate::json::{Json, Kind, Object, Step, StringArena};
use crate::lint::api::{MAX_NAME_LENGTH, is_name, is_name_of};
use crate::lint::fix::{Fix, Problems};
use crate::lint::places::Places;
use crate::lint::request::WholeRequest;
use crate::lint::sent::SentRequest;
use crate::responses::Item;
use crate::syntax::{Element, Node};
use crate::wire::{Api, LocatedTool};

/// A name that the API does not accept: `<tool_call function_name="a b" …>`
const TOOL_NAME: Rule = rule!("tool-name" Error Malformed is_allowable is_of_responses);
/// A `tool_choice` that names no tool: `<config tool_choice="nosuch"/>`, `<config tool_choice="required"/>`
const UNKNOWN_TOOL: Rule = rule!("unknown-tool" Error Malformed is_allowable is_of_responses);
/// Parameters of a function that break the rules of strict mode: `<tool name="t">{"type":"object"}</tool>`
const LOOSE_SCHEMA: Rule = rule!("loose-schema" Warning Malformed is_fixable is_allowable);

pub(super) const RULES: &[Rule] = &[TOOL_NAME, LOOSE_SCHEMA, UNKNOWN_TOOL];

/// At most this many tools of one name, and unknown tools, are reported.
const MAX_REPORTED: usize = 32;
/// Tools whose types have several spellings.
const FAMILIES: [&str; 2] = ["web_search", "computer"];

/// Checks all tools that could be read: declared, in the body of `<config>`, or in JSON.
pub(in crate::lint) fn check_tools(request: &Request<'_>, places: &Places<'_>, diagnostics: &mut Diagnostics) {
    let in_body = in_body(request, places);
    let tools = if request.tools.is_empty() { &in_body } else { &request.tools };
    // Two declared tools of one name are reported where they are converted.
    if request.tools.is_empty() || places.are_in_json() {
        check_names(tools, diagnostics);
    }
    check_labels(tools, diagnostics);
    for tool in tools {
        check_tool(tool, diagnostics);
    }
}

fn check_tool(tool: &LocatedTool<'_>, diagnostics: &mut Diagnostics) {
    let Ok(members) = tool.json.object() else { return };
    let name = members.get_str("name");
    let is_named = members.get_str("type").is_some_and(|kind| matches!(kind.as_ref(), "function" | "custom"));
    if let Some(name) = name.as_deref().filter(|name| is_named && !is_name(name)) {
        diagnostics.add(&TOOL_NAME, wrong_name(name, MAX_NAME_LENGTH), tool.span);
    }
    let is_strict = is_strict(&members);
    if tool.is_authored
        && (tool.is_strict_derived || is_strict)
        && let Some(violation) = members.get("parameters").and_then(strict_violation)
    {
        let message = not_strict(&name.unwrap_or_default(), &violation, is_strict);
        diagnostics.add(&LOOSE_SCHEMA, message, tool.span);
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
    for repeated in repeated_names(&json).into_iter().take(MAX_REPORTED) {
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

pub(super) fn check_request(whole: &WholeRequest<'_, '_>, diagnostics: &mut Diagnostics) {
    check_format(whole, diagnostics);
    check_choice(whole, diagnostics);
}

/// Checks that `tool_choice` names tools of the request.
fn check_choice(whole: &WholeRequest<'_, '_>, diagnostics: &mut Diagnostics) {
    // A stored prompt brings tools of its own.
    if whole.is_set("prompt") {
        return;
    }
    let Some(choice) = whole.fields.get("tool_choice") else { return };
    let mut names = Vec::new();
    let of_items = whole.request.items.iter().flat_map(|located| located.item.rest().get_objects("tools"));
    whole.fields.get_objects("tools").chain(of_items).for_each(|tool| collect(&tool, &mut names));
    if choice.raw() == "\"required\"" && names.is_empty() && !whole.server_has_history {
        let title = "`tool_choice` is `required`, but the request has no tools";
        let message = Message::new(title, "no tool to call", "declare a tool, or choose `auto` or `none`");
        return diagnostics.add(&UNKNOWN_TOOL, message, whole.field_place("tool_choice"));
    }
    let Ok(choice) = choice.object() else { return };
    let chosen = choice.get_objects("tools").chain([choice]);
    let known: HashSet<&str> = names.iter().map(String::as_str).collect();
    let unknown = chosen.filter_map(|choice| chosen_name(&choice)).filter(|name| !known.contains(name.as_str()));
    for name in unknown.take(MAX_REPORTED) {
        let help = match nearest(&name, names.iter().map(String::as_str)) {
            Some(meant) => format!("did you mean `{meant}`?"),
            None => "declare the tool, or choose `auto`, `none` or `required`".to_owned(),
        };
        let title = format!("`tool_choice` names `{name}`, which is not a tool of the request");
        let message = Message::new(title, "no such tool", help);
        diagnostics.add(&UNKNOWN_TOOL, message, whole.field_place("tool_choice"));
    }
}

/// Checks the schema of the answer.
fn check_format(whole: &WholeRequest<'_, '_>, diagnostics: &mut Diagnostics) {
    let Some(format) = whole.text_format().filter(is_strict) else { return };
    if let Some(StrictViolation { path, requirement }) = format.get("schema").and_then(strict_violation) {
        let path = path.replacen("parameters", "schema", 1);
        let message = not_strict("text.format", &StrictViolation { path, requirement }, true);
        diagnostics.add(&LOOSE_SCHEMA, message, whole.field_place("text.format"));
    }
}

fn wrong_name(name: &str, longest: usize) -> Message {
    let help = format!("use 1 to {longest} letters, digits, `_` and `-`");
    Message::new(format!("invalid tool name `{name}`"), "not accepted by the API", help)
}

pub(super) fn check_item(located: &Located<'_>, diagnostics: &mut Diagnostics) {
    if let Item::ToolCall(call) = &located.item
        && !is_name(&call.name)
    {
        diagnostics.add(&TOOL_NAME, wrong_name(&call.name, MAX_NAME_LENGTH), located.span);
    }
}

pub(super) fn check_sent(sent: &SentRequest<'_>, diagnostics: &mut Diagnostics) {
    let longest = match sent.api {
        Api::Messages => 2 * MAX_NAME_LENGTH,
        Api::Chat | Api::Responses => MAX_NAME_LENGTH,
    };
    let calls = sent.messages().into_iter().flat_map(|message| {
        let blocks = message.list("content").into_iter().filter(|block| block.is("type", "tool_use"));
        blocks.chain(message.list("tool_calls")).collect::<Vec<_>>()
    });
    for named in sent.tools().into_iter().chain(calls) {
        let inner = ["function", "custom"].iter().find_map(|key| named.object.get_object(key));
        let name = inner.as_ref().unwrap_or(&named.object).get_str("name").unwrap_or_default();
        if !is_name_of(&name, longest) {
            diagnostics.add(&TOOL_NAME, wrong_name(&name, longest), sent.place(&named));
        }
    }
}

/// The names, labels and types of a tool, and of the tools in a namespace.
fn collect(tool: &Object<'_>, names: &mut Vec<String>) {
    let own = ["name", "server_label"].iter().filter_map(|key| tool.get_str(key)).map(Cow::into_owned);
    names.extend(own.chain(tool.get_str("type").map(|kind| family(&kind))));
    names.extend(tool.get_objects("tools").filter_map(|inner| inner.get_str("name").map(Cow::into_owned)));
}

/// A type without its variant: `web_search` for `web_search_preview`.
fn family(kind: &str) -> String {
    FAMILIES.into_iter().find(|family| kind.starts_with(family)).unwrap_or(kind).to_owned()
}

/// The name of the function, the label of the server or the type of the hosted tool that is chosen.
fn chosen_name(choice: &Object<'_>) -> Option<String> {
    let key = match choice.get_str("type")?.as_ref() {
        "function" | "custom" => "name",
        "mcp" => "server_label",
        "allowed_tools" => return None,
        hosted => return Some(family(hosted)),
    };
    choice.get_str(key).map(Cow::into_owned)
}

/// Makes the schema strict, if it is the body of the tool and accepts the same values afterwards.
pub(in crate::lint) fn fix_element(element: &Element<'_>, problems: &Problems) -> Option<Fix> {
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
fn not_strict(name: &str, violation: &StrictViolation, is_strict: bool) -> Message {
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
