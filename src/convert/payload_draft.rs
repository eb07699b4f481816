//! The JSON of a request or a reply as a request that is not written yet, for `check`.

use super::request::Draft;
use super::to_items::Located;
use super::tools::{LocatedTool, Schema};
use crate::json::{Json, Kind};
use crate::responses::{Item, Payload, PayloadItem};
use crate::source::{SourceId, Span};

/// The arrays of items whose elements have places.
const LISTS: [&str; 3] = ["content", "output", "summary"];

impl<'d> Draft<'d> {
    /// Builds a draft from a payload: its request, or a request with its items as input. `items` are the decoded items of the
    /// payload. All places are in its JSON.
    pub fn of_payload(payload: Payload<'d>, items: Vec<Item<'d>>, source: SourceId) -> Self {
        let is_reply = payload.request.is_none() && !items.iter().any(is_from_user);
        let fields = payload.request.unwrap_or_default();
        let place = |json: Json<'_>| Span::new(source, json.offset()..json.offset() + json.raw().len());
        let are_tools = |tools: &Vec<Json<'d>>| tools.iter().all(|tool| tool.kind() == Kind::Object);
        let tools = fields.get("tools").and_then(|tools| tools.array().ok()).filter(are_tools).unwrap_or_default();
        // A `strict` that is missing in JSON is not sent.
        let schema = Schema::Author { has_explicit_strict: true };
        let located_tool = |json: Json<'d>| LocatedTool { json, span: place(json), schema };
        let located = |(item, original): (Item<'d>, PayloadItem<'d>)| {
            let original = original.json;
            let members = original.object().unwrap_or_default();
            let list = |name: &&'static str| {
                let elements = members.get(name)?.array().ok()?;
                Some((*name, elements.into_iter().map(place).collect()))
            };
            let lists = LISTS.iter().filter_map(list).collect();
            Located { item, span: place(original), lists, fields: None }
        };
        let instructions = fields.get("instructions").filter(|text| text.kind() == Kind::String);
        Self {
            instructions_at: instructions.map(place),
            items: items.into_iter().zip(payload.items).map(located).collect(),
            tools: tools.into_iter().map(located_tool).collect(),
            place: Span::new(source, 0..0),
            lacks_model: false,
            lacks_input: payload.lacks_input,
            is_reply,
            fields,
        }
    }
}

fn is_from_user(item: &Item<'_>) -> bool {
    matches!(item, Item::Message(message) if message.role != "assistant")
}
