//! Reads input of any API: requests and replies become items.

use std::borrow::Cow;

use crate::json::{Json, JsonError, Kind, Object, StringArena};
use crate::options::ReadOptions;
use crate::responses::{self, ApiError, Completion, Failure, Payload, PayloadItem, Warning};
use crate::stream::is_stream;
use crate::wire::{Api, Detected, Form, Incoming, detect};
use crate::{chat, messages};

use super::config;

/// Reads a text of any API.
pub fn read_payload<'j>(text: &'j str, options: ReadOptions, strings: &'j StringArena) -> Result<Payload<'j>, Failure> {
    let start = text.len() - text.trim_start_matches('\u{feff}').len();
    let body = &text[start..];
    if options.api == Some(Api::Responses) || is_stream(body.trim_ascii_start()) {
        return responses::read(text, strings);
    }
    let json = Json::parse_at(body, start, strings).ok().filter(|json| json.kind() == Kind::Object);
    let Some((json, object)) = json.and_then(|json| Some((json, json.object().ok()?))) else {
        return responses::read(text, strings);
    };
    match form(&object, options.api) {
        Some(Detected::Api(api, form)) => read_object(json, &object, api, form, options, strings),
        Some(Detected::Ambiguous { messages, chat }) => Err(Failure::Ambiguous { messages, chat }),
        None => responses::read(text, strings),
    }
}

/// What an object is. The API that the caller names counts, whatever the signs are.
fn form(object: &Object<'_>, api: Option<Api>) -> Option<Detected> {
    let detected = detect(object);
    match (api, detected) {
        (None, detected) => detected,
        (Some(api), Some(Detected::Api(_, form))) => Some(Detected::Api(api, form)),
        (Some(api), Some(Detected::Ambiguous { .. })) => Some(Detected::Api(api, Form::Request)),
        (Some(_), None) => None,
    }
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
        (Form::Reply, Api::Messages) => messages_reply(json, strings),
        (Form::Reply, _) => chat_reply(json, options.choice, strings),
        (Form::Error, _) => Err(Failure::Api(object.get("error").map(ApiError::decode).unwrap_or_default())),
        (Form::BatchResult, _) => batch_result(object, json, strings),
        (Form::Event, _) => responses::read(json.raw(), strings),
    }
}

/// A request as a payload.
fn request<'j>(incoming: Incoming<'j>, api: Api, strings: &'j StringArena) -> Payload<'j> {
    let mut fields = Object::default();
    fields.insert(config::API, strings.string(api.name()));
    incoming.fields.iter().for_each(|(key, value)| fields.insert(key.to_owned(), value));
    Payload {
        request: Some(fields),
        instructions: incoming.instructions,
        items: items(incoming.items, strings),
        ..Payload::default()
    }
}

fn items<'j>(items: Vec<(responses::Item<'j>, Json<'j>)>, strings: &'j StringArena) -> Vec<PayloadItem<'j>> {
    items.into_iter().map(|(item, json)| PayloadItem::wide(item, json, strings)).collect()
}

fn messages_reply<'j>(json: Json<'j>, strings: &'j StringArena) -> Result<Payload<'j>, Failure> {
    let (incoming, envelope) = messages::import_reply(json, strings)?;
    let reason = envelope.get_str("stop_reason");
    let mut payload = Payload { items: items(incoming.items, strings), ..Payload::default() };
    end(&mut payload, reason.as_deref(), refusal_of_messages(&envelope));
    payload.envelopes.push(envelope);
    payload.unless_failed()
}

/// The category and the explanation of a refusal.
fn refusal_of_messages(envelope: &Object<'_>) -> String {
    let details = envelope.get("stop_details").and_then(|details| details.object().ok()).unwrap_or_default();
    let words = ["category", "explanation"].iter().filter_map(|key| details.get_str(key));
    words.map(Cow::into_owned).collect::<Vec<_>>().join(": ")
}

fn chat_reply<'j>(json: Json<'j>, choice: Option<u64>, strings: &'j StringArena) -> Result<Payload<'j>, Failure> {
    let reply = chat::import_reply(json, choice, strings).map_err(|error| match error {
        chat::ReplyError::Malformed(error) => Failure::Malformed(error),
        chat::ReplyError::SeveralChoices(choices) => Failure::SeveralChoices(choices),
        chat::ReplyError::NoChoice(index) => {
            Failure::Malformed(json.malformed(format!("there is no choice {index}")).within("choices"))
        }
    })?;
    let Some(reply) = reply else {
        let error = json.object()?.get_present("error");
        return Err(error.map_or_else(|| Failure::NoChoices, |error| Failure::Api(ApiError::decode(error))));
    };
    let mut payload = Payload { items: items(reply.incoming.items, strings), ..Payload::default() };
    end(&mut payload, reply.finish_reason.as_deref(), String::new());
    payload.envelopes.push(reply.envelope);
    payload.unless_failed()
}

/// Records why the model stopped.
fn end(payload: &mut Payload<'_>, reason: Option<&str>, refusal: String) {
    let completion = match reason {
        None | Some("end_turn" | "tool_use" | "stop_sequence" | "stop" | "tool_calls" | "function_call") => {
            if payload.items.is_empty() {
                payload.warnings.push(Warning::NoItems);
            }
            return;
        }
        Some("pause_turn" | "compaction") => {
            Completion::Incomplete(Some("paused; send the document again as it is".to_owned()))
        }
        Some(reason @ ("refusal" | "content_filter")) => {
            let message = if refusal.is_empty() { "the model refused to answer".to_owned() } else { refusal };
            Completion::Failed(ApiError { code: Some(reason.to_owned()), message, param: None })
        }
        Some(reason @ ("max_tokens" | "model_context_window_exceeded" | "length")) => {
            payload.is_cut_text = true;
            Completion::Incomplete(Some(reason.to_owned()))
        }
        Some(reason) => {
            payload.warnings.push(Warning::UnknownStop(reason.to_owned()));
            return;
        }
    };
    payload.end_with(completion);
}

/// One line of the results of a batch of the Messages API.
fn batch_result<'j>(object: &Object<'j>, json: Json<'j>, strings: &'j StringArena) -> Result<Payload<'j>, Failure> {
    let malformed = |what: &str| json.malformed(what.to_owned()).within("result");
    let result: Object<'j> = object.get("result").ok_or_else(|| malformed("is missing"))?.object()?;
    match (result.get_str("type").as_deref(), result.get("message"), result.get("error")) {
        (Some("succeeded"), Some(message), _) => messages_reply(message, strings),
        (Some("errored"), _, Some(error)) => Err(Failure::Api(ApiError::decode(error))),
        (Some(kind @ ("canceled" | "expired")), _, _) => {
            let completion = Completion::Incomplete(Some(format!("the request of the batch was {kind}")));
            Ok(Payload { completion, ..Payload::default() })
        }
        (_, _, _) => Err(Failure::Malformed(JsonError::new("unknown result of a batch", json.offset()))),
    }
}
