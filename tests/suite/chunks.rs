//! Large payloads are written and read back some items at a time, which does not change the document.

use serde_json::{Value, json};

use crate::support::{from_response, to_input};

/// More than is written at once.
fn long(start: &str) -> String {
    format!("{start} {}", "A line with \"quotes\" and <user>.\n".repeat(3_000))
}

fn message(role: &str, text: &str) -> Value {
    let kind = if role == "assistant" { "output_text" } else { "input_text" };
    json!({ "type": "message", "role": role, "content": [{ "type": kind, "text": text }] })
}

fn output(id: usize) -> Value {
    json!({ "type": "function_call_output", "call_id": format!("call_{id}"), "output": long("out") })
}

#[test]
fn document_of_many_items_is_that_of_each_item() {
    let items: Vec<Value> = (0..12)
        .flat_map(|id| [message("user", &long("u")), message("assistant", "short"), output(id), message("user", "")])
        .collect();
    let each: Vec<String> = items.iter().map(|item| from_response(&json!([item]).to_string()).unwrap().text).collect();
    let whole = from_response(&Value::Array(items.clone()).to_string()).unwrap().text;
    assert!(whole == each.join("\n"), "{}", &whole[..300]);
    let back: Value = serde_json::from_str(&to_input(&whole).unwrap()).unwrap();
    assert!(back == Value::Array(items));
}

#[test]
fn only_an_empty_message_at_the_very_end_has_metadata() {
    let empty = json!({ "type": "message", "role": "user", "content": [] });
    for count in 1..4 {
        let mut items = vec![message("user", &long("u"))];
        for _ in 0..count {
            items.extend([message("user", &long("u")), empty.clone(), empty.clone(), message("assistant", "short")]);
        }
        items.push(empty.clone());
        let document = from_response(&Value::Array(items.clone()).to_string()).unwrap().text;
        assert_eq!(document.matches("chatmd:").count(), 1);
        assert!(document.rfind("chatmd:fields {}") > document.rfind("</assistant>"), "it is the last message");
        let back: Value = serde_json::from_str(&to_input(&document).unwrap()).unwrap();
        assert!(back == Value::Array(items));
    }
}

#[test]
fn the_request_stands_before_all_items() {
    let items: Vec<Value> = (0..4).map(output).collect();
    let request = json!({ "model": "m", "instructions": "Be brief.", "temperature": 0.5, "input": items });
    let document = from_response(&request.to_string()).unwrap().text;
    assert!(
        document.starts_with("<config model=\"m\" temperature=\"0.5\"/>\n\n<system instructions>"),
        "{}",
        &document[..99]
    );
    assert_eq!(document.matches("<config").count(), 1);
    let back: Value = serde_json::from_str(&to_input(&document).unwrap()).unwrap();
    assert!(back == request["input"]);
}

#[test]
fn later_settings_are_elements_after_any_size() {
    let update = json!({ "type": "configuration_update", "reasoning": { "effort": "high" } });
    let turn = |_| [message("user", &long("u")), update.clone(), message("assistant", &long("a"))];
    let items: Vec<Value> = (0..6).flat_map(turn).collect();
    let request = json!({ "model": "m", "input": items }).to_string();
    let document = from_response(&request).unwrap().text;
    assert_eq!(document.matches("<config reasoning_effort=\"high\"/>").count(), 6);
    let back: Value = serde_json::from_str(&to_input(&document).unwrap()).unwrap();
    assert!(back == Value::Array(items.clone()));
    // Without a first `<config>` they are comments.
    let document = from_response(&Value::Array(items).to_string()).unwrap().text;
    assert_eq!((document.matches("<config").count(), document.matches("chatmd:item").count()), (0, 6));
}

#[test]
fn problems_of_late_items_have_their_places() {
    let (mut items, odd) = ((0..4).map(output).collect::<Vec<_>>(), json!({ "type": "function_call" }));
    items.push(odd);
    let reply = from_response(&Value::Array(items.clone()).to_string()).unwrap();
    assert!(reply.warnings.to_string().contains("input[4]"), "{}", reply.warnings);
    let text = Value::Array(items)
        .to_string()
        .replace("\"type\":\"function_call\"}]", "\"role\":\"user\",\"content\":\"\\ud800\"}]");
    let error = from_response(&text).unwrap_err().to_string();
    assert!(error.contains("input[4].content"), "{error}");
}
