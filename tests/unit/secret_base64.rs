//! Tests of `src/secret/base64.rs`.

use super::{base64_runs, has_base64_run};

#[test]
fn a_run_is_found_wherever_it_is() {
    for before in 0..70 {
        for length in [1, 7, 8, 9, 20] {
            let text = "a ".repeat(before / 2) + &"b".repeat(before % 2) + " " + &"c".repeat(length) + " d";
            let longest = base64_runs(&text).map(|run| run.len()).max().unwrap_or_default();
            assert_eq!(has_base64_run(&text, 8), longest >= 8, "{text}");
        }
    }
}
