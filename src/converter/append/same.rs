//! Whether two items are the same one, although the API writes some of their members anew each time.

use crate::json::{Json, Kind, Object, is_same};

/// Encrypted anew for each event of a stream and for the body of a response.
const ENCRYPTED: &str = "encrypted_content";
/// Members of an item or of a part that are not its content. Timestamps end with `_at`.
const NOT_CONTENT: [&str; 2] = ["logprobs", "status"];

/// Whether two arrays have the same items in the same order.
pub(super) fn are_same_items(one: Json<'_>, other: Json<'_>) -> bool {
    one.is_same_array(other, is_same_item)
}

/// Whether two items are the same one.
///
/// If neither has an id, `encrypted_content` is compared too: nothing else tells two equal answers apart.
fn is_same_item(one: Json<'_>, other: Json<'_>) -> bool {
    let (Ok(one), Ok(other)) = (one.object(), other.object()) else { return is_same(one, other) };
    let has_id = |item: &Object<'_>| item.get("id").is_some_and(|id| id.kind() == Kind::String);
    let is_identified = has_id(&one) || has_id(&other);
    let is_compared = |key: &str| is_content(key) && !(is_identified && key == ENCRYPTED);
    is_same_object(one, other, is_compared, |key, one, other| match key {
        "content" => one.is_same_array(other, is_same_part) || is_same(one, other),
        _ => is_same(one, other),
    })
}

fn is_same_part(one: Json<'_>, other: Json<'_>) -> bool {
    let (Ok(one), Ok(other)) = (one.object(), other.object()) else { return is_same(one, other) };
    is_same_object(one, other, is_content, |_, one, other| is_same(one, other))
}

/// Whether two objects have the same members, of those that are compared.
fn is_same_object(
    mut one: Object<'_>,
    mut other: Object<'_>,
    is_compared: impl Fn(&str) -> bool,
    same: impl Fn(&str, Json<'_>, Json<'_>) -> bool,
) -> bool {
    one.retain(&is_compared);
    other.retain(&is_compared);
    one.is_same_as(&other, same)
}

fn is_content(key: &str) -> bool {
    !NOT_CONTENT.contains(&key) && !key.ends_with("_at")
}
