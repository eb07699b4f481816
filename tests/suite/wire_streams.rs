//! Streams of the Messages and the Chat API add up to the body that the API sends without a stream.

use chatmd::internal::json::StringArena;
use chatmd::internal::stream::{StreamEnd, Streamed};
use chatmd::internal::{chat, messages};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::Index;
use serde_json::{Value, json};

use crate::cases::cases;

type Reader = for<'j> fn(&'j str, usize, &'j StringArena) -> Streamed<'j>;

/// Each body of a stream with how it ended.
fn bodies(read: Reader, stream: &str) -> Vec<(Value, &'static str)> {
    let strings = StringArena::default();
    let end = |end: StreamEnd<'_>| match end {
        StreamEnd::Complete => "complete",
        StreamEnd::Cut => "cut",
        StreamEnd::Error(_) => "error",
    };
    let streamed = read(stream, 0, &strings);
    streamed.bodies.iter().map(|body| (serde_json::from_str(body.json.raw()).unwrap(), end(body.end))).collect()
}

fn sse(events: &[Value]) -> String {
    events.iter().map(|event| format!("data: {event}\n\n")).collect::<Vec<_>>().concat()
}

fn block_start(index: usize, block: &Value) -> Value {
    json!({ "type": "content_block_start", "index": index, "content_block": block })
}

fn block_delta(index: usize, delta: &Value) -> Value {
    json!({ "type": "content_block_delta", "index": index, "delta": delta })
}

fn chunk(delta: &Value) -> Value {
    json!({ "object": "chat.completion.chunk", "id": "c", "choices": [{ "index": 0, "delta": delta, "finish_reason": null }] })
}

fn finish(reason: &str) -> Value {
    json!({ "id": "c", "choices": [{ "index": 0, "delta": {}, "finish_reason": reason }] })
}

