//! `exclusive-fields`: two fields of which a request can have only one.

use crate::diagnostic::{Diagnostics, Message, Rule, rule};
use crate::lint::entry::{Check, Lint};
use crate::lint::request::Request;

/// `<config previous_response_id="resp_1" conversation="conv_1"/>`
pub(super) struct ExclusiveFields;

impl Lint for ExclusiveFields {
    const RULE: Rule = rule!("exclusive-fields" Error Malformed is_allowable);
    const CHECKS: &'static [Check] = &[Check::Request(check)];

    fn message(&self) -> Message {
        Message::new(
            "`previous_response_id` and `conversation` exclude each other",
            "the request also has `conversation`",
            "remove one of them: each says which turns came before",
        )
    }
}

fn check(request: &Request<'_, '_>, diagnostics: &mut Diagnostics) {
    if request.is_set("previous_response_id") && request.is_set("conversation") {
        ExclusiveFields.report(request.field_place("previous_response_id"), diagnostics);
    }
}
