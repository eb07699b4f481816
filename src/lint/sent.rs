//! The JSON of a request for the Messages or the Chat API, for the rules of values that these APIs reject.

use super::places::Places;
use crate::json::{Json, Object};
use crate::source::Span;
use crate::wire::Api;

/// A request as it is sent, and where its values are written.
pub(super) struct SentRequest<'s> {
    /// The Messages or the Chat API.
    pub(super) api: Api,
    pub(super) fields: Object<'s>,
    pub(super) places: &'s Places<'s>,
}

/// A value of a request, and its JSON pointer.
#[derive(Clone)]
pub(super) struct Value<'s> {
    pub(super) pointer: String,
    pub(super) json: Json<'s>,
    pub(super) object: Object<'s>,
}

impl<'s> SentRequest<'s> {
    /// Where a value is written, or the value around it.
    pub(super) fn place(&self, value: &Value<'_>) -> Span {
        self.places.of_sent(&value.pointer, value.json)
    }

    /// The place of a field.
    pub(super) fn field_place(&self, key: &str, json: Json<'_>) -> Span {
        self.places.of_sent(&format!("/{key}"), json)
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
