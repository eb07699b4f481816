//! `invalid-value`: a value that is too small, too large, too short, too long, or of the wrong form.

use crate::convert::Located;
use crate::diagnostic::{Diagnostics, Message, Rule, rule};
use crate::json::{Json, Kind};
use crate::lint::api::{Rejected, words};
use crate::lint::entry::Lint;
use crate::lint::request::call_id;
use crate::schema::Breach;
use crate::source::Span;

const MAX_ID_LENGTH: usize = 64;

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
