//! `json-not-mentioned`: the format `json_object` without the word "JSON" in any text.

use crate::diagnostic::{Diagnostics, Message, Rule, rule};
use crate::lint::entry::Lint;
use crate::lint::request::WholeRequest;

/// `<config text_format="json_object"/><user>Hello.</user>`
pub(super) struct JsonNotMentioned;

impl Lint for JsonNotMentioned {
    const RULE: Rule = rule!("json-not-mentioned" Error Malformed is_allowable);

    fn message(&self) -> Message {
        Message::new(
            "the format is `json_object`, but no message mentions JSON",
            "needs the word in a message",
            "the API rejects the request: ask for JSON in a message",
        )
    }

    fn check_request(request: &WholeRequest<'_, '_>, diagnostics: &mut Diagnostics) {
        let format = request.fields.get("text").and_then(|text| text.object().ok()?.get("format")?.object().ok());
        let is_object = format.is_some_and(|format| format.get_str("type").is_some_and(|kind| kind == "json_object"));
        let may_be_elsewhere = request.server_has_history || request.is_set("prompt") || !request.is_whole;
        if !is_object || may_be_elsewhere {
            return;
        }
        let instructions = request.fields.get("instructions").is_some_and(|text| mentions_json(text.raw()));
        let is_mentioned = instructions
            || request.items.iter().any(|located| {
                let mut json = String::new();
                located.item.encode(&mut json);
                mentions_json(&json)
            });
        if !is_mentioned {
            JsonNotMentioned.report(request.field_place("text.format"), diagnostics);
        }
    }
}

fn mentions_json(text: &str) -> bool {
    text.as_bytes().windows("json".len()).any(|word| word.eq_ignore_ascii_case(b"json"))
}
