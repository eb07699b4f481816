//! Whatever happens to the events of a stream, every text of every event is in an item.

use std::collections::BTreeSet;

use chatmd::Error;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use serde_json::{Value, json};

use crate::cases::cases;
use crate::support::{from_response, to_input};

/// What goes wrong with a stream.
#[derive(Debug, Clone)]
struct Faults {
    cut: Option<Index>,
    dropped: Vec<Index>,
    repeated: Option<Index>,
    swapped: Option<(Index, Index)>,
    /// The item that the terminal event lacks.
    not_at_end: Option<Index>,
    /// Events of this type are missing.
    without: Option<&'static str>,
    has_index: bool,
    has_item_id: bool,
    ids: Ids,
}

/// The ids of items in events.
#[derive(Debug, Clone, Copy)]
enum Ids {
    Same,
    Different,
    Missing,
}

fn faults() -> impl Strategy<Value = Faults> {
    let without = select(vec![None, None, Some("output_item.added"), Some("output_item.done"), Some("delta")]);
    let rarely = || prop::bool::weighted(0.8);
    let ids = select(vec![Ids::Same, Ids::Same, Ids::Different, Ids::Missing]);
    let at = || prop::option::weighted(0.2, any::<Index>());
    let swapped = prop::option::weighted(0.2, any::<(Index, Index)>());
    (at(), vec(any::<Index>(), 0..4), at(), swapped, at(), without, rarely(), rarely(), ids).prop_map(
        |(cut, dropped, repeated, swapped, not_at_end, without, has_index, has_item_id, ids)| Faults {
            cut,
            dropped,
            repeated,
            swapped,
            not_at_end,
            without,
            has_index,
            has_item_id,
            ids,
        },
    )
}

impl Faults {
    fn apply(&self, mut events: Vec<Value>) -> Vec<Value> {
        let output = events.last_mut().and_then(|end| end["response"]["output"].as_array_mut());
        if let (Some(output), Some(at)) = (output.filter(|output| !output.is_empty()), self.not_at_end) {
            output.remove(at.index(output.len()));
        }
        if let Some(without) = self.without {
            events.retain(|event| !event["type"].as_str().unwrap_or_default().contains(without));
        }
        for at in &self.dropped {
            if events.len() > 1 {
                events.remove(at.index(events.len()));
            }
        }
        if let Some((a, b)) = self.swapped {
            let length = events.len();
            events.swap(a.index(length), b.index(length));
        }
        if let Some(at) = self.repeated {
            let at = at.index(events.len());
            events.insert(at, events[at].clone());
        }
        if let Some(at) = self.cut {
            events.truncate(at.index(events.len()) + 1);
        }
        for (at, event) in events.iter_mut().filter_map(|event| event.as_object_mut()).enumerate() {
            if !self.has_index {
                event.remove("output_index");
            }
            if !self.has_item_id {
                event.remove("item_id");
            }
            let Some(item) = event.get_mut("item").and_then(Value::as_object_mut) else { continue };
            match self.ids {
                Ids::Same => {}
                Ids::Different => drop(item.insert("id".to_owned(), format!("other_{at}").into())),
                Ids::Missing => drop(item.remove("id")),
            }
        }
        events
    }
}

/// Texts that occur nowhere else.
#[derive(Default)]
struct Words(usize);

impl Words {
    fn next(&mut self) -> String {
        self.0 += 1;
        format!("«{}» ", self.0)
    }

    fn several(&mut self, count: usize) -> Vec<String> {
        (0..count).map(|_| self.next()).collect()
    }
}

