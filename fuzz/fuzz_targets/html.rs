//! Any page is converted or refused, in bounded work.
#![no_main]

use chatmd::resources::Memory;
use chatmd::{Converter, RequestOptions};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|page: &str| {
    let files = Memory::new().with("page.html", page);
    for form in ["strip", "markdown"] {
        let document = format!("<user><doc src=\"page.html\" local {form}/></user>");
        let _ = Converter::new().resources(&files).to_input(document, &RequestOptions::default());
    }
});
