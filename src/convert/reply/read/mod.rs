//! Reads input of any API: requests and replies become items.

mod api;
mod reply;

use self::api::{api_of_stream, form};
use self::reply::{items, read_replies, read_reply};
use crate::convert::request::config;
use crate::json::{Json, JsonError, Object, StringArena, begins_like_json};
use crate::options::ReadOptions;
use crate::responses::{self, ApiError, Completion, Failure, Payload};
use crate::stream::is_stream;
use crate::wire::{Api, Detected, Form, Incoming};
use crate::{chat, messages};

/// Reads a text of any API.
pub fn read_payload<'j>(text: &'j str, options: ReadOptions, strings: &'j StringArena) -> Result<Payload<'j>, Failure> {
    let start = text.len() - text.trim_start_matches('\u{feff}').len();
    let body = &text[start..];
    if options.api == Some(Api::Responses) {
        return responses::read(text, strings);
    }
    let is_stream = is_stream(body.trim_ascii_start());
    if !is_stream && let Ok(parsed) = Json::parse_at(body, start, strings) {
        let json = body_of_batch_line(parsed).unwrap_or(parsed);
        let detected = json.object().ok().and_then(|object| Some((form(&object, options.api)?, object)));
        return match detected {
            Some((Detected::Api(api, form), object)) => read_object(json, &object, api, form, options, strings),
            Some((Detected::Ambiguous { messages, chat }, _)) => Err(Failure::Ambiguous { messages, chat }),
            None => responses::read_json(parsed, strings),
        };
    }
    let api = match options.api {
        Some(api) if is_stream => Some(api),
        // Lines of JSON are a stream too.
        api if is_stream || begins_like_json(body) => {
            api_of_stream(body).filter(|api| *api != Api::Responses).map(|detected| api.unwrap_or(detected))
        }
        _ => None,
    };
    match api {
        Some(api @ (Api::Messages | Api::Chat)) => stream(api, body, start, options, strings),
        Some(Api::Responses) | None => responses::read(text, strings),
    }
}

/// The response in a line of the results of a batch, as the Responses and the Chat API have it.
fn body_of_batch_line(json: Json<'_>) -> Option<Json<'_>> {
    let line = json.object().ok().filter(|line| line.get("custom_id").is_some())?;
    line.get_object("response")?.get_present("body")
}

/// Reads a stream of the Messages or the Chat API.
fn stream<'j>(
    api: Api,
    text: &'j str,
    at: usize,
    options: ReadOptions,
    strings: &'j StringArena,
) -> Result<Payload<'j>, Failure> {
    let streamed = match api {
        Api::Messages => messages::read_stream(text, at, strings),
        Api::Responses | Api::Chat => chat::read_stream(text, at, options.choice, strings),
    };
    read_replies(api, streamed, options.choice, strings)
}

fn read_object<'j>(
    json: Json<'j>,
    object: &Object<'j>,
    api: Api,
    form: Form,
    options: ReadOptions,
    strings: &'j StringArena,
) -> Result<Payload<'j>, Failure> {
    match (form, api) {
        (Form::Request, Api::Messages) => Ok(request(messages::import_request(json, strings)?, api, strings)),
        (Form::Request, _) => Ok(request(chat::import_request(json, strings)?, api, strings)),
        (Form::Reply, _) => read_reply(api, json, options.choice, strings),
        (Form::Error, _) => Err(Failure::Api(object.get("error").map(ApiError::decode).unwrap_or_default())),
        (Form::BatchResult, _) => batch_result(object, json, strings),
        (Form::Event, _) => {
            let line = strings.keep(json.compact().into_owned());
            stream(api, line, json.offset(), options, strings)
        }
    }
}

/// A request as a payload.
fn request<'j>(incoming: Incoming<'j>, api: Api, strings: &'j StringArena) -> Payload<'j> {
    let mut fields = Object::default();
    fields.insert(config::API_MEMBER, strings.string(api.name()));
    incoming.fields.iter().for_each(|(key, value)| fields.insert(key.to_owned(), value));
    Payload {
        request: Some(fields),
        instructions: incoming.instructions,
        items: items(incoming.items),
        ..Payload::default()
    }
}

/// One line of the results of a batch of the Messages API.
fn batch_result<'j>(object: &Object<'j>, json: Json<'j>, strings: &'j StringArena) -> Result<Payload<'j>, Failure> {
    let malformed = |what: &str| json.malformed(what.to_owned()).within("result");
    let result: Object<'j> = object.get("result").ok_or_else(|| malformed("is missing"))?.object()?;
    match (result.get_str("type").as_deref(), result.get("message"), result.get("error")) {
        (Some("succeeded"), Some(message), _) => read_reply(Api::Messages, message, None, strings),
        (Some("errored"), _, Some(error)) => Err(Failure::Api(ApiError::decode(error))),
        (Some(kind @ ("canceled" | "expired")), _, _) => {
            let completion = Completion::Incomplete(Some(format!("the request of the batch was {kind}")));
            Ok(Payload { completion, ..Payload::default() })
        }
        (_, _, _) => Err(Failure::Malformed(JsonError::new("unknown result of a batch", json.offset()))),
    }
}
