//! Without the feature `html`, no page is converted.

const NOT_SUPPORTED: &str = "this build has no support for HTML";

pub(super) fn strip(_: &str) -> Result<String, &'static str> {
    Err(NOT_SUPPORTED)
}

pub(super) fn to_markdown(_: &str) -> Result<String, &'static str> {
    Err(NOT_SUPPORTED)
}
