//! Without the feature `schema`, nothing is known to be wrong.

use super::{Definition, Violation};
use crate::json::Json;

/// No violations.
pub(crate) fn violations(_definition: Definition, _value: Json<'_>) -> Vec<Violation<'_>> {
    Vec::new()
}

/// The API, without a date.
pub(crate) fn described_api() -> &'static str {
    "the API"
}
