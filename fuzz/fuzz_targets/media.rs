//! Items with their media in files are the same as items with their media inline.
#![no_main]
#![allow(dead_code)]

use chatmd::resources::Memory;
use chatmd::{Converter, RequestOptions, ResponseOptions};
use libfuzzer_sys::fuzz_target;
use serde_json::Value;

mod chosen;
#[path = "../../tests/suite/generate.rs"]
mod generate;
#[path = "../../tests/suite/items.rs"]
mod items;

fuzz_target!(|bytes: &[u8]| {
    let Some(items) = chosen::chosen(bytes) else { return };
    let json = Value::Array(items).to_string();
    let inline = Converter::new().from_response(json.as_str(), &ResponseOptions::default()).expect(&json);
    let options = ResponseOptions { media: Some("media".to_owned()), ..ResponseOptions::default() };
    let kept = Converter::new().from_response(json.as_str(), &options).expect(&json);
    let files = kept.media.iter().fold(Memory::new(), |files, (name, bytes)| files.with(&format!("media/{name}"), bytes.clone()));
    let input = |text: &str| {
        let output = Converter::new().resources(&files).to_input(text, &RequestOptions::default()).expect(text);
        serde_json::from_str::<Value>(&output.value).expect("JSON")
    };
    assert_eq!(input(&inline.text), input(&kept.text), "{}", kept.text);
});
