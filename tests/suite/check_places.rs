//! Where `check` and `render --redact` report the problems of sessions, JSON and streams: in the input, not in the document
//! that is made from it.

use std::fs;

use crate::run::chatmd;

const SECRET: &str = concat!("AKIA", "IOSFODNN7EXAMPLQ");

fn messages(name: &str, text: &str, arguments: &[&str]) -> String {
    let directory = tempfile::tempdir().unwrap();
    fs::write(directory.path().join(name), text).unwrap();
    let ran = chatmd(directory.path(), &[arguments, &[name]].concat(), &[], "");
    ran.stdout + &ran.stderr
}

fn codex() -> String {
    let line = |kind: &str, payload: &str| format!(r#"{{"timestamp":"","type":"{kind}","payload":{payload}}}"#) + "\n";
    let message = |text: &str| {
        line("response_item", &format!(r#"{{"role":"user","content":[{{"type":"input_text","text":"{text}"}}]}}"#))
    };
    line("session_meta", r#"{"id":"x","timestamp":"t","instructions":"Be brief."}"#)
        + &message(r"several\n\n\nlines")
        + &line("event_msg", r#"{"type":"token_count"}"#)
        + &message(&format!("the key is {SECRET}"))
        + &line("event_msg", r#"{"type":"token_count"}"#)
        + &line("response_item", r#"{"type":"function_call","name":"f","call_id":"c","arguments":"{}"}"#)
}

fn claude() -> String {
    let line = |uuid: &str, parent: &str, text: &str| {
        let message = format!(r#"{{"role":"user","content":"{text}"}}"#);
        format!(
            r#"{{"type":"user","uuid":"{uuid}","parentUuid":{parent},"sessionId":"s","timestamp":"t","message":{message}}}"#
        ) + "\n"
    };
    let abandoned = line("b", r#""a""#, r"left\n\nout");
    line("a", "null", "Hello.") + &abandoned + &line("c", r#""a""#, &format!("the key is {SECRET}"))
}

fn stream(is_complete: bool) -> String {
    let delta = |text: &str| {
        format!(
            r#"data: {{"type":"response.output_text.delta","item_id":"msg_1","output_index":0,"content_index":0,"delta":"{text}"}}"#
        )
    };
    let created = r#"data: {"type":"response.created","response":{"object":"response","status":"in_progress"}}"#;
    let done = format!(
        r#"data: {{"type":"response.output_item.done","output_index":0,"item":{{"type":"message","id":"msg_1","role":"assistant","status":"completed","content":[{{"type":"output_text","text":"the key is {SECRET}","annotations":[]}}]}}}}"#
    );
    let (head, tail) = SECRET.split_at(9);
    let completed = r#"data: {"type":"response.completed","response":{"object":"response","status":"completed"}}"#;
    let last = if is_complete { format!("{done}\n\n{completed}") } else { String::new() };
    [created, &delta(&format!("the key is {head}")), &delta(tail), &last].join("\n\n") + "\n\n"
}

#[test]
fn finding_of_a_session_has_the_line_of_the_session() {
    for (format, expected) in [
        ("short", "s.jsonl:4:1: warning: this looks like an AWS access key id [secret]\n"),
        ("human", " --> s.jsonl:4:1\n |\n = help: "),
        ("github", "::warning file=s.jsonl,line=4,col=1,title=secret::"),
        ("json", "\"line\": 4,\n    \"column\": 1,\n    \"end_line\": 4,\n    \"end_column\": 1,\n    \"severity\""),
        ("sarif", "\"startLine\": 4"),
    ] {
        let shown = messages("s.jsonl", &codex(), &["check", "--format", format]);
        assert!(shown.contains(expected), "{format}: {shown}");
    }
    let shown = messages("s.jsonl", &codex(), &["check", "--format", "short"]);
    assert!(shown.contains("s.jsonl:6:1: warning: tool call `c` is waiting"), "{shown}");
    let shown = messages("s.jsonl", &claude(), &["check", "--format", "short"]);
    assert_eq!(shown.lines().next(), Some("s.jsonl:3:1: warning: this looks like an AWS access key id [secret]"));
}

#[test]
fn finding_of_a_stream_has_the_line_of_the_event() {
    let expected = "s.sse:7:1: output[0].content[0].text: warning: this looks like an AWS access key id [secret]\n";
    assert_eq!(messages("s.sse", &stream(true), &["check", "--format", "short"]), expected);
    // Without a finished item, the item begins with its first event.
    let shown = messages("s.sse", &stream(false), &["check", "--format", "short"]);
    assert!(shown.contains("s.sse:3:1: output[0].content[0].text: warning: "), "{shown}");
    let shown = messages("s.sse", &stream(true), &["check", "--format", "github"]);
    assert!(
        shown.starts_with("::warning file=s.sse,line=7,col=1,title=secret::output[0].content[0].text: "),
        "{shown}"
    );
}

#[test]
fn finding_of_json_has_line_column_and_path() {
    let request = format!(
        "{{\n  \"model\": \"m\",\n  \"temperature\": 9,\n  \"input\": [\n    {{\"role\": \"user\", \"content\": \"the key is {SECRET}\"}}\n  ]\n}}\n"
    );
    for (format, expected) in [
        ("short", "r.json:3:18: temperature: error: "),
        ("short", "r.json:5:45: input[0].content: warning: this looks like an AWS access key id [secret]\n"),
        ("human", " --> r.json:5:45: input[0].content\n |\n = help: "),
        ("github", "file=r.json,line=5,col=45,title=secret::input[0].content: "),
        ("json", "\"line\": 5,\n    \"column\": 45,\n"),
        ("json", "\"path\": \"input[0].content\","),
        ("sarif", "\"startLine\": 5"),
        ("sarif", "\"fullyQualifiedName\": \"input[0].content\""),
    ] {
        let shown = messages("r.json", &request, &["check", "--format", format]);
        assert!(shown.contains(expected), "{format}: {shown}");
    }
}

/// A request and a reply of the Messages and of the Chat API. The secret, and a call, each have a line.
fn of_other_apis() -> [(&'static str, String, Vec<String>); 4] {
    let secret = "warning: this looks like an AWS access key id [secret]";
    let (waiting, unanswered) = (
        "warning: tool call `c` is waiting for its output [pending-call]",
        "error: tool call `c` has no output [call-without-output]",
    );
    let (model, key) = ("\"model\": \"m\"", format!("the key is {SECRET}"));
    let user = format!("{{\"role\": \"user\", \"content\": \"{key}\"}}");
    let image = "{\"role\": \"user\", \"content\": [\n{\"type\": \"text\", \"text\": \"Look.\"},\n";
    let tool_use = "{\"type\": \"tool_use\", \"id\": \"c\", \"name\": \"f\", \"input\": {}}";
    let text = format!("{{\"type\": \"text\", \"text\": \"{key}\"}}");
    let call = "{\"type\": \"function\", \"id\": \"c\", \"function\": {\"name\": \"f\", \"arguments\": \"{}\"}}";
    let broken = "error: the base64 of this image or file is not valid [broken-base64]";
    [
        (
            "mr.json",
            format!(
                "{{{model}, \"max_tokens\": 9, \"messages\": [\n{user},\n{image}{{\"type\": \"image\", \"source\": {{\"type\": \"base64\", \"media_type\": \"image/png\", \"data\": \"!\"}}}}]}},\n{{\"role\": \"assistant\", \"content\": [{tool_use}]}},\n{{\"role\": \"user\", \"content\": \"Go on.\"}}]}}"
            ),
            vec![
                format!("mr.json:2:41: messages[0].content: {secret}"),
                format!("mr.json:5:1: messages[1].content[1]: {broken}"),
                format!("mr.json:6:35: messages[2].content[0]: {unanswered}"),
            ],
        ),
        (
            "cr.json",
            format!(
                "{{{model}, \"messages\": [\n{user},\n{image}{{\"type\": \"image_url\", \"image_url\": {{\"url\": \"data:image/png;base64,!\"}}}}]}},\n{{\"role\": \"assistant\", \"tool_calls\": [\n{call}]}},\n{{\"role\": \"user\", \"content\": \"Go on.\"}}]}}"
            ),
            vec![
                format!("cr.json:2:41: messages[0].content: {secret}"),
                format!("cr.json:5:1: messages[1].content[1]: {broken}"),
                format!("cr.json:7:1: messages[2].tool_calls[0]: {unanswered}"),
            ],
        ),
        (
            "m.json",
            format!(
                "{{\"type\": \"message\", \"role\": \"assistant\", {model}, \"content\": [\n{text},\n{tool_use}\n], \"stop_reason\": \"tool_use\"}}"
            ),
            vec![format!("m.json:2:38: content[0].text: {secret}"), format!("m.json:3:1: content[1]: {waiting}")],
        ),
        (
            "c.json",
            format!(
                "{{\"object\": \"chat.completion\", {model}, \"choices\": [{{\"index\": 0, \"message\":\n{{\"role\": \"assistant\", \"content\": \"{key}\",\n\"tool_calls\": [{call}]}}, \"finish_reason\": \"tool_calls\"}}]}}"
            ),
            vec![
                format!("c.json:2:46: choices[0].message.content: {secret}"),
                format!("c.json:3:16: choices[0].message.tool_calls[0]: {waiting}"),
            ],
        ),
    ]
}

#[test]
fn finding_of_another_api_has_line_column_and_path() {
    for (name, json, expected) in of_other_apis() {
        let shown = messages(name, &json, &["check", "--format", "short"]);
        assert_eq!(shown.lines().collect::<Vec<_>>(), expected);
        let (place, rest) = expected[0].split_once(": ").unwrap();
        let (path, _) = rest.split_once(": ").unwrap();
        let [_, line, column] = place.split(':').collect::<Vec<_>>()[..] else { panic!("{place}") };
        for (format, expected) in [
            ("human", format!(" --> {place}: {path}\n")),
            ("github", format!("file={name},line={line},col={column},title=secret::{path}: ")),
            ("json", format!("\"line\": {line},\n    \"column\": {column},\n")),
            ("json", format!("\"path\": \"{path}\",")),
            ("sarif", format!("\"startLine\": {line}")),
            ("sarif", format!("\"fullyQualifiedName\": \"{path}\"")),
        ] {
            let shown = messages(name, &json, &["check", "--format", format]);
            assert!(shown.contains(&expected), "{format}: {expected:?} in {shown}");
        }
        let shown = messages(name, &json, &["render", "--redact", "-o", "out.html"]);
        let expected =
            format!("note: {name}:{line}:{column}: {path}: this looks like an AWS access key id, and was replaced");
        assert!(shown.contains(&expected), "{name}: {shown}");
    }
}

/// A stream of the Messages and of the Chat API: the events about a secret in two pieces, and about two calls.
fn streams_of_other_apis() -> [(&'static str, String); 2] {
    let (head, tail) = SECRET.split_at(9);
    let delta =
        |index: usize, delta: &str| format!(r#"{{"type":"content_block_delta","index":{index},"delta":{{{delta}}}}}"#);
    let text = |text: &str| delta(0, &format!(r#""type":"text_delta","text":"{text}""#));
    let call = |index: usize, id: &str| {
        let block = format!(r#"{{"type":"tool_use","id":"{id}","name":"f","input":{{}}}}"#);
        format!(r#"{{"type":"content_block_start","index":{index},"content_block":{block}}}"#)
    };
    let messages = [
        r#"{"type":"message_start","message":{"id":"m","type":"message","role":"assistant","content":[]}}"#.to_owned(),
        text(&format!("the key is {head}")),
        text(tail),
        call(1, "c"),
        delta(1, r#""type":"input_json_delta","partial_json":"{}""#),
        call(2, "d"),
    ];
    let chunk =
        |delta: &str| format!(r#"{{"object":"chat.completion.chunk","choices":[{{"index":0,"delta":{{{delta}}}}}]}}"#);
    let call = |index: usize, id: &str| {
        let call = format!(r#"{{"index":{index},"id":"{id}","function":{{"name":"f","arguments":""}}}}"#);
        chunk(&format!(r#""tool_calls":[{call}]"#))
    };
    let chat = [
        chunk(r#""role":"assistant""#),
        chunk(&format!(r#""content":"the key is {head}""#)),
        chunk(&format!(r#""content":"{tail}""#)),
        call(0, "c"),
        chunk(r#""tool_calls":[{"index":0,"function":{"arguments":"{}"}}]"#),
        call(1, "d"),
    ];
    let stream = |events: [String; 6]| events.map(|event| format!("data: {event}\n\n")).concat();
    [("m.sse", stream(messages)), ("c.sse", stream(chat))]
}

#[test]
fn finding_of_a_stream_of_another_api_has_the_line_of_the_event() {
    for (name, stream) in streams_of_other_apis() {
        // The first chunk of the Chat API begins the message.
        let text = if name == "m.sse" { 3 } else { 1 };
        let shown = messages(name, &stream, &["check", "--format", "short"]);
        let expected = [
            format!("{name}:{text}:1: warning: this looks like an AWS access key id [secret]"),
            format!("{name}:7:1: warning: tool call `c` is waiting for its output [pending-call]"),
            format!("{name}:11:1: warning: tool call `d` is waiting for its output [pending-call]"),
        ];
        assert_eq!(shown.lines().take(3).collect::<Vec<_>>(), expected, "{shown}");
        for (format, expected) in [
            ("github", format!("::warning file={name},line=7,col=1,title=pending-call::")),
            ("json", "\"line\": 7,\n    \"column\": 1,\n".to_owned()),
            ("sarif", "\"startLine\": 7".to_owned()),
            ("human", format!(" --> {name}:7:1\n")),
        ] {
            let shown = messages(name, &stream, &["check", "--format", format]);
            assert!(shown.contains(&expected), "{format}: {expected:?} in {shown}");
        }
        let shown = messages(name, &stream, &["render", "--redact", "-o", "out.html"]);
        assert!(shown.contains(&format!("note: {name}:{text}:1: this looks like")), "{name}: {shown}");
    }
}

#[test]
fn replaced_secret_is_named_by_its_line_in_the_input() {
    let redact = ["render", "--redact", "-o", "out.html"];
    for (name, text, expected) in [
        ("s.jsonl", codex(), "note: line 4: replaced what looks like a secret (AWS access key id)"),
        ("c.jsonl", claude(), "note: line 3: replaced what looks like a secret (AWS access key id)"),
        ("s.sse", stream(true), "note: s.sse:7:1: output[0].content[0].text: this looks like an AWS access key id"),
        ("d.sse", stream(false), "note: d.sse:3:1: output[0].content[0].text: this looks like an AWS access key id"),
    ] {
        let shown = messages(name, &text, &redact);
        assert!(shown.contains(expected), "{name}: {shown}");
    }
}

#[test]
fn sizes_of_a_session_have_the_lines_of_the_session() {
    let shown = messages("s.jsonl", &codex(), &["stats", "--json"]);
    assert!(shown.contains("\"line\":4,") && shown.contains("\"line\":6,"), "{shown}");
}
