//! Laws of streams: no text that arrived is dropped, no item is written twice, and chunks do not matter.

use std::collections::HashSet;

use chatmd::Error;
use chatmd::internal::stream::StreamDecoder;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Value, json};

use crate::cases::{cases, large};
use crate::support::{from_response, to_input};

/// The events of one item. Every delta is a text that occurs nowhere else.
#[derive(Debug, Clone)]
struct ItemScript {
    kind: &'static str,
    is_added: bool,
    deltas: usize,
    /// The `.done` event of its text.
    text_done: bool,
    /// The `output_item.done` event, with all the text or with hardly any.
    done: Option<bool>,
    /// Its place in the terminal `output`, with all the text or with hardly any.
    terminal: Option<bool>,
    has_index: bool,
}

fn item_script() -> impl Strategy<Value = ItemScript> {
    let kinds = select(vec!["message", "refusal", "summary", "reasoning", "function_call", "custom_tool_call"]);
    let version = || prop_oneof![Just(None), Just(Some(true)), Just(Some(false))];
    (kinds, any::<bool>(), 0..4_usize, any::<bool>(), version(), version(), prop::bool::weighted(0.8)).prop_map(
        |(kind, is_added, deltas, text_done, done, terminal, has_index)| ItemScript {
            kind,
            is_added,
            deltas,
            text_done,
            // An event without an index may belong to another item, so its text is not compared.
            done: done.map(|whole| whole && has_index),
            terminal: terminal.map(|whole| whole && has_index),
            has_index,
        },
    )
}

impl ItemScript {
    fn deltas(&self, index: usize) -> Vec<String> {
        (0..self.deltas).map(|at| format!("«{index}.{at}»")).collect()
    }

    fn item(&self, index: usize, text: &str) -> Value {
        let part = |kind: &str, key: &str| json!([{ "type": kind, key: text }]);
        let parts = |kind: &str, key: &str| if text.is_empty() { json!([]) } else { part(kind, key) };
        let id = format!("id_{index}");
        match self.kind {
            "message" => {
                json!({ "type": "message", "id": id, "role": "assistant", "content": parts("output_text", "text") })
            }
            "refusal" => {
                json!({ "type": "message", "id": id, "role": "assistant", "content": parts("refusal", "refusal") })
            }
            "summary" => json!({ "type": "reasoning", "id": id, "summary": parts("summary_text", "text") }),
            "reasoning" => {
                json!({ "type": "reasoning", "id": id, "summary": [], "content": parts("reasoning_text", "text") })
            }
            "function_call" => {
                json!({ "type": "function_call", "id": id, "call_id": id, "name": "f", "arguments": text })
            }
            _ => json!({ "type": "custom_tool_call", "id": id, "call_id": id, "name": "f", "input": text }),
        }
    }

    /// The type of its text's events, and the key of the whole text.
    fn text_event(&self) -> (&'static str, &'static str) {
        match self.kind {
            "message" => ("response.output_text", "text"),
            "refusal" => ("response.refusal", "refusal"),
            "summary" => ("response.reasoning_summary_text", "text"),
            "reasoning" => ("response.reasoning_text", "text"),
            "function_call" => ("response.function_call_arguments", "arguments"),
            _ => ("response.custom_tool_call_input", "input"),
        }
    }

    fn events(&self, index: usize) -> Vec<Value> {
        let (text, key) = self.text_event();
        let all = self.deltas(index).concat();
        let version = |whole: bool| self.item(index, if whole { &all } else { "-" });
        let mut events = Vec::new();
        if self.is_added {
            events.push(json!({ "type": "response.output_item.added", "item": self.item(index, "") }));
        }
        events
            .extend(self.deltas(index).iter().map(|delta| json!({ "type": format!("{text}.delta"), "delta": delta })));
        if self.text_done {
            events.push(json!({ "type": format!("{text}.done"), key: all }));
        }
        events.extend(self.done.map(|whole| json!({ "type": "response.output_item.done", "item": version(whole) })));
        if self.has_index {
            for event in &mut events {
                event["output_index"] = index.into();
            }
        }
        events
    }
}

