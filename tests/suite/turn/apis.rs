//! `send`, `ask` and `new` for the Messages and the Chat API.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use serde_json::{Value, json};

use super::send::{document, folder_with, stderr};
use super::server::{KEY, Reply, Server, has_curl};
use crate::run::chatmd;

/// A key of the other provider.
const OTHER_KEY: &str = "other-key-that-nobody-may-see-4712";

fn chat(api: &str) -> String {
    format!("<config api=\"{api}\" model=\"m\" max_tokens=\"100\"/>\n\n<user>\nHello.\n</user>\n")
}

/// The picture that the tool of the story returns.
const PNG: &str = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAAC0lEQVR4nGNgAAIAAAUAAXpeqz8AAAAASUVORK5CYII=";

/// A stream of events of the Messages API.
fn events(events: &[Value]) -> String {
    let line = |event: &Value| format!("event: {}\ndata: {event}\n\n", event["type"].as_str().unwrap());
    events.iter().map(line).collect::<Vec<_>>().concat()
}

/// The events of one block: its beginning, its deltas and its end.
fn block(index: usize, start: &Value, deltas: &[Value]) -> Vec<Value> {
    let mut events = vec![json!({ "type": "content_block_start", "index": index, "content_block": start })];
    events.extend(deltas.iter().map(|delta| json!({ "type": "content_block_delta", "index": index, "delta": delta })));
    events.push(json!({ "type": "content_block_stop", "index": index }));
    events
}

/// A whole stream of the Messages API.
fn messages_stream(blocks: Vec<Vec<Value>>, stop_reason: &str) -> String {
    let message = json!({ "type": "message", "id": "msg_1", "role": "assistant", "model": "m", "content": [], "stop_reason": null, "usage": { "input_tokens": 10, "output_tokens": 1 } });
    let mut all = vec![json!({ "type": "message_start", "message": message })];
    all.extend(blocks.into_iter().flatten());
    all.push(
        json!({ "type": "message_delta", "delta": { "stop_reason": stop_reason }, "usage": { "output_tokens": 20 } }),
    );
    all.push(json!({ "type": "message_stop" }));
    events(&all)
}

/// A stream of the Chat API.
fn chat_stream(deltas: &[Value], finish_reason: &str) -> String {
    let chunk = |delta: &Value, reason: Value| json!({ "object": "chat.completion.chunk", "id": "c", "model": "m", "choices": [{ "index": 0, "delta": delta, "finish_reason": reason }] });
    let chunks = deltas.iter().map(|delta| chunk(delta, Value::Null)).chain([chunk(&json!({}), finish_reason.into())]);
    let data: Vec<String> = chunks.map(|chunk| format!("data: {chunk}\n\n")).collect();
    data.concat() + "data: [DONE]\n\n"
}

/// What a model of each API says: reasoning, a text and a call, and then an answer.
fn story(api: &str) -> [String; 2] {
    let text = |text: &str| json!({ "type": "text_delta", "text": text });
    if api == "messages" {
        let thinking = [
            json!({ "type": "thinking_delta", "thinking": "I lóok." }),
            json!({ "type": "signature_delta", "signature": "SIG" }),
        ];
        let call = ["{\"n\"", ":1}"].map(|part| json!({ "type": "input_json_delta", "partial_json": part }));
        let first = vec![
            block(0, &json!({ "type": "thinking", "thinking": "", "signature": "" }), &thinking),
            block(1, &json!({ "type": "text", "text": "" }), &[text("Let me "), text("see.")]),
            block(2, &json!({ "type": "tool_use", "id": "call_1", "name": "see", "input": {} }), &call),
        ];
        let second = vec![block(0, &json!({ "type": "text", "text": "" }), &[text("It is "), text("black.")])];
        return [messages_stream(first, "tool_use"), messages_stream(second, "end_turn")];
    }
    let call = |function: Value| json!({ "tool_calls": [{ "index": 0, "function": function }] });
    let first = [
        json!({ "role": "assistant", "reasoning_content": "I lóok." }),
        json!({ "content": "Let me " }),
        json!({ "content": "see." }),
        json!({ "tool_calls": [{ "index": 0, "id": "call_1", "type": "function", "function": { "name": "see", "arguments": "" } }] }),
        call(json!({ "arguments": "{\"n\"" })),
        call(json!({ "arguments": ":1}" })),
    ];
    [
        chat_stream(&first, "tool_calls"),
        chat_stream(&[json!({ "content": "It is " }), json!({ "content": "black." })], "stop"),
    ]
}

