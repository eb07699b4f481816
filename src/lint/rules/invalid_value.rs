//! `invalid-value`: a value that is too small, too large, too short, too long, or of the wrong form.

use super::Lint;
use crate::convert::Located;
use crate::diagnostic::{Diagnostics, Message, Rule, rule};
use crate::json::{Json, Kind, Object};
use crate::lint::api::{Rejected, words};
use crate::lint::request::call_id;
use crate::lint::sent::SentRequest;
use crate::schema::Breach;
use crate::source::Span;
use crate::wire::Api;

const MAX_ID_LENGTH: usize = 64;
/// The smallest budget of thinking.
const MIN_BUDGET: f64 = 1024.0;
/// How many marks of the cache a request may have.
const MAX_CACHE_MARKS: usize = 4;

/// `<config top_p="7"/>`, `<assistant id="">`
pub(super) struct InvalidValue;

impl InvalidValue {
    /// Reports a value. A requirement is `be at most 1`.
    fn report_value(&self, name: &str, requirement: &str, found: &str, span: Span, diagnostics: &mut Diagnostics) {
        let title = format!("`{name}` must {requirement}, found {found}");
        let help = "the API rejects the request: change the value";
        self.report(Message::new(title, "invalid value", help), span, diagnostics);
    }
}

impl Lint for InvalidValue {
    fn rule(&self) -> &'static Rule {
        const { &rule!("invalid-value" Error Malformed is_allowable is_of_responses) }
    }

    fn check_api(&self, rejected: &Rejected<'_>, span: Span, diagnostics: &mut Diagnostics) {
        let value = rejected.violation.value;
        let requirement = match &rejected.violation.breach {
            Breach::TooSmall(least) => format!("be at least {least}"),
            Breach::TooLarge(most) => format!("be at most {most}"),
            Breach::TooShort(least) => format!("have at least {least} {}", units(value, *least)),
            Breach::TooLong(most) => format!("have at most {most} {}", units(value, *most)),
            Breach::NoMatch(pattern) => format!("match `{pattern}`"),
            Breach::WrongType(_) | Breach::UnknownValue(_) | Breach::Missing(_) | Breach::UnknownKey(_) => return,
        };
        let is_length = matches!(rejected.violation.breach, Breach::TooShort(_) | Breach::TooLong(_));
        let found = if is_length { length(value).to_string() } else { words::value(&rejected.name, value) };
        self.report_value(&rejected.name, &requirement, &found, span, diagnostics);
    }

    /// Reports numbers that are out of range, and cache marks that are too many.
    fn check_sent(&self, sent: &SentRequest<'_>, diagnostics: &mut Diagnostics) {
        let number = |object: &Object<'_>, key: &str| object.get(key)?.raw().parse::<f64>().ok();
        let mut report = |name: &str, requirement: &str, found: &str, span| {
            self.report_value(name, requirement, found, span, diagnostics);
        };
        for (key, most) in [("temperature", if sent.api == Api::Chat { 2.0 } else { 1.0 }), ("top_p", 1.0)] {
            if let Some(value) = number(&sent.fields, key).filter(|value| *value > most) {
                report(key, &format!("be at most {most}"), &format!("`{value}`"), sent.field_place(key));
            }
        }
        if sent.api != Api::Messages {
            return;
        }
        let thinking = sent.fields.get_object("thinking").unwrap_or_default();
        if let Some(budget) = number(&thinking, "budget_tokens") {
            let limit = number(&sent.fields, "max_tokens").filter(|limit| budget >= *limit);
            let requirement = if budget < MIN_BUDGET {
                Some(format!("be at least {MIN_BUDGET}"))
            } else {
                limit.map(|limit| format!("be less than `max_tokens`, which is {limit}"))
            };
            if let Some(requirement) = requirement {
                report("thinking.budget_tokens", &requirement, &format!("`{budget}`"), sent.field_place("thinking"));
            }
        }
        let marks = sent.tools().into_iter().chain(sent.blocks());
        let marks: Vec<_> = marks.filter(|value| value.object.get("cache_control").is_some()).collect();
        let first = usize::from(sent.fields.get("cache_control").is_some());
        if let Some(extra) = marks.get(MAX_CACHE_MARKS - first) {
            let found = (marks.len() + first).to_string();
            report("cache_control", &format!("be at {MAX_CACHE_MARKS} places at most"), &found, sent.place(extra));
        }
    }

    /// Reports ids that are empty or too long.
    fn check_items(&self, items: &[Located<'_>], diagnostics: &mut Diagnostics) {
        for located in items {
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
                self.report(message, located.span, diagnostics);
            }
        }
    }
}

/// The unit of the length of a value.
fn units(value: Json<'_>, count: usize) -> &'static str {
    match (value.kind(), count) {
        (Kind::Array, 1) => "element",
        (Kind::Array, _) => "elements",
        (Kind::Object, 1) => "key",
        (Kind::Object, _) => "keys",
        (_, 1) => "character",
        (_, _) => "characters",
    }
}

fn length(value: Json<'_>) -> usize {
    match value.kind() {
        Kind::Array => value.array().map_or(0, |elements| elements.len()),
        Kind::Object => value.object().map_or(0, |object| object.iter().count()),
        Kind::String => value.as_str().map_or(0, |text| text.chars().count()),
        Kind::Null | Kind::Boolean | Kind::Number => 0,
    }
}
