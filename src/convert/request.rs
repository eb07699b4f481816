//! The request around the items.

use std::borrow::Cow;

use super::carry::{ABSENT, Carried, comment};
use super::{World, to_items};
use crate::diagnostic::{Diagnostics, Problem};
use crate::document::{self, Block, Declaration, Document, Field, Part};
use crate::source::{Span, Spanned};
use crate::syntax::{Attribute, Attributes};
use crate::tag::Tag;
use crate::wire::write::{ObjectWriter, array};
use crate::wire::{Item, Kind, Object};

/// What the caller adds to a document's own words.
#[derive(Debug, Clone, Copy, Default)]
pub struct RequestOptions<'o> {
    /// Wins over the document's model.
    pub model: Option<&'o str>,
    /// Counts where the document names none.
    pub default_model: Option<&'o str>,
}

/// The `input` array of a document, as JSON.
pub fn to_input<'d>(document: &'d Document<'_>, world: &World<'d>, found: &mut Diagnostics) -> String {
    let mut json = String::new();
    write_items(&mut json, &to_items(document, world, found));
    json
}

/// The request of a document, as JSON. Without a model it is an error, reported at `place`.
pub fn to_request<'d>(
    document: &'d Document<'_>,
    world: &World<'d>,
    options: RequestOptions<'_>,
    place: Span,
    found: &mut Diagnostics,
) -> String {
    let config = config(document);
    let carried = carried(document, found);
    let own_model = config.and_then(|(config, _)| config.value("model"));
    let carried_model = carried.members.get("model").is_some();
    if let (true, Some((_, span))) = (carried_model, config.filter(|_| own_model.is_some())) {
        found.report(Problem::SaidTwice("model".to_owned()), span);
    }
    let default = options.default_model.filter(|_| !carried_model);
    let model = options.model.or(own_model).or(default);
    if model.is_none() && !carried_model {
        found.report(Problem::NoModel, place);
    }
    let instructions = instructions(document, found);
    if let (Some((_, span)), true) = (&instructions, carried.members.get("instructions").is_some()) {
        found.report(Problem::SaidTwice("instructions".to_owned()), *span);
    }
    let mut json = String::new();
    let mut request = ObjectWriter::new(&mut json);
    if let Some(model) = model {
        request.text("model", model);
    }
    if let Some((instructions, _)) = &instructions {
        request.text("instructions", instructions);
    }
    for (key, value) in carried.members.iter().filter(|(key, _)| *key != "model" || model.is_none()) {
        request.json(key, value);
    }
    let items = to_items(document, world, found);
    if !carried.is_absent("input") {
        write_items(request.key("input"), &items);
    }
    request.end();
    json
}

fn write_items(out: &mut String, items: &[Item<'_>]) {
    array(out, items, |out, item| item.encode(out));
}

/// The first `<config>`, which counts.
fn config<'d>(document: &'d Document<'_>) -> Option<(&'d Attributes<'d>, Span)> {
    document.blocks.iter().find_map(|block| match &block.value {
        Block::Declaration(declaration) if declaration.tag == Tag::Config => {
            Some((&declaration.attributes, block.span))
        }
        _ => None,
    })
}

fn carried<'d>(document: &'d Document<'_>, found: &mut Diagnostics) -> Carried<'d> {
    let mut requests = document.blocks.iter().filter_map(|block| match &block.value {
        Block::Request(json) => Some((json, block.span)),
        _ => None,
    });
    let Some((json, span)) = requests.next() else { return Carried::default() };
    let carried = Carried::read(json, span, found);
    if carried.members.get("input").is_some() {
        found.report(Problem::SaidTwice("input".to_owned()), span);
    }
    for (_, span) in requests {
        found.report(Problem::SecondRequest, span);
    }
    carried
}

/// The texts of the messages that belong in `instructions`, and where the first of them stands.
fn instructions(document: &Document<'_>, found: &mut Diagnostics) -> Option<(String, Span)> {
    let mut place = None;
    let mut texts = Vec::new();
    for block in &document.blocks {
        let Block::Message(message) = &block.value else { continue };
        if message.instructions {
            place.get_or_insert(block.span);
            texts.push(instruction_text(message, found));
        }
    }
    place.map(|place| (texts.join("\n\n"), place))
}

fn instruction_text(message: &document::Message<'_>, found: &mut Diagnostics) -> String {
    let mut texts = Vec::new();
    for part in &message.body {
        match &part.value {
            Part::Text(text) => texts.push(text.as_ref()),
            _ => found.report(Problem::PartInInstructions, part.span),
        }
    }
    texts.join("\n")
}

/// The blocks that say a request's fields.
pub(super) fn request_blocks<'j>(request: &Object<'j>, nowhere: Span) -> Vec<Spanned<Block<'j>>> {
    let mut rest = request.clone();
    let mut blocks = Vec::new();
    let text = |rest: &mut Object<'j>, key: &str| -> Option<Cow<'j, str>> {
        let value = rest.get(key).filter(|value| value.kind() == Kind::String)?.string().ok()?;
        rest.take(key);
        Some(value)
    };
    if let Some(model) = text(&mut rest, "model") {
        let model = Attribute { name: "model".into(), value: Some(model), span: nowhere };
        let config = Declaration { tag: Tag::Config, attributes: Attributes(vec![model]), body: None };
        blocks.push(Block::Declaration(config));
    }
    let instructions = text(&mut rest, "instructions");
    let absent: &[&str] = if rest.take(ABSENT).is_some() { &["input"] } else { &[] };
    if !rest.is_empty() || !absent.is_empty() {
        blocks.push(Block::Request(comment(&rest, None, absent).into()));
    }
    if let Some(instructions) = instructions {
        blocks.push(Block::Message(document::Message {
            role: document::Role::System,
            id: Field::Absent,
            status: Field::Absent,
            phase: Field::Absent,
            logprobs: Field::Absent,
            instructions: true,
            extra: Attributes::default(),
            fields: None,
            body: vec![Spanned::new(Part::Text(instructions), nowhere)],
        }));
    }
    blocks.into_iter().map(|block| Spanned::new(block, nowhere)).collect()
}
