//! Whatever `from-response` reads becomes a document that can be read, has the same items when it is formatted, and can be
//! appended to.
#![no_main]

use chatmd::{AppendOptions, Converter, Error, RequestOptions, ResponseOptions};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let converter = Converter::new();
    let options = ResponseOptions { envelope: true, ..ResponseOptions::default() };
    let reply = match converter.from_response(bytes.to_vec(), &options) {
        Ok(reply) => reply,
        Err(Error::RoundTrip(error)) => panic!("{error}"),
        Err(_) => return,
    };
    let input = |text: &str| converter.to_input(text, &RequestOptions::default()).map(|output| output.value);
    // A document can refer to files, and there are none here.
    let Ok(items) = input(&reply.text) else { return };
    let formatted = converter.format(reply.text.as_str()).expect("readable").value;
    assert_eq!(items, input(&formatted).expect("readable"));
    let document = "<user>\nHello.\n</user>\n";
    let appended = converter.append(document, &reply.text, &AppendOptions { next_turn: true });
    if let Err(Error::RoundTrip(error)) = appended {
        panic!("{error}");
    }
});
