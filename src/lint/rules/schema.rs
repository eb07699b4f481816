//! Values that the API does not accept, by its description or because its documentation says so.

use crate::convert::Located;
use crate::diagnostic::{Diagnostics, Message, Rule, nearest, rule};
use crate::json::{Json, Kind, Object};
use crate::lint::api::words;
use crate::lint::request::call_id;
use crate::lint::sent::{SentRequest, Value};
use crate::schema::{Violation, ViolationKind};
use crate::source::Span;
use crate::wire::Api;

/// A value of a type that the API does not accept: `<config>{"store":"yes"}</config>`
const WRONG_TYPE: Rule = rule!("wrong-type" Error Malformed is_allowable);
/// A value that is too small, too large, too short, too long, or of the wrong form: `<config top_p="7"/>`, `<assistant id="">`
const INVALID_VALUE: Rule = rule!("invalid-value" Error Malformed is_allowable is_of_responses);
/// A field that the API requires: `<tool type="file_search"/>`
const MISSING_FIELD: Rule = rule!("missing-field" Error Malformed is_allowable);
/// A field with a value that the API does not know: `<img src="u" detail="hi"/>`
const UNKNOWN_VALUE: Rule = rule!("unknown-value" Warning Malformed is_allowable);
/// A field that the API does not have: `<config>{"stor":true}</config>`
const UNKNOWN_FIELD: Rule = rule!("unknown-field" Warning Malformed is_allowable);

const MAX_ID_LENGTH: usize = 64;
/// The smallest budget of thinking.
const MIN_BUDGET: f64 = 1024.0;
/// How many marks of the cache a request may have.
const MAX_CACHE_MARKS: usize = 4;

pub(super) const RULES: &[Rule] = &[WRONG_TYPE, INVALID_VALUE, MISSING_FIELD, UNKNOWN_VALUE, UNKNOWN_FIELD];

/// Reports fields that new models do not have, numbers that are out of range, and cache marks that are too many.
pub(super) fn check_sent(sent: &SentRequest<'_>, diagnostics: &mut Diagnostics) {
    for (name, most) in [("temperature", if sent.api == Api::Chat { 2.0 } else { 1.0 }), ("top_p", 1.0)] {
        let Some(field) = sent.fields.get(name) else { continue };
        let place = sent.field_place(name, field);
        if field.raw().parse::<f64>().is_ok_and(|value| value > most) {
            let requirement = format!("be at most {most}");
            let message = invalid_value(name, &requirement, &format!("`{}`", field.raw()));
            diagnostics.add(&INVALID_VALUE, message, place);
        }
        if sent.api == Api::Messages {
            let help = "new models reject it, and old ones take it";
            let message = Message::new(format!("unknown field `{name}`"), words::undescribed(), help);
            diagnostics.add(&UNKNOWN_FIELD, message, place);
        }
    }
    match sent.api {
        Api::Messages => {
            check_budget(sent, diagnostics);
            check_cache_marks(sent, diagnostics);
        }
        Api::Chat => check_tool_messages(sent, diagnostics),
        Api::Responses => {}
    }
}

/// Reports ids that are empty or too long.
pub(super) fn check_item(located: &Located<'_>, diagnostics: &mut Diagnostics) {
    for (key, id) in [("id", located.item.rest().get_str("id")), ("call id", call_id(&located.item))] {
        let message = match id.map(|id| id.chars().count()) {
            Some(0) => {
                let help = format!("the API accepts 1 to {MAX_ID_LENGTH} characters");
                Message::new(format!("this {key} is empty"), "here", help)
            }
            Some(length) if length > MAX_ID_LENGTH => {
                let help = format!("the API accepts at most {MAX_ID_LENGTH}");
                Message::new(format!("this {key} has {length} characters"), "too long", help)
            }
            Some(_) | None => continue,
        };
        diagnostics.add(&INVALID_VALUE, message, located.span);
    }
}

/// Reports images and files in messages of tools, where the types of the Chat API have only text.
fn check_tool_messages(sent: &SentRequest<'_>, diagnostics: &mut Diagnostics) {
    let is_tool = |message: &Value<'_>| message.is("role", "tool");
    for part in sent.messages().iter().filter(|message| is_tool(message)).flat_map(|message| message.list("content")) {
        let kind = part.object.get_str("type").unwrap_or_default();
        if kind != "text" {
            let help = "only some servers take it: without `@at`, it is sent in a user message";
            let title = format!("the output of a tool has a part of the unknown type `{kind}`");
            diagnostics.add(&UNKNOWN_VALUE, Message::new(title, words::undescribed(), help), sent.place(&part));
        }
    }
}

