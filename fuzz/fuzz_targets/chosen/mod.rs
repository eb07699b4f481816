//! Items that the bytes of an input choose.

use proptest::collection::vec;
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use serde_json::Value;

use crate::items::item;

/// The items that these bytes choose. They are only a seed: choices from the bytes themselves would end with the bytes.
pub(crate) fn chosen(bytes: &[u8]) -> Option<Vec<Value>> {
    let mut seed = [0_u8; 32];
    for (at, byte) in bytes.iter().enumerate() {
        seed[at % 32] = seed[at % 32].rotate_left(3) ^ byte;
    }
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &seed);
    let tree = vec(item(), 0..3).new_tree(&mut TestRunner::new_with_rng(Config::default(), rng)).ok()?;
    Some(tree.current())
}
