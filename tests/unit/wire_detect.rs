//! Tests of `src/wire/detect.rs`.

use super::{Detected, Form, detect};
use crate::json::{Json, StringArena};
use crate::wire::Api;

fn detected(text: &str) -> Option<Detected> {
    let strings = StringArena::default();
    let object = Json::parse(text, &strings).and_then(Json::object).unwrap_or_default();
    detect(&object)
}

#[test]
fn each_sign_names_its_api() {
    let of_messages = [
        r#"{"messages":[],"system":"x"}"#,
        r#"{"messages":[],"tools":[{"name":"f","input_schema":{}}]}"#,
        r#"{"messages":[],"tools":[{"type":"bash_20250124","name":"bash"}]}"#,
        r#"{"messages":[{"role":"user","content":[{"type":"tool_result","tool_use_id":"a"}]}]}"#,
        r#"{"messages":[{"role":"user","content":"x"}],"model":"claude-x","max_tokens":9}"#,
    ];
    for text in of_messages.into_iter().chain([r#"{"messages":[],"system":"x","input":"x"}"#]) {
        assert_eq!(detected(text), Some(Detected::Api(Api::Messages, Form::Request)), "{text}");
    }
    let of_chat = [
        r#"{"messages":[],"seed":1}"#,
        r#"{"messages":[{"role":"tool","tool_call_id":"a","content":""}]}"#,
        r#"{"messages":[{"role":"assistant","tool_calls":[]}]}"#,
        r#"{"messages":[],"tools":[{"type":"function","function":{}}]}"#,
        r#"{"messages":[{"role":"user","content":[{"type":"image_url"}]}]}"#,
        r#"{"messages":[{"role":"user","content":"x"}],"model":"claude-x"}"#,
    ];
    for text in of_chat {
        assert_eq!(detected(text), Some(Detected::Api(Api::Chat, Form::Request)), "{text}");
    }
}

#[test]
fn replies_events_and_errors_are_known() {
    let cases = [
        (r#"{"type":"message","role":"assistant","content":[],"stop_reason":null}"#, Api::Messages, Form::Reply),
        (r#"{"type":"content_block_stop","index":0}"#, Api::Messages, Form::Event),
        (r#"{"type":"error","error":{"type":"x"}}"#, Api::Messages, Form::Error),
        (r#"{"custom_id":"a","result":{}}"#, Api::Messages, Form::BatchResult),
        (r#"{"choices":[{"message":{}}]}"#, Api::Chat, Form::Reply),
        (r#"{"choices":[{"delta":{}}]}"#, Api::Chat, Form::Event),
    ];
    for (text, api, form) in cases {
        assert_eq!(detected(text), Some(Detected::Api(api, form)), "{text}");
    }
    assert_eq!(detected(r#"{"input":"x","model":"m"}"#), None);
    assert_eq!(detected(r#"{"input":"x","messages":[]}"#), None);
    assert_eq!(detected(r#"{"type":"error","sequence_number":1,"error":{}}"#), None);
}

#[test]
fn signs_of_both_apis_are_named() {
    let ambiguous = detected(r#"{"messages":[],"system":"x","seed":1}"#);
    let (messages, chat) = ("`system`".to_owned(), "`seed`".to_owned());
    assert_eq!(ambiguous, Some(Detected::Ambiguous { messages, chat }));
}
