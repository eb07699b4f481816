//! Makes the request for what a document says.

use std::borrow::Cow;
use std::collections::HashSet;

use super::blocks::{Blocks, cache_control};
use super::fields::export_fields;
use super::tools::export_tools;
use super::write::{write_blocks, write_message};
use crate::json::{Json, Object, StringArena};
use crate::responses::{Item, Message, Part};
use crate::source::Span;
use crate::wire::{
    Api, Entry, Ledger, Outgoing, Overlay, Place, Placed, Plan, Sent, Unit, UnitKind, arrange, report_unsent,
    unsent_item,
};

const API: Api = Api::Messages;
/// Blocks of user messages and outputs. Among the blocks of a turn their place is unknown.
pub(super) const USER_BLOCKS: [&str; 7] =
    ["search_result", "tool_reference", "tool_result", "document", "image", "container_upload", "browser_state"];

/// A block of a message and where it is written.
#[derive(Debug)]
pub(super) struct Block<'d> {
    pub(super) object: Object<'d>,
    place: Place,
    entries: Vec<Entry>,
}

/// An element of the document that is sent.
#[derive(Debug)]
struct Element<'a, 'd> {
    unit: Unit<'a>,
    role: Cow<'static, str>,
    blocks: Vec<Block<'d>>,
    /// The members of its message.
    message: Overlay<'d>,
    /// A message that is sent as it is.
    whole: Option<Json<'d>>,
    place: Place,
}

/// Makes a request of the Messages API. It must not be sent if the ledger has a refusal.
pub fn export<'d>(outgoing: &Outgoing<'_, 'd>, strings: &'d StringArena) -> Sent<'d> {
    let mut export = Export { blocks: Blocks::new(strings), ledger: Ledger::new(API), places: Vec::new() };
    let system: Vec<Element<'_, 'd>> = export.instructions(outgoing);
    let elements = export.elements(outgoing);
    let units: Vec<Unit<'_>> = elements.iter().map(|element| element.unit).collect();
    let plan = arrange(API, &units);
    let has_sealed = units.iter().any(|unit| unit.kind == UnitKind::Reasoning { is_sealed: true });
    export.report_plan(&plan, &elements);
    for (index, placed) in outgoing.instructions.iter().enumerate().filter(|(_, placed)| placed.is_moved) {
        let message = "the system message is sent in the field `system`";
        let place = instructions_place(index, placed.span);
        export.ledger.push(Entry { prefix: has_sealed, ..place.entry("moved-system", message) });
    }
    if plan.messages.is_empty() && !export.ledger.is_refused() {
        let message = "no message would be sent";
        export.ledger.push(Entry::new("no-input", "input", outgoing.place, message));
    }
    let mut fields = export_fields(outgoing, &mut export.ledger, strings);
    export.system(&system, &plan, &elements, &mut fields);
    let tools = export_tools(outgoing, &mut export.ledger, strings, &mut fields);
    for (index, span) in tools.into_iter().enumerate() {
        export.places.push((format!("/tools/{index}"), span));
    }
    let messages = export.messages(&plan, &elements);
    fields.insert(API.list_field(), messages);
    Overlay::of(outgoing.fields, API).apply(&mut fields);
    Sent { fields, places: export.places, ledger: export.ledger }
}

struct Export<'d> {
    blocks: Blocks<'d>,
    ledger: Ledger,
    places: Vec<(String, Span)>,
}

fn instructions_place(index: usize, span: Span) -> Place {
    Place::new(if index == 0 { "instructions".to_owned() } else { format!("instructions[{index}]") }, span)
}

