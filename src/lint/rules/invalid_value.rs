//! `invalid-value`: a value that is too small, too large, too short, too long, or of the wrong form.

use crate::convert::Located;
use crate::diagnostic::{Diagnostics, Message, Rule, rule};
use crate::json::{Json, Kind, Object};
use crate::lint::api::{Rejected, words};
use crate::lint::entry::Lint;
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

pub(super) enum InvalidValue {
    /// `<config top_p="7"/>`
    Field {
        name: String,
        /// `be at most 1`
        requirement: String,
        found: String,
    },
    /// `<assistant id="">`
    Id { key: &'static str, length: usize },
}

impl Lint for InvalidValue {
    const RULE: Rule = rule!("invalid-value" Error Malformed is_allowable);

    fn message(&self) -> Message {
        match self {
            Self::Field { name, requirement, found } => Message::new(
                format!("`{name}` must {requirement}, found {found}"),
                "invalid value",
                "the API rejects the request: change the value",
            ),
            Self::Id { key, length: 0 } => {
                let help = format!("the API accepts 1 to {MAX_ID_LENGTH} characters");
                Message::new(format!("this {key} is empty"), "here", help)
            }
            Self::Id { key, length } => {
                let help = format!("the API accepts at most {MAX_ID_LENGTH}");
                Message::new(format!("this {key} has {length} characters"), "too long", help)
            }
        }
    }

    fn check_api(rejected: &Rejected<'_>, span: Span, diagnostics: &mut Diagnostics) {
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
        InvalidValue::Field { name: rejected.name.clone(), requirement, found }.report(span, diagnostics);
    }

    /// Reports numbers that are out of range, and cache marks that are too many.
    fn check_sent(sent: &SentRequest<'_>, diagnostics: &mut Diagnostics) {
        let number = |object: &Object<'_>, key: &str| object.get(key)?.raw().parse::<f64>().ok();
        let mut report = |name: &str, requirement: String, found: String, span| {
            InvalidValue::Field { name: name.to_owned(), requirement, found }.report(span, diagnostics);
        };
        for (key, most) in [("temperature", if sent.api == Api::Chat { 2.0 } else { 1.0 }), ("top_p", 1.0)] {
            if let Some(value) = number(&sent.fields, key).filter(|value| *value > most) {
                report(key, format!("be at most {most}"), format!("`{value}`"), sent.field_place(key));
            }
        }
        if sent.api != Api::Messages {
            return;
        }
        let thinking = sent.fields.get("thinking").and_then(|thinking| thinking.object().ok()).unwrap_or_default();
        if let Some(budget) = number(&thinking, "budget_tokens") {
            let limit = number(&sent.fields, "max_tokens").filter(|limit| budget >= *limit);
            let requirement = if budget < MIN_BUDGET {
                Some(format!("be at least {MIN_BUDGET}"))
            } else {
                limit.map(|limit| format!("be less than `max_tokens`, which is {limit}"))
            };
            if let Some(requirement) = requirement {
                report("thinking.budget_tokens", requirement, format!("`{budget}`"), sent.field_place("thinking"));
            }
        }
        let marks = sent.tools().into_iter().chain(sent.blocks());
        let marks: Vec<_> = marks.filter(|value| value.object.get("cache_control").is_some()).collect();
        let first = usize::from(sent.fields.get("cache_control").is_some());
        if let Some(extra) = marks.get(MAX_CACHE_MARKS - first) {
            let found = (marks.len() + first).to_string();
            let span = sent.place(&extra.pointer, extra.json);
            report("cache_control", format!("be at {MAX_CACHE_MARKS} places at most"), found, span);
        }
    }

    /// Reports ids that are empty or too long.
    fn check_items(items: &[Located<'_>], diagnostics: &mut Diagnostics) {
        for located in items {
            for (key, id) in [("id", located.item.rest().get_str("id")), ("call id", call_id(&located.item))] {
                let length = id.map(|id| id.chars().count());
                if let Some(length) = length.filter(|length| !(1..=MAX_ID_LENGTH).contains(length)) {
                    InvalidValue::Id { key, length }.report(located.span, diagnostics);
                }
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
