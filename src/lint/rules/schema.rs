//! What the description of the API does not allow: `wrong-type`, `missing-field`, `unknown-value`, `unknown-field`.

use super::Lint;
use crate::diagnostic::{Diagnostics, Message, Rule, nearest, rule};
use crate::lint::api::{Rejected, words};
use crate::lint::sent::SentRequest;
use crate::schema::Breach;
use crate::source::Span;
use crate::wire::Api;

/// A value of a type that the API does not accept: `<config>{"store":"yes"}</config>`
pub(super) struct WrongType;

impl Lint for WrongType {
    fn rule(&self) -> &'static Rule {
        const { &rule!("wrong-type" Error Malformed is_allowable) }
    }

    fn check_api(&self, rejected: &Rejected<'_>, span: Span, diagnostics: &mut Diagnostics) {
        let Breach::WrongType(expected) = &rejected.violation.breach else { return };
        let (name, expected) = (rejected.name_or_owner(), words::types(expected));
        let found = words::value(name, rejected.violation.value);
        let message = Message::new(
            format!("`{name}` must be {expected}, found {found}"),
            "wrong type",
            format!("the API rejects the request: write {expected}"),
        );
        self.report(message, span, diagnostics);
    }
}

/// A field that the API requires: `<tool type="file_search"/>`
pub(super) struct MissingField;

impl Lint for MissingField {
    fn rule(&self) -> &'static Rule {
        const { &rule!("missing-field" Error Malformed is_allowable) }
    }

    fn check_api(&self, rejected: &Rejected<'_>, span: Span, diagnostics: &mut Diagnostics) {
        let Breach::Missing(key) = &rejected.violation.breach else { return };
        let title = match rejected.name_or_owner() {
            "" => format!("`{key}` is missing"),
            owner => format!("`{owner}` needs `{key}`"),
        };
        let help = format!("the API rejects the request: add `{key}`");
        self.report(Message::new(title, "missing here", help), span, diagnostics);
    }
}

/// A field with a value that the API does not know: `<img src="u" detail="hi"/>`
pub(super) struct UnknownValue;

impl Lint for UnknownValue {
    fn rule(&self) -> &'static Rule {
        const { &rule!("unknown-value" Warning Malformed is_allowable) }
    }

    fn check_api(&self, rejected: &Rejected<'_>, span: Span, diagnostics: &mut Diagnostics) {
        let Breach::UnknownValue(known) = &rejected.violation.breach else { return };
        let (name, value) = (&rejected.name, rejected.violation.value);
        let values = words::known(known);
        let help = match nearest(&value.as_str().unwrap_or_default(), known.iter().copied()) {
            Some(meant) => format!("did you mean `{meant}`? The known values are {values}"),
            None => format!("the known values are {values}"),
        };
        let title = format!("`{name}` has an unknown value: {}", words::value(name, value));
        self.report(Message::new(title, words::undescribed(), help), span, diagnostics);
    }
}

/// A field that the API does not have: `<config>{"stor":true}</config>`
pub(super) struct UnknownField;

impl Lint for UnknownField {
    fn rule(&self) -> &'static Rule {
        const { &rule!("unknown-field" Warning Malformed is_allowable) }
    }

    fn check_api(&self, rejected: &Rejected<'_>, span: Span, diagnostics: &mut Diagnostics) {
        let Breach::UnknownKey(known) = &rejected.violation.breach else { return };
        let name = &rejected.name;
        let help = match nearest(name.rsplit('.').next().unwrap_or(name), known.iter().copied()) {
            Some(meant) => format!("did you mean `{meant}`?"),
            None => format!("the API may reject it: the known fields here are {}", words::known(known)),
        };
        self.report(Message::new(format!("unknown field `{name}`"), words::undescribed(), help), span, diagnostics);
    }

    /// The newest models of the Messages API have neither of these fields.
    fn check_sent(&self, sent: &SentRequest<'_>, diagnostics: &mut Diagnostics) {
        for name in ["temperature", "top_p"] {
            if sent.api == Api::Messages && sent.fields.get(name).is_some() {
                let help = "new models reject it, and old ones take it";
                let message = Message::new(format!("unknown field `{name}`"), words::undescribed(), help);
                self.report(message, sent.field_place(name), diagnostics);
            }
        }
    }
}
