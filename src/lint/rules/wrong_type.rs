//! `wrong-type`: a value of a type that the API does not accept.

use crate::diagnostic::{Diagnostics, Message, Rule, rule};
use crate::lint::api::{Rejected, words};
use crate::lint::entry::Lint;
use crate::schema::Breach;
use crate::source::Span;

/// `<config>{"store":"yes"}</config>`
pub(super) struct WrongType {
    name: String,
    expected: String,
    found: String,
}

impl Lint for WrongType {
    const RULE: Rule = rule!("wrong-type" Error Malformed is_allowable);

    fn message(&self) -> Message {
        let Self { name, expected, found } = self;
        Message::new(
            format!("`{name}` must be {expected}, found {found}"),
            "wrong type",
            format!("the API rejects the request: write {expected}"),
        )
    }

    fn check_api(rejected: &Rejected<'_>, span: Span, diagnostics: &mut Diagnostics) {
        let Breach::WrongType(expected) = &rejected.violation.breach else { return };
        let name = if rejected.name.is_empty() { &rejected.owner } else { &rejected.name };
        let found = words::value(name, rejected.violation.value);
        WrongType { name: name.clone(), expected: words::types(expected), found }.report(span, diagnostics);
    }
}
