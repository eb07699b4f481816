//! Fields of a request that do not go together.

use super::Lint;
use crate::diagnostic::{Diagnostics, Message, Rule, rule};
use crate::lint::request::WholeRequest;

/// Two fields that a request cannot have together: `<config previous_response_id="resp_1" conversation="conv_1"/>`,
/// `<config background="true" store="false"/>`
const EXCLUSIVE_FIELDS: Rule = rule!("exclusive-fields" Error Malformed is_allowable is_of_responses);
/// The format `json_object` without the word "JSON" in any text: `<config text_format="json_object"/><user>Hello.</user>`
const JSON_NOT_MENTIONED: Rule = rule!("json-not-mentioned" Error Malformed is_allowable is_of_responses);

pub(super) struct Fields;

impl Lint for Fields {
    fn rules(&self) -> &'static [Rule] {
        &[EXCLUSIVE_FIELDS, JSON_NOT_MENTIONED]
    }

    fn check_request(&self, request: &WholeRequest<'_, '_>, diagnostics: &mut Diagnostics) {
        if request.is_set("previous_response_id") && request.is_set("conversation") {
            let message = Message::new(
                "`previous_response_id` and `conversation` exclude each other",
                "the request also has `conversation`",
                "remove one of them: each refers to the earlier turns",
            );
            diagnostics.add(&EXCLUSIVE_FIELDS, message, request.field_place("previous_response_id"));
        }
        let is = |key: &str, value: &str| request.fields.get(key).is_some_and(|field| field.raw() == value);
        if is("background", "true") && is("store", "false") {
            let message = Message::new(
                "`background` needs a response that is stored",
                "the request also has `store: false`",
                "remove one of them: the API rejects both together",
            );
            diagnostics.add(&EXCLUSIVE_FIELDS, message, request.field_place("background"));
        }
        if lacks_word(request) {
            let message = Message::new(
                "the format is `json_object`, but no message mentions JSON",
                "needs the word in a message",
                "the API rejects the request: ask for JSON in a message",
            );
            diagnostics.add(&JSON_NOT_MENTIONED, message, request.field_place("text.format"));
        }
    }
}

/// Whether the format is `json_object` and no text of the request has the word "JSON".
fn lacks_word(request: &WholeRequest<'_, '_>) -> bool {
    let format = request.text_format().and_then(|format| format.get_str("type"));
    if format.as_deref() != Some("json_object") || request.has_stored_input() || !request.is_whole {
        return false;
    }
    let instructions = request.fields.get("instructions").is_some_and(|text| mentions_json(text.raw()));
    !instructions
        && !request.items.iter().any(|located| {
            let mut json = String::new();
            located.item.encode(&mut json);
            mentions_json(&json)
        })
}

fn mentions_json(text: &str) -> bool {
    text.as_bytes().windows("json".len()).any(|word| word.eq_ignore_ascii_case(b"json"))
}
