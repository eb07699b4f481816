//! Items that the bytes of an input choose.

use proptest::collection::vec;
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use serde_json::Value;

use crate::items::item;

/// How many more bytes there are to choose from. Choices from no bytes would repeat forever.
const MORE: usize = 1 << 16;

/// The items that these bytes choose.
pub(crate) fn chosen(bytes: &[u8]) -> Option<Vec<Value>> {
    let mut state = bytes.iter().fold(0x9e37_79b9_7f4a_7c15_u64, |state, byte| state.rotate_left(5) ^ u64::from(*byte)) | 1;
    let more = std::iter::repeat_with(move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state.to_le_bytes()[3]
    });
    let choices: Vec<u8> = bytes.iter().copied().chain(more.take(MORE)).collect();
    let rng = TestRng::from_seed(RngAlgorithm::PassThrough, &choices);
    let tree = vec(item(), 0..3).new_tree(&mut TestRunner::new_with_rng(Config::default(), rng)).ok()?;
    Some(tree.current())
}
