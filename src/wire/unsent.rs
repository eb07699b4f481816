//! Entries for members that an API does not get.

use super::{Api, Entry, LedgerRule, Overlay, Place, note, rules};
use crate::json::{Json, Kind, Object};
use crate::responses::TextPart;

/// Adds an entry for each member that is for another API, or that the API of the request does not have.
///
/// `taken` names the members that the request has or that were reported already.
pub fn report_unsent(
    api: Api,
    members: &Object<'_>,
    taken: &[&str],
    place: Place<'_>,
    entries: &mut impl Extend<Entry>,
) {
    let mut identity: Vec<&str> = Vec::new();
    for (key, value) in members.iter().filter(|(key, _)| !taken.contains(key)) {
        match key {
            "id" | "status" | "phase" => identity.push(key),
            "annotations" | "logprobs" if value.is_empty_array() || value.kind() == Kind::Null => {}
            "annotations" | "logprobs" => {
                let message = format!("{} does not take `{key}`", api.title());
                note(entries, rules::UNSENT_ANNOTATION, place.member(key), message);
            }
            "detail" => {
                let message = format!("{} has no `detail` here", api.title());
                note(entries, rules::UNSENT_DETAIL, place, message);
            }
            key if key.starts_with('@') => report_extension(api, key, value, place, entries),
            key => {
                let rule =
                    if unsent_member(key) == rules::UNSENT_CACHE { rules::UNSENT_CACHE } else { rules::UNSENT_SETTING };
                let message = format!("{} has no `{key}` here", api.title());
                note(entries, rule, place.member(key), message);
            }
        }
    }
    if !identity.is_empty() {
        let keys = identity.iter().map(|key| format!("`{key}`")).collect::<Vec<_>>().join(", ");
        note(entries, rules::UNSENT_ID, place, format!("{} does not take {keys}", api.title()));
    }
}

/// Adds an entry for each member that the Responses API does not have and that `api` does not get.
pub fn report_extensions(api: Api, members: &Object<'_>, place: Place<'_>, entries: &mut impl Extend<Entry>) {
    for (key, value) in members.iter().filter(|(key, _)| key.starts_with('@')) {
        report_extension(api, key, value, place, entries);
    }
}

/// Adds the entries for a member that the Responses API does not have.
fn report_extension(api: Api, key: &str, value: Json<'_>, place: Place<'_>, entries: &mut impl Extend<Entry>) {
    match key {
        "@cache_control" if api != Api::Messages => {
            note(entries, rules::UNSENT_CACHE, place, format!("{} has no `cache_control`", api.title()));
        }
        "@error" if api != Api::Messages => {
            note(entries, rules::UNSENT_ERROR, place, format!("{} does not mark outputs as errors", api.title()));
        }
        "@name" if api != Api::Chat => {
            note(entries, rules::UNSENT_KEYS, place, format!("{} has no `name` here", api.title()));
        }
        _ => {}
    }
    let Some(other) = Api::all().find(|other| *other != api && other.overlay_key() == key) else { return };
    let Ok(members) = value.object() else { return };
    let overlay = Overlay::new(members);
    let kind = overlay.get("type").and_then(|kind| kind.as_str().ok());
    let is_text = kind.as_deref() == Some("text");
    // A part that only the other API has is reported as a whole.
    if overlay.get("type").is_some() && !is_text {
        return;
    }
    let message = overlay.message_members();
    for (key, _) in overlay.iter().chain(message.iter()).filter(|(key, _)| *key != "type") {
        let rule = if is_text && key == "text" { rules::UNSENT_PART } else { unsent_member(key) };
        let text = format!("`{key}` is only for {}", other.title());
        note(entries, rule, place, text);
    }
}

/// The rule and the message about a part whose type only another API has. Its text is sent, if there is one.
pub fn unsent_part(api: Api, part: &TextPart<'_>) -> Option<(&'static LedgerRule, String)> {
    let overlays = Api::all().filter(|other| *other != api).map(|other| Overlay::of(&part.rest, other));
    let kind = overlays.into_iter().find_map(|overlay| overlay.get("type"))?.as_str().unwrap_or_default();
    match (kind.as_ref(), part.text.as_ref()) {
        ("text", _) => None,
        (kind, "") => Some((rules::UNSENT_PART, format!("{} has no part like `{kind}`", api.title()))),
        (kind, _) => Some((rules::RESPELLED_FILE, format!("the text of `{kind}` is sent as text"))),
    }
}

/// Fields that name a part of the conversation on the server of the Responses API.
pub const SERVER_FIELDS: [&str; 3] = ["previous_response_id", "conversation", "prompt"];
/// Items that stand for history which only the server of the Responses API has.
const SERVER_ITEMS: [&str; 4] = ["compaction", "item_reference", "compaction_trigger", "context_compaction"];

/// The rule and the message about an item that only the Responses API has.
pub fn unsent_item(api: Api, item: &Object<'_>) -> (&'static LedgerRule, String) {
    let kind = item.get_str("type").unwrap_or_default();
    match kind.as_ref() {
        kind if SERVER_ITEMS.contains(&kind) => (
            rules::SERVER_HISTORY,
            format!("`{kind}` stands for messages that only the server of the Responses API has"),
        ),
        "reasoning" => {
            (rules::UNSENT_REASONING, format!("{} does not take reasoning of the Responses API", api.title()))
        }
        "function_call_output" | "custom_tool_call_output" if item.get_str("call_id").is_none() => {
            (rules::OUTPUT_WITHOUT_CALL, "the output does not say which call it answers".to_owned())
        }
        kind => (rules::UNSENT_ITEM, format!("{} has no item like `{kind}`", api.title())),
    }
}

/// The rule about a member that another API does not get.
pub fn unsent_member(key: &str) -> &'static LedgerRule {
    match key {
        "name" | "citations" | "context" | "title" => rules::UNSENT_KEYS,
        "tools" => rules::UNSENT_TOOL,
        "cache_control" | "prompt_cache_breakpoint" => rules::UNSENT_CACHE,
        _ => unsent_field(key),
    }
}

/// The rule about a request field that another API does not get: those that limit the answer or tell the model something are
/// dropped.
pub fn unsent_field(key: &str) -> &'static LedgerRule {
    match key {
        "system" | "stop" | "stop_sequences" | "mcp_servers" | "output_format" | "web_search_options"
        | "modalities" => rules::UNSENT_FIELD,
        _ => rules::UNSENT_SETTING,
    }
}
