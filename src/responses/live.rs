//! What a live display shows of the events of the Responses API.

use super::event::{OUTPUT_TEXT, REFUSAL, StreamEvent, Target, TextRow, item_texts, part_text};
use crate::json::{Json, Kind};
use crate::stream::{Event, EventText, ItemName, LiveEvent, LiveKind, LiveText, Place, TextStep};

/// What a live display shows of an event, or of a whole response.
pub(crate) fn live<'j>(event: &Event<'_, 'j>, show: &mut dyn FnMut(LiveEvent<'_>)) {
    let Ok(read) = StreamEvent::read(event) else { return };
    match read {
        StreamEvent::Delta(target, row, part, text) => show_text(&target, row, part, &text, show, LiveEvent::Text),
        StreamEvent::Text(target, row, part, text) => show_text(&target, row, part, &text, show, whole),
        StreamEvent::Part(target, part, json, true) => {
            if let Some((row, text)) = part_text(json) {
                show_text(&target, row, part, &text, show, whole);
            }
        }
        StreamEvent::Added(target, item) => {
            show(LiveEvent::Begin(name(&target, item), item.object().unwrap_or_default()));
        }
        StreamEvent::Done(target, item) => whole_item(&name(&target, item), item).into_iter().for_each(show),
        StreamEvent::End(_, response) => show(LiveEvent::Reply(reply(response))),
        StreamEvent::Other if event.json.kind() == Kind::Object => show(LiveEvent::Reply(reply(Some(event.keep())))),
        StreamEvent::Created(_)
        | StreamEvent::Progress(_)
        | StreamEvent::Part(..)
        | StreamEvent::Error(_)
        | StreamEvent::Other => {}
    }
}

/// The items of a whole response.
fn reply(response: Option<Json<'_>>) -> Vec<LiveEvent<'_>> {
    let output = response.and_then(|response| response.object().ok()?.get("output")?.array().ok()).unwrap_or_default();
    (0..).zip(output).flat_map(|(index, item)| whole_item(&ItemName::Index(index), item)).collect()
}

/// An item that is complete.
fn whole_item<'j>(name: &ItemName, item: Json<'j>) -> [LiveEvent<'j>; 3] {
    let members = item.object().unwrap_or_default();
    let text = |(place, text): (Place, EventText<'j>)| {
        let (kind, text) = (kind(place.path)?, text.into_text().0);
        Some(LiveText { item: name.clone(), part: place.index, kind, text })
    };
    let texts = item_texts(item).into_iter().filter_map(text).collect();
    [
        LiveEvent::Begin(name.clone(), members.clone()),
        LiveEvent::Whole(texts),
        LiveEvent::End(name.clone(), Some(members)),
    ]
}

fn whole(text: LiveText<'_>) -> LiveEvent<'_> {
    LiveEvent::Whole(vec![text])
}

fn show_text<'t>(
    target: &Target<'_>,
    row: &TextRow,
    part: u64,
    text: &'t str,
    show: &mut dyn FnMut(LiveEvent<'_>),
    event: impl Fn(LiveText<'t>) -> LiveEvent<'t>,
) {
    if let Some(kind) = kind(row.path) {
        show(event(LiveText { item: name(target, Json::NULL), part, kind, text: text.into() }));
    }
}

/// What a text at a path is for its reader; `None` if it is not shown.
fn kind(path: &'static [TextStep]) -> Option<LiveKind> {
    match path {
        OUTPUT_TEXT => Some(LiveKind::Answer),
        REFUSAL => Some(LiveKind::Refusal),
        [_, TextStep::Element("summary_text" | "reasoning_text"), ..] => Some(LiveKind::Reasoning),
        _ => None,
    }
}

/// The item of an event, by its index if it has one.
fn name(target: &Target<'_>, item: Json<'_>) -> ItemName {
    let own_id = || item.pick(["id"]).ok()?[0]?.as_str().ok();
    match (target.index, own_id().or_else(|| target.id.clone())) {
        (Some(index), _) => ItemName::Index(index),
        (None, Some(id)) => ItemName::Id(id.into_owned()),
        (None, None) => ItemName::Unnamed,
    }
}
