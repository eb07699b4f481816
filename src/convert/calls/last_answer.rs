//! The text of the last answer of a document.

use crate::convert::{Context, Request, RequestOptions, Wanted};
use crate::diagnostic::Diagnostics;
use crate::document::{Block, DataKind, Document, ItemKind, Role};
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
        Block::Element(element) => match element.kind {
            ItemKind::Message(role) => role != Role::Assistant,
            ItemKind::ToolResponse(_) => true,
            ItemKind::ToolCall(_) | ItemKind::Reasoning => false,
        },
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
    let Some(first) = messages.blocks.first() else { return answer };
    let options = RequestOptions::default();
    let request = Request::of(&messages, context, &options, Wanted::Input, first.span, diagnostics);
    for located in &request.items {
        let Item::Message(message) = &located.item else { continue };
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
