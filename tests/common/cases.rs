//! How many cases a law is tried with: `CHATMD_CASES`, or a number that a person waits for.

use proptest::prelude::ProptestConfig;

/// The cases of a law, if `CHATMD_CASES` is not set.
const DEFAULT: u32 = 200;

/// The configuration of the laws of a file.
pub(crate) fn cases() -> ProptestConfig {
    ProptestConfig { cases: number(), failure_persistence: None, ..ProptestConfig::default() }
}

/// The configuration of laws whose cases each take as long as many others.
pub(crate) fn few_cases() -> ProptestConfig {
    ProptestConfig { cases: number().div_ceil(10), ..cases() }
}

fn number() -> u32 {
    std::env::var("CHATMD_CASES").map_or(DEFAULT, |text| text.parse().unwrap())
}
