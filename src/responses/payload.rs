//! Anything with items in it: a response, a stream of one, a request, a list, an `input` array, an item, a Batch line.

use std::borrow::Cow;
use std::fmt;

use super::item::Item;
use super::stream;
use crate::json::Object;
use crate::json::{Json, JsonError, Kind, StringArena};

/// What was read, whatever its shape.
#[derive(Debug, Clone, PartialEq)]
pub struct Payload<'j> {
    /// The items, in order.
    pub items: Vec<Item<'j>>,
    /// The same items as they came.
    pub originals: Vec<Json<'j>>,
    /// The other members of a request body.
    pub request: Option<Object<'j>>,
    /// Whether a request body has no `input` at all.
    pub lacks_input: bool,
    /// The other members of a response.
    pub envelope: Option<Object<'j>>,
    /// Whether all of it came.
    pub completion: Completion<'j>,
}

/// How a response ends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Completion<'j> {
    /// All is there that there is so far.
    Whole,
    /// The model stopped early, and why.
    Incomplete(Cow<'j, str>),
    /// Somebody cancelled it.
    Cancelled,
    /// The stream ends before its last event.
    Cut,
}

/// The API says no.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ApiError<'j> {
    /// `invalid_request_error`, `rate_limit_exceeded`, …
    pub code: Option<Cow<'j, str>>,
    /// What the API says.
    pub message: Cow<'j, str>,
    /// Which part of the request it is about.
    pub param: Option<Cow<'j, str>>,
}

impl fmt::Display for ApiError<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the API says")?;
        if let Some(code) = &self.code {
            write!(f, " {code}")?;
        }
        f.write_str(": ")?;
        f.write_str(if self.message.is_empty() { "no message is given" } else { &self.message })?;
        match &self.param {
            Some(param) => write!(f, " (param: {param})"),
            None => Ok(()),
        }
    }
}

/// Why there are no items.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Failure<'j> {
    /// It is an API error or a failed response.
    Api(ApiError<'j>),
    /// It is not what it has to be.
    JsonError(JsonError),
}

impl From<JsonError> for Failure<'_> {
    fn from(malformed: JsonError) -> Self {
        Failure::JsonError(malformed)
    }
}

/// Reads a text, telling by its content what it is.
pub fn read<'j>(text: &'j str, strings: &'j StringArena) -> Result<Payload<'j>, Failure<'j>> {
    let start = text.len() - text.trim_start_matches('\u{feff}').len();
    let body = &text[start..];
    let first = body.trim_start_matches([' ', '\t', '\r', '\n']);
    if first.is_empty() {
        return Err(JsonError::new("the input is empty: the program before the pipe printed nothing", start).into());
    }
    if stream::is_stream(first) {
        return stream::read(body, start, strings);
    }
    match Json::parse_at(body, start) {
        Ok(json) => read_json(json, strings),
        Err(error) => Err(several_lines(body, start).or_else(|| no_json(first, start)).unwrap_or(error).into()),
    }
}

/// A better message for what was never meant to be JSON.
fn no_json(text: &str, at: usize) -> Option<JsonError> {
    let head = text.get(..text.len().min(200)).unwrap_or(text).to_ascii_lowercase();
    let what = if head.starts_with("<!doctype") || head.starts_with("<html") {
        "this is an HTML page, not the API's answer: look at the HTTP status"
    } else if head.starts_with('<') {
        "this is a document, not JSON: `chatmd to-request` converts it"
    } else if head.starts_with("http/") {
        "HTTP headers come before the body: leave them out"
    } else if !head.starts_with(['{', '[', '"', '-', 't', 'f', 'n']) && !head.starts_with(|c: char| c.is_ascii_digit())
    {
        "this is neither JSON nor a stream of events"
    } else {
        return None;
    };
    Some(JsonError::new(what, at))
}

/// A better message for Batch results that hold more than one line.
fn several_lines(text: &str, at: usize) -> Option<JsonError> {
    let (line, rest) = text.trim_start().split_once('\n')?;
    let object = Json::parse(line).ok()?.object().ok()?;
    let is_batch = object.get("custom_id").is_some() && !rest.trim().is_empty();
    is_batch.then(|| JsonError::new("more than one line of Batch results: convert them one at a time", at + line.len()))
}

fn read_json<'j>(json: Json<'j>, strings: &'j StringArena) -> Result<Payload<'j>, Failure<'j>> {
    if json.kind() == Kind::Array {
        return items(json, "input", Completion::Whole);
    }
    let mut object = json.object()?;
    let is_object = |prefix: &str| string(&object, "object").is_some_and(|name| name.starts_with(prefix));
    if is_object("response") {
        return response(object);
    }
    if string(&object, "object").as_deref() == Some("list") {
        let data = object.take("data").ok_or_else(|| json.malformed("is missing").within("data"))?;
        return items(data, "data", Completion::Whole);
    }
    if object.get("custom_id").is_some() {
        return batch_line(&object, json, strings);
    }
    if let Some(error) = present(&object, "error") {
        return Err(Failure::Api(ApiError::decode(error)));
    }
    if string(&object, "type").as_deref() == Some("error") && object.get("message").is_some() {
        return Err(Failure::Api(ApiError::decode(json)));
    }
    if string(&object, "type").is_some() || object.get("role").is_some() {
        let item = Item::decode(json)?;
        return Ok(Payload::of(vec![item], vec![json], Completion::Whole));
    }
    if object.get("input").is_some() || object.get("model").is_some() {
        return request(object, strings);
    }
    let message = "neither a response, a request, an item, a list, a stream nor an API error";
    Err(json.malformed(message).into())
}

