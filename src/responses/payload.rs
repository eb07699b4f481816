//! Everything that `from-response` accepts: a response, a stream of one, a request, a list, an `input` array, an item, a Batch line.

use std::borrow::Cow;

use super::foreign::UnsupportedInput;
use super::item::{Item, Message};
use crate::api::Api;
use crate::json::{Json, JsonError, Object};
use crate::outcome::{ApiError, Completion};

/// The content of any accepted input.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Payload<'j> {
    /// The API of a reply.
    pub api: Api,
    /// The items, in order.
    pub items: Vec<PayloadItem<'j>>,
    /// The other members of a request body.
    pub request: Option<Object<'j>>,
    /// Whether a request body has no `input` at all.
    pub lacks_input: bool,
    /// The other members of each response.
    pub envelopes: Vec<Object<'j>>,
    /// The messages of a request that are instructions, for other APIs.
    pub instructions: Vec<Message<'j>>,
    /// Why the end of the last item is missing, if nothing in the items says so.
    pub unfinished: Option<&'static str>,
    /// How it ended. If there are several responses, this is the first that is not complete.
    pub completion: Completion,
    /// The warnings about it.
    pub warnings: Vec<Warning>,
    /// Something of a stream is not in the items: an event could not be read, or is cut.
    pub is_partial: bool,
}

/// An item that is not decoded yet.
#[derive(Debug, Clone, PartialEq)]
pub struct PayloadItem<'j> {
    /// Its JSON.
    pub json: Json<'j>,
    /// The item, if it is read from JSON of another API.
    other_api: Option<Box<Item<'j>>>,
    /// The array that it is in; empty if it is in none.
    array: &'static str,
    index: usize,
}

impl<'j> PayloadItem<'j> {
    /// An item that is read from JSON of another API.
    pub fn of_other_api(item: Item<'j>, json: Json<'j>) -> Self {
        Self { json, other_api: Some(Box::new(item)), array: "", index: 0 }
    }

    /// Its own JSON, if it is not read from JSON of another API.
    pub fn own_json(&self) -> Option<Json<'j>> {
        (!self.is_from_other_api()).then_some(self.json)
    }

    /// Whether it comes from JSON of another API.
    pub fn is_from_other_api(&self) -> bool {
        self.other_api.is_some()
    }

    /// Writes the item as JSON of the Responses API.
    pub fn encode(&self, out: &mut String) {
        match &self.other_api {
            Some(item) => item.encode(out),
            None => out.push_str(self.json.raw()),
        }
    }

    /// Reads the item. One that does not match its type is kept as [`Item::Other`]; the second value is the reason.
    pub fn decode(&self) -> Result<(Item<'j>, Option<JsonError>), JsonError> {
        let within = |error: JsonError| match self.array {
            "" => error,
            array => error.within_index(self.index).within(array),
        };
        if let Some(item) = &self.other_api {
            return Ok((Item::clone(item), None));
        }
        let (item, malformed) = Item::decode_lenient(self.json).map_err(within)?;
        Ok((item, malformed.map(within)))
    }
}

/// Something odd that does not stop the conversion.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Warning {
    /// An event of a stream that is not JSON, does not match its type, or contradicts other events of its item.
    MalformedEvent(JsonError),
    /// A complete response without items.
    NoItems,
    /// The model stopped for a reason that is not known.
    UnknownStop(String),
}

/// Why there are no items.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Failure {
    /// It is an API error or a failed response.
    Api(ApiError),
    /// It is malformed.
    Malformed(JsonError),
    /// It does not belong to any API that is known.
    Unsupported(UnsupportedInput),
    /// A request with a sign of each of two APIs.
    Ambiguous {
        /// The sign of the Messages API.
        messages: String,
        /// The sign of the Chat API.
        chat: String,
    },
    /// A reply has several choices. Their indexes.
    SeveralChoices(Vec<u64>),
    /// A reply has no choices.
    NoChoices,
}

impl From<JsonError> for Failure {
    fn from(error: JsonError) -> Self {
        Failure::Malformed(error)
    }
}

impl<'j> Payload<'j> {
    /// Adds the items of an array of this name.
    pub(super) fn push(&mut self, items: Vec<Json<'j>>, array: &'static str) {
        self.items.extend(items.into_iter().enumerate().map(|(index, json)| PayloadItem {
            json,
            other_api: None,
            array,
            index,
        }));
    }

    /// Adds a response and records how it ended.
    pub(super) fn add_response(
        &mut self,
        items: Vec<Json<'j>>,
        envelope: impl IntoIterator<Item = Object<'j>>,
        completion: Completion,
    ) {
        if items.is_empty() && completion == Completion::Complete {
            self.warnings.push(Warning::NoItems);
        }
        self.unfinished = unmarked_limit(&items, &completion);
        self.push(items, "output");
        self.envelopes.extend(envelope);
        self.end_with(completion);
    }

    /// The same payload, whose items come from these values.
    pub(crate) fn placed(mut self, values: Vec<Json<'j>>) -> Self {
        for (item, json) in self.items.iter_mut().zip(values) {
            item.json = json;
        }
        self
    }

    /// Records how one of its responses ended.
    pub(crate) fn end_with(&mut self, completion: Completion) {
        // Without items, a failure is the most important result.
        let is_first = self.completion == Completion::Complete;
        if is_first || self.items.is_empty() && matches!(completion, Completion::Failed(_)) {
            self.completion = completion;
        }
    }

    /// The payload, or the failure if there is nothing else.
    pub(crate) fn unless_failed(self) -> Result<Self, Failure> {
        match self.completion {
            Completion::Failed(error) if self.items.is_empty() => Err(Failure::Api(error)),
            _ => Ok(self),
        }
    }
}

/// The reasons of `incomplete_details`.
const LIMITS: [&str; 2] = ["max_output_tokens", "content_filter"];

/// Why a response with items ended early, if the status of each item says that the item is complete.
fn unmarked_limit(items: &[Json<'_>], completion: &Completion) -> Option<&'static str> {
    let Completion::Incomplete(reason) = completion else { return None };
    let is_marked = |item: &Json<'_>| {
        item.object().is_ok_and(|item| item.get_str("status").is_some_and(|status| status == "incomplete"))
    };
    if items.is_empty() || items.iter().any(is_marked) {
        return None;
    }
    let limit = LIMITS.into_iter().find(|limit| reason.as_deref() == Some(limit));
    Some(limit.unwrap_or("the response ended early"))
}

/// How a response of this status ended.
pub(super) fn completion_of(status: Option<&str>, response: &Object<'_>) -> Completion {
    match status {
        Some("failed") => Completion::Failed(response.get_present("error").map(ApiError::decode).unwrap_or_default()),
        Some("incomplete") => {
            let details = response.get_present("incomplete_details").and_then(|details| details.object().ok());
            Completion::Incomplete(details.and_then(|details| details.get_str("reason")).map(Cow::into_owned))
        }
        Some("cancelled") => Completion::Cancelled,
        Some("queued" | "in_progress") => {
            Completion::Pending(response.get_str("status").unwrap_or_default().into_owned())
        }
        Some(_) | None => Completion::Complete,
    }
}
