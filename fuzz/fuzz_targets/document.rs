//! Any text is read without a panic. A document that is formatted has the same items, and formatting it again changes nothing.
#![no_main]

use chatmd::internal::syntax::write::Whitespace;
use chatmd::{Converter, RequestOptions};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    for whitespace in [Whitespace::Layout, Whitespace::Verbatim] {
        let converter = Converter::new().whitespace(whitespace);
        let input = |text: &str| converter.to_input(text, &RequestOptions::default()).map(|output| output.value);
        let _ = converter.outline(text);
        let _ = converter.calls(text);
        let _ = converter.files(text);
        let before = input(text);
        let Ok(formatted) = converter.format(text) else { continue };
        let after = input(&formatted.value);
        assert_eq!(before.ok(), after.ok(), "{}", formatted.value);
        let again = converter.format(formatted.value.as_str()).expect("formatted twice");
        assert_eq!(formatted.value, again.value);
    }
});
