//! Reading and converting documents in tests.
#![allow(dead_code, unused_imports)] // each test binary uses a part

#[path = "read.rs"]
mod read;

use chatmd::{Converter, Error, Reply, RequestOptions, ResponseOptions};

pub(crate) use read::*;

/// The JSON of the `input` of a document that reads no files.
pub(crate) fn to_input(document: &str) -> Result<String, Error> {
    Converter::new().to_input(document, &RequestOptions::default()).map(|output| output.value)
}

/// The document of a response, a stream or items.
pub(crate) fn from_response(response: &str) -> Result<Reply, Error> {
    Converter::new().from_response(response, &ResponseOptions::default())
}
