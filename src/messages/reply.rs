//! Replies as items.

use super::export::is_direct;
use super::import::Importer;
use crate::json::{Json, JsonError, Kind, Object, StringArena};
use crate::wire::Items;

/// Reads replies, one after the other: their messages as a request takes them, and the other members of each.
pub fn import_replies<'j>(
    replies: impl IntoIterator<Item = Json<'j>>,
    strings: &'j StringArena,
) -> Result<(Items<'j>, Vec<Object<'j>>), JsonError> {
    let import = Importer { strings, is_reply: true };
    let (mut messages, mut envelopes) = (Vec::new(), Vec::new());
    for reply in replies {
        let mut envelope = reply.object()?;
        let blocks = envelope.get("content").and_then(|content| content.array().ok()).unwrap_or_default();
        messages.extend(message(&mut envelope, strings)?.map(|message| import.message_of(reply, &blocks, message)));
        envelopes.push(envelope);
    }
    Ok((import.with_marks(messages), envelopes))
}

/// The message of a reply as a request takes it; `None` if it has no content.
fn message<'j>(envelope: &mut Object<'j>, strings: &'j StringArena) -> Result<Option<Json<'j>>, JsonError> {
    let role = envelope.take("role");
    let content = envelope.take("content").filter(|content| content.kind() != Kind::Null);
    let blocks = match content {
        Some(content) if content.kind() == Kind::Array => {
            let blocks: Vec<Json<'j>> = content.array()?.into_iter().map(|block| as_sent(block, strings)).collect();
            strings.json(|out| crate::json::write::array(out, blocks, |out, block| out.push_str(block.raw())))
        }
        Some(content) => content,
        None => return Ok(None),
    };
    let message = strings.write_object(|message| {
        message.json("role", role.unwrap_or_else(|| strings.string("assistant")));
        message.json("content", blocks);
    });
    Ok((!blocks.is_empty_array()).then_some(message))
}

/// A block of a reply as a request takes it: without null members and without the default caller.
fn as_sent<'j>(json: Json<'j>, strings: &'j StringArena) -> Json<'j> {
    let Ok(block) = json.object() else { return json };
    let is_default = |key: &str, value: Json<'_>| key == "caller" && is_direct(value);
    let mut sent = Object::default();
    block
        .iter()
        .filter(|(key, value)| value.kind() != Kind::Null && !is_default(key, *value))
        .for_each(|(key, value)| sent.insert(key.to_owned(), value));
    strings.object(&sent)
}
