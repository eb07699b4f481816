//! Which API an input belongs to.

use crate::json::{Json, Kind, Object, StringArena};
use crate::stream::{StreamDecoder, close};
use crate::wire::{Api, Detected, Form, detect, detect_event};

/// What an object is. The API that the caller names counts, whatever the signs are.
pub(super) fn form(object: &Object<'_>, api: Option<Api>) -> Option<Detected> {
    let detected = detect(object);
    match (api, detected) {
        (None, detected) => detected,
        (Some(api), Some(Detected::Api(_, form))) => Some(Detected::Api(api, form)),
        (Some(api), Some(Detected::Ambiguous { .. })) => Some(Detected::Api(api, Form::Request)),
        // A request may have fields of another API, such as `input`.
        (Some(api), None) => {
            let is_list = |key: &&str| object.get(key).is_some_and(|value| value.kind() == Kind::Array);
            [api.list_field(), "messages"].iter().any(is_list).then_some(Detected::Api(api, Form::Request))
        }
    }
}

/// The API of a stream: that of its first event that belongs to one.
pub(super) fn api_of_stream(text: &str) -> Option<Api> {
    let mut decoder = StreamDecoder::default();
    while let Some(event) = decoder.next(text.as_bytes(), true) {
        let strings = StringArena::default();
        // The first event may be cut.
        let json = Json::parse(&event.data, &strings).or_else(|error| {
            let (closed, _) = close(&event.data, &[]).ok_or(error)?;
            Json::parse(strings.keep(closed), &strings)
        });
        let json = json.and_then(Json::object).unwrap_or_default();
        if let Some(api) = detect_event(&json, event.name) {
            return Some(api);
        }
    }
    None
}
