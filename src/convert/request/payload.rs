//! The request that a payload is, for `check`.

use super::Request;
use crate::convert::to_items::Located;
use crate::json::{Json, Kind};
use crate::responses::{Item, Payload, PayloadItem};
use crate::source::{SourceId, Sources, Span};
use crate::wire::LocatedTool;

/// The arrays of items whose elements have places.
const LISTS: [&str; 3] = ["content", "output", "summary"];

impl<'d> Request<'d> {
    /// The request of a payload, or a request with its items as input. `items` are the decoded items of the payload. All
    /// places are in its JSON.
    pub fn of_payload(payload: Payload<'d>, items: Vec<Item<'d>>, source: SourceId, sources: &'d Sources) -> Self {
        let is_reply = payload.request.is_none() && !items.iter().any(is_from_user);
        let fields = payload.request.unwrap_or_default();
        let place = |json: Json<'_>| Span::new(source, json.range());
        let are_tools = |tools: &Vec<Json<'d>>| tools.iter().all(|tool| tool.kind() == Kind::Object);
        let tools = fields.get("tools").and_then(|tools| tools.array().ok()).filter(are_tools).unwrap_or_default();
        // A `strict` that is missing in JSON is not sent.
        let located_tool = |json: Json<'d>| LocatedTool { is_authored: true, ..LocatedTool::given(json, place(json)) };
        let located = |(item, original): (Item<'d>, PayloadItem<'d>)| {
            let original = original.json;
            let members = original.object().unwrap_or_default();
            let list = |name: &&'static str| {
                let elements = members.get(name)?.array().ok()?;
                Some((*name, elements.into_iter().map(place).collect()))
            };
            let mut lists: Vec<(&'static str, Vec<Span>)> = LISTS.iter().filter_map(list).collect();
            // Other APIs have the parts of outputs in `content`.
            if let Item::ToolResponse(_) = &item {
                lists.iter_mut().filter(|(name, _)| *name == "content").for_each(|(name, _)| *name = "output");
            }
            Located { item, span: place(original), lists, fields: None }
        };
        let instructions = fields.get("instructions").and_then(|json| Some((json.as_str().ok()?, place(json))));
        Self {
            instructions: instructions.into_iter().map(|(text, span)| Located::system(text, span)).collect(),
            items: items.into_iter().zip(payload.items).map(located).collect(),
            tools: tools.into_iter().map(located_tool).collect(),
            lacks_input: payload.lacks_input,
            is_reply,
            fields,
            ..Self::new(Span::new(source, 0..0), sources)
        }
    }
}

fn is_from_user(item: &Item<'_>) -> bool {
    matches!(item, Item::Message(message) if message.role != "assistant")
}
