//! `exclusive-fields`: two fields that a request cannot have together.

use crate::diagnostic::{Diagnostics, Message, Rule, rule};
use crate::lint::entry::Lint;
use crate::lint::request::WholeRequest;

pub(super) enum ExclusiveFields {
    /// `<config previous_response_id="resp_1" conversation="conv_1"/>`
    TwoHistories,
    /// `<config background="true" store="false"/>`
    NotStored,
}

impl Lint for ExclusiveFields {
    const RULE: Rule = rule!("exclusive-fields" Error Malformed is_allowable);

    fn message(&self) -> Message {
        match self {
            Self::TwoHistories => Message::new(
                "`previous_response_id` and `conversation` exclude each other",
                "the request also has `conversation`",
                "remove one of them: each refers to the earlier turns",
            ),
            Self::NotStored => Message::new(
                "`background` needs a response that is stored",
                "the request also has `store: false`",
                "remove one of them: the API rejects both together",
            ),
        }
    }

    fn check_request(request: &WholeRequest<'_, '_>, diagnostics: &mut Diagnostics) {
        if request.is_set("previous_response_id") && request.is_set("conversation") {
            ExclusiveFields::TwoHistories.report(request.field_place("previous_response_id"), diagnostics);
        }
        let is = |key: &str, value: &str| request.fields.get(key).is_some_and(|field| field.raw() == value);
        if is("background", "true") && is("store", "false") {
            ExclusiveFields::NotStored.report(request.field_place("background"), diagnostics);
        }
    }
}
