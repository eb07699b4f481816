//! The items of a request, and the pairs that its calls and outputs form.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use super::api::Places;
use super::item_errors;
use super::rules::lints_of_items;
use crate::convert::{self, Located, Pairs, Request, Side};
use crate::diagnostic::Diagnostics;
use crate::document::ResponseKind;
use crate::json::{Kind, Object, Step, StringArena};
use crate::responses::{Item, Part};
use crate::source::Span;

/// A request in which every turn could be read.
pub(super) struct WholeRequest<'i, 'd> {
    pub(super) items: &'i [Located<'d>],
    pub(super) pairs: Vec<Pair<'i>>,
    /// Its fields, except `input`.
    pub(super) fields: Object<'i>,
    /// Whether nothing is missing because it could not be read.
    pub(super) is_whole: bool,
    /// Where a problem of the whole request is reported.
    pub(super) place: Span,
    request: &'i Request<'d>,
    places: &'i Places<'d>,
    /// The call ids of carried items that are not outputs.
    pub(super) carried_calls: HashSet<Cow<'i, str>>,
    /// Whether the server may have turns that the document does not have.
    pub(super) server_has_history: bool,
    /// The index of the last message to the model that is not empty.
    pub(super) last_message: usize,
}

/// A call and its output: the items of one type that share a call id.
pub(super) struct Pair<'i> {
    pub(super) call_id: Cow<'i, str>,
    pub(super) call: Option<ItemPosition>,
    pub(super) output: Option<ItemPosition>,
    /// Each further item with this id: where the id was used first, and where it is used again.
    pub(super) repeated: Vec<(Span, Span)>,
    /// A call with this id, possibly of another type, without an output of its own type.
    pub(super) other_call: Option<Span>,
    /// Whether an output has this id, possibly of another type, without a call of its own type.
    pub(super) has_other_output: bool,
}

/// The index of an item, and where it is written.
#[derive(Clone, Copy)]
pub(super) struct ItemPosition {
    pub(super) index: usize,
    pub(super) span: Span,
    /// Whether the item is a call that the model does not wait for.
    is_async: bool,
}

/// Runs the checks that need the whole request.
pub(super) fn check_request<'d>(
    request: &Request<'d>,
    is_of_responses: bool,
    places: &Places<'d>,
    diagnostics: &mut Diagnostics,
) {
    let (items, strings) = (request.items.as_slice(), StringArena::default());
    let fields = request.sent_fields(&strings);
    let refers_to_server = |item: &Item<'_>| matches!(item.kind().as_ref(), "item_reference" | "compaction");
    let whole = WholeRequest {
        items,
        pairs: pairs(items),
        server_has_history: request.is_reply
            || continues(&fields)
            || items.iter().any(|located| refers_to_server(&located.item)),
        fields,
        is_whole: item_errors(diagnostics).next().is_none(),
        place: request.place,
        request,
        places,
        carried_calls: items.iter().filter_map(|located| carried_call(&located.item)).collect(),
        last_message: items.iter().rposition(|located| is_message_to_model(&located.item)).unwrap_or_default(),
    };
    for lint in lints_of_items(is_of_responses) {
        lint.check_request(&whole, diagnostics);
    }
}

/// Whether a request continues a conversation that the server keeps.
fn continues(fields: &Object<'_>) -> bool {
    ["previous_response_id", "conversation"].iter().any(|key| is_set(fields, key))
}

fn is_set(fields: &Object<'_>, key: &str) -> bool {
    fields.get(key).is_some_and(|value| value.kind() != Kind::Null && value.raw() != "\"\"")
}

impl<'i> WholeRequest<'i, '_> {
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
        self.places.of_field(&steps, self.request).0
    }
}

/// The call id of a carried item that is not an output. An output of another type may answer it.
fn carried_call<'i>(item: &'i Item<'_>) -> Option<Cow<'i, str>> {
    match item {
        Item::Other(members) => {
            members.get_str("call_id").filter(|_| side(item).is_none() && !ResponseKind::is_output_type(&item.kind()))
        }
        Item::Message(_) | Item::ToolCall(_) | Item::ToolResponse(_) | Item::Reasoning(_) | Item::Foreign(_) => None,
    }
}

