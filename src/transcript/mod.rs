//! A document as a reader sees it: turns, calls with their outputs, media, and hosted items. `show` and `render` print it.

mod citations;
mod hosted;
mod media;
mod piece;

pub(crate) use citations::Citation;
pub use hosted::{HostedItem, describe};
pub(crate) use media::{all, file_data, image_bytes, image_url, known};
pub(crate) use piece::{Piece, Pieces, Shown};

use crate::convert::Pairs;
use crate::document::{Block, Document};
use crate::source::Spanned;

/// A block of a document, and the call or the output that belongs to it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Turn<'t, 'd> {
    /// The block.
    pub(crate) block: &'t Spanned<Block<'d>>,
    /// The output of the call that the block is.
    pub(crate) output: Option<&'t Spanned<Block<'d>>>,
    /// The call that the block answers.
    pub(crate) call: Option<&'t Spanned<Block<'d>>>,
    /// Whether the block is the output of its call, and not another output of the same call.
    pub(crate) is_output_of_call: bool,
    /// Whether the block is the empty message for the next turn.
    pub(crate) is_placeholder: bool,
}

/// The turns of a document whose imports are expanded, in order.
pub(crate) fn turns<'t, 'd>(document: &'t Document<'d>) -> Vec<Turn<'t, 'd>> {
    let blocks = document.blocks.as_slice();
    let (pairs, placeholder) = (Pairs::of_blocks(blocks), document.placeholder());
    let turn = |(index, block): (usize, &'t Spanned<Block<'d>>)| {
        let own_call = pairs.call_of(index);
        let answered = || pairs.pair_of(index).filter(|pair| pair.outputs.binary_search(&index).is_ok());
        let call = own_call.or_else(|| answered()?.calls.first().copied());
        Turn {
            block,
            output: pairs.output_of(index).map(|output| &blocks[output]),
            call: call.map(|call| &blocks[call]),
            is_output_of_call: own_call.is_some(),
            is_placeholder: placeholder == Some(index),
        }
    };
    blocks.iter().enumerate().map(turn).collect()
}
