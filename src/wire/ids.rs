//! Call ids as an API accepts them.

use std::borrow::Cow;

use super::Api;
use crate::resources::media::short_hash;

/// The id of a call on an API. An id that the API rejects is changed: other characters become `_`, the id is cut, and a
/// part of its SHA-256 follows.
pub fn sent_call_id(api: Api, id: &str) -> Cow<'_, str> {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-';
    let (is_accepted, cut) = match api {
        Api::Responses => (true, 0),
        Api::Messages => ((1..=64).contains(&id.len()) && id.bytes().all(is_plain), 55),
        Api::Chat => (id.chars().count() <= 40, 31),
    };
    if is_accepted {
        return Cow::Borrowed(id);
    }
    let plain = |c: char| if c.is_ascii() && is_plain(c as u8) { c } else { '_' };
    let mut sent: String = id.chars().map(plain).take(cut).collect();
    sent.push('_');
    sent.push_str(&short_hash(id.as_bytes()));
    Cow::Owned(sent)
}

#[cfg(test)]
#[path = "../../tests/unit/wire_ids.rs"]
mod tests;
