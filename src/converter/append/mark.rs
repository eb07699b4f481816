//! Keeps a reply apart from a reply directly before it.

use crate::document::{Block, DataKind, JsonText};
use crate::json::{Json, Object, StringArena};
use crate::source::{Span, Spanned};
use crate::wire::{Api, Mark, Overlay};

/// Marks the first element of a reply as the beginning of a message if the document ends with a message of the model,
/// because the Messages and the Chat API would get one message otherwise.
pub(super) fn keep_apart(before: &[Spanned<Block<'_>>], reply: &mut [Spanned<Block<'_>>], api: Api) {
    let is_read = |block: &Block<'_>| {
        !matches!(block, Block::Comment(_) | Block::Declaration(_)) && !block.is_data(DataKind::Request)
    };
    let last = before.iter().rev().find(|block| is_read(&block.value));
    let first = reply.iter_mut().find(|block| is_read(&block.value));
    if let (Some(last), Some(first)) = (last, first)
        && api != Api::Responses
        && is_of_model(&last.value)
        && is_of_model(&first.value)
    {
        match &mut first.value {
            Block::Element(element) => set_mark(&mut element.fields, api),
            Block::Data(foreign) => foreign.json.value = marked(&foreign.json.value, api),
            Block::Declaration(_) | Block::Import(_) | Block::Comment(_) => {}
        }
    }
}

fn is_of_model(block: &Block<'_>) -> bool {
    block.element().map_or_else(|| block.is_data(DataKind::Foreign), |element| element.kind.is_of_model())
}

fn set_mark(fields: &mut Option<Spanned<JsonText<'_>>>, api: Api) {
    let span = fields.as_ref().map_or(Span::NOWHERE, |fields| fields.span);
    *fields = Some(Spanned::new(marked(fields.as_ref().map_or("{}", |fields| &fields.value), api), span));
}

/// The JSON of an object with the mark.
fn marked(json: &str, api: Api) -> JsonText<'static> {
    let strings = StringArena::default();
    let mut members: Object<'_> = Json::parse(json, &strings).and_then(Json::object).unwrap_or_default();
    let mut overlay = Overlay::of(&members, api);
    overlay.set_mark(Some(Mark::New), &strings);
    members.take(api.overlay_key());
    overlay.insert_into(&mut members, api, &strings);
    strings.object(&members).raw().to_owned().into()
}