#[test]
fn a_message_has_its_blocks_its_stop_reason_and_its_usage() {
    let start = json!({ "type": "message_start", "message": { "type": "message", "id": "m", "role": "assistant", "content": [],
        "stop_reason": null, "usage": { "input_tokens": 3, "output_tokens": 1 } } });
    let events = [
        start.clone(),
        json!({ "type": "ping" }),
        block_start(0, &json!({ "type": "thinking", "thinking": "", "signature": "" })),
        block_delta(0, &json!({ "type": "thinking_delta", "thinking": "Well" })),
        block_delta(0, &json!({ "type": "signature_delta", "signature": "c2ln" })),
        block_start(1, &json!({ "type": "text", "text": "" })),
        block_delta(1, &json!({ "type": "text_delta", "text": "See" })),
        block_delta(1, &json!({ "type": "citations_delta", "citation": { "cited_text": "a" } })),
        block_delta(1, &json!({ "type": "text_delta", "text": " it." })),
        block_start(2, &json!({ "type": "tool_use", "id": "t1", "name": "f", "input": {} })),
        block_delta(2, &json!({ "type": "input_json_delta", "partial_json": "{\"a\": " })),
        block_delta(2, &json!({ "type": "input_json_delta", "partial_json": "1.0}" })),
        block_start(3, &json!({ "type": "tool_use", "id": "t2", "name": "g", "input": {} })),
        block_start(4, &json!({ "type": "compaction", "content": "" })),
        block_delta(4, &json!({ "type": "compaction_delta", "content": "short" })),
        json!({ "type": "message_delta", "delta": { "stop_reason": "tool_use" }, "usage": { "output_tokens": 9 } }),
        json!({ "type": "message_stop" }),
    ];
    let content = json!([
        { "type": "thinking", "thinking": "Well", "signature": "c2ln" },
        { "type": "text", "text": "See it.", "citations": [{ "cited_text": "a" }] },
        { "type": "tool_use", "id": "t1", "name": "f", "input": "{\"a\": 1.0}" },
        { "type": "tool_use", "id": "t2", "name": "g", "input": {} },
        { "type": "compaction", "content": "short" },
    ]);
    let got = bodies(messages::read_stream, &sse(&events));
    let [(body, "complete")] = &got[..] else { panic!("{got:?}") };
    assert_eq!(body["content"], content);
    assert_eq!((&body["id"], &body["stop_reason"]), (&json!("m"), &json!("tool_use")));
    assert_eq!(body["usage"], json!({ "input_tokens": 3, "output_tokens": 9 }));
    // The arguments are the same bytes.
    let strings = StringArena::default();
    let stream = sse(&events);
    assert!(messages::read_stream(&stream, 0, &strings).bodies[0].json.raw().contains(r#""input":"{\"a\": 1.0}""#));
    // A second message is another reply.
    let twice = bodies(messages::read_stream, &sse(&[&events[..], &events[..]].concat()));
    assert_eq!(twice.len(), 2);
    assert_eq!(twice[0], twice[1]);
    // An error ends the reply, and the blocks stay.
    let error = json!({ "type": "error", "error": { "type": "overloaded_error", "message": "later" } });
    let failed = bodies(messages::read_stream, &sse(&[&events[..9], &[error]].concat()));
    assert_eq!((failed[0].0["content"].as_array().unwrap().len(), failed[0].1), (2, "error"));
}

#[test]
fn a_cut_call_keeps_its_text_and_no_half_signature() {
    let call = block_start(0, &json!({ "type": "tool_use", "id": "t", "name": "f", "input": {} }));
    let delta = r#"data: {"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":"{\"a\":\"b\u00"#;
    let got = bodies(messages::read_stream, &(sse(&[call]) + delta));
    assert_eq!(
        got,
        [(
            json!({ "type": "message", "role": "assistant",
        "content": [{ "type": "tool_use", "id": "t", "name": "f", "input": "{\"a\":\"b" }] }),
            "cut"
        )]
    );
    let thinking = block_start(0, &json!({ "type": "thinking", "thinking": "Well", "signature": "" }));
    let delta = r#"data: {"type":"content_block_delta","index":0,"delta":{"type":"signature_delta","signature":"c2"#;
    let got = bodies(messages::read_stream, &(sse(&[thinking]) + delta));
    assert_eq!(got[0].0["content"], json!([{ "type": "thinking", "thinking": "Well" }]));
}

fn chat_stream<'j>(text: &'j str, at: usize, strings: &'j StringArena) -> Streamed<'j> {
    chat::read_stream(text, at, None, strings)
}

#[test]
fn chunks_add_up_to_choices() {
    let events = [
        chunk(&json!({ "role": "assistant", "content": null, "reasoning_content": "Hm" })),
        chunk(&json!({ "reasoning_content": "m.", "content": "Hel" })),
        chunk(&json!({ "content": "lo", "role": "assistant", "odd": 1 })),
        chunk(
            &json!({ "tool_calls": [{ "index": 0, "id": "c1", "type": "function", "function": { "name": "f", "arguments": "" } }] }),
        ),
        chunk(
            &json!({ "tool_calls": [{ "index": 0, "id": "c1", "function": { "name": "f", "arguments": "{\"a\":" } }] }),
        ),
        chunk(&json!({ "tool_calls": [{ "index": 0, "function": { "arguments": "1}" } }], "odd": 2 })),
        chunk(&json!({ "tool_calls": [{ "id": "c2", "function": { "name": "g", "arguments": { "b": 2 } } }] })),
        finish("tool_calls"),
        json!({ "choices": [], "usage": { "total_tokens": 5 } }),
    ];
    let got = bodies(chat_stream, &(sse(&events) + "data: [DONE]\n\n"));
    let [(body, "complete")] = &got[..] else { panic!("{got:?}") };
    let message = json!({ "role": "assistant", "content": "Hello", "reasoning_content": "Hmm.", "odd": 2, "tool_calls": [
        { "id": "c1", "type": "function", "function": { "name": "f", "arguments": "{\"a\":1}" } },
        { "id": "c2", "function": { "name": "g", "arguments": "{\"b\":2}" } },
    ] });
    assert_eq!(body["choices"], json!([{ "index": 0, "message": message, "finish_reason": "tool_calls" }]));
    assert_eq!((&body["id"], &body["usage"]), (&json!("c"), &json!({ "total_tokens": 5 })));
}

#[test]
fn lists_and_details_are_joined() {
    let thinking = |text: &str| json!({ "type": "thinking", "thinking": [{ "type": "text", "text": text }] });
    let detail = |index: usize, text: &str| json!({ "type": "reasoning.text", "index": index, "text": text });
    let events = [
        chunk(&json!({ "content": [thinking("One ")], "reasoning_details": [detail(0, "a"), detail(1, "x")] })),
        chunk(&json!({ "content": [thinking("two.")], "reasoning_details": [detail(0, "b")] })),
        chunk(&json!({ "content": "Yes" })),
        chunk(&json!({ "content": [{ "type": "text", "text": "." }, { "type": "image", "id": "i" }] })),
    ];
    let got = bodies(chat_stream, &sse(&events));
    assert_eq!(got[0].1, "cut");
    let message = &got[0].0["choices"][0]["message"];
    let content = json!([{ "type": "thinking", "thinking": "One two." }, { "type": "text", "text": "Yes." }, { "type": "image", "id": "i" }]);
    assert_eq!(message["content"], content);
    assert_eq!(message["reasoning_details"], json!([detail(0, "ab"), detail(1, "x")]));
}

#[test]
fn a_reply_ends_with_a_reason_with_done_or_with_an_error() {
    let text = sse(&[chunk(&json!({ "content": "a" }))]);
    let error = sse(&[json!({ "error": { "message": "no" } })]);
    for (stream, end) in [
        (text.clone(), "cut"),
        (text.clone() + &sse(&[finish("stop")]), "complete"),
        (text.clone() + &sse(&[finish("")]), "complete"),
        (text.clone() + "data: [DONE]\n\n", "complete"),
        (text + &error, "error"),
        (error.clone(), "error"),
    ] {
        assert_eq!(bodies(chat_stream, &stream)[0].1, end, "{stream}");
    }
    assert_eq!(bodies(chat_stream, ": ping\n\n"), []);
}

#[test]
fn a_chosen_choice_is_complete_without_the_others() {
    let delta = |index: u64, reason: Value| json!({ "choices": [{ "index": index, "delta": { "content": "a" }, "finish_reason": reason }] });
    let stream = sse(&[delta(0, json!(null)), delta(1, json!("stop"))]);
    let strings = StringArena::default();
    for (chosen, end) in [(None, StreamEnd::Cut), (Some(0), StreamEnd::Cut), (Some(1), StreamEnd::Complete)] {
        assert_eq!(chat::read_stream(&stream, 0, chosen, &strings).bodies[0].end, end, "{chosen:?}");
    }
}

/// A stream of both APIs with the same texts.
fn streams(texts: &[String]) -> [(Reader, String); 2] {
    let delta = |text: &String| block_delta(0, &json!({ "type": "text_delta", "text": text }));
    let messages: Vec<Value> = texts.iter().map(delta).collect();
    let chat: Vec<Value> = texts.iter().map(|text| chunk(&json!({ "content": text }))).collect();
    [(messages::read_stream as Reader, sse(&messages)), (chat_stream as Reader, sse(&chat))]
}

fn text_of(body: &Value) -> String {
    let text = body["content"][0]["text"].as_str().or_else(|| body["choices"][0]["message"]["content"].as_str());
    text.unwrap_or_default().to_owned()
}

proptest! {
    #![proptest_config(cases())]

    #[test]
    fn line_endings_and_a_byte_order_mark_change_nothing(texts in vec("[a\n\"é😀]{0,4}", 1..5)) {
        for (read, stream) in streams(&texts) {
            let expected = bodies(read, &stream);
            prop_assert_eq!(&bodies(read, &stream.replace('\n', "\r\n")), &expected);
            prop_assert_eq!(&bodies(read, &format!("\u{feff}{stream}")), &expected);
            prop_assert_eq!(text_of(&expected[0].0), texts.concat());
        }
    }

    /// A cut keeps the text of all events before it, and the readable beginning of its own event.
    #[test]
    fn a_cut_loses_no_text(texts in vec("[a\n\"é😀]{1,4}", 1..5), cut in any::<Index>()) {
        for (read, stream) in streams(&texts) {
            let cut = (0..=cut.index(stream.len())).rev().find(|at| stream.is_char_boundary(*at)).unwrap();
            let arrived = &stream[..cut];
            let complete = texts[..arrived.matches("\n\n").count()].concat();
            let got = bodies(read, arrived).first().map(|(body, _)| text_of(body)).unwrap_or_default();
            prop_assert!(texts.concat().starts_with(&got), "{got:?} of {texts:?}");
            prop_assert!(got.starts_with(&complete), "{complete:?} is not in {got:?}");
        }
    }
}
