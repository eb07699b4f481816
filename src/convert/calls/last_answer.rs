//! The text of the last answer of a document.

use crate::convert::Context;
use crate::diagnostic::Diagnostics;
use crate::document::{Block, DataKind, Document};
use crate::responses::{Item, Part, is_commentary};
use crate::source::Spanned;

/// The text of the last answer: the messages of the assistant after the last input that an answer follows, without
/// comments of the model on its work. Messages are separated by a blank line. `None` if there is no answer with a text.
pub fn last_answer(document: &Document<'_>, context: &Context<'_>, diagnostics: &mut Diagnostics) -> Option<String> {
    let replies = document.blocks.split(|block| is_input(&block.value));
    replies.rev().map(|reply| answer_text(reply, context, diagnostics)).find(|text| !text.is_empty())
}

/// Whether an answer ends before this block.
pub(in crate::convert) fn is_input(block: &Block<'_>) -> bool {
    match block {
        Block::Element(element) => !element.kind.is_of_model(),
        Block::Import(_) => true,
        Block::Declaration(_) | Block::Data(_) | Block::Comment(_) => false,
    }
}

/// The text of the messages among some blocks.
fn answer_text(blocks: &[Spanned<Block<'_>>], context: &Context<'_>, diagnostics: &mut Diagnostics) -> String {
    let may_be_message = |block: &&Spanned<Block<'_>>| {
        block.value.is_data(DataKind::Item) || block.value.element().is_some_and(|element| element.role().is_some())
    };
    let messages = Document { blocks: blocks.iter().filter(may_be_message).cloned().collect() };
    let mut answer = String::new();
    for located in context.items(&messages, diagnostics) {
        let Item::Message(message) = located.item else { continue };
        if message.role != "assistant" || is_commentary(&message.rest) {
            continue;
        }
        let texts = message.content.iter().filter_map(|part| match part {
            Part::Text(part) if part.kind != "refusal" => Some(part.text.as_ref()),
            Part::Text(_) | Part::Image(_) | Part::Other(_) | Part::Raw(_) => None,
        });
        let text: String = texts.collect();
        if !text.is_empty() {
            let gap = match answer.as_bytes().last() {
                None => "",
                Some(b'\n') => "\n",
                Some(_) => "\n\n",
            };
            answer.extend([gap, &text]);
        }
    }
    answer
}
