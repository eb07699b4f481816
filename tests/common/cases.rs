//! How many cases a law is tried with, and how large inputs are: `CHATMD_CASES`, or what a person waits for.

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

/// The size of an input that takes too long if the work is not linear: a quarter of `size`, if `CHATMD_CASES` is not set.
pub(crate) fn large(size: usize) -> usize {
    if std::env::var_os("CHATMD_CASES").is_some() { size } else { size / 4 }
}

fn number() -> u32 {
    std::env::var("CHATMD_CASES").map_or(DEFAULT, |text| text.parse().unwrap())
}
