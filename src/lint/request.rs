//! The items of a request, and the pairs that its calls and outputs form.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use super::api::Places;
use super::item_errors;
use super::rules::run;
use crate::convert::{Located, Pairs, Request, Side};
use crate::diagnostic::Diagnostics;
use crate::document::ResponseKind;
use crate::json::{Kind, Object, Step, StringArena};
use crate::responses::{Item, Part};
use crate::source::Span;

/// A request in which every turn could be read.
pub(super) struct WholeRequest<'i, 'd> {
    pub(super) items: &'i [Located<'d>],
    pub(super) pairs: Pairs<'i>,
    unpaired: HashMap<Cow<'i, str>, (Option<usize>, bool)>,
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
    let pairs = Pairs::new(items.iter().map(|located| side(&located.item)));
    let whole = WholeRequest {
        items,
        unpaired: unpaired(&pairs),
        pairs,
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
    run(is_of_responses, diagnostics, |lint, found| lint.check_request(&whole, found));
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

    /// The calls that the model waits for and that no output answers, by their ids and indices. An output of another type is
    /// reported instead of the call.
    pub(super) fn unanswered_calls(&self) -> impl Iterator<Item = (&str, usize)> {
        self.pairs.iter().filter_map(|pair| {
            let (id, call) = (pair.key.call_id.as_ref(), *pair.calls.first()?);
            let is_answered =
                !pair.outputs.is_empty() || self.unpaired.get(id).is_some_and(|(_, has_output)| *has_output);
            (!is_answered && !self.items[call].item.is_async()).then_some((id, call))
        })
    }

    /// The index of a call with this id and without an output of its own type.
    pub(super) fn unpaired_call(&self, id: &str) -> Option<usize> {
        self.unpaired.get(id)?.0
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

/// For each call id of a call without an output or an output without a call: such a call, and whether there is such an output.
/// They may be of several types.
fn unpaired<'i>(pairs: &Pairs<'i>) -> HashMap<Cow<'i, str>, (Option<usize>, bool)> {
    let mut unpaired: HashMap<_, (Option<usize>, bool)> = HashMap::new();
    for pair in pairs.iter().filter(|pair| pair.calls.is_empty() || pair.outputs.is_empty()) {
        let (call, has_output) = unpaired.entry(pair.key.call_id.clone()).or_default();
        *call = call.or(pair.calls.first().copied());
        *has_output |= !pair.outputs.is_empty();
    }
    unpaired
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