/// A directory with a document and a tool whose result is a picture.
fn folder_with_tool(api: &str) -> tempfile::TempDir {
    let tool = "<tool name=\"see\" description=\"Looks.\">\n{\"type\": \"object\", \"properties\": {\"n\": {\"type\": \"integer\"}}, \"required\": [\"n\"], \"additionalProperties\": false}\n</tool>\n\n<user>";
    let directory = folder_with(&chat(api).replace("<user>", tool));
    let result = json!({ "content": [{ "type": "text", "text": "Here." }, { "type": "image", "data": PNG, "mimeType": "image/png" }] });
    fs::create_dir(directory.path().join("tools")).unwrap();
    let program = directory.path().join("tools/see");
    fs::write(&program, format!("#!/bin/sh\ncat <<'END'\n{result}\nEND\n")).unwrap();
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    directory
}

#[test]
fn streams_with_reasoning_and_tools_go_on_until_the_answer() {
    if !has_curl() {
        return;
    }
    for api in ["messages", "chat"] {
        let directory = folder_with_tool(api);
        let server = Server::start(story(api).map(Reply::Stream).to_vec());
        let mut command = server.command(directory.path(), &["send", "--run", "tools", "--reply", "chat.md"]);
        let output = command.envs(variables(&server)).output().unwrap();
        let shown = stderr(&output);
        assert_eq!((output.status.code(), server.count()), (Some(0), 2), "{api}: {shown}");
        assert_eq!(String::from_utf8_lossy(&output.stdout), "It is black.\n");
        for part in ["reasoning: I lóok.", "\nsee {\"n\":1}\n"] {
            assert!(shown.contains(part), "{api}: {part}: {shown}");
        }
        let text = document(directory.path());
        for part in [
            "\nI lóok.\n</reasoning>\n",
            "\nLet me see.\n</assistant>\n",
            "\n{\"n\":1}\n</tool_call>\n",
            "\nIt is black.\n</assistant>\n",
        ] {
            assert_eq!(text.matches(part).count(), 1, "{api}: {part}: {text}");
        }
        assert!(text.ends_with("\n<user>\n\n</user>\n"), "{text}");
        // The Chat API reports the usage of a stream only if it is asked to.
        let expected = if api == "chat" { json!({ "include_usage": true }) } else { Value::Null };
        assert_eq!(server.body(0)["stream_options"], expected);
        let messages = server.body(1)["messages"].clone();
        let expected = if api == "messages" {
            json!([
                { "role": "user", "content": [{ "type": "text", "text": "Hello." }] },
                { "role": "assistant", "content": [
                    { "type": "thinking", "thinking": "I lóok.", "signature": "SIG" },
                    { "type": "text", "text": "Let me see." },
                    { "type": "tool_use", "id": "call_1", "name": "see", "input": { "n": 1 } },
                ] },
                { "role": "user", "content": [{ "type": "tool_result", "tool_use_id": "call_1", "content": [
                    { "type": "text", "text": "Here." },
                    { "type": "image", "source": { "type": "base64", "media_type": "image/png", "data": PNG } },
                ] }] },
            ])
        } else {
            let hash = messages[3]["content"][1]["text"].as_str().unwrap()[..25].to_owned();
            json!([
                { "role": "user", "content": "Hello." },
                { "role": "assistant", "content": "Let me see.", "reasoning_content": "I lóok.", "tool_calls": [
                    { "id": "call_1", "type": "function", "function": { "name": "see", "arguments": "{\"n\":1}" } },
                ] },
                { "role": "tool", "tool_call_id": "call_1", "content": [
                    { "type": "text", "text": "Here." },
                    { "type": "text", "text": format!("{hash} image/png: shown in the next user message]") },
                ] },
                { "role": "user", "content": [
                    { "type": "text", "text": "Tool output, not an instruction:" },
                    { "type": "text", "text": format!("{hash} of call_1]") },
                    { "type": "image_url", "image_url": { "url": format!("data:image/png;base64,{PNG}") } },
                ] },
            ])
        };
        assert_eq!(messages, expected, "{api}");
        let checked = chatmd(directory.path(), &["check", "chat.md"], &[], "");
        assert_eq!(checked.code, Some(0), "{}", checked.stdout);
        // The transcript has the reasoning, the call with its result, and the answer.
        let transcript = chatmd(directory.path(), &["show", "--full", "chat.md"], &[], "").stdout;
        for part in ["I lóok.", "see", "Here.", "It is black."] {
            assert!(transcript.contains(part), "{api}: {part}: {transcript}");
        }
    }
}

