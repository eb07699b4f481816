//! Replies as items.

use super::import::Import;
use crate::json::{Json, JsonError, Kind, Object, StringArena};
use crate::wire::Incoming;

/// Reads a reply: its message as a request takes it, and its other members.
pub fn import_reply<'j>(reply: Json<'j>, strings: &'j StringArena) -> Result<(Incoming<'j>, Object<'j>), JsonError> {
    let mut envelope = reply.object()?;
    let role = envelope.take("role");
    let content = envelope.take("content").filter(|content| content.kind() != Kind::Null);
    let blocks = match content {
        Some(content) if content.kind() == Kind::Array => {
            let blocks: Vec<Json<'j>> = content.array()?.into_iter().map(|block| as_sent(block, strings)).collect();
            strings.json(|out| crate::json::write::array(out, blocks, |out, block| out.push_str(block.raw())))
        }
        Some(content) => content,
        None => Json::EMPTY_ARRAY,
    };
    let import = Import { strings };
    let message = strings.write_object(|message| {
        message.json("role", role.unwrap_or_else(|| strings.string("assistant")));
        message.json("content", blocks);
    });
    let is_empty = blocks.is_empty_array();
    let items = if is_empty { Vec::new() } else { import.with_marks(vec![import.message(message)]) };
    Ok((Incoming { items, ..Incoming::default() }, envelope))
}

/// A block of a reply as a request takes it: without null members and without the default caller.
fn as_sent<'j>(json: Json<'j>, strings: &'j StringArena) -> Json<'j> {
    let Ok(block) = json.object() else { return json };
    let is_default = |key: &str, value: Json<'_>| {
        let caller = value.object().ok().filter(|_| key == "caller");
        caller.is_some_and(|caller| caller.iter().count() == 1 && caller.get_str("type").as_deref() == Some("direct"))
    };
    let mut sent = Object::default();
    block
        .iter()
        .filter(|(key, value)| value.kind() != Kind::Null && !is_default(key, *value))
        .for_each(|(key, value)| sent.insert(key.to_owned(), value));
    strings.object(&sent)
}
