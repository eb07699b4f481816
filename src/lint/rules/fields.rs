//! Fields of a request that do not go together.

use crate::diagnostic::{Diagnostics, Message, Rule, rule};
use crate::lint::request::WholeRequest;

/// Two fields that a request cannot have together: `<config previous_response_id="resp_1" conversation="conv_1"/>`,
/// `<config background="true" store="false"/>`
const EXCLUSIVE_FIELDS: Rule = rule!("exclusive-fields" Error Malformed is_allowable is_of_responses);
/// The format `json_object` without the word "JSON" in any text: `<config text_format="json_object"/><user>Hello.</user>`
const JSON_NOT_MENTIONED: Rule = rule!("json-not-mentioned" Error Malformed is_allowable is_of_responses);

pub(super) const RULES: &[Rule] = &[EXCLUSIVE_FIELDS, JSON_NOT_MENTIONED];

pub(super) fn check_request(whole: &WholeRequest<'_, '_>, diagnostics: &mut Diagnostics) {
    if whole.is_set("previous_response_id") && whole.is_set("conversation") {
        let message = Message::new(
            "`previous_response_id` and `conversation` exclude each other",
            "the request also has `conversation`",
            "remove one of them: each refers to the earlier turns",
        );
        diagnostics.add(&EXCLUSIVE_FIELDS, message, whole.field_place("previous_response_id"));
    }
    let is = |key: &str, value: &str| whole.fields.get(key).is_some_and(|field| field.raw() == value);
    if is("background", "true") && is("store", "false") {
        let message = Message::new(
            "`background` needs a response that is stored",
            "the request also has `store: false`",
            "remove one of them: the API rejects both together",
        );
        diagnostics.add(&EXCLUSIVE_FIELDS, message, whole.field_place("background"));
    }
    if lacks_word(whole) {
        let message = Message::new(
            "the format is `json_object`, but no message mentions JSON",
            "needs the word in a message",
            "the API rejects the request: ask for JSON in a message",
        );
        diagnostics.add(&JSON_NOT_MENTIONED, message, whole.field_place("text.format"));
    }
}

/// Whether the format is `json_object` and no text of the request has the word "JSON".
fn lacks_word(whole: &WholeRequest<'_, '_>) -> bool {
    let format = whole.text_format().and_then(|format| format.get_str("type"));
    if format.as_deref() != Some("json_object") || whole.has_stored_input() || !whole.is_whole {
        return false;
    }
    let instructions = whole.fields.get("instructions").is_some_and(|text| mentions_json(text.raw()));
    !instructions
        && !whole.request.items.iter().any(|located| {
            let mut json = String::new();
            located.item.encode(&mut json);
            mentions_json(&json)
        })
}

fn mentions_json(text: &str) -> bool {
    text.as_bytes().windows("json".len()).any(|word| word.eq_ignore_ascii_case(b"json"))
}
