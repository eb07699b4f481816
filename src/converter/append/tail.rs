//! Finds out whether a document already has a reply.

use std::borrow::Cow;
use std::collections::HashSet;

use crate::convert::Context;
use crate::diagnostic::Diagnostics;
use crate::document::{Block, Document, ItemKind, Part, ResponseKind};
use crate::json::StringArena;
use crate::json::write::array;
use crate::source::Spanned;

use super::same::are_same_items;

/// Whether a document ends with the items of a reply, apart from an empty `<user>` at the end. Of a reply without items, its
/// comments are compared.
///
/// Only as many items as the reply has are compared, by the JSON that they convert to.
pub(super) fn ends_with(document: &Document<'_>, reply: &Document<'_>, context: &Context<'_>) -> bool {
    if !reply.blocks.iter().any(|block| is_item(&block.value)) {
        return !reply.blocks.is_empty() && document.blocks.ends_with(&reply.blocks);
    }
    let reply: Vec<&Spanned<Block<'_>>> = reply.blocks.iter().filter(|block| is_item(&block.value)).collect();
    let end = document.placeholder().unwrap_or(document.blocks.len());
    // Imports are not expanded here, and a reply is never written as an import.
    let own = document.blocks[..end].iter().rev().take_while(|block| !matches!(block.value, Block::Import(_)));
    let mut tail: Vec<&Spanned<Block<'_>>> = own.filter(|block| is_item(&block.value)).take(reply.len()).collect();
    tail.reverse();
    !reply.is_empty() && tail.len() == reply.len() && (tail == reply || same_items(&tail, &reply, context))
}

/// The ids of items and calls that both the reply and the document have.
pub(super) fn repeated_ids(document: &Document<'_>, reply: &Document<'_>) -> Vec<String> {
    let known: HashSet<Cow<'_, str>> = document.blocks.iter().flat_map(|block| ids(&block.value)).collect();
    let mut seen = HashSet::new();
    let repeated = reply.blocks.iter().flat_map(|block| ids(&block.value)).filter(|id| known.contains(id));
    repeated.filter(|id| seen.insert(id.clone())).map(Cow::into_owned).collect()
}

/// Whether a block becomes an item of the request.
fn is_item(block: &Block<'_>) -> bool {
    match block {
        Block::Element(element) => !element.attributes.has("instructions"),
        block => block.item_json().is_some(),
    }
}

fn same_items(a: &[&Spanned<Block<'_>>], b: &[&Spanned<Block<'_>>], context: &Context<'_>) -> bool {
    let is_import = |part: &Spanned<Part<'_>>| part.value.is_import();
    let imports =
        |block: &&Spanned<Block<'_>>| block.value.element().is_some_and(|element| element.body.iter().any(is_import));
    if a.iter().chain(b).any(imports) {
        return false;
    }
    let items = |blocks: &[&Spanned<Block<'_>>]| {
        let document = Document { blocks: blocks.iter().copied().cloned().collect() };
        let mut diagnostics = Diagnostics::new();
        let items = context.items(&document, &mut diagnostics);
        let json = context.strings.json(|out| array(out, items, |out, located| located.item.encode(out)));
        (!diagnostics.has_errors()).then_some(json)
    };
    matches!((items(a), items(b)), (Some(a), Some(b)) if are_same_items(a, b))
}

/// The id of a block's item and, for a call, its `call_id`.
pub(in crate::converter) fn ids<'d>(block: &'d Block<'_>) -> Vec<Cow<'d, str>> {
    if let Block::Element(element) = block {
        let call_id = element.call_id().filter(|_| matches!(element.kind, ItemKind::ToolCall(_)));
        return element.attributes.text("id").into_iter().chain(call_id).map(Cow::Borrowed).collect();
    }
    let strings = StringArena::default();
    let Some(item) = block.item(&strings) else { return Vec::new() };
    let is_call = item.get_str("type").is_some_and(|kind| !ResponseKind::is_output_type(&kind));
    let call_id = item.get_str("call_id").filter(|_| is_call);
    item.get_str("id").into_iter().chain(call_id).map(|id| Cow::Owned(id.into_owned())).collect()
}
