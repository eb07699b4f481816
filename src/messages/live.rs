//! What a live display shows of the events of the Messages API.

use super::stream::TEXT_DELTAS;
use crate::json::{Json, Object};
use crate::stream::{Event, ItemName, LiveEvent, LiveText};

/// What a live display shows of an event, or of a whole message.
pub(crate) fn live(event: &Event<'_, '_>, show: &mut dyn FnMut(LiveEvent<'_>)) {
    let Ok(object) = event.json.object() else { return };
    let index = object.get_index("index").unwrap_or_default();
    let member = |key| object.get_object(key).unwrap_or_default();
    match object.get_str("type").or(event.name.map(Into::into)).as_deref() {
        Some("content_block_start") => live_block(index, &member("content_block")).into_iter().for_each(show),
        Some("content_block_delta") => {
            let delta = member("delta");
            let kind = delta.get_str("type").unwrap_or_default();
            if let Some(row) = TEXT_DELTAS.iter().find(|row| row.delta == kind)
                && let Some(text) = delta.get(row.key).and_then(Json::as_str_lossy)
            {
                show(match row.live {
                    Some(kind) => LiveEvent::Text(LiveText { item: ItemName::Index(index), part: 0, kind, text }),
                    None => LiveEvent::Arguments(text),
                });
            }
        }
        Some("content_block_stop") => show(LiveEvent::End(ItemName::Index(index), None)),
        Some("message") => {
            let blocks = (0..).zip(object.get_objects("content"));
            let whole = |(index, block)| {
                live_block(index, &block).into_iter().chain([LiveEvent::End(ItemName::Index(index), None)])
            };
            show(LiveEvent::Reply(blocks.flat_map(whole).collect()));
        }
        _ => {}
    }
}

/// A content block as it begins.
fn live_block<'e>(index: u64, block: &Object<'e>) -> Vec<LiveEvent<'e>> {
    let name = ItemName::Index(index);
    let mut events = Vec::new();
    let kind = block.get_str("type").unwrap_or_default();
    if kind.ends_with("tool_use") {
        let mut call = block.clone();
        // In a stream, the input follows.
        let input = call.take("input").map(Json::raw).filter(|input| *input != "{}");
        if kind == "tool_use" {
            call.replace("type", Json::scalar("\"function_call\""));
        }
        events.push(LiveEvent::Begin(name.clone(), call));
        events.extend(input.map(|input| LiveEvent::Arguments(input.into())));
    }
    for row in TEXT_DELTAS {
        let text = block.get(row.key).and_then(Json::as_str_lossy).filter(|text| !text.is_empty());
        if let (Some(kind), Some(text)) = (row.live, text) {
            events.push(LiveEvent::Text(LiveText { item: name.clone(), part: 0, kind, text }));
        }
    }
    events
}
