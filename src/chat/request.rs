//! Converts a `SourceRequest` to a request of the Chat API.

use std::collections::{HashMap, HashSet};

use super::Options;
use super::export::{Exporter, HOISTED, is_legacy};
use super::fields::export_fields;
use super::fold::folded_parts;
use super::hoist::{Output, begins_like_hoisted, hoist};
use super::tools::export_tools;
use crate::json::{Json, Object, StringArena};
use crate::responses::{Item, Message, ToolCall, ToolKind, ToolResponse};
use crate::source::Span;
use crate::wire::{
    Api, Entry, ExportedRequest, Ledger, LedgerRule, Members, Overlay, Place, Placed, Plan, SourceRequest, Unit, Value,
    arrange, note, rules, unit_kind, unsent_item,
};

const API: Api = Api::Chat;

/// Makes a request of the Chat API. It must not be sent if the ledger has a refusal.
pub fn export<'d>(source: &SourceRequest<'_, 'd>, options: &Options, strings: &'d StringArena) -> ExportedRequest<'d> {
    let mut ledger = Ledger::new(API);
    let mut fields = export_fields(source.fields, source.declared, Some(source.place), &mut ledger, strings);
    let tools = export_tools(&source.tools, &mut ledger, strings);
    let mut places: Vec<(String, Span)> = Vec::new();
    for (index, declared) in tools.declared.iter().enumerate() {
        places.push((format!("/tools/{index}"), source.tools[*declared].span));
    }
    if tools.tools.is_empty() && !source.tools.is_empty() && tools.functions.is_empty() {
        for key in ["tool_choice", "parallel_tool_calls"] {
            if fields.take(key).is_some() {
                note(
                    &mut ledger,
                    rules::UNSENT_FIELD,
                    Place::field(key, source.place),
                    "no tool is left to choose from",
                );
            }
        }
    }
    let mut messages = Messages {
        exporter: Exporter { strings, ledger: &mut ledger, tool_images: options.tool_images },
        options,
        sent: Vec::new(),
        places,
    };
    messages.instructions(source);
    messages.items(source);
    let Messages { sent, places, exporter, .. } = messages;
    if sent.is_empty() && !exporter.ledger.is_refused() {
        note(exporter.ledger, rules::NO_INPUT, Place::field("input", source.place), "no message would be sent");
    }
    fields.insert(API.list_field(), sent);
    tools.insert_into(&mut fields);
    Overlay::of(source.fields, API).apply(&mut fields);
    ExportedRequest { fields, places, ledger }
}

/// The messages that are made so far.
struct Messages<'m, 'd> {
    exporter: Exporter<'m, 'd>,
    options: &'m Options,
    sent: Vec<Members<'d>>,
    places: Vec<(String, Span)>,
}

/// The call that an item is.
fn called<'i, 'd>(item: &'i Item<'d>) -> Option<&'i ToolCall<'d>> {
    match item {
        Item::ToolCall(call) => Some(call),
        Item::Message(_) | Item::ToolResponse(_) | Item::Reasoning(_) | Item::Other(_) | Item::Foreign(_) => None,
    }
}