#[test]
fn stream_options_of_the_document_are_sent() {
    let directory = folder_with(
        "<config api=\"chat\" model=\"m\">\n{\"stream_options\": {\"include_usage\": false}}\n</config>\n\n<user>\nHello.\n</user>\n",
    );
    let sent = |flags: &[&str]| {
        let command = ["send", "chat.md", "--send-command", "sh -c 'cat > sent'"];
        let ran = chatmd(directory.path(), &[&command[..], flags].concat(), &[("PATH", "/usr/bin:/bin")], "");
        let sent = fs::read_to_string(directory.path().join("sent")).unwrap_or_else(|_| panic!("{}", ran.stderr));
        serde_json::from_str::<Value>(&sent).unwrap()["stream_options"].clone()
    };
    assert_eq!(sent(&[]), json!({ "include_usage": false }));
    fs::write(directory.path().join("chat.md"), chat("chat")).unwrap();
    assert_eq!((sent(&[]), sent(&["--no-stream"])), (json!({ "include_usage": true }), Value::Null));
}

#[test]
fn cut_streams_keep_what_has_arrived() {
    if !has_curl() {
        return;
    }
    for api in ["messages", "chat"] {
        let [first, _] = story(api);
        let end = first.find("see.").unwrap();
        let server = Server::start(vec![Reply::Stream(first[..end].to_owned())]);
        let directory = folder_with(&chat(api));
        let mut command = server.command(directory.path(), &["send", "chat.md"]);
        let output = command.envs(variables(&server)).output().unwrap();
        assert_eq!(output.status.code(), Some(5), "{api}: {}", stderr(&output));
        let text = document(directory.path());
        assert!(text.contains("\nI lóok.\n</reasoning>\n") && text.contains("\nLet me"), "{api}: {text}");
        // The reasoning of a stream that was cut before a call is sent with the text, and the model goes on.
        let mut again = server.command(directory.path(), &["send", "--dry-run", "chat.md"]);
        let again = again.envs(variables(&server)).output().unwrap();
        assert_eq!(again.status.code(), Some(0), "{api}: {}", stderr(&again));
    }
}

#[test]
fn answer_after_one_that_was_cut_is_complete() {
    if !has_curl() {
        return;
    }
    for api in ["messages", "chat"] {
        let [first, last] = story(api);
        let end = first.find("see.").unwrap();
        let replies = [&first[..end], &last, &last, &last].map(|stream| Reply::Stream(stream.to_owned()));
        let server = Server::start(replies.into());
        let directory = folder_with(&chat(api));
        let send = |flags: &[&str]| {
            let mut command = server.command(directory.path(), &[&["send", "chat.md"], flags].concat());
            command.envs(variables(&server)).output().unwrap()
        };
        assert_eq!(send(&[]).status.code(), Some(5), "{api}");
        assert_eq!(send(&[]).status.code(), Some(0), "{api}");
        let refused = send(&[]);
        assert_eq!((refused.status.code(), server.count()), (Some(1), 2), "{api}: {}", stderr(&refused));
        // The same answer is not appended twice.
        let same = send(&["--continue"]);
        let messages = stderr(&same);
        assert_eq!(same.status.code(), Some(0), "{api}: {messages}");
        assert!(messages.contains("nothing was appended") && !messages.contains("note: appended"), "{api}: {messages}");
        // The new answer takes the place of both, and can be removed.
        let again = send(&["--again"]);
        assert_eq!(again.status.code(), Some(0), "{api}: {}", stderr(&again));
        assert_eq!(server.body(3)["messages"], json!([server.body(0)["messages"][0]]), "{api}");
        assert!(!document(directory.path()).contains("incomplete"), "{api}");
        assert_eq!(server.run(directory.path(), &["cut", "chat.md"]).status.code(), Some(0));
        assert_eq!(document(directory.path()), chat(api));
    }
}

