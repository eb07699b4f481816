//! The JSON of a request for the Messages or the Chat API, for the rules of values that these APIs reject.

use std::collections::HashMap;

use super::rules::LINTS;
use crate::convert::Request;
use crate::diagnostic::Diagnostics;
use crate::json::{Json, Object, StringArena};
use crate::source::{SourceId, Span};
use crate::wire::Api;

/// A request as it is sent, and where its values are written.
pub(super) struct SentRequest<'s> {
    /// The Messages or the Chat API.
    pub(super) api: Api,
    pub(super) fields: Object<'s>,
    /// Where a problem of the whole request is reported.
    place: Span,
    places: Places,
}

enum Places {
    /// In a document, by JSON pointers.
    Document(HashMap<String, Span>),
    /// In the JSON itself.
    Json(SourceId),
}

/// A value of a request, and its JSON pointer.
pub(super) struct Value<'s> {
    pub(super) pointer: String,
    pub(super) json: Json<'s>,
    pub(super) object: Object<'s>,
}

/// Checks the request that a document is converted to.
pub(super) fn check_sent(request: &Request<'_>, diagnostics: &mut Diagnostics) {
    let strings = StringArena::default();
    let places = Places::Document(request.places().into_iter().collect());
    let fields = Json::parse(strings.keep(request.to_json()), &strings).and_then(Json::object).unwrap_or_default();
    run(&SentRequest { api: request.api, fields, place: request.place, places }, diagnostics);
}

/// Checks a request that is JSON.
pub(super) fn check_sent_json(api: Api, fields: Object<'_>, source: SourceId, diagnostics: &mut Diagnostics) {
    run(&SentRequest { api, fields, place: Span::new(source, 0..0), places: Places::Json(source) }, diagnostics);
}

fn run(sent: &SentRequest<'_>, diagnostics: &mut Diagnostics) {
    for lint in LINTS {
        lint.check_sent(sent, diagnostics);
    }
}

impl<'s> SentRequest<'s> {
    /// Where a value is written, or the value around it.
    pub(super) fn place(&self, value: &Value<'_>) -> Span {
        self.place_at(&value.pointer, value.json)
    }

    fn place_at(&self, pointer: &str, json: Json<'_>) -> Span {
        match &self.places {
            Places::Json(source) => Span::new(*source, json.range()),
            Places::Document(places) => {
                let mut rest = pointer;
                while !rest.is_empty() {
                    if let Some(span) = places.get(rest) {
                        return *span;
                    }
                    rest = rest.rsplit_once('/').map_or("", |(rest, _)| rest);
                }
                self.place
            }
        }
    }

    /// The place of a field.
    pub(super) fn field_place(&self, key: &str) -> Span {
        self.fields.get(key).map_or(self.place, |json| self.place_at(&format!("/{key}"), json))
    }

    /// The messages.
    pub(super) fn messages(&self) -> Vec<Value<'s>> {
        elements(&self.fields, "messages", "")
    }

    /// The tools.
    pub(super) fn tools(&self) -> Vec<Value<'s>> {
        elements(&self.fields, "tools", "")
    }

    /// The blocks of `system` and of all messages, and those inside of tool results.
    pub(super) fn blocks(&self) -> Vec<Value<'s>> {
        let mut blocks = elements(&self.fields, "system", "");
        for message in self.messages() {
            for block in message.list("content") {
                let inside = block.list("content");
                blocks.push(block);
                blocks.extend(inside);
            }
        }
        blocks
    }
}

impl<'s> Value<'s> {
    /// The objects of a list in this object.
    pub(super) fn list(&self, key: &str) -> Vec<Value<'s>> {
        elements(&self.object, key, &self.pointer)
    }

    pub(super) fn is(&self, key: &str, value: &str) -> bool {
        self.object.get_str(key).is_some_and(|is| is == value)
    }
}

/// The objects of a list in the object at a pointer.
fn elements<'s>(object: &Object<'s>, key: &str, pointer: &str) -> Vec<Value<'s>> {
    let value = |(index, json): (usize, Json<'s>)| {
        Some(Value { pointer: format!("{pointer}/{key}/{index}"), json, object: json.object().ok()? })
    };
    object.get_list(key).into_iter().enumerate().filter_map(value).collect()
}
