//! Warns of whatever changes the text before reasoning that is bound to it.

use super::Request;
use crate::diagnostic::{Diagnostics, RequestProblem};
use crate::document::{Block, DataKind, Document, ItemKind};
use crate::element::Tag;
use crate::json::{Json, StringArena};
use crate::options::RequestOptions;
use crate::responses::Item;
use crate::source::Span;

/// The members of reasoning that only its issuer can read, and only after the same text.
const BOUND: [&str; 3] = ["encrypted_content", "@signature", "@redacted"];

/// Warns of declarations and instructions after reasoning that is bound to the text before it.
pub(super) fn report_late(document: &Document<'_>, options: &RequestOptions, diagnostics: &mut Diagnostics) {
    let (mut reasoning, mut has_config) = (None, false);
    for block in &document.blocks {
        if is_bound(&block.value) {
            reasoning.get_or_insert(block.span);
        }
        let is_late = match &block.value {
            // Only the first one sets fields of the request.
            Block::Declaration(config) if config.tag == Tag::Config => !std::mem::replace(&mut has_config, true),
            Block::Declaration(declaration) => declaration.tag == Tag::Tool,
            Block::Element(element) => element.is_instructions(options.instructions),
            block => block.is_data(DataKind::Request),
        };
        if let Some(reasoning) = reasoning.filter(|_| is_late) {
            diagnostics.report(RequestProblem::LateDeclaration { reasoning }, block.span);
        }
    }
}

/// Whether a block is reasoning that is bound to the text before it.
pub(super) fn is_bound(block: &Block<'_>) -> bool {
    let has_key = |json: &str| json.contains("\"encrypted_content\"");
    if let Some(reasoning) = block.element().filter(|element| element.kind == ItemKind::Reasoning) {
        let mut keys = reasoning.attributes.iter().filter_map(|(row, _)| row.key);
        return keys.any(|key| BOUND.contains(&key))
            || reasoning.fields.as_ref().is_some_and(|fields| has_key(&fields.value));
    }
    block.item_json().filter(|json| has_key(json)).is_some_and(|json| {
        let strings = StringArena::default();
        let item = Json::parse(json, &strings).and_then(Item::decode_lenient);
        item.is_ok_and(|(item, _)| is_bound_item(&item))
    })
}

fn is_bound_item(item: &Item<'_>) -> bool {
    item.kind() == "reasoning" && BOUND.iter().any(|key| item.rest().get_str(key).is_some())
}

impl Request<'_> {
    /// Warns of the first output that is left out although reasoning that is bound to it follows.
    pub(super) fn report_collapsed(&self, collapsed: &[Span], diagnostics: &mut Diagnostics) {
        let Some(first) = collapsed.first() else { return };
        let after = self.items.iter().skip_while(|located| located.span != *first);
        if let Some(located) = after.into_iter().find(|located| is_bound_item(&located.item)) {
            diagnostics.report(RequestProblem::CollapsedOutput { reasoning: located.span }, *first);
        }
    }
}
