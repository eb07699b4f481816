//! The events of a stream are the same in whatever pieces it arrives.
#![no_main]

use chatmd::internal::responses::StreamDecoder;
use libfuzzer_sys::fuzz_target;

type Event = (Option<String>, String);

fn events(decoder: &mut StreamDecoder, bytes: &[u8], is_end: bool, events: &mut Vec<Event>) {
    while let Some(event) = decoder.next(bytes, is_end) {
        events.push((event.name.map(|name| name.to_string()), event.data.to_string()));
    }
}

fuzz_target!(|input: (Vec<u8>, &[u8])| {
    let (cuts, bytes) = input;
    let mut whole = Vec::new();
    events(&mut StreamDecoder::default(), bytes, true, &mut whole);
    let (mut decoder, mut pieces, mut end) = (StreamDecoder::default(), Vec::new(), 0);
    for cut in cuts {
        end = (end + usize::from(cut)).min(bytes.len());
        events(&mut decoder, &bytes[..end], false, &mut pieces);
    }
    events(&mut decoder, bytes, true, &mut pieces);
    assert_eq!(whole, pieces);
});
