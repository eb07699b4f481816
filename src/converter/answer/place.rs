//! Where an answer is inserted into its document.

use std::collections::HashMap;

use crate::convert::{Call, CallKey, Side};
use crate::document::Block;
use crate::source::{Sources, Spanned};

/// The index of the block before which the answer is inserted: after the group of calls and outputs that contains the
/// call, but before the outputs of later calls. `None` if no block contains the call.
pub(super) fn index(blocks: &[Spanned<Block<'_>>], call: &Call, calls: &[Call], sources: &Sources) -> Option<usize> {
    // A call of an imported file is located at its import.
    let holder = sources.import_chain(call.span.source).last().unwrap_or(call.span);
    let call_at = blocks.iter().position(|block| block.span.start == holder.start)?;
    // Comments inside the run belong to it.
    let is_side = |block: &Spanned<Block<'_>>| Side::of_block(&block.value).is_some();
    let is_in_run = |block: &&Spanned<Block<'_>>| matches!(block.value, Block::Comment(_)) || is_side(block);
    let run = blocks[call_at + 1..].iter().take_while(is_in_run);
    let length = run.enumerate().filter(|(_, block)| is_side(block)).last().map_or(0, |(at, _)| at + 1);
    let order: HashMap<CallKey<'_>, usize> = calls.iter().enumerate().map(|(at, call)| (call.key(), at)).collect();
    let own = order.get(&call.key());
    let answers_later_call = |block: &Spanned<Block<'_>>| match Side::of_block(&block.value) {
        Some(Side::Output(answered)) => order.get(&answered) > own,
        Some(Side::Call(_)) | None => false,
    };
    let rest = &blocks[call_at + 1..=call_at + length];
    Some(call_at + 1 + rest.iter().position(answers_later_call).unwrap_or(length))
}