/// A whole response object.
pub(super) fn response(mut object: Object<'_>) -> Result<Payload<'_>, Failure<'_>> {
    let status = string(&object, "status");
    if status.as_deref() == Some("failed") {
        let error = present(&object, "error").map(ApiError::decode).unwrap_or_default();
        return Err(Failure::Api(error));
    }
    let completion = ending_of(&object);
    let mut reply = match object.take("output").filter(|output| output.kind() != Kind::Null) {
        Some(output) => items(output, "output", completion)?,
        None => Payload::of(Vec::new(), Vec::new(), completion),
    };
    reply.envelope = Some(object);
    Ok(reply)
}

/// How a response object says it ends.
fn ending_of<'j>(object: &Object<'j>) -> Completion<'j> {
    match string(object, "status").as_deref() {
        Some("incomplete") => {
            let details = present(object, "incomplete_details").and_then(|details| details.object().ok());
            let reason = details.and_then(|details| string(&details, "reason"));
            Completion::Incomplete(reason.unwrap_or(Cow::Borrowed("no reason is given")))
        }
        Some("cancelled") => Completion::Cancelled,
        _ => Completion::Whole,
    }
}

fn request<'j>(mut object: Object<'j>, strings: &'j StringArena) -> Result<Payload<'j>, Failure<'j>> {
    let mut reply = match object.get("input") {
        Some(input) if input.kind() == Kind::String => {
            input.string().map_err(|error| error.within("input"))?;
            let message = format!(r#"{{"role":"user","content":{}}}"#, input.text());
            let message = Json::parse_at(strings.keep(message), input.offset())?;
            Payload::of(
                vec![Item::decode(message).map_err(|error| error.within("input"))?],
                vec![message],
                Completion::Whole,
            )
        }
        Some(input) if input.kind() == Kind::Array => items(input, "input", Completion::Whole)?,
        Some(input) => {
            let message = format!("expected a string or an array of items, found {}", input.kind());
            return Err(input.malformed(message).within("input").into());
        }
        None => Payload::of(Vec::new(), Vec::new(), Completion::Whole),
    };
    reply.lacks_input = object.take("input").is_none();
    let strangers = ["messages", "choices", "-"];
    if let Some((key, value)) =
        object.iter().find(|(key, _)| reply.lacks_input && strangers.contains(key) || *key == "-")
    {
        let what = "no request of the Responses API has this; a Chat Completions body is not converted";
        return Err(value.malformed(what).within(key).into());
    }
    reply.request = Some(object);
    Ok(reply)
}

/// One line of Batch results: the response is inside.
fn batch_line<'j>(object: &Object<'j>, json: Json<'j>, strings: &'j StringArena) -> Result<Payload<'j>, Failure<'j>> {
    if let Some(error) = present(object, "error") {
        return Err(Failure::Api(ApiError::decode(error)));
    }
    let response = present(object, "response").ok_or_else(|| json.malformed("is missing").within("response"))?;
    let inner = response.object().map_err(|error| error.within("response"))?;
    let body =
        present(&inner, "body").ok_or_else(|| response.malformed("is missing").within("body").within("response"))?;
    read_json(body, strings)
}

fn items<'j>(json: Json<'j>, name: &str, completion: Completion<'j>) -> Result<Payload<'j>, Failure<'j>> {
    let items = Item::decode_all(json).map_err(|error| error.within(name))?;
    Ok(Payload::of(items, json.array()?, completion))
}

impl<'j> Payload<'j> {
    /// Every object that was read into.
    pub fn objects(&self) -> impl Iterator<Item = &Object<'j>> {
        let items = self.items.iter().flat_map(Item::objects);
        self.request.iter().chain(&self.envelope).chain(items)
    }

    pub(super) fn of(items: Vec<Item<'j>>, originals: Vec<Json<'j>>, completion: Completion<'j>) -> Self {
        Self { items, originals, request: None, lacks_input: false, envelope: None, completion }
    }
}

impl<'j> ApiError<'j> {
    /// Reads an error in whatever shape it comes.
    pub(super) fn decode(error: Json<'j>) -> Self {
        let Ok(object) = error.object() else {
            let message = error.string().unwrap_or_else(|_| error.compact());
            return Self { message, ..Self::default() };
        };
        if let (Some(inner), None) = (present(&object, "error"), string(&object, "message")) {
            return Self::decode(inner);
        }
        let code = present(&object, "code").or_else(|| present(&object, "type"));
        Self {
            code: code.map(|code| code.string().unwrap_or_else(|_| code.compact())),
            message: string(&object, "message").unwrap_or_else(|| error.compact()),
            param: string(&object, "param"),
        }
    }
}

/// A member that is there and not null.
pub(super) fn present<'j>(object: &Object<'j>, key: &str) -> Option<Json<'j>> {
    object.get(key).filter(|value| value.kind() != Kind::Null)
}

/// A member that is a string.
pub(super) fn string<'j>(object: &Object<'j>, key: &str) -> Option<Cow<'j, str>> {
    object.get(key).and_then(|value| value.string().ok())
}