/// Reports a violation of the description of the API. `name` is the name of the value where it is written, and `owner` the type of
/// the item or the tool, empty for the request itself.
pub(in crate::lint) fn report_violation(
    violation: &Violation<'_>,
    name: &str,
    owner: &str,
    span: Span,
    diagnostics: &mut Diagnostics,
) {
    let value = violation.value;
    // All of an item or a tool has its type in place of a name.
    let subject = if name.is_empty() { owner } else { name };
    let found = || words::value(name, value);
    let (rule, message) = match &violation.kind {
        ViolationKind::WrongType(expected) => {
            let (expected, found) = (words::types(expected), words::value(subject, value));
            let title = format!("`{subject}` must be {expected}, found {found}");
            (&WRONG_TYPE, Message::new(title, "wrong type", format!("the API rejects the request: write {expected}")))
        }
        ViolationKind::Missing(key) => {
            let title =
                if subject.is_empty() { format!("`{key}` is missing") } else { format!("`{subject}` needs `{key}`") };
            let help = format!("the API rejects the request: add `{key}`");
            (&MISSING_FIELD, Message::new(title, "missing here", help))
        }
        ViolationKind::UnknownValue(known) => {
            let values = words::known(known);
            let help = match nearest(&value.as_str().unwrap_or_default(), known.iter().copied()) {
                Some(meant) => format!("did you mean `{meant}`? The known values are {values}"),
                None => format!("the known values are {values}"),
            };
            let title = format!("`{name}` has an unknown value: {}", found());
            (&UNKNOWN_VALUE, Message::new(title, words::undescribed(), help))
        }
        ViolationKind::UnknownKey(known) => {
            let help = match nearest(name.rsplit('.').next().unwrap_or(name), known.iter().copied()) {
                Some(meant) => format!("did you mean `{meant}`?"),
                None => format!("the API may reject it: the known fields here are {}", words::known(known)),
            };
            (&UNKNOWN_FIELD, Message::new(format!("unknown field `{name}`"), words::undescribed(), help))
        }
        ViolationKind::TooSmall(least) => {
            (&INVALID_VALUE, invalid_value(name, &format!("be at least {least}"), &found()))
        }
        ViolationKind::TooLarge(most) => (&INVALID_VALUE, invalid_value(name, &format!("be at most {most}"), &found())),
        ViolationKind::NoMatch(pattern) => {
            (&INVALID_VALUE, invalid_value(name, &format!("match `{pattern}`"), &found()))
        }
        ViolationKind::TooShort(least) => (&INVALID_VALUE, wrong_length(name, "at least", *least, value)),
        ViolationKind::TooLong(most) => (&INVALID_VALUE, wrong_length(name, "at most", *most, value)),
    };
    diagnostics.add(rule, message, span);
}

/// Says what a value must be. A requirement is `be at most 1`.
fn invalid_value(name: &str, requirement: &str, found: &str) -> Message {
    let title = format!("`{name}` must {requirement}, found {found}");
    Message::new(title, "invalid value", "the API rejects the request: change the value")
}

/// Says how many elements, keys or characters a value must have.
fn wrong_length(name: &str, bound: &str, count: usize, value: Json<'_>) -> Message {
    let (unit, length) = match value.kind() {
        Kind::Array => ("element", value.array().map_or(0, |elements| elements.len())),
        Kind::Object => ("key", value.object().map_or(0, |object| object.iter().count())),
        Kind::String => ("character", value.as_str().map_or(0, |text| text.chars().count())),
        Kind::Null | Kind::Boolean | Kind::Number => ("character", 0),
    };
    let plural = if count == 1 { "" } else { "s" };
    invalid_value(name, &format!("have {bound} {count} {unit}{plural}"), &length.to_string())
}

/// Reports a budget of thinking that is too small, or not less than the limit of the whole answer.
fn check_budget(sent: &SentRequest<'_>, diagnostics: &mut Diagnostics) {
    let number = |object: &Object<'_>, key: &str| object.get(key)?.raw().parse::<f64>().ok();
    let Some(thinking) = sent.fields.get("thinking") else { return };
    let Some(budget) = number(&thinking.object().unwrap_or_default(), "budget_tokens") else { return };
    let requirement = match number(&sent.fields, "max_tokens") {
        _ if budget < MIN_BUDGET => format!("be at least {MIN_BUDGET}"),
        Some(limit) if budget >= limit => format!("be less than `max_tokens`, which is {limit}"),
        Some(_) | None => return,
    };
    let message = invalid_value("thinking.budget_tokens", &requirement, &format!("`{budget}`"));
    diagnostics.add(&INVALID_VALUE, message, sent.field_place("thinking", thinking));
}

fn check_cache_marks(sent: &SentRequest<'_>, diagnostics: &mut Diagnostics) {
    let marks = sent.tools().into_iter().chain(sent.blocks());
    let marks: Vec<_> = marks.filter(|value| value.object.get("cache_control").is_some()).collect();
    let first = usize::from(sent.fields.get("cache_control").is_some());
    if let Some(extra) = marks.get(MAX_CACHE_MARKS - first) {
        let found = (marks.len() + first).to_string();
        let requirement = format!("be at {MAX_CACHE_MARKS} places at most");
        diagnostics.add(&INVALID_VALUE, invalid_value("cache_control", &requirement, &found), sent.place(extra));
    }
}
