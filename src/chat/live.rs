//! What a live display shows of the chunks of the Chat API.

use super::stream::TEXTS;
use crate::json::{Json, Kind, Object};
use crate::stream::{Event, ItemName, LiveEvent, LiveKind, LiveText};

/// What a live display shows of a chunk, or of a whole body.
pub(crate) fn live(event: &Event<'_, '_>, show: &mut dyn FnMut(LiveEvent<'_>)) {
    let Ok(object) = event.json.object() else { return };
    for choice in object.get_objects("choices") {
        let index = choice.get_index("index").unwrap_or_default();
        if let Some(delta) = choice.get_object("delta") {
            live_message(index, &delta).into_iter().for_each(&mut *show);
        } else if let Some(message) = choice.get_object("message") {
            show(LiveEvent::Reply(live_message(index, &message)));
        }
    }
}

fn live_message<'e>(index: u64, message: &Object<'e>) -> Vec<LiveEvent<'e>> {
    let text = |(part, (key, kind)): (u64, (&str, LiveKind))| {
        let text = message.get(key)?.as_str_lossy().filter(|text| !text.is_empty())?;
        Some(LiveEvent::Text(LiveText { item: ItemName::Index(index), part, kind, text }))
    };
    let mut events: Vec<LiveEvent<'e>> = (0..).zip(TEXTS).filter_map(text).collect();
    for call in message.get_objects("tool_calls") {
        let inner = ["function", "custom"].iter().find_map(|key| call.get_object(key));
        let member = |key: &str| inner.as_ref().and_then(|inner| inner.get(key));
        if let Some(name) = member("name").filter(|name| name.kind() == Kind::String) {
            let mut item = Object::default();
            item.insert("type", Json::scalar("\"function_call\""));
            item.insert("name", name);
            events.push(LiveEvent::Begin(ItemName::Id(call.get_str("id").unwrap_or_default().into_owned()), item));
        }
        let arguments = member("arguments").or_else(|| member("input")).and_then(Json::as_str_lossy);
        events.extend(arguments.map(LiveEvent::Arguments));
    }
    events
}