impl<'d> Messages<'_, 'd> {
    fn note(&mut self, rule: &'static LedgerRule, place: Place<'_>, message: impl Into<String>) {
        note(self.exporter.ledger, rule, place, message);
    }

    fn push(&mut self, message: Members<'d>, span: Span) {
        self.places.push((format!("/messages/{}", self.sent.len()), span));
        self.sent.push(message);
    }

    fn instructions(&mut self, source: &SourceRequest<'_, 'd>) {
        for placed in &source.instructions {
            let place = Place::item("instructions", 0, placed).without_index();
            if placed.is_moved {
                self.note(rules::MOVED_SYSTEM, place, "the message is sent before all others");
            }
            if let Item::Message(message) = placed.item {
                self.message(message, placed, place);
            }
        }
    }

    fn items(&mut self, source: &SourceRequest<'_, 'd>) {
        let answered = source.answered();
        // The name and the protocol of the last call of each id.
        let mut calls: HashMap<&str, (&str, ToolKind)> = HashMap::new();
        let mut selected: Vec<(&Placed<'_, 'd>, Place<'_>)> = Vec::with_capacity(source.items.len());
        let mut index = 0;
        for placed in &source.items {
            let place = Place::item("input", index, placed);
            index += usize::from(placed.is_in_responses_request());
            if self.is_sent(placed, &answered, place) {
                selected.push((placed, place));
            }
        }
        let units: Vec<Unit<'_>> = selected
            .iter()
            .map(|(placed, _)| {
                let mark = Overlay::of(placed.item.rest(), API).mark();
                Unit { kind: unit_kind(Api::Chat, placed.item), mark }
            })
            .collect();
        let plan = arrange(API, &units);
        self.report_moves(&plan, &selected);
        let mut run: Vec<(Sending<'_, 'd>, Output<'d>)> = Vec::new();
        // User messages that may read like the images and files of outputs.
        let mut imitations: Vec<(usize, Place<'_>)> = Vec::new();
        for group in &plan.messages {
            let first = group.first().map(|index| &selected[*index]);
            let Some((placed, place)) = first else { continue };
            if let Item::ToolResponse(response) = placed.item {
                if run.last().is_some_and(|(last, _)| last.is_legacy() != is_legacy(&Overlay::of(&response.rest, API)))
                {
                    self.push_outputs(std::mem::take(&mut run), &calls);
                }
                let expected = calls.get(response.call_id.as_ref()).map_or(ToolKind::Function, |(_, kind)| *kind);
                if response.kind != expected {
                    let message = "the Chat API knows the protocol of an output by its call";
                    self.note(rules::RESPELLED_TOOL, *place, message);
                }
                let (object, output) = self.exporter.output(response, *place);
                run.push((Sending { object, response, place: *place, span: placed.span }, output));
                continue;
            }
            let is_hoisted = self.push_outputs(std::mem::take(&mut run), &calls);
            match placed.item {
                Item::Message(message) if message.role != "assistant" => {
                    let index = self.sent.len();
                    self.message(message, placed, *place);
                    if !is_hoisted && self.sent.len() > index {
                        imitations.push((index, *place));
                    }
                }
                Item::Foreign(foreign) => {
                    if let Some(Ok(message)) = foreign.get("message").map(Json::object) {
                        self.push(message.into(), placed.span);
                    }
                }
                Item::Message(_) | Item::ToolCall(_) | Item::ToolResponse(_) | Item::Reasoning(_) | Item::Other(_) => {
                    for call in group.iter().filter_map(|index| called(selected[*index].0.item)) {
                        calls.insert(&call.call_id, (&call.name, call.kind));
                    }
                    let items = group.iter().map(|index| (selected[*index].0.item, selected[*index].1));
                    if let Some(message) = self.exporter.turn(items) {
                        self.push(message, placed.span);
                        self.call_places(group.iter().map(|index| selected[*index].0));
                    }
                }
            }
        }
        self.push_outputs(run, &calls);
        for (index, place) in imitations {
            self.report_imitation(index, place);
        }
    }

    fn message(&mut self, message: &Message<'d>, placed: &Placed<'_, 'd>, place: Place<'_>) {
        let role = match self.options.system_role {
            Some(role) if message.role != "user" && message.role != role.name() => {
                self.note(rules::RESPELLED_ROLE, place, format!("the message is sent as `{}`", role.name()));
                role.name()
            }
            Some(_) | None => &message.role,
        };
        if let Some(object) = self.exporter.message(message, role, place) {
            let index = self.sent.len();
            let is_list = object.get("content").is_some_and(Value::is_array);
            for (part, span) in placed.parts.iter().enumerate().filter(|_| is_list) {
                self.places.push((format!("/messages/{index}/content/{part}"), *span));
            }
            self.push(object, placed.span);
        }
    }

    fn call_places<'p>(&mut self, items: impl Iterator<Item = &'p Placed<'p, 'd>>)
    where
        'd: 'p,
    {
        let index = self.sent.len() - 1;
        let calls = items.filter(|placed| matches!(placed.item, Item::ToolCall(_)));
        for (at, placed) in calls.enumerate() {
            self.places.push((format!("/messages/{index}/tool_calls/{at}"), placed.span));
        }
    }

    /// Whether an item is sent. The reason why not is noted.
    fn is_sent(&mut self, placed: &Placed<'_, 'd>, answered: &HashSet<&str>, place: Place<'_>) -> bool {
        let (rule, message) = match placed.item {
            Item::Message(message) => match message.role.as_ref() {
                "user" | "assistant" | "system" | "developer" => return true,
                role => (rules::UNSENT_ITEM, format!("the Chat API has no role `{role}`")),
            },
            Item::ToolCall(_) if placed.is_open_call(answered) => {
                (rules::CALL_WITHOUT_OUTPUT, "the Chat API has no late outputs: answer the call first".to_owned())
            }
            Item::ToolCall(_) | Item::ToolResponse(_) => return true,
            Item::Reasoning(reasoning) => match reasoning.rest.get_str("@issuer").as_deref() {
                Some("chat") if !self.options.without_reasoning => return true,
                Some("chat") => (rules::UNSENT_REASONING, "reasoning is left out".to_owned()),
                Some(issuer) => (rules::FOREIGN_BLOCKS, format!("only `{issuer}` can read this reasoning")),
                None => {
                    (rules::UNSENT_REASONING, "the Chat API does not take reasoning of the Responses API".to_owned())
                }
            },
            Item::Foreign(foreign) => {
                if foreign.get_str("api").is_some_and(|api| api == API.name()) {
                    return true;
                }
                (rules::FOREIGN_BLOCKS, "only another API can read this block".to_owned())
            }
            Item::Other(other) => unsent_item(API, other),
        };
        self.note(rule, place, message);
        false
    }

    fn report_moves(&mut self, plan: &Plan, selected: &[(&Placed<'_, 'd>, Place<'_>)]) {
        for moved in &plan.moved {
            let (_, place) = &selected[moved.unit];
            let message = match moved.rule {
                rules::MOVED_OUTPUT => "the output is sent directly after the turn of its call",
                _ => "the text is sent before the calls of its turn",
            };
            if let Some(span) = place.span {
                let entry = Entry::new(moved.rule, place.to_string(), span, message);
                self.exporter.ledger.push(Entry { prefix: moved.prefix, ..entry });
            }
        }
    }

    /// Adds consecutive outputs, then a user message with their images and files. Returns whether there is such a message.
    fn push_outputs(
        &mut self,
        run: Vec<(Sending<'_, 'd>, Output<'d>)>,
        calls: &HashMap<&str, (&str, ToolKind)>,
    ) -> bool {
        let (mut run, mut outputs): (Vec<Sending<'_, 'd>>, Vec<Output<'d>>) = run.into_iter().unzip();
        let hoisted = hoist(&mut outputs);
        let first = self.sent.len();
        for (sending, output) in run.iter_mut().zip(outputs) {
            let called = calls.get(sending.response.call_id.as_ref()).map(|(name, _)| *name);
            let message = Exporter::with_content(std::mem::take(&mut sending.object), output, sending.response, called);
            self.push(message, sending.span);
        }
        let Some(hoisted) = hoisted else { return false };
        let index = first + run.len();
        for (output, part, at) in hoisted.places {
            let place = run[output].place.part("output", part);
            let message = "the Chat API takes images and files in user messages only";
            let target = format!("messages[{index}].content[{at}]");
            if let Some(span) = place.span {
                let is_own = run[output].response.rest.get(HOISTED).is_some_and(|is_own| is_own.raw() == "true");
                if !is_own {
                    self.exporter
                        .ledger
                        .push(Entry::new(rules::HOISTED_PART, place.to_string(), span, message).at(target));
                }
                self.places.push((format!("/messages/{index}/content/{at}"), span));
                self.places.push((format!("/messages/{}/content/{part}", first + output), span));
            }
        }
        let mut message = Members::default();
        message.insert("role", "user");
        message.insert("content", hoisted.content);
        self.push(message, run.first().map_or(self.places[0].1, |sending| sending.span));
        true
    }

    /// Notes a user message that reads like the images and files of the outputs before it.
    fn report_imitation(&mut self, index: usize, place: Place<'_>) {
        if !begins_like_hoisted(&self.sent[index]) {
            return;
        }
        let is_output = |message: &&Members<'d>| message.get_str("role").is_some_and(|role| role == "tool");
        let outputs = self.sent[..index].iter().rev().take_while(is_output).count();
        let object = |message: &Members<'d>| message.to_json(self.exporter.strings).object().unwrap_or_default();
        let before: Vec<Object<'d>> = self.sent[index - outputs..index].iter().map(object).collect();
        let next = self.sent.get(index + 1).map(object);
        if folded_parts(&before, &object(&self.sent[index]), next.as_ref()).is_some() {
            self.note(rules::IMITATED_PART, place, "the message reads like images or files of the outputs before it");
        }
    }
}

impl Sending<'_, '_> {
    fn is_legacy(&self) -> bool {
        is_legacy(&Overlay::of(&self.response.rest, API))
    }
}

/// An output whose content may lose parts to a user message.
struct Sending<'a, 'd> {
    object: Members<'d>,
    response: &'a ToolResponse<'d>,
    place: Place<'a>,
    span: Span,
}
