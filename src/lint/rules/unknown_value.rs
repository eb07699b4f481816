//! `unknown-value`: a field with a value that the API does not accept.

use crate::convert::Located;
use crate::diagnostic::{Diagnostics, Message, Rule, rule};
use crate::lint::entry::{Check, Lint};
use crate::lint::request::parts;
use crate::responses::{Item, Part};
use crate::source::Span;

const ROLES: &[&str] = &["user", "assistant", "system", "developer"];
const STATUSES: &[&str] = &["in_progress", "completed", "incomplete"];
const DETAILS: &[&str] = &["low", "high", "auto", "original"];

/// `<img src="u" detail="hi"/>`
pub(super) struct UnknownValue<'r> {
    key: &'static str,
    value: &'r str,
    known: &'static [&'static str],
}

impl Lint for UnknownValue<'_> {
    const RULE: Rule = rule!("unknown-value" Error Malformed is_allowable);
    const CHECKS: &'static [Check] = &[Check::Items(check)];

    fn message(&self) -> Message {
        let Self { key, value, known } = self;
        let title = if value.is_empty() { format!("`{key}` is empty") } else { format!("unknown `{key}`: `{value}`") };
        Message::new(title, "unknown value", format!("the API accepts `{}`", known.join("`, `")))
    }
}

fn check(items: &[Located<'_>], diagnostics: &mut Diagnostics) {
    let mut check = |key, value: Option<&str>, known: &'static [&'static str], span: Span| {
        if let Some(value) = value.filter(|value| !known.contains(value)) {
            UnknownValue { key, value, known }.report(span, diagnostics);
        }
    };
    for located in items {
        let item = &located.item;
        if let Item::Message(message) = item {
            check("role", Some(&message.role), ROLES, located.span);
        }
        for (part, span) in parts(located) {
            if let Part::Image(image) = part {
                check("detail", image.rest.get_str("detail").as_deref(), DETAILS, span);
            }
        }
        // Items of other types have other statuses.
        if !matches!(item, Item::Other(_)) {
            check("status", item.rest().get_str("status").as_deref(), STATUSES, located.span);
        }
    }
}
