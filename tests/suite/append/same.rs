//! Two versions of one reply are one reply; two replies with other ids are two.

use chatmd::{AppendOptions, Converter, ResponseOptions};
use proptest::collection::vec;
use proptest::prelude::*;
use serde_json::{Value, json};

use super::{DOCUMENT, append, folder_with};
use crate::cases::cases;
use crate::items::item;

/// Whether the second reply is taken for the first one, which the document ends with.
fn is_one(first: &[Value], second: &[Value]) -> bool {
    let converter = Converter::new();
    let text = |items: &[Value]| {
        converter.from_response(Value::Array(items.to_vec()).to_string(), &ResponseOptions::default()).unwrap().text
    };
    let document = converter.append(DOCUMENT, text(first), &AppendOptions::default()).unwrap().text.unwrap();
    let again = converter.append(document.as_str(), text(second), &AppendOptions::default()).unwrap();
    assert_eq!(again.already_present, again.text.is_none());
    again.already_present
}

fn reasoning(encrypted: &str, id: Value) -> Value {
    let mut item =
        json!({"type":"reasoning","summary":[{"type":"summary_text","text":"Hm."}],"encrypted_content":encrypted});
    if !id.is_null() {
        item["id"] = id;
    }
    item
}

#[test]
fn body_after_its_stream_changes_nothing() {
    let message = json!({"type":"message","id":"msg_1","role":"assistant","status":"completed","content":[
        {"type":"output_text","text":"Four.","annotations":[],"logprobs":[]}]});
    let done = [reasoning("gAAAA-of-the-event", json!("rs_1")), message.clone()];
    let mut whole = [reasoning("gAAAA-of-the-body", json!("rs_1")), message];
    whole[1]["content"][0].as_object_mut().unwrap().remove("logprobs");
    let body = json!({"object":"response","id":"resp_1","status":"completed","created_at":1,"output":whole});
    let done = done.iter().enumerate();
    let done = done.map(|(index, item)| json!({"type":"response.output_item.done","output_index":index,"item":item}));
    let events = done.chain([json!({"type":"response.completed","response":body})]);
    let (stream, body) =
        (events.map(|event| format!("data: {event}\n\n")).collect::<Vec<_>>().concat(), body.to_string());
    for (first, second) in [(&stream, &body), (&body, &stream)] {
        let directory = folder_with(DOCUMENT);
        let (code, once) = append(directory.path(), &[], first);
        assert_eq!(code, Some(0));
        assert_eq!(append(directory.path(), &[], second), (Some(0), once));
    }
}

#[test]
fn encrypted_content_counts_if_there_is_no_id() {
    let of = |encrypted: &str, id: Value| [reasoning(encrypted, id)];
    assert!(is_one(&of("a", json!("rs_1")), &of("b", json!("rs_1"))));
    assert!(!is_one(&of("a", json!("rs_1")), &of("a", json!("rs_2"))));
    assert!(!is_one(&of("a", json!("rs_1")), &of("a", Value::Null)));
    assert!(!is_one(&of("a", Value::Null), &of("b", Value::Null)));
    assert!(is_one(&of("a", Value::Null), &of("a", Value::Null)));
}

#[test]
fn content_is_compared() {
    let call =
        |id: &str, input: &str| [json!({"type":"custom_tool_call","id":"c","call_id":id,"name":"f","input":input})];
    assert!(is_one(&call("call_1", "x"), &call("call_1", "x")));
    assert!(!is_one(&call("call_1", "x"), &call("call_1", "y")));
    assert!(!is_one(&call("call_1", "x"), &call("call_2", "x")));
    let image = |result: &str, status: &str| {
        [json!({"type":"image_generation_call","id":"ig","status":status,"result":result,"created_at":1})]
    };
    assert!(is_one(&image("iVBORw0K", "generating"), &image("iVBORw0K", "completed")));
    assert!(!is_one(&image("iVBORw0K", "completed"), &image("iVBORw0L", "completed")));
}

/// Gives each item an id.
fn identified(items: &[Value]) -> Vec<Value> {
    let with_id = |(index, item): (usize, &Value)| {
        let mut item = item.clone();
        item["id"] = json!(format!("id_{index}"));
        item
    };
    items.iter().enumerate().map(with_id).collect()
}

proptest! {
    #![proptest_config(cases())]

    #[test]
    fn another_version_of_any_reply_is_the_same_reply(items in vec(item(), 1..4)) {
        let first = identified(&items);
        let mut second = first.clone();
        for item in &mut second {
            let item = item.as_object_mut().unwrap();
            item.insert("encrypted_content".to_owned(), json!("other"));
            item.insert("status".to_owned(), json!("incomplete"));
            item.insert("completed_at".to_owned(), json!(1_700_000_000));
        }
        prop_assert!(is_one(&first, &second));
    }

    #[test]
    fn replies_with_other_ids_are_two_replies(items in vec(item(), 1..4), which in any::<prop::sample::Index>()) {
        let first = identified(&items);
        let mut second = first.clone();
        second[which.index(items.len())]["id"] = json!("another");
        prop_assert!(!is_one(&first, &second));
    }
}
