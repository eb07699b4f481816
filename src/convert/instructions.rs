//! The messages that belong in `instructions`.

use super::Context;
use super::request::RequestOptions;
use super::to_items::{carried_item, instruction_text};
use crate::diagnostic::{Diagnostics, Problem};
use crate::document::{Block, Document};
use crate::responses::{Item, Part};
use crate::source::{Span, Spanned};

/// The texts of these messages and where each is.
pub(super) fn instruction_texts<'d>(
    document: &'d Document<'d>,
    context: &Context<'d>,
    options: &RequestOptions,
    diagnostics: &mut Diagnostics,
) -> Vec<(String, Span)> {
    let text = |block: &'d Spanned<Block<'d>>| match &block.value {
        Block::Message(message) if message.is_instructions(options.instructions) => {
            Some((instruction_text(message, context, diagnostics), block.span))
        }
        Block::Item(_) | Block::ItemFiles(_) if options.instructions => {
            let item = carried_item(block, context).filter(is_instruction)?;
            let text = item_text(&item);
            if text.is_none() {
                diagnostics.report(Problem::PartInInstructions, block.span);
            }
            Some((text.unwrap_or_default(), block.span))
        }
        Block::Message(_)
        | Block::ToolCall(_)
        | Block::ToolResponse(_)
        | Block::Reasoning(_)
        | Block::Declaration(_)
        | Block::Import(_)
        | Block::Item(_)
        | Block::ItemFiles(_)
        | Block::Foreign(_)
        | Block::Request(_)
        | Block::Comment(_) => None,
    };
    document.blocks.iter().filter_map(text).collect()
}

/// Whether an item that is carried as JSON is a message that the options move into the instructions.
pub(super) fn is_instruction(item: &Item<'_>) -> bool {
    item.kind() == "message" && item.role().is_some_and(|role| role == "system" || role == "developer")
}

/// The text of a message, its parts on lines of their own; `None` if it has anything else.
fn item_text(item: &Item<'_>) -> Option<String> {
    let Item::Message(message) = item else { return None };
    let text = |part: &Part<'_>| match part {
        Part::Text(text) if text.rest.is_empty() && text.kind == "input_text" => Some(text.text.to_string()),
        Part::Text(_) | Part::Image(_) | Part::Other(_) | Part::Raw(_) => None,
    };
    let texts: Option<Vec<String>> = message.content.iter().map(text).collect();
    texts.map(|texts| texts.join("\n"))
}