/// The events of a response, those of several items mixed, and its terminal event.
fn response(first: usize) -> impl Strategy<Value = (Vec<(usize, ItemScript)>, Vec<Value>)> {
    let end = select(vec!["response.completed", "response.incomplete", "response.failed", "error", ""]);
    (vec(item_script(), 0..4), any::<prop::sample::Index>(), end).prop_map(move |(items, turn, end)| {
        let items: Vec<(usize, ItemScript)> =
            items.into_iter().enumerate().map(|(at, item)| (first + at, item)).collect();
        let mut queues: Vec<Vec<Value>> = items.iter().map(|(index, item)| item.events(*index)).collect();
        let mut events = vec![json!({ "type": "response.created" })];
        while queues.iter().any(|queue| !queue.is_empty()) {
            let at = turn.index(queues.len() + events.len()) % queues.len();
            let at = (0..queues.len()).map(|step| (at + step) % queues.len()).find(|at| !queues[*at].is_empty());
            events.push(queues[at.unwrap()].remove(0));
        }
        let version = |(index, item): &(usize, ItemScript)| {
            Some(item.item(*index, if item.terminal? { item.deltas(*index).concat() } else { "-".to_owned() }.as_str()))
        };
        let output: Vec<Value> = items.iter().filter_map(version).collect();
        match end {
            "" => {}
            "error" => events.push(json!({ "type": "error", "message": "no" })),
            end => {
                let status = end.trim_start_matches("response.");
                events.push(
                    json!({ "type": end, "response": { "object": "response", "status": status, "output": output } }),
                );
            }
        }
        (items, events)
    })
}

fn sse(events: &[Value]) -> String {
    events.iter().map(|event| format!("data: {event}\n\n")).collect::<Vec<_>>().concat()
}

/// The items that a stream comes to, as JSON text; nothing if the API failed before any item.
fn converted(stream: &str) -> String {
    match from_response(stream) {
        Ok(reply) => to_input(&reply.text).unwrap_or_else(|error| panic!("{error}\n{}", reply.text)),
        Err(Error::Api(_)) => String::new(),
        Err(error) => panic!("{error}\n{stream}"),
    }
}

fn ids(items: &str) -> Vec<String> {
    let items: Vec<Value> = if items.is_empty() { Vec::new() } else { serde_json::from_str(items).unwrap() };
    items.iter().filter_map(|item| Some(item["id"].as_str()?.to_owned())).collect()
}

