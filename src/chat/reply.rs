//! Replies as items.

use super::import::{Importer, with_originals};
use crate::json::write::array;
use crate::json::{Json, JsonError, Kind, Object, StringArena};
use crate::responses::{Item, Part};
use crate::wire::{Api, Items};

/// Why a choice cannot be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReplyError {
    /// It is malformed.
    Malformed(JsonError),
    /// There are several choices, and none is chosen. The indexes of all of them.
    SeveralChoices(Vec<u64>),
    /// No choice has the index.
    NoChoice(u64),
}

impl From<JsonError> for ReplyError {
    fn from(error: JsonError) -> Self {
        ReplyError::Malformed(error)
    }
}

/// Reads a choice of a reply: its message as a request takes it, without null members, and the other members of the reply
/// and of the choice. `None` if there are no choices.
pub fn import_reply<'j>(
    reply: Json<'j>,
    chosen: Option<u64>,
    strings: &'j StringArena,
) -> Result<Option<(Items<'j>, Object<'j>)>, ReplyError> {
    let mut envelope = reply.object()?;
    let choices: Vec<Object<'j>> = envelope.get_objects("choices").collect();
    envelope.take("choices");
    let index = |choice: &Object<'j>| choice.get_index("index").unwrap_or_default();
    let choice = match (&choices[..], chosen) {
        ([], None) => return Ok(None),
        ([choice], None) => choice,
        (choices, None) => return Err(ReplyError::SeveralChoices(choices.iter().map(index).collect())),
        (choices, Some(chosen)) => {
            choices.iter().find(|choice| index(choice) == chosen).ok_or(ReplyError::NoChoice(chosen))?
        }
    };
    for (key, value) in choice.iter().filter(|(key, _)| !["index", "message"].contains(key)) {
        envelope.replace(key.to_owned(), value);
    }
    let message = choice.get("message").filter(|message| message.kind() == Kind::Object);
    let items = message.map(|message| import_message(message, strings)).transpose()?;
    Ok(Some((items.unwrap_or_default(), envelope)))
}

/// The items of the message of a reply.
fn import_message<'j>(original: Json<'j>, strings: &'j StringArena) -> Result<Items<'j>, JsonError> {
    let mut message = as_sent(&original.object()?, strings);
    let annotations = message.take("annotations");
    if message.get("role").is_none() {
        message.insert("role", Json::scalar("\"assistant\""));
    }
    let is_nothing = |value: Json<'_>| value.raw() == "\"\"" || value.is_empty_array();
    if message.iter().all(|(key, value)| key == "role" || is_nothing(value)) {
        return Ok(Items::default());
    }
    let items = Importer::new(strings, true).items(&[strings.object(&message)])?;
    let mut items: Vec<Item<'j>> = items.into_iter().map(|(item, _)| item).collect();
    if let Some(citations) = annotations.and_then(|annotations| citations(annotations, strings)) {
        cite(&mut items, citations, strings);
    }
    Ok(with_originals(items, original))
}

/// The message of a reply as a request takes it: without null members, and with what servers leave out of calls.
fn as_sent<'j>(message: &Object<'j>, strings: &'j StringArena) -> Object<'j> {
    let mut message = without_nulls(message);
    let calls = message.get_list("tool_calls");
    let call = |json: Json<'j>| match json.object() {
        Ok(call) => strings.object(&completed(without_nulls(&call), strings)),
        Err(_) => json,
    };
    if !calls.is_empty() {
        let calls: Vec<Json<'j>> = calls.into_iter().map(call).collect();
        let json = strings.json(|out| array(out, calls, |out, call| out.push_str(&call.compact())));
        message.replace("tool_calls", json);
    }
    message
}

/// A call with its type and its arguments.
fn completed<'j>(mut call: Object<'j>, strings: &'j StringArena) -> Object<'j> {
    let Some(Ok(mut function)) = call.get("function").map(Json::object) else { return call };
    if call.get("type").is_none() {
        call.insert("type", Json::scalar("\"function\""));
    }
    if function.get("arguments").is_none_or(|arguments| arguments.kind() == Kind::Null) {
        function.replace("arguments", strings.string(""));
        call.replace("function", strings.object(&function));
    }
    call
}

/// An object without members that are null.
fn without_nulls<'j>(object: &Object<'j>) -> Object<'j> {
    let mut kept = Object::default();
    for (key, value) in object.iter().filter(|(_, value)| value.kind() != Kind::Null) {
        kept.insert(key.to_owned(), value);
    }
    kept
}

/// The annotations of a Chat message as the Responses API has them; `None` if there are none.
fn citations<'j>(annotations: Json<'j>, strings: &'j StringArena) -> Option<Json<'j>> {
    let annotations = annotations.array().ok().filter(|annotations| !annotations.is_empty())?;
    let flat = |annotation: Json<'j>| {
        let members = annotation.object().ok()?;
        let kind = members.get_str("type")?;
        let inner = members.get_object(&kind)?;
        let mut flat = Object::default();
        flat.insert("type", strings.string(&kind));
        inner.iter().for_each(|(key, value)| flat.insert(key.to_owned(), value));
        Some(strings.object(&flat))
    };
    let flat: Vec<Json<'j>> = annotations.into_iter().map(|one| flat(one).unwrap_or(one)).collect();
    Some(strings.json(|out| array(out, flat, |out, one| out.push_str(&one.compact()))))
}

/// Adds annotations to the last text. The empty members for this API say that they came on it.
fn cite<'j>(items: &mut [Item<'j>], citations: Json<'j>, strings: &'j StringArena) {
    let texts = items.iter_mut().rev().filter_map(|item| match item {
        Item::Message(message) => message.content.iter_mut().rev().find_map(|part| match part {
            Part::Text(text) if text.kind == "output_text" => Some(text),
            Part::Text(_) | Part::Image(_) | Part::Other(_) | Part::Raw(_) => None,
        }),
        Item::ToolCall(_) | Item::ToolResponse(_) | Item::Reasoning(_) | Item::Other(_) | Item::Foreign(_) => None,
    });
    let Some(text) = texts.into_iter().next() else { return };
    text.rest.insert("annotations", citations);
    if text.rest.get(Api::Chat.overlay_key()).is_none() {
        text.rest.insert(Api::Chat.overlay_key(), strings.object(&Object::default()));
    }
}