impl<'d> Export<'d> {
    fn instructions<'a>(&mut self, outgoing: &Outgoing<'a, 'd>) -> Vec<Element<'a, 'd>> {
        let mut elements = Vec::new();
        for (index, placed) in outgoing.instructions.iter().enumerate() {
            if let Item::Message(message) = placed.item {
                elements.extend(self.message(message, placed, &instructions_place(index, placed.span)));
            }
        }
        elements
    }

    /// The elements that are sent, in the order of the document.
    fn elements<'a>(&mut self, outgoing: &Outgoing<'a, 'd>) -> Vec<Element<'a, 'd>> {
        let answered = outgoing.answered();
        let mut elements = Vec::new();
        let mut index = 0;
        for placed in &outgoing.items {
            let place = Place::new(format!("input[{index}]"), placed.span);
            index += usize::from(placed.counts());
            let element = self.element(placed, &place, &answered);
            match element {
                Some(element) => elements.push(element),
                None => self.ledger.extend(self.blocks.entries.drain(..)),
            }
        }
        elements
    }

    fn element<'a>(
        &mut self,
        placed: &Placed<'a, 'd>,
        place: &Place,
        answered: &HashSet<&str>,
    ) -> Option<Element<'a, 'd>> {
        let overlay = Overlay::of(placed.item.rest(), API);
        let mark = overlay.mark();
        let one = |export: &mut Self, kind, role: &'static str, object: Object<'d>| {
            let entries = std::mem::take(&mut export.blocks.entries);
            Some(Element {
                unit: Unit { kind, mark },
                role: Cow::Borrowed(role),
                blocks: vec![Block { object, place: place.clone(), entries }],
                message: overlay.of_message(),
                whole: None,
                place: place.clone(),
            })
        };
        match placed.item {
            Item::Message(message) => self.message(message, placed, place),
            Item::ToolCall(call) => {
                if placed.is_open_call(answered) {
                    let message = "the Messages API has no late outputs: answer the call first";
                    self.blocks.note(place, "call-without-output", message);
                }
                let block = self.blocks.call(call, place)?;
                one(self, UnitKind::Call(&call.call_id), "assistant", block)
            }
            Item::ToolResponse(output) => {
                let part_places = part_places(placed, place, "output");
                let block = self.blocks.output(output, place, &part_places, mark.is_some());
                one(self, UnitKind::Output(&output.call_id), "user", block)
            }
            Item::Reasoning(reasoning) => {
                let block = self.blocks.reasoning(reasoning, place)?;
                one(self, UnitKind::Reasoning { is_sealed: true }, "assistant", block)
            }
            Item::Foreign(foreign) => self.foreign(foreign, place, &overlay),
            Item::Other(other) => {
                let (rule, message) = unsent_item(API, other);
                self.blocks.note(place, rule, message);
                None
            }
        }
    }

    /// A message of any role.
    fn message<'a>(
        &mut self,
        message: &'a Message<'d>,
        placed: &Placed<'a, 'd>,
        place: &Place,
    ) -> Option<Element<'a, 'd>> {
        let overlay = Overlay::of(&message.rest, API);
        let kind = match message.role.as_ref() {
            "assistant" => UnitKind::Text,
            "system" | "developer" => UnitKind::System,
            _ => UnitKind::User,
        };
        let spots = part_places(placed, place, "content");
        let mut blocks: Vec<Block<'d>> = Vec::with_capacity(message.content.len());
        for (part, part_place) in message.content.iter().zip(spots) {
            if kind == UnitKind::System && !is_text(part) {
                let text = "the Messages API takes only text in system messages";
                self.blocks.note(&part_place, "part-in-instructions", text);
                continue;
            }
            let text_type = if kind == UnitKind::Text { "output_text" } else { "input_text" };
            self.blocks.note_type(part, text_type, &part_place);
            let Some(object) = self.blocks.part(part, &part_place, overlay.mark().is_some()) else { continue };
            let entries = std::mem::take(&mut self.blocks.entries);
            blocks.push(Block { object, place: part_place, entries });
        }
        report_unsent(API, &message.rest, &[], place, &mut self.blocks.entries);
        let role = match kind {
            UnitKind::Text => "assistant",
            UnitKind::System => "system",
            _ => "user",
        };
        if message.role != role {
            self.blocks.note(place, "respelled-role", format!("the message is sent as `{role}`"));
        }
        if message.content.is_empty() {
            self.blocks.note(place, "empty-text", "the Messages API takes no message without content");
        }
        let last = blocks.last_mut()?;
        last.entries.append(&mut self.blocks.entries);
        if last.object.get("cache_control").is_none() {
            cache_control(&mut last.object, &message.rest);
        }
        Some(Element {
            unit: Unit { kind, mark: overlay.mark() },
            role: Cow::Borrowed(role),
            blocks,
            message: overlay,
            whole: None,
            place: place.clone(),
        })
    }

    /// A block or a message that an API alone knows.
    fn foreign<'a>(&mut self, foreign: &Object<'d>, place: &Place, overlay: &Overlay<'d>) -> Option<Element<'a, 'd>> {
        let is_ours = foreign.get_str("issuer").as_deref() == Some(API.issuer());
        let block = foreign.get("block").filter(|_| is_ours).and_then(|block| block.object().ok());
        let message = foreign.get("message").filter(|_| foreign.get_str("api").as_deref() == Some(API.name()));
        let element = |unit, blocks, whole| Element {
            unit,
            role: Cow::Borrowed("assistant"),
            blocks,
            message: overlay.of_message(),
            whole,
            place: place.clone(),
        };
        let mark = overlay.mark();
        if let Some(object) = block {
            let kind = object.get_str("type").unwrap_or_default();
            if USER_BLOCKS.contains(&kind.as_ref()) && mark.is_none() {
                let message = format!("the place of the block `{kind}` in its message is unknown");
                self.blocks.note(place, "unsent-part", message);
                return None;
            }
            let blocks = vec![Block { object, place: place.clone(), entries: Vec::new() }];
            return Some(element(Unit { kind: UnitKind::Foreign, mark }, blocks, None));
        }
        if message.is_some() {
            return Some(element(Unit { kind: UnitKind::Whole, mark }, Vec::new(), message));
        }
        self.blocks.note(place, "foreign-blocks", "only the API that made this block can read it");
        None
    }

    fn report_plan(&mut self, plan: &Plan, elements: &[Element<'_, 'd>]) {
        for moved in &plan.moved {
            let message = match moved.rule {
                "moved-system" => "the system message is sent in the field `system`",
                "moved-output" => "the output is sent directly after the turn of its call",
                _ => "the text is sent before the calls of its turn",
            };
            let entry = elements[moved.unit].place.entry(moved.rule, message);
            self.ledger.push(Entry { prefix: moved.prefix, ..entry });
        }
        for unit in &plan.signed {
            let message = "the text would have to go before the calls of its turn, and the turn is signed";
            self.ledger.push(elements[*unit].place.entry("signed-turn", message));
        }
    }

    /// Sets the field `system`.
    fn system(
        &mut self,
        instructions: &[Element<'_, 'd>],
        plan: &Plan,
        elements: &[Element<'_, 'd>],
        fields: &mut Object<'d>,
    ) {
        let leading = plan.system.iter().map(|index| &elements[*index]);
        let blocks: Vec<&Block<'d>> = instructions.iter().chain(leading).flat_map(|element| &element.blocks).collect();
        for (index, block) in blocks.iter().enumerate() {
            self.sent(&format!("system[{index}]"), &format!("/system/{index}"), block);
        }
        if !blocks.is_empty() {
            fields.insert("system", self.blocks.strings.json(|out| write_blocks(out, &blocks)));
        }
    }

    /// The messages of a plan.
    fn messages(&mut self, plan: &Plan, elements: &[Element<'_, 'd>]) -> Json<'d> {
        let mut out = String::from("[");
        for (index, units) in plan.messages.iter().enumerate() {
            if index > 0 {
                out.push(',');
            }
            let Some(first) = units.first().map(|unit| &elements[*unit]) else { continue };
            self.places.push((format!("/messages/{index}"), first.place.span));
            if let Some(whole) = first.whole {
                out.push_str(&whole.compact());
                continue;
            }
            let blocks: Vec<&Block<'d>> = units.iter().flat_map(|unit| &elements[*unit].blocks).collect();
            for (at, block) in blocks.iter().enumerate() {
                self.sent(
                    &format!("messages[{index}].content[{at}]"),
                    &format!("/messages/{index}/content/{at}"),
                    block,
                );
            }
            let overlays: Vec<&Overlay<'d>> = units.iter().map(|unit| &elements[*unit].message).collect();
            write_message(&mut out, &first.role, &blocks, &overlays, self.blocks.strings);
        }
        out.push(']');
        let strings = self.blocks.strings;
        strings.written(strings.keep(out))
    }

    /// Records where a block is sent.
    fn sent(&mut self, path: &str, pointer: &str, block: &Block<'d>) {
        self.ledger.extend(block.entries.iter().map(|entry| entry.clone().at(path)));
        self.places.push((pointer.to_owned(), block.place.span));
    }
}

/// The places of the parts of an item.
fn part_places(placed: &Placed<'_, '_>, place: &Place, list: &str) -> Vec<Place> {
    let parts = match placed.item {
        Item::Message(message) => message.content.len(),
        Item::ToolResponse(output) => output.output.parts().len(),
        Item::ToolCall(_) | Item::Reasoning(_) | Item::Other(_) | Item::Foreign(_) => 0,
    };
    let span = |index: usize| placed.parts.get(index).copied().unwrap_or(placed.span);
    (0..parts).map(|index| Place::new(format!("{}.{list}[{index}]", place.source), span(index))).collect()
}

fn is_text(part: &Part<'_>) -> bool {
    matches!(part, Part::Text(_))
}
