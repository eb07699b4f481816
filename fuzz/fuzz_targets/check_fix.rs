//! The fixes of `check` come to an end.
#![no_main]

use chatmd::{CheckOptions, Converter};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let mut options = CheckOptions::default();
    options.portable = text.len() % 2 == 0;
    let mut text = text.to_owned();
    for round in 0.. {
        let report = Converter::new().check(text.as_str(), &options);
        let _ = report.to_string();
        if !report.has_fixes() {
            break;
        }
        assert!(round < 10, "{text}");
        text = report.fix(&text);
    }
});