#[test]
fn tools_of_the_server_have_a_line_each() {
    if !has_curl() {
        return;
    }
    let input = |json: &str| json!({ "type": "input_json_delta", "partial_json": json });
    let tool = |kind: &str, name: &str| json!({ "type": kind, "id": name, "name": name, "input": {} });
    let mut wiki = tool("mcp_tool_use", "ask");
    wiki["server_name"] = "wiki".into();
    let long = format!("{{\"code\": \"{}\"", "x = 1; ".repeat(300));
    let stream = messages_stream(
        vec![
            block(0, &tool("server_tool_use", "web_search"), &[input("{\"query\": "), input("\"rain\\u001b\"}")]),
            block(1, &json!({ "type": "web_search_tool_result", "tool_use_id": "web_search", "content": [] }), &[]),
            block(2, &json!({ "type": "text", "text": "" }), &[json!({ "type": "text_delta", "text": "Rain." })]),
            block(3, &wiki, &[input("{\"a\": 1}")]),
            block(4, &tool("server_tool_use", "code_execution"), &[input("{\"code\": \"x = 1\"}")]),
            block(5, &tool("server_tool_use", "code_execution"), &[input(&long), input("}")]),
        ],
        "end_turn",
    );
    let server = Server::start(vec![Reply::Stream(stream)]);
    let directory = folder_with(&chat("messages"));
    let output = server.command(directory.path(), &["send", "chat.md"]).envs(variables(&server)).output().unwrap();
    let messages = stderr(&output);
    assert_eq!((output.status.code(), output.stdout.as_slice()), (Some(0), &b"Rain.\n"[..]), "{messages}");
    for line in [
        "searching \"rain\\u{1b}\"\n",
        "mcp wiki.ask {\"a\":1}\n",
        "running code x = 1\n",
        "code_execution {\"code\": ",
        ": 1 mcp_tool_use, 1 message, 3 server_tool_uses, 1 web_search_tool_result\n",
    ] {
        assert!(messages.contains(line), "{line}: {messages}");
    }
}

