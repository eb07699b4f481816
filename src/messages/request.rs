//! Converts a `SourceRequest` to a request of the Messages API.

use super::export::{Block, Element, Exporter};
use super::fields::export_fields;
use super::tools::export_tools;
use crate::json::StringArena;
use crate::responses::Item;
use crate::source::Span;
use crate::wire::{
    Api, Entry, ExportedRequest, Ledger, LedgerRule, Members, Overlay, Place, Placed, Plan, SourceRequest, Unit,
    UnitKind, Value, arrange, note, rules,
};

const API: Api = Api::Messages;

/// Makes a request of the Messages API. It must not be sent if the ledger has a refusal.
pub fn export<'d>(source: &SourceRequest<'_, 'd>, strings: &'d StringArena) -> ExportedRequest<'d> {
    let mut request = RequestWriter { exporter: Exporter::new(strings), ledger: Ledger::new(API), places: Vec::new() };
    let system: Vec<Element<'_, 'd>> = request.instructions(source);
    let mut elements = request.elements(source);
    let units: Vec<Unit<'_>> = elements.iter().map(|element| element.unit).collect();
    let plan = arrange(API, &units);
    let has_sealed = units.iter().any(|unit| unit.kind == UnitKind::Reasoning { is_sealed: true });
    request.report_plan(&plan, &elements);
    for (index, placed) in source.instructions.iter().enumerate().filter(|(_, placed)| placed.is_moved) {
        request.moved(rules::MOVED_SYSTEM, instruction_place(index, placed), has_sealed);
    }
    if plan.messages.is_empty() && !request.ledger.is_refused() {
        note(&mut request.ledger, rules::NO_INPUT, Place::field("input", source.place), "no message would be sent");
    }
    let mut fields = export_fields(source, &mut request.ledger, strings);
    request.system(system, &plan, &mut elements, &mut fields);
    let tools = export_tools(source, &mut request.ledger, strings, &mut fields);
    for (index, span) in tools.into_iter().enumerate() {
        request.places.push((format!("/tools/{index}"), span));
    }
    let messages = request.messages(&plan, &mut elements);
    fields.insert(API.list_field(), messages);
    Overlay::of(source.fields, API).apply(&mut fields);
    ExportedRequest { fields, places: request.places, ledger: request.ledger }
}

/// Collects the messages of a request, their places and the ledger.
struct RequestWriter<'d> {
    exporter: Exporter<'d>,
    ledger: Ledger,
    places: Vec<(String, Span)>,
}

impl<'d> RequestWriter<'d> {
    fn instructions<'a>(&mut self, source: &SourceRequest<'a, 'd>) -> Vec<Element<'a, 'd>> {
        let mut elements = Vec::new();
        for (index, placed) in source.instructions.iter().enumerate() {
            if let Item::Message(message) = placed.item {
                elements.extend(self.exporter.message(message, instruction_place(index, placed)));
                self.ledger.extend(self.exporter.entries.drain(..));
            }
        }
        elements
    }

    /// The elements that are sent, in the order of the document.
    fn elements<'a>(&mut self, source: &SourceRequest<'a, 'd>) -> Vec<Element<'a, 'd>> {
        let answered = source.answered();
        let mut elements = Vec::new();
        let mut index = 0;
        for placed in &source.items {
            let place = Place::item("input", index, placed);
            index += usize::from(placed.is_in_responses_request());
            elements.extend(self.exporter.element(placed, place, &answered));
            // A block has its own entries. These are the entries of items that are not sent.
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
            note(&mut self.ledger, rules::SIGNED_TURN, elements[*unit].place, message);
        }
    }

    fn moved(&mut self, rule: &'static LedgerRule, place: Place<'_>, prefix: bool) {
        let message = match rule {
            rules::MOVED_SYSTEM => "the system message is sent in the field `system`",
            rules::MOVED_OUTPUT => "the output is sent directly after the turn of its call",
            _ => "the text is sent before the calls of its turn",
        };
        let mut entries = Vec::new();
        note(&mut entries, rule, place, message);
        self.ledger.extend(entries.into_iter().map(|entry| Entry { prefix, ..entry }));
    }

    /// Sets the field `system`.
    fn system<'a>(
        &mut self,
        instructions: Vec<Element<'a, 'd>>,
        plan: &Plan,
        elements: &mut [Element<'a, 'd>],
        fields: &mut Members<'d>,
    ) {
        let mut blocks: Vec<Block<'a, 'd>> = instructions.into_iter().flat_map(|element| element.blocks).collect();
        for index in &plan.system {
            blocks.append(&mut elements[*index].blocks);
        }
        if !blocks.is_empty() {
            let path = |index| (format!("system[{index}]"), format!("/system/{index}"));
            fields.insert("system", self.sent(blocks, path));
        }
    }

    /// The messages of a plan.
    fn messages(&mut self, plan: &Plan, elements: &mut [Element<'_, 'd>]) -> Value<'d> {
        let mut messages = Vec::with_capacity(plan.messages.len());
        for (index, units) in plan.messages.iter().enumerate() {
            let Some(first) = units.first().map(|unit| &elements[*unit]) else { continue };
            self.places.extend(first.place.span.map(|span| (format!("/messages/{index}"), span)));
            if let Some(whole) = first.whole {
                messages.push(whole.into());
                continue;
            }
            let mut message = Members::default();
            message.insert("role", first.unit.kind.role_name());
            let mut blocks: Vec<Block<'_, 'd>> = Vec::new();
            for unit in units {
                blocks.append(&mut elements[*unit].blocks);
            }
            let path = |at| (format!("messages[{index}].content[{at}]"), format!("/messages/{index}/content/{at}"));
            message.insert("content", self.sent(blocks, path));
            for unit in units {
                elements[*unit].message.apply(&mut message);
            }
            messages.push(message.into());
        }
        Value::Array(messages)
    }

    /// The blocks as one array. Records the place of each block, and adds its path to its entries.
    fn sent(&mut self, blocks: Vec<Block<'_, 'd>>, path: impl Fn(usize) -> (String, String)) -> Value<'d> {
        let mut sent = Vec::with_capacity(blocks.len());
        for (index, block) in blocks.into_iter().enumerate() {
            let (path, pointer) = path(index);
            self.ledger.extend(block.entries.into_iter().map(|entry| entry.at(&path)));
            let inner = (block.inner.iter().enumerate())
                .filter_map(|(index, place)| Some((format!("{pointer}/content/{index}"), place.span?)));
            let inner: Vec<(String, Span)> = inner.collect();
            self.places.extend(block.place.span.map(|span| (pointer, span)));
            self.places.extend(inner);
            sent.push(block.object.into());
        }
        Value::Array(sent)
    }
}

/// The place of one of several instructions.
fn instruction_place<'a>(index: usize, placed: &Placed<'a, '_>) -> Place<'a> {
    let place = Place::item("instructions", index, placed);
    if index == 0 { place.without_index() } else { place }
}
