//! Members that the Responses API does not have.
//!
//! Items are the common model of several APIs. A member whose key begins with `@` belongs to another API, or to the
//! document alone. JSON of the Responses API never gives such members: see [`Item::decode`].

use super::content::Part;
use super::item::Item;
use crate::json::Object;

/// Whether a key is that of an extension.
pub fn is_extension(key: &str) -> bool {
    key.starts_with('@')
}

/// Whether an object has extensions.
pub(super) fn has_extensions(object: &Object<'_>) -> bool {
    object.iter().any(|(key, _)| is_extension(key))
}

impl<'j> Item<'j> {
    /// Whether only another issuer can read the item.
    pub fn is_foreign(&self) -> bool {
        match self {
            Item::Foreign(_) => true,
            Item::Reasoning(reasoning) => reasoning.rest.get("@issuer").is_some(),
            Item::Message(_) | Item::ToolCall(_) | Item::ToolResponse(_) | Item::Other(_) => false,
        }
    }

    /// Removes all extensions.
    pub fn remove_extensions(&mut self) {
        let remove = |object: &mut Object<'j>| object.retain(|key| !is_extension(key));
        match self {
            Item::Message(message) => {
                remove(&mut message.rest);
                message.content.iter_mut().filter_map(Part::rest_mut).for_each(remove);
            }
            Item::ToolCall(call) => remove(&mut call.rest),
            Item::ToolResponse(response) => {
                remove(&mut response.rest);
                response.output.parts_mut().iter_mut().filter_map(Part::rest_mut).for_each(remove);
            }
            Item::Reasoning(reasoning) => {
                remove(&mut reasoning.rest);
                let parts = reasoning.summary.iter_mut().chain(reasoning.content.iter_mut().flatten());
                parts.filter_map(Part::rest_mut).for_each(remove);
            }
            Item::Other(_) | Item::Foreign(_) => {}
        }
    }
}