impl Pair<'_> {
    /// The call, if no output answers it and the model waits for it. An output of another type is reported instead of the
    /// call.
    pub(super) fn unanswered_call(&self) -> Option<ItemPosition> {
        self.call.filter(|call| !call.is_async && self.output.is_none() && !self.has_other_output)
    }
}

/// The calls and outputs of a request by call id and type, in the order of their first items.
fn pairs<'i>(items: &'i [Located<'_>]) -> Vec<Pair<'i>> {
    let all = Pairs::new(items.iter().map(|located| side(&located.item)));
    let position = |index: &usize| {
        let located = &items[*index];
        ItemPosition { index: *index, span: located.span, is_async: located.item.is_async() }
    };
    let pair = |pair: &convert::Pair<'i>| {
        let repeated = [&pair.calls, &pair.outputs]
            .into_iter()
            .flat_map(|list| list.iter().skip(1).map(|again| (items[list[0]].span, items[*again].span)));
        Pair {
            call_id: pair.key.call_id.clone(),
            call: pair.calls.first().map(position),
            output: pair.outputs.first().map(position),
            repeated: repeated.collect(),
            other_call: None,
            has_other_output: false,
        }
    };
    let mut pairs: Vec<Pair<'i>> = all.iter().map(pair).collect();
    add_other_types(&mut pairs);
    pairs
}

/// Tells each incomplete pair about the other incomplete pairs of the same id.
fn add_other_types(pairs: &mut [Pair<'_>]) {
    let mut incomplete: HashMap<String, (Option<Span>, bool)> = HashMap::new();
    for pair in pairs.iter().filter(|pair| pair.call.is_none() || pair.output.is_none()) {
        let (call, has_output) = incomplete.entry(pair.call_id.to_string()).or_default();
        *call = call.or(pair.call.map(|call| call.span));
        *has_output |= pair.output.is_some();
    }
    for pair in pairs {
        let other = incomplete.get(pair.call_id.as_ref()).copied();
        (pair.other_call, pair.has_other_output) = other.unwrap_or_default();
    }
}

/// The call id of a call or an output.
pub(super) fn call_id<'i>(item: &'i Item<'_>) -> Option<Cow<'i, str>> {
    side(item).map(|side| side.key().call_id.clone())
}

/// The call or the output that an item is. `pending-approval` reports requests for approval.
fn side<'i>(item: &'i Item<'_>) -> Option<Side<'i>> {
    Side::of_item(item).filter(|side| match side.key().kind {
        ResponseKind::Computer | ResponseKind::Shell | ResponseKind::ApplyPatch => true,
        ResponseKind::Approval => false,
        ResponseKind::Tool(_) => !matches!(item, Item::Other(_)),
    })
}

/// Whether an item is a message to the model with content. An empty one only waits for the next turn.
fn is_message_to_model(item: &Item<'_>) -> bool {
    let is_empty = |part: &Part<'_>| matches!(part, Part::Text(text) if text.text.trim().is_empty());
    matches!(item, Item::Message(message) if message.role != "assistant" && !message.content.iter().all(is_empty))
}

/// Where the elements of an item's array are written. An element without a place of its own has that of the item.
pub(super) fn part_spans(located: &Located<'_>, list: &str, count: usize) -> impl Iterator<Item = Span> {
    let spans = located.lists.iter().find(|(name, spans)| *name == list && spans.len() == count);
    (0..count).map(move |index| spans.map_or(located.span, |(_, spans)| spans[index]))
}

/// The content parts of a message or an output, and where each is written.
pub(super) fn parts<'i, 'd>(located: &'i Located<'d>) -> impl Iterator<Item = (&'i Part<'d>, Span)> {
    let [(list, parts), _] = match &located.item {
        Item::Reasoning(_) => [("", [].as_slice()); 2],
        item => item.lists(),
    };
    parts.iter().zip(part_spans(located, list, parts.len()))
}
