//! Makes the request for what a document says.

use super::export::{Block, Element, Exporter};
use super::fields::export_fields;
use super::tools::export_tools;
use crate::json::write::{ObjectWriter, objects};
use crate::json::{Json, Object, StringArena};
use crate::responses::Item;
use crate::source::Span;
use crate::wire::{
    Api, Entry, ExportedRequest, Ledger, Overlay, Place, Placed, Plan, SourceRequest, Unit, UnitKind, arrange, note,
};

const API: Api = Api::Messages;

/// Makes a request of the Messages API. It must not be sent if the ledger has a refusal.
pub fn export<'d>(outgoing: &SourceRequest<'_, 'd>, strings: &'d StringArena) -> ExportedRequest<'d> {
    let mut request = RequestWriter { exporter: Exporter::new(strings), ledger: Ledger::new(API), places: Vec::new() };
    let system: Vec<Element<'_, 'd>> = request.instructions(outgoing);
    let elements = request.elements(outgoing);
    let units: Vec<Unit<'_>> = elements.iter().map(|element| element.unit).collect();
    let plan = arrange(API, &units);
    let has_sealed = units.iter().any(|unit| unit.kind == UnitKind::Reasoning { is_sealed: true });
    request.report_plan(&plan, &elements);
    for (index, placed) in outgoing.instructions.iter().enumerate().filter(|(_, placed)| placed.is_moved) {
        request.moved("moved-system", instruction_place(index, placed), has_sealed);
    }
    if plan.messages.is_empty() && !request.ledger.is_refused() {
        note(&mut request.ledger, "no-input", Place::field("input", outgoing.place), "no message would be sent");
    }
    let mut fields = export_fields(outgoing, &mut request.ledger, strings);
    request.system(&system, &plan, &elements, &mut fields);
    let tools = export_tools(outgoing, &mut request.ledger, strings, &mut fields);
    for (index, span) in tools.into_iter().enumerate() {
        request.places.push((format!("/tools/{index}"), span));
    }
    let messages = request.messages(&plan, &elements);
    fields.insert(API.list_field(), messages);
    Overlay::of(outgoing.fields, API).apply(&mut fields);
    ExportedRequest { fields, places: request.places, ledger: request.ledger }
}

/// Collects the messages of a request, their places and the ledger.
struct RequestWriter<'d> {
    exporter: Exporter<'d>,
    ledger: Ledger,
    places: Vec<(String, Span)>,
}

impl<'d> RequestWriter<'d> {
    fn instructions<'a>(&mut self, outgoing: &SourceRequest<'a, 'd>) -> Vec<Element<'a, 'd>> {
        let mut elements = Vec::new();
        for (index, placed) in outgoing.instructions.iter().enumerate() {
            if let Item::Message(message) = placed.item {
                elements.extend(self.exporter.message(message, instruction_place(index, placed)));
                self.ledger.extend(self.exporter.entries.drain(..));
            }
        }
        elements
    }

    /// The elements that are sent, in the order of the document.
    fn elements<'a>(&mut self, outgoing: &SourceRequest<'a, 'd>) -> Vec<Element<'a, 'd>> {
        let answered = outgoing.answered();
        let mut elements = Vec::new();
        let mut index = 0;
        for placed in &outgoing.items {
            let place = Place::item("input", index, placed);
            index += usize::from(placed.is_in_responses_request());
            elements.extend(self.exporter.element(placed, place, &answered));
            // An element takes its entries with it.
            self.ledger.extend(self.exporter.entries.drain(..));
        }
        elements
    }

    fn report_plan(&mut self, plan: &Plan, elements: &[Element<'_, 'd>]) {
        for moved in &plan.moved {
            self.moved(moved.rule, elements[moved.unit].place, moved.prefix);
        }
        for unit in &plan.signed {
            let message = "the text would have to go before the calls of its turn, and the turn is signed";
            note(&mut self.ledger, "signed-turn", elements[*unit].place, message);
        }
    }

    fn moved(&mut self, rule: &'static str, place: Place<'_>, prefix: bool) {
        let message = match rule {
            "moved-system" => "the system message is sent in the field `system`",
            "moved-output" => "the output is sent directly after the turn of its call",
            _ => "the text is sent before the calls of its turn",
        };
        let mut entries = Vec::new();
        note(&mut entries, rule, place, message);
        self.ledger.extend(entries.into_iter().map(|entry| Entry { prefix, ..entry }));
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
        let blocks: Vec<&Block<'_, 'd>> =
            instructions.iter().chain(leading).flat_map(|element| &element.blocks).collect();
        for (index, block) in blocks.iter().enumerate() {
            self.sent(&format!("system[{index}]"), &format!("/system/{index}"), block);
        }
        if !blocks.is_empty() {
            fields.insert("system", self.exporter.strings.objects(blocks.iter().map(|block| &block.object)));
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
            self.places.extend(first.place.span.map(|span| (format!("/messages/{index}"), span)));
            if let Some(whole) = first.whole {
                out.push_str(&whole.compact());
                continue;
            }
            let blocks: Vec<&Block<'_, 'd>> = units.iter().flat_map(|unit| &elements[*unit].blocks).collect();
            for (at, block) in blocks.iter().enumerate() {
                let (path, pointer) =
                    (format!("messages[{index}].content[{at}]"), format!("/messages/{index}/content/{at}"));
                self.sent(&path, &pointer, block);
            }
            let overlays: Vec<&Overlay<'d>> = units.iter().map(|unit| &elements[*unit].message).collect();
            write_message(&mut out, first.unit.kind.role_name(), &blocks, &overlays, self.exporter.strings);
        }
        out.push(']');
        let strings = self.exporter.strings;
        strings.written(strings.keep(out))
    }

    /// Records where a block is sent.
    fn sent(&mut self, path: &str, pointer: &str, block: &Block<'_, 'd>) {
        self.ledger.extend(block.entries.iter().map(|entry| entry.clone().at(path)));
        self.places.extend(block.place.span.map(|span| (pointer.to_owned(), span)));
        for (index, place) in block.inner.iter().enumerate() {
            self.places.extend(place.span.map(|span| (format!("{pointer}/content/{index}"), span)));
        }
    }
}

/// The place of one of several instructions.
fn instruction_place<'a>(index: usize, placed: &Placed<'a, '_>) -> Place<'a> {
    let place = Place::item("instructions", index, placed);
    if index == 0 { place.without_index() } else { place }
}

/// Writes a message with the members that the document has for it.
fn write_message<'d>(
    out: &mut String,
    role: &str,
    blocks: &[&Block<'_, 'd>],
    overlays: &[&Overlay<'d>],
    strings: &'d StringArena,
) {
    let blocks = blocks.iter().map(|block| &block.object);
    let mut writer = ObjectWriter::new(out);
    if overlays.iter().all(|overlay| overlay.changes_nothing()) {
        writer.text("role", role);
        objects(writer.name("content"), blocks);
    } else {
        let mut message = Object::default();
        message.insert("role", strings.string(role));
        message.insert("content", strings.objects(blocks));
        for overlay in overlays {
            overlay.apply(&mut message);
        }
        writer.members(&message);
    }
    writer.end();
}
