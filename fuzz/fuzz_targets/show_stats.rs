//! A transcript has no control characters but line breaks, and no line that is too wide because of them.
#![no_main]

use chatmd::internal::diagnostic::Colors;
use chatmd::internal::show::Options;
use chatmd::{Converter, RequestOptions};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let converter = Converter::new();
    let folded = Options { width: Some(40), colors: Colors::None, full: false, exact: false, hint: None };
    let full = Options { full: true, ..folded };
    for options in [folded, full, Options::PLAIN] {
        let Ok(shown) = converter.show(text, &options) else { continue };
        let is_unsafe = |c: char| c.is_control() && c != '\n' && c != '\t' || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
        assert!(!shown.value.contains(is_unsafe), "{:?}", shown.value);
    }
    let _ = converter.stats(text, &RequestOptions::default());
});