proptest! {
    #![proptest_config(cases())]

    #[test]
    fn every_delta_is_in_the_document((items, events) in response(0)) {
        let got = converted(&sse(&events));
        for delta in items.iter().flat_map(|(index, item)| item.deltas(*index)) {
            prop_assert!(got.contains(&delta), "{delta} is lost:\n{}\n{got}", sse(&events));
        }
    }

    #[test]
    fn no_item_is_written_twice((_, events) in response(0)) {
        let ids = ids(&converted(&sse(&events)));
        prop_assert_eq!(ids.len(), ids.iter().collect::<HashSet<_>>().len(), "{:?}\n{}", ids, sse(&events));
    }

    #[test]
    fn of_two_responses_nothing_is_lost((first, a) in response(0), (second, b) in response(10)) {
        let stream = sse(&[a, b].concat());
        let got = converted(&stream);
        for delta in first.iter().chain(&second).flat_map(|(index, item)| item.deltas(*index)) {
            prop_assert!(got.contains(&delta), "{delta} is lost:\n{stream}\n{got}");
        }
    }

    /// A cut inside an event loses nothing before it.
    #[test]
    fn a_cut_keeps_every_delta_before_it((items, events) in response(0), cut in any::<prop::sample::Index>()) {
        let whole = sse(&events);
        let cut = (0..=cut.index(whole.len())).rev().find(|at| whole.is_char_boundary(*at)).unwrap();
        let arrived = &whole[..cut];
        prop_assume!(arrived.starts_with("data:"));
        let complete = arrived.rfind("\n\n").map_or("", |end| &arrived[..end]);
        let got = converted(arrived);
        for delta in items.iter().flat_map(|(index, item)| item.deltas(*index)) {
            prop_assert!(got.contains(&delta) || !complete.contains(&format!("\"{delta}\"")), "{delta} is lost:\n{arrived}\n{got}");
        }
    }

    /// Of a cut event, the text that has arrived is kept.
    #[test]
    fn a_cut_event_keeps_its_text((_, events) in response(0), cut in any::<prop::sample::Index>()) {
        let named = |event: &Value| format!("event: {}\ndata: {event}\n\n", event["type"].as_str().unwrap());
        let whole: String = events.iter().map(named).collect();
        let cut = (0..=cut.index(whole.len())).rev().find(|at| whole.is_char_boundary(*at)).unwrap();
        let arrived = &whole[..cut];
        prop_assume!(arrived.starts_with("event:"));
        let last = &arrived[arrived.rfind("\n\n").unwrap_or_default()..];
        let text = last.split_once("\"delta\":\"").map_or("", |(_, text)| text.split('"').next().unwrap());
        let got = converted(arrived);
        prop_assert!(got.contains(text), "{text} is lost:\n{arrived}\n{got}");
    }

    /// However the bytes are cut into chunks, the decoder gives the same events.
    #[test]
    fn chunks_do_not_matter(stream in "(\u{feff})?(data: ?[a{}é]{0,3}|event: [a-c]|: x|\\{[a\"]\\}|id: 1|\r|\n|\r\n|\n\n){0,30}", sizes in vec(1..9_usize, 1..40)) {
        let bytes = stream.as_bytes();
        let mut whole = StreamDecoder::default();
        let mut expected = Vec::new();
        while let Some(event) = whole.next(bytes, true) {
            expected.push((event.name.map(str::to_owned), event.data.into_owned()));
        }
        let (mut decoder, mut got, mut end) = (StreamDecoder::default(), Vec::new(), 0);
        for size in sizes.into_iter().cycle() {
            end = (end + size).min(bytes.len());
            let is_end = end == bytes.len();
            while let Some(event) = decoder.next(&bytes[..end], is_end) {
                got.push((event.name.map(str::to_owned), event.data.into_owned()));
            }
            if is_end {
                break;
            }
        }
        prop_assert_eq!(got, expected);
    }
}

#[test]
fn a_stream_cut_at_any_byte_is_converted() {
    let item_script = |kind: &'static str| ItemScript {
        kind,
        is_added: true,
        deltas: 2,
        text_done: true,
        done: Some(true),
        terminal: None,
        has_index: true,
    };
    let events: Vec<Value> = ["message", "summary", "function_call"]
        .iter()
        .enumerate()
        .flat_map(|(index, kind)| item_script(kind).events(index))
        .collect();
    let whole = sse(&events);
    let mut longest = 0;
    for cut in 6..whole.len() {
        let mut bytes = whole.as_bytes()[..cut].to_vec();
        chatmd::internal::responses::without_partial_character(&mut bytes);
        let got = converted(std::str::from_utf8(&bytes).unwrap());
        let texts = got.matches('«').count();
        assert!(texts >= longest, "cut at {cut}: {texts} texts after {longest}");
        longest = texts;
    }
    assert_eq!(longest, 6);
}

/// Many blank lines, many parts, many items: if one of them took quadratic time, this would not end.
#[test]
fn long_streams_are_read_in_linear_time() {
    let blank = format!("data: {{\"type\":\"response.completed\"}}\n\ndata: [DONE]\n{}", "\n".repeat(large(4 << 20)));
    assert!(from_response(&blank).is_ok());
    let part = |index: usize| {
        format!(
            "data: {{\"type\":\"response.output_text.delta\",\"output_index\":0,\"content_index\":{index},\"delta\":\"x\"}}\n\n"
        )
    };
    let count = large(100_000);
    let parts: String = (0..count).map(part).collect();
    assert_eq!(converted(&parts).matches("output_text").count(), count);
    let item = |index: usize| {
        format!(
            "data: {{\"type\":\"response.output_item.added\",\"item\":{{\"type\":\"web_search_call\",\"id\":\"w{index}\"}}}}\n\n"
        )
    };
    let items: String = (0..count).map(item).collect();
    assert_eq!(converted(&items).matches("web_search_call").count(), count);
}
