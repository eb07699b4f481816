//! The events of a stream are the same in whatever pieces it arrives, and of an event that is cut the text is left.
#![no_main]

use chatmd::internal::json::{StringArena, write};
use chatmd::internal::responses::read;
use chatmd::internal::stream::StreamDecoder;
use libfuzzer_sys::fuzz_target;

type Event = (Option<String>, String);

fn events(decoder: &mut StreamDecoder, bytes: &[u8], is_end: bool, events: &mut Vec<Event>) {
    while let Some(event) = decoder.next(bytes, is_end) {
        events.push((event.name.map(|name| name.to_string()), event.data.to_string()));
    }
}

/// An event that is cut inside its text has the beginning of the text, up to the last whole character.
fn cut(text: &str, at: usize) {
    let mut stream = String::from("event: response.output_text.delta\ndata: {\"output_index\":0,\"delta\":");
    let start = stream.len() + 1;
    write::string(&mut stream, text);
    let end = (start..stream.len()).rev().find(|end| *end <= start + at && stream.is_char_boundary(*end));
    let arrived = &stream[..end.unwrap_or(start)];
    let strings = StringArena::default();
    let payload = read(arrived, &strings).unwrap();
    let kept = payload.items.first().map_or(String::new(), |item| {
        let content = item.json.object().unwrap().get("content").unwrap().array().unwrap();
        content[0].object().unwrap().get_str("text").unwrap().into_owned()
    });
    let mut spelled = String::new();
    write::string(&mut spelled, &kept);
    // The longest escape has six bytes.
    assert!(text.starts_with(&kept) && spelled.len() - 2 + 6 > arrived.len() - start, "{kept:?} of {text:?}");
}

fuzz_target!(|input: (Vec<u8>, &[u8])| {
    let (cuts, bytes) = input;
    if let Ok(text) = std::str::from_utf8(bytes) {
        cut(text, cuts.iter().map(|cut| usize::from(*cut)).sum());
        let strings = StringArena::default();
        let _ = read(text, &strings);
    }
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