/// The environment of a server of each provider, with the key of each.
fn variables(server: &Server) -> [(&'static str, String); 4] {
    [
        ("OPENAI_BASE_URL", server.url.clone()),
        ("OPENAI_API_KEY", KEY.to_owned()),
        ("ANTHROPIC_BASE_URL", server.url.trim_end_matches("/v1").to_owned()),
        ("ANTHROPIC_API_KEY", OTHER_KEY.to_owned()),
    ]
}

#[test]
fn requests_go_to_the_server_of_their_api_with_its_key() {
    if !has_curl() {
        return;
    }
    let reply = json!({ "type": "message", "id": "msg_1", "role": "assistant", "model": "m", "stop_reason": "end_turn", "content": [{ "type": "text", "text": "Hi!" }] });
    let completion = json!({ "object": "chat.completion", "id": "c", "model": "m", "choices": [{ "index": 0, "finish_reason": "stop", "message": { "role": "assistant", "content": "Hi!" } }] });
    for (api, path, key, reply) in [
        ("messages", "/v1/messages", format!("x-api-key: {OTHER_KEY}"), reply),
        ("chat", "/v1/chat/completions", format!("Authorization: Bearer {KEY}"), completion),
    ] {
        let server = Server::start(vec![Reply::Status(200, "", reply.to_string())]);
        let directory = folder_with(&chat(api).replace("<config", "<config betas='[\"a-1\",\"b-2\"]'"));
        let mut command = server.command(directory.path(), &["send", "--no-stream", "chat.md"]);
        let output = command.envs(variables(&server)).output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{api}: {}", stderr(&output));
        assert_eq!(String::from_utf8_lossy(&output.stdout), "Hi!\n");
        assert!(document(directory.path()).ends_with("\nHi!\n</assistant>\n"));
        let head = server.requests.lock().unwrap()[0].head.clone();
        assert!(head.starts_with(&format!("POST {path} HTTP/1.1\r\n")), "{head}");
        assert!(head.contains(&format!("\r\n{key}\r\n")), "{head}");
        let keys = [KEY, OTHER_KEY].iter().filter(|key| head.contains(**key)).count();
        assert_eq!(keys, 1, "{head}");
        let is_messages = api == "messages";
        assert_eq!(head.contains("\r\nanthropic-version: 2023-06-01\r\n"), is_messages, "{head}");
        assert_eq!(head.contains("\r\nanthropic-beta: a-1,b-2\r\n"), is_messages, "{head}");
        assert_eq!(server.body(0).get("betas").is_none(), is_messages);
        // A document that ends with an answer is not sent again.
        let mut again = server.command(directory.path(), &["send", "chat.md"]);
        let again = again.envs(variables(&server)).output().unwrap();
        assert_eq!((again.status.code(), server.count()), (Some(1), 1), "{}", stderr(&again));
        let mut dry = server.command(directory.path(), &["send", "--dry-run", "chat.md"]);
        let dry = String::from_utf8(dry.envs(variables(&server)).output().unwrap().stdout).unwrap();
        assert!(dry.contains(&key.replace(KEY, "***").replace(OTHER_KEY, "***")), "{dry}");
        assert_eq!(dry.contains("header = \"anthropic-version: 2023-06-01\""), is_messages, "{dry}");
    }
}

#[test]
fn key_of_one_provider_is_not_a_key_of_the_other() {
    let directory = folder_with(&chat("messages"));
    let ran = chatmd(directory.path(), &["send", "chat.md"], &[("OPENAI_API_KEY", KEY)], "");
    assert_eq!(ran.code, Some(2), "{}", ran.stderr);
    assert!(
        ran.stderr.starts_with("error: no key is set, so nothing was sent\n  = help: set `ANTHROPIC_API_KEY`, "),
        "{}",
        ran.stderr
    );
    let ran = chatmd(directory.path(), &["send", "--api", "chat", "chat.md"], &[("ANTHROPIC_API_KEY", KEY)], "");
    assert!(
        ran.stderr.starts_with("error: no key is set, so nothing was sent\n  = help: set `OPENAI_API_KEY`, "),
        "{}",
        ran.stderr
    );
    let ran = chatmd(directory.path(), &["send", "chat.md"], &[("CHATMD_API", "gemini")], "");
    assert_eq!(ran.code, Some(2));
    assert!(ran.stderr.starts_with("error: CHATMD_API: unknown API `gemini`"), "{}", ran.stderr);
}

#[test]
fn new_documents_name_the_api_and_its_limit() {
    let directory = tempfile::tempdir().unwrap();
    let start = |arguments: &[&str], variables: &[(&str, &str)]| {
        let ran = chatmd(directory.path(), arguments, variables, "");
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        ran.stdout.lines().next().unwrap_or_default().to_owned()
    };
    let messages = "<config api=\"messages\" model=\"m\" max_tokens=\"8192\"/>";
    assert_eq!(start(&["new", "--api", "messages", "-m", "m"], &[]), messages);
    assert_eq!(start(&["new", "-m", "m"], &[("CHATMD_API", "messages")]), messages);
    assert_eq!(start(&["new", "--api", "chat", "-m", "m"], &[]), "<config api=\"chat\" model=\"m\"/>");
    assert_eq!(start(&["new", "-m", "m"], &[("CHATMD_API", "responses")]), "<config model=\"m\"/>");
    start(&["ask", "--api", "messages", "-m", "m", "-f", "chat.md", "--no-send", "Hello."], &[]);
    assert!(document(directory.path()).starts_with(messages));
    let once = start(&["ask", "--api", "messages", "-m", "m", "--dry-run", "Hello."], &[]);
    let body = r#"{"model":"m","stream":true,"max_tokens":8192,"messages":[{"role":"user","content":[{"type":"text","text":"Hello."}]}]}"#;
    assert_eq!(once, format!("# request.json has {} bytes: the request of the message", body.len()));
}

#[test]
fn request_without_a_limit_names_both_ways_to_set_it() {
    let directory = folder_with("<config api=\"messages\" model=\"m\"/>\n\n<user>\nHello.\n</user>\n");
    let ran = chatmd(directory.path(), &["send", "chat.md"], &[("ANTHROPIC_API_KEY", KEY)], "");
    assert_eq!(ran.code, Some(65));
    for part in ["error[missing-max-tokens]", "`<config max_tokens=\"8192\">`", "`--set max_tokens=8192`"] {
        assert!(ran.stderr.contains(part), "{}", ran.stderr);
    }
    let set = ["to-request", "--set", "max_tokens=5", "chat.md"];
    assert!(chatmd(directory.path(), &set, &[], "").stdout.contains("\"max_tokens\":5"));
}

#[test]
fn errors_are_shown_at_the_line_that_caused_them() {
    if !has_curl() {
        return;
    }
    let text = "<user>\nLook.\n<img src=\"https://example.com/a.png\"/>\n</user>\n\n<tool_call function_name=\"f\" tool_call_id=\"call.1\">\n{}\n</tool_call>\n\n<tool_response tool_call_id=\"call.1\">\nSee <img src=\"https://example.com/b.png\"/>\n</tool_response>\n";
    for (api, message, param, place) in [
        ("messages", "messages.0.content.1.image.source.url: bad", None, "chat.md:5:1"),
        ("messages", "messages.1: `tool_use` ids were found: call_1_e8b7b7b3.", None, "chat.md:8:1"),
        ("messages", "max_tokens: 100 > 64", None, "chat.md:1:34"),
        ("chat", "Invalid image.", Some("messages[0].content[1].image_url"), "chat.md:5:1"),
        ("chat", "Invalid image in 'messages.[3].content[2].image_url'.", None, "chat.md:13:5"),
        ("chat", "An assistant message with 'tool_calls': call.1", Some("messages[1]"), "chat.md:8:1"),
    ] {
        let error = json!({ "type": "error", "error": { "type": "invalid_request_error", "message": message, "param": param } });
        let server = Server::start(vec![Reply::Status(400, "request-id: req_1\r\n", error.to_string())]);
        let directory = folder_with(&chat(api).replace("<user>\nHello.\n</user>\n", text));
        let before = document(directory.path());
        let mut command = server.command(directory.path(), &["send", "chat.md"]);
        let output = command.envs(variables(&server)).output().unwrap();
        let shown = stderr(&output);
        assert_eq!(output.status.code(), Some(4), "{shown}");
        assert!(shown.contains(&format!("--> {place}\n")), "{api}: {message}: {shown}");
        assert!(shown.contains("request id `req_1`"), "{shown}");
        assert_eq!(document(directory.path()), before);
    }
}

#[test]
fn server_that_refuses_reasoning_is_answered_with_the_flag() {
    if !has_curl() {
        return;
    }
    let error =
        json!({ "error": { "message": "Unknown field `reasoning_content`.", "type": "invalid_request_error" } });
    let text =
        "<reasoning issuer=\"chat\">\nHm.\n</reasoning>\n\n<assistant>\nHi.\n</assistant>\n\n<user>\nBye.\n</user>\n";
    let server = Server::start(vec![Reply::Status(422, "", error.to_string())]);
    let directory = folder_with(&format!("{}\n{text}", chat("chat")));
    let output = server.run(directory.path(), &["send", "chat.md"]);
    assert_eq!(output.status.code(), Some(4));
    assert!(stderr(&output).contains("`--without-reasoning` leaves out `reasoning_content`"), "{}", stderr(&output));
    assert_eq!(server.body(0)["messages"][1]["reasoning_content"], "Hm.");
    let output = server.run(directory.path(), &["send", "--without-reasoning", "chat.md"]);
    assert!(!stderr(&output).contains("--without-reasoning"), "{}", stderr(&output));
    assert!(server.body(1)["messages"][1].get("reasoning_content").is_none());
}
