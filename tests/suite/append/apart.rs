//! A reply directly after a reply of the Messages or the Chat API is a message of its own.

use serde_json::{Value, json};

use super::{append, folder_with};
use crate::run::chatmd;

fn reply(api: &str, text: &str) -> String {
    let body = if api == "messages" {
        json!({ "type": "message", "role": "assistant", "stop_reason": "max_tokens", "content": [
            { "type": "text", "text": text },
            { "type": "tool_use", "id": text, "name": "f", "input": { "n": 1 } },
        ] })
    } else {
        json!({ "object": "chat.completion", "choices": [{ "index": 0, "finish_reason": "length", "message": {
            "role": "assistant",
            "content": text,
            "tool_calls": [{ "id": text, "type": "function", "function": { "name": "f", "arguments": "{}" } }],
        } }] })
    };
    body.to_string()
}

#[test]
fn replies_after_each_other_stay_two_messages() {
    for api in ["messages", "chat"] {
        let directory = folder_with("<config model=\"m\" max_tokens=\"9\"/>\n\n<user>\nHello.\n</user>\n");
        for text in ["One", "Two"] {
            assert_eq!(append(directory.path(), &[], &reply(api, text)).0, Some(5), "{api}");
        }
        let (_, document) = append(directory.path(), &[], &reply(api, "Two"));
        let mark = format!("<assistant><!-- chatmd:fields {{\"@{api}\":{{\"@at\":\"new\"}}}} -->\nTwo\n</assistant>\n");
        assert_eq!((document.matches(&mark).count(), document.matches("@at").count()), (1, 1), "{document}");
        assert_eq!(document.matches("\nTwo\n").count(), 1, "{document}");
        let request = chatmd(directory.path(), &["to-request", "--api", api, "chat.md"], &[], "").stdout;
        let messages = serde_json::from_str::<Value>(&request).unwrap()["messages"].clone();
        let roles: Vec<&str> = messages.as_array().unwrap().iter().filter_map(|one| one["role"].as_str()).collect();
        assert_eq!(roles, ["user", "assistant", "assistant"], "{request}");
    }
}
