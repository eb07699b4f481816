//! The request that the document is converted to, compared with the public description of the API.

mod limits;
pub(super) mod words;

use crate::convert::{Request, write_tool};
use crate::diagnostic::Diagnostics;
use crate::json::{Json, Step, StringArena};
use crate::lint::places::Places;
use crate::lint::rules::parts::{is_item, is_unsupported};
use crate::lint::rules::schema::report_violation;
use crate::responses::Item;
use crate::schema::{Definition, Violation, ViolationKind, display, violations};
use crate::source::Span;
pub(super) use limits::{MAX_NAME_LENGTH, is_name, is_name_of};

/// Runs the checks of the description on the fields, the tools and the items of a request.
pub(super) fn check_api(request: &Request<'_>, places: &Places<'_>, diagnostics: &mut Diagnostics) {
    let strings = StringArena::default();
    let mut other_fields = request.sent_fields(&strings);
    if !request.tools.is_empty() {
        other_fields.take("tools");
    }
    let fields = violations(Definition::Request, strings.object(&other_fields));
    for violation in fields.into_iter().chain(limits::of_fields(&other_fields, &strings)) {
        // A tool can be chosen by its type if it is there.
        let is_unknown = matches!(violation.kind, ViolationKind::UnknownValue(_));
        if is_unknown && display(&violation.path) == "tool_choice.type" {
            continue;
        }
        let (span, name) = places.of_field(&violation.path);
        report_violation(&violation, &name, "", span, diagnostics);
    }
    for tool in &request.tools {
        let strings = StringArena::default();
        let json = strings.json(|out| write_tool(out, tool.json));
        for violation in violations(Definition::Tool, json).into_iter().chain(limits::of_tool(json)) {
            let span = places.of_tool(tool, &violation.path);
            report_in(json, &violation, span, diagnostics);
        }
    }
    for located in &request.items {
        let strings = StringArena::default();
        let json = strings.json(|out| located.item.encode(out));
        let is_reported =
            |one: &&Violation<'_>| !has_own_rule(&located.item, one) && !is_written_by_api(&located.item, one);
        for violation in violations(Definition::Item, json).iter().filter(is_reported) {
            let span = places.of_item(located, &violation.path);
            report_in(json, violation, span, diagnostics);
        }
    }
}

/// Reports a violation in an item or a tool.
fn report_in(owner: Json<'_>, violation: &Violation<'_>, span: Span, diagnostics: &mut Diagnostics) {
    let members = owner.object().unwrap_or_default();
    let kind = members.get_str("type").or_else(|| members.get_str("role"));
    report_violation(violation, &display(&violation.path), &kind.unwrap_or_default(), span, diagnostics);
}

/// Parts that have rules of their own if they are where they are not allowed.
const PARTS_WITH_OWN_RULES: [&str; 5] = ["input_text", "input_image", "input_file", "output_text", "refusal"];

/// Keys that the API itself writes into items, although its description does not have them: the type of the item, and the keys
/// on the way.
const WRITTEN_BY_API: [(&str, &str); 3] = [
    ("custom_tool_call", "status"),
    ("file_search_call", "results.vector_store_id"),
    ("web_search_call", "action.sources.type"),
];

/// Whether the API writes this itself, so that it takes it back.
fn is_written_by_api(item: &Item<'_>, violation: &Violation<'_>) -> bool {
    let is_unknown = matches!(violation.kind, ViolationKind::UnknownKey(_) | ViolationKind::UnknownValue(_));
    let keys = violation.path.iter().filter_map(|step| match step {
        Step::Key(key) => Some(key.as_str()),
        Step::Index(_) => None,
    });
    let keys: Vec<&str> = keys.collect();
    is_unknown && WRITTEN_BY_API.contains(&(item.kind().as_ref(), keys.join(".").as_str()))
}

/// Whether another rule reports this, in words of its own.
fn has_own_rule(item: &Item<'_>, violation: &Violation<'_>) -> bool {
    let last = match violation.path.last() {
        Some(Step::Key(key)) => key.as_str(),
        Some(Step::Index(_)) | None => "",
    };
    match &violation.kind {
        ViolationKind::TooShort(_) | ViolationKind::TooLong(_) => {
            matches!(last, "id" | "call_id" | "image_url" | "output" | "text")
        }
        ViolationKind::UnknownValue(_) if last == "type" && violation.path.len() == 3 => {
            let kind = violation.value.as_str().unwrap_or_default();
            PARTS_WITH_OWN_RULES.contains(&kind.as_ref()) || is_item(&kind) || is_unsupported(&kind)
        }
        ViolationKind::WrongType(_) => matches!(item, Item::Reasoning(_)) && last == "content",
        ViolationKind::UnknownValue(_)
        | ViolationKind::TooSmall(_)
        | ViolationKind::TooLarge(_)
        | ViolationKind::NoMatch(_)
        | ViolationKind::Missing(_)
        | ViolationKind::UnknownKey(_) => false,
    }
}
