//! The messages that belong in `instructions`.

use super::Request;
use crate::convert::Context;
use crate::convert::to_items::{Located, carried_item, instruction};
use crate::diagnostic::{Diagnostics, ElementProblem};
use crate::document::{Block, Document};
use crate::options::RequestOptions;
use crate::responses::{Item, Part};

impl<'d> Request<'d> {
    /// Finds these messages.
    pub(super) fn convert_instructions(
        &mut self,
        document: &'d Document<'d>,
        context: &Context<'d>,
        options: &RequestOptions,
        diagnostics: &mut Diagnostics,
    ) {
        for block in &document.blocks {
            match &block.value {
                Block::Element(message) if message.is_instructions(options.instructions) => {
                    self.instructions.push(instruction(message, block.span, context, diagnostics));
                }
                Block::Data(data) if options.instructions && data.kind.is_item() => {
                    let Some(item) = carried_item(block, context).filter(is_instruction) else { continue };
                    if !is_text(&item) {
                        diagnostics.report(ElementProblem::PartInInstructions, block.span);
                    }
                    self.instructions.push(Located::new(item, block.span));
                }
                Block::Element(_) | Block::Declaration(_) | Block::Import(_) | Block::Data(_) | Block::Comment(_) => {}
            }
        }
    }

    /// The text of all instructions: messages are separated by blank lines, their parts by line breaks.
    pub(super) fn joined_instructions(&self) -> String {
        let message = |located: &Located<'_>| texts(&located.item).collect::<Vec<_>>().join("\n");
        self.instructions.iter().map(message).collect::<Vec<_>>().join("\n\n")
    }
}

/// Whether an item that is carried as JSON is a message that the options move into the instructions.
pub(in crate::convert) fn is_instruction(item: &Item<'_>) -> bool {
    item.kind() == "message" && item.role().is_some_and(|role| role == "system" || role == "developer")
}

/// The text parts of a message.
fn texts<'i>(item: &'i Item<'_>) -> impl Iterator<Item = &'i str> {
    let parts = if let Item::Message(message) = item { message.content.as_slice() } else { &[] };
    parts.iter().filter_map(|part| if let Part::Text(text) = part { Some(text.text.as_ref()) } else { None })
}

/// Whether a message has text only.
fn is_text(item: &Item<'_>) -> bool {
    let is_text =
        |part: &Part<'_>| matches!(part, Part::Text(text) if text.rest.is_empty() && text.kind == "input_text");
    matches!(item, Item::Message(message) if message.content.iter().all(is_text))
}
