//! Tests of `src/api.rs`.

use crate::api::{Api, ROWS};

#[test]
fn rows_are_in_the_order_of_the_enum() {
    for (index, row) in ROWS.iter().enumerate() {
        assert_eq!((row.api as usize, Api::from_name(row.name)), (index, Some(row.api)));
    }
}
