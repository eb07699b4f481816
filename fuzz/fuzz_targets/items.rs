//! Arbitrary items become a document and come back the same.
//!
//! The bytes choose the items. What a round trip may change is described by the tests, in code that the library does not share.
#![no_main]
#![allow(dead_code)]

use chatmd::internal::syntax::write::Whitespace;
use chatmd::{Converter, OutputStyle, RequestOptions, ResponseOptions};
use libfuzzer_sys::fuzz_target;
use serde_json::Value;

mod chosen;
#[path = "../../tests/suite/generate.rs"]
mod generate;
#[path = "../../tests/suite/items.rs"]
mod items;

fuzz_target!(|bytes: &[u8]| {
    let Some(items) = chosen::chosen(bytes) else { return };
    let expected = Value::Array(items.iter().map(items::canonical).collect());
    let json = Value::Array(items).to_string();
    for whitespace in [Whitespace::Layout, Whitespace::Verbatim] {
        for tool_output in [OutputStyle::Json, OutputStyle::Items] {
            let converter = Converter::new().whitespace(whitespace);
            let options = ResponseOptions { tool_output, ..ResponseOptions::default() };
            let reply = converter.from_response(json.as_str(), &options).expect(&json);
            let input = converter.to_input(reply.text.as_str(), &RequestOptions::default()).expect(&reply.text);
            assert_eq!(serde_json::from_str::<Value>(&input.value).expect("JSON"), expected, "{}", reply.text);
        }
    }
});
