//! Where an answer is inserted into its document.

use std::collections::HashMap;

use crate::convert::{CallKey, FoundCall, Side};
use crate::document::Block;
use crate::source::{Sources, Spanned};
use crate::syntax::is_whitespace;
use crate::syntax::write::LineEnding;

/// The index of the block before which the answer is inserted: after the group of calls and outputs that contains the
/// call, but before the outputs of later calls. `None` if no block contains the call.
pub(super) fn index(
    blocks: &[Spanned<Block<'_>>],
    call: &FoundCall,
    calls: &[FoundCall],
    sources: &Sources,
) -> Option<usize> {
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

/// A document with an element before the block of this index, separated by blank lines.
pub(super) fn insert(
    old: &str,
    blocks: &[Spanned<Block<'_>>],
    index: usize,
    added: &str,
    line_ending: LineEnding,
) -> String {
    let start = blocks.get(index).map_or(old.len(), |block| block.span.start);
    let (head, rest) = old.split_at(start);
    let (head, added) = (head.trim_end_matches(is_whitespace), added.trim_end_matches(is_whitespace));
    let line_break = line_ending.as_str();
    let gap = if rest.is_empty() { "" } else { line_break };
    [head, line_break, line_break, added, line_break, gap, rest].concat()
}
