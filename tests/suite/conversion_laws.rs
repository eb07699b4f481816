//! Laws of conversion in both directions, for every item, document and stream.

use chatmd::internal::convert::{Context, OutputStyle, Request, RequestOptions, Wanted, WriteOptions, write_payload};
use chatmd::internal::diagnostic::{Colors, Diagnostics, NoHints, render};
use chatmd::internal::document::Limits;
use chatmd::internal::json::StringArena;
use chatmd::internal::resolve::Resolver;
use chatmd::internal::responses::{self, Completion};
use chatmd::internal::source::{Sources, Span};
use chatmd::internal::syntax::write::Whitespace;
use chatmd::resources::{MediaStore, NoFiles, Resources};
use proptest::collection::vec;
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::cases::cases;
use crate::items::{canonical, item};
use crate::support::{self, MODES, documents};

/// Items to a document and back, with their media in files or inline.
fn there_and_back(items: &str, style: OutputStyle, mode: Whitespace, media: Option<&MediaStore>) -> (String, Value) {
    let (sources, strings) = (Sources::new(), StringArena::default());
    let source = sources.add("items.json", items.to_owned(), None);
    let reply =
        responses::read(&sources.get(source).text, &strings).unwrap_or_else(|failure| panic!("{failure:?}\n{items}"));
    let mut diagnostics = Diagnostics::new();
    let options = WriteOptions { style, whitespace: mode, media, ..WriteOptions::default() };
    let written = write_payload(&reply, options, &sources, source, &mut diagnostics);
    let document = written.ok().flatten().unwrap_or_else(|| panic!("not proven: {items}")).text;
    let files: &dyn Resources = media.map_or(&NoFiles, |media| media);
    let resolver = Resolver::new(&sources, files);
    let context = Context::new(&resolver, &strings, mode, Limits::default());
    let mut diagnostics = Diagnostics::new();
    let source = sources.add("document.md", document.clone(), None);
    let (document_again, place) = (context.read(source, &mut diagnostics), Span::new(source, 0..0));
    let options = RequestOptions::default();
    let input = Request::of(&document_again, &context, &options, Wanted::Input, place, &mut diagnostics).to_json();
    assert!(!diagnostics.has_errors(), "{}{document}", render(&diagnostics, &sources, Colors::None, &NoHints));
    (document, serde_json::from_str(&input).unwrap())
}

/// A stream of items, and its events.
fn stream(items: &[Value]) -> Vec<String> {
    let done = items
        .iter()
        .enumerate()
        .map(|(index, item)| json!({ "type": "response.output_item.done", "output_index": index, "item": item }));
    let other = json!({ "type": "response.in_progress" });
    let last = json!({ "type": "response.completed", "response": { "object": "response", "status": "completed", "output": [] } });
    let events = [other].into_iter().chain(done).chain([last]);
    events.map(|event| format!("event: {}\ndata: {event}\n\n", event["type"].as_str().unwrap())).collect()
}

proptest! {
    #![proptest_config(cases())]

    #[test]
    fn any_items_come_back(items in vec(item(), 0..3)) {
        let expected = Value::Array(items.iter().map(canonical).collect());
        let json = Value::Array(items).to_string();
        for style in [OutputStyle::Json, OutputStyle::Items] {
            for mode in MODES {
                let (document, got) = there_and_back(&json, style, mode, None);
                prop_assert_eq!(&got, &expected, "{:?} {:?}\n{}", style, mode, document);
            }
        }
    }

    #[test]
    fn any_items_come_back_from_files(items in vec(item(), 0..3)) {
        let expected = Value::Array(items.iter().map(canonical).collect());
        let media = MediaStore::new("media");
        let (document, got) =
            there_and_back(&Value::Array(items).to_string(), OutputStyle::Items, Whitespace::Layout, Some(&media));
        prop_assert_eq!(&got, &expected, "{}", document);
    }

    /// An id that comes again is the same item, which a stream may repeat.
    #[test]
    fn any_stream_says_what_its_items_say(items in vec(item(), 0..3)) {
        let ids: Vec<&str> = items.iter().filter_map(|item| item["id"].as_str()).collect();
        prop_assume!(ids.iter().collect::<std::collections::HashSet<_>>().len() == ids.len());
        let whole = support::from_response(&stream(&items).concat()).unwrap();
        prop_assert_eq!(&whole.completion, &Completion::Complete);
        let items = Value::Array(items).to_string();
        prop_assert_eq!(whole.text, support::from_response(&items).unwrap().text);
    }

    /// Line ends, comments and the end marker change nothing.
    #[test]
    fn line_endings_and_comments_of_a_stream_do_not_matter(items in vec(item(), 0..3)) {
        let plain = stream(&items).concat();
        let expected = support::from_response(&plain).unwrap();
        let without_names: String = plain.split_inclusive('\n').filter(|line| !line.starts_with("event:")).collect();
        let dressed = [plain.replace('\n', "\r\n"), plain.replace('\n', "\r"), without_names, format!(": hello\n\n{plain}data: [DONE]\n\n")];
        for stream in dressed {
            let reply = support::from_response(&stream).unwrap();
            prop_assert_eq!((&reply.text, &reply.completion), (&expected.text, &expected.completion));
        }
    }
}

#[test]
fn a_stream_cut_at_any_byte_gives_what_was_complete_and_the_text_of_the_rest() {
    let items = [
        json!({ "type": "message", "id": "m", "role": "assistant", "status": "completed", "content": [{ "type": "output_text", "text": "héllo", "annotations": [] }] }),
        json!({ "type": "function_call", "call_id": "c", "name": "f", "arguments": "{\"a\":\"日本\"}" }),
    ];
    let events = stream(&items);
    let whole = events.concat();
    for cut in (1..whole.len()).filter(|cut| whole.is_char_boundary(*cut)) {
        let text = &whole[..cut];
        let strings = StringArena::default();
        if !["event:", "data:"].iter().any(|field| text.starts_with(field)) {
            continue;
        }
        let reply = responses::read(text, &strings).unwrap_or_else(|failure| panic!("{failure:?} at {cut}"));
        // An event counts as soon as its data is complete.
        let complete = |count: usize| events[..count].concat().trim_end().len() <= cut;
        let done = (1..=items.len()).take_while(|index| complete(index + 1)).count();
        // After it, an item whose event is cut, or the text of a cut item.
        let rest: Vec<String> = reply.items.iter().skip(done).map(|item| item.json.compact().into_owned()).collect();
        let is_cut = |item: &String| {
            item.contains(r#""status":"incomplete""#) || items.get(done) == serde_json::from_str(item).ok().as_ref()
        };
        assert!(reply.items.len() >= done && rest.len() <= 1 && rest.iter().all(is_cut), "cut at {cut}: {text}");
        let is_whole = complete(events.len());
        assert_eq!(reply.completion == Completion::Complete, is_whole, "cut at {cut}: {text}");
    }
}

#[test]
fn every_document_is_stable() {
    let mut count = 0;
    for document in documents() {
        let Ok(items) = support::to_input(&document) else { continue };
        // An output that is just not too deep is so in the array around it. Messages of other APIs are not items.
        if document.contains(&"[".repeat(120)) || document.contains(" api=") {
            continue;
        }
        count += 1;
        let again = support::from_response(&items).unwrap_or_else(|error| panic!("{error}\n{document}")).text;
        assert_eq!(support::to_input(&again).unwrap(), items, "{document}");
        assert_eq!(support::from_response(&items).unwrap().text, again);
    }
    assert!(count > 200, "only {count} documents convert");
}
