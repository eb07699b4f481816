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
        ("sarif", "\"startLine\": 4,"),
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
        ("sarif", "\"startLine\": 5,"),
        ("sarif", "\"fullyQualifiedName\": \"input[0].content\""),
    ] {
        let shown = messages("r.json", &request, &["check", "--format", format]);
        assert!(shown.contains(expected), "{format}: {shown}");
    }
}

#[test]
fn replaced_secret_is_named_by_its_line_in_the_input() {
    let redact = ["render", "--redact", "-o", "out.html"];
    let words = "replaced what looks like a secret (AWS access key id)";
    for (name, text, line) in
        [("s.jsonl", codex(), 4), ("c.jsonl", claude(), 3), ("s.sse", stream(true), 7), ("d.sse", stream(false), 3)]
    {
        let shown = messages(name, &text, &redact);
        assert!(shown.contains(&format!("note: line {line}: {words}")), "{name}: {shown}");
    }
}

#[test]
fn sizes_of_a_session_have_the_lines_of_the_session() {
    let shown = messages("s.jsonl", &codex(), &["stats", "--json"]);
    assert!(shown.contains("\"line\":4,") && shown.contains("\"line\":6,"), "{shown}");
}
