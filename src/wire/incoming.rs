//! What a request of an API says, as items.

use crate::json::{Json, Object};
use crate::responses::{Item, Message};

/// Items, and the JSON that each comes from.
pub type Items<'j> = Vec<(Item<'j>, Json<'j>)>;

/// A request of an API in the words of the Responses API, with members for its own API.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Incoming<'j> {
    /// The request fields by the names of the Responses API, and the fields that only this API has.
    pub fields: Object<'j>,
    /// The messages that are instructions, in order.
    pub instructions: Vec<Message<'j>>,
    /// The items in order.
    pub items: Items<'j>,
}
