//! Items with their media in files are the same as items with their media inline.
#![no_main]
#![allow(dead_code)]

use chatmd::resources::Memory;
use chatmd::{Converter, RequestOptions, ResponseOptions};
use libfuzzer_sys::fuzz_target;
use proptest::collection::vec;
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use serde_json::Value;

#[path = "../../tests/suite/generate.rs"]
mod generate;
#[path = "../../tests/suite/items.rs"]
mod items;

fuzz_target!(|bytes: &[u8]| {
    let rng = TestRng::from_seed(RngAlgorithm::PassThrough, bytes);
    let mut runner = TestRunner::new_with_rng(Config::default(), rng);
    let Ok(tree) = vec(items::item(), 0..3).new_tree(&mut runner) else { return };
    let json = Value::Array(tree.current()).to_string();
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
