//! Where an answer is inserted into its document.

use std::borrow::Cow;
use std::collections::HashMap;

use crate::convert::{FoundCall, answered_call, is_call_or_output};
use crate::document::{Block, ResponseKind};
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
    let is_in_run =
        |block: &&Spanned<Block<'_>>| matches!(block.value, Block::Comment(_)) || is_call_or_output(&block.value);
    let run = blocks[call_at + 1..].iter().take_while(is_in_run);
    let length =
        run.enumerate().filter(|(_, block)| is_call_or_output(&block.value)).last().map_or(0, |(at, _)| at + 1);
    let order: HashMap<(ResponseKind, Cow<'_, str>), usize> =
        calls.iter().enumerate().map(|(at, call)| ((call.kind, Cow::Borrowed(call.call_id.as_str())), at)).collect();
    let own = order.get(&(call.kind, Cow::Borrowed(call.call_id.as_str())));
    let answers_later_call =
        |block: &Spanned<Block<'_>>| answered_call(&block.value).is_some_and(|answered| order.get(&answered) > own);
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