/// The events of an item, and the item.
fn item_events(index: usize, kind: &str, sizes: &[usize], words: &mut Words) -> (Vec<Value>, Value) {
    let id = format!("id_{index}");
    let mut events = Vec::new();
    let mut text = |stem: &str, key: &str, part_key: &str, part: usize, pieces: &[String]| {
        let event = |kind: &str, key: &str, text: &str| json!({ "type": format!("response.{stem}.{kind}"), "output_index": index, "item_id": id, part_key: part, key: text });
        events.extend(pieces.iter().map(|piece| event("delta", "delta", piece)));
        events.push(event("done", key, &pieces.concat()));
    };
    let (mut added, item) = match kind {
        "message" => {
            let mut content = Vec::new();
            for (part, size) in sizes.iter().enumerate() {
                let pieces = words.several(*size);
                let (kind, key) = if size % 2 == 0 { ("refusal", "refusal") } else { ("output_text", "text") };
                text(kind, key, "content_index", part, &pieces);
                content.push(json!({ "type": kind, key: pieces.concat() }));
            }
            let item = |content: Vec<Value>| json!({ "type": kind, "id": id, "role": "assistant", "content": content });
            (item(Vec::new()), item(content))
        }
        "reasoning" => {
            let mut summary = Vec::new();
            for (part, size) in sizes.iter().enumerate() {
                let pieces = words.several(*size);
                text("reasoning_summary_text", "text", "summary_index", part, &pieces);
                summary.push(json!({ "type": "summary_text", "text": pieces.concat() }));
            }
            let item = |summary: Vec<Value>| json!({ "type": kind, "id": id, "summary": summary });
            (item(Vec::new()), item(summary))
        }
        "function_call" | "mcp_call" => {
            let pieces = words.several(sizes[0]);
            text(&format!("{kind}_arguments"), "arguments", "content_index", 0, &pieces);
            let item = |arguments: String| match kind {
                "mcp_call" => {
                    json!({ "type": kind, "id": id, "name": "f", "server_label": "s", "arguments": arguments })
                }
                _ => json!({ "type": kind, "id": id, "call_id": id, "name": "f", "arguments": arguments }),
            };
            let mut whole = item(pieces.concat());
            if kind == "mcp_call" {
                whole["output"] = words.next().into();
            }
            (item(String::new()), whole)
        }
        _ => {
            let pieces = words.several(sizes[0]);
            text("code_interpreter_call_code", "code", "content_index", 0, &pieces);
            let outputs = json!([{ "type": "logs", "logs": words.next() }]);
            let item = |code: String, outputs: Value| json!({ "type": kind, "id": id, "container_id": "c", "code": code, "outputs": outputs });
            (item(String::new(), Value::Null), item(pieces.concat(), outputs))
        }
    };
    added["status"] = "in_progress".into();
    let event = |kind: &str, item: &Value| json!({ "type": format!("response.output_item.{kind}"), "output_index": index, "item": item });
    events.insert(0, event("added", &added));
    events.push(event("done", &item));
    (events, item)
}

fn events() -> impl Strategy<Value = Vec<Value>> {
    let kinds = select(vec!["message", "message", "reasoning", "function_call", "mcp_call", "code_interpreter_call"]);
    (vec((kinds, vec(1..4_usize, 1..4)), 1..5), faults()).prop_map(|(items, faults)| {
        let mut words = Words::default();
        let mut events = vec![json!({ "type": "response.created" })];
        let mut output = Vec::new();
        for (index, (kind, sizes)) in items.iter().enumerate() {
            let (more, item) = item_events(index, kind, sizes, &mut words);
            events.extend(more);
            output.push(item);
        }
        let response = json!({ "object": "response", "status": "completed", "output": output });
        events.push(json!({ "type": "response.completed", "response": response }));
        faults.apply(events)
    })
}

fn words(text: &str) -> BTreeSet<&str> {
    text.split('«').skip(1).filter_map(|rest| rest.split_once('»')).map(|(word, _)| word).collect()
}

proptest! {
    #![proptest_config(cases())]

    #[test]
    fn no_text_is_lost(events in events()) {
        let stream = events.iter().map(|event| format!("data: {event}\n\n")).collect::<Vec<_>>().concat();
        let got = match from_response(&stream) {
            Ok(reply) => to_input(&reply.text).unwrap(),
            Err(Error::Api(_)) => String::new(),
            Err(error) => panic!("{error}\n{stream}"),
        };
        let (arrived, kept) = (words(&stream), words(&got));
        let lost: Vec<&&str> = arrived.difference(&kept).collect();
        prop_assert!(lost.is_empty(), "{lost:?} are lost:\n{stream}\n{got}");
    }
}
