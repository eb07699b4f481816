//! `unknown-value`: a field with a value that the API does not know.

use crate::diagnostic::{Diagnostics, Message, Rule, nearest, rule};
use crate::lint::api::{Rejected, words};
use crate::lint::entry::Lint;
use crate::schema::Breach;
use crate::source::Span;

/// `<img src="u" detail="hi"/>`
pub(super) struct UnknownValue<'v> {
    name: &'v str,
    value: String,
    /// The known value that is spelled like it.
    meant: Option<&'static str>,
    known: &'v [&'static str],
}

impl Lint for UnknownValue<'_> {
    const RULE: Rule = rule!("unknown-value" Warning Malformed is_allowable);

    fn message(&self) -> Message {
        let known = words::known(self.known);
        let help = match self.meant {
            Some(meant) => format!("did you mean `{meant}`? The known values are {known}"),
            None => format!("the known values are {known}"),
        };
        Message::new(format!("`{}` has an unknown value: {}", self.name, self.value), words::undescribed(), help)
    }

    fn check_api(rejected: &Rejected<'_>, span: Span, diagnostics: &mut Diagnostics) {
        let Breach::UnknownValue(known) = &rejected.violation.breach else { return };
        let text = rejected.violation.value.as_str().unwrap_or_default();
        let (name, meant) = (&rejected.name, nearest(&text, known.iter().copied()));
        let value = words::value(name, rejected.violation.value);
        UnknownValue { name, value, meant, known }.report(span, diagnostics);
    }
}
