//! The items of a request, and the pairs that its calls and outputs form.

use std::borrow::Cow;

use super::places::Places;
use crate::convert::{Located, Pairs, Request, Side};
use crate::document::ResponseKind;
use crate::json::{Kind, Object, Step, StringArena};
use crate::responses::{Item, Part};
use crate::source::Span;

/// A request in which every turn could be read.
pub(super) struct WholeRequest<'i, 'd> {
    pub(super) request: &'i Request<'d>,
    places: &'i Places<'d>,
    pub(super) pairs: Pairs<'i>,
    /// Its fields, except `input`.
    pub(super) fields: Object<'i>,
    /// Whether nothing is missing because it could not be read.
    pub(super) is_whole: bool,
    /// Whether the server may have turns that the document does not have.
    pub(super) server_has_history: bool,
}

impl<'i, 'd> WholeRequest<'i, 'd> {
    pub(super) fn new(
        request: &'i Request<'d>,
        places: &'i Places<'d>,
        is_whole: bool,
        strings: &'i StringArena,
    ) -> Self {
        let (items, fields) = (&request.items, request.sent_fields(strings));
        let refers_to_server = |item: &Item<'_>| matches!(item.kind().as_ref(), "item_reference" | "compaction");
        let pairs = Pairs::new(items.iter().map(|located| side(&located.item)));
        // It may continue a conversation that the server keeps.
        let server_has_history = request.is_reply
            || ["previous_response_id", "conversation"].iter().any(|key| is_set(&fields, key))
            || items.iter().any(|located| refers_to_server(&located.item));
        Self { request, places, pairs, fields, is_whole, server_has_history }
    }

    /// Whether the server may have input that the document does not have.
    pub(super) fn has_stored_input(&self) -> bool {
        self.server_has_history || self.is_set("prompt")
    }

    /// The format of the answer.
    pub(super) fn text_format(&self) -> Option<Object<'i>> {
        self.fields.get_object("text")?.get_object("format")
    }

    /// Whether a field is there and neither null nor empty.
    pub(super) fn is_set(&self, key: &str) -> bool {
        is_set(&self.fields, key)
    }

    /// Where a field is written, such as `text.format`.
    pub(super) fn field_place(&self, path: &str) -> Span {
        let steps: Vec<Step> = path.split('.').map(|key| Step::Key(key.to_owned())).collect();
        self.places.of_field(&steps).0
    }
}

fn is_set(fields: &Object<'_>, key: &str) -> bool {
    fields.get(key).is_some_and(|value| value.kind() != Kind::Null && value.raw() != "\"\"")
}

/// The call id of a call or an output.
pub(super) fn call_id<'i>(item: &'i Item<'_>) -> Option<Cow<'i, str>> {
    side(item).map(|side| side.key().call_id.clone())
}

/// The call or the output that an item is. `pending-approval` reports requests for approval.
pub(super) fn side<'i>(item: &'i Item<'_>) -> Option<Side<'i>> {
    Side::of_item(item).filter(|side| match side.key().kind {
        ResponseKind::Computer | ResponseKind::Shell | ResponseKind::ApplyPatch => true,
        ResponseKind::Approval => false,
        ResponseKind::Tool(_) => !matches!(item, Item::Other(_)),
    })
}

/// The content parts of a message or an output, and where each is written. A part without a place of its own has that of the item.
pub(super) fn parts<'i, 'd>(located: &'i Located<'d>) -> impl Iterator<Item = (&'i Part<'d>, Span)> {
    let [(list, parts), _] = match &located.item {
        Item::Reasoning(_) => [("", [].as_slice()); 2],
        item => item.lists(),
    };
    let spans = located.lists.iter().find(|(name, spans)| *name == list && spans.len() == parts.len());
    parts.iter().enumerate().map(move |(index, part)| (part, spans.map_or(located.span, |(_, spans)| spans[index])))
}
