//! A bound on work: every command ends within a limit of processor time on inputs that invite repeated scanning.
//!
//! The kernel counts the time of the process alone, so a busy machine does not matter. The limit is far above what linear
//! work needs, and far below what quadratic work needs.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::cases::large;

/// Seconds of processor time, for a build without optimization.
fn limit() -> usize {
    large(12)
}

/// The bytes of an input.
fn size() -> usize {
    large(1 << 18)
}

fn shapes() -> Vec<(&'static str, String)> {
    let fill = |piece: &str| piece.repeat(size() / piece.len());
    let body = |piece: &str| format!("<user>{}</user>", fill(piece));
    let attributes: Vec<String> = (0..size() / 12).map(|n| format!("k{n}=\"{n}\"")).collect();
    vec![
        ("unclosed tags", fill("<user>")),
        ("tags without an end", fill("<user ")),
        ("closing tags", fill("</user>")),
        ("small elements", fill("<user>a</user>")),
        ("attributes", format!("<user {}></user>", fill("a=\"b\" "))),
        ("quotes", format!("<user a={}>", fill("\"'"))),
        ("angle brackets", body("<")),
        ("letters after angle brackets", body("<a ")),
        ("open images", body("<img src=\"a\">")),
        ("documents", format!("<tool_response tool_call_id=\"c\">{}</tool_response>", fill("<doc src=\"a\" local>"))),
        ("RAW openers", body("RAW|")),
        ("RAW closers", body("|RAW")),
        ("RAW blocks", body("RAW||RAW")),
        ("comment openers", body("<!--")),
        ("comments", body("<!-- a -->")),
        ("blank lines", body("\n")),
        ("code fences", body("```\n")),
        ("backquotes", body("`")),
        ("base64", body("iVBORw0KGgoAAAANSUhEUgAAAEAAAAAw")),
        (
            "tools of a configuration",
            format!("<config model=\"m\">{{\"tools\":[{}0]}}</config>", fill("{\"type\":\"x\",\"y\":1},")),
        ),
        ("attributes of a hosted tool", format!("<tool type=\"web_search\" {}/>", attributes.join(" "))),
        ("summaries", format!("<reasoning>{}</reasoning>", fill("<summary>a</summary>"))),
    ]
}

fn sse(events: impl IntoIterator<Item = String>) -> String {
    events.into_iter().map(|event| format!("data: {event}\n\n")).collect::<Vec<_>>().concat()
}

fn message(text: &str) -> String {
    format!(r#"{{"type":"message","id":"m","role":"assistant","content":[{{"type":"output_text","text":"{text}"}}]}}"#)
}

/// One long version of an item, and many short ones.
fn streamed_versions() -> String {
    let done =
        |text: &str| format!(r#"{{"type":"response.output_item.done","output_index":0,"item":{}}}"#, message(text));
    sse([done(&"x\\n".repeat(4 * size() / 3))].into_iter().chain((0..size() / 64).map(|n| done(&format!("y{n}")))))
}

/// Many items that were never done, and a long one at the end.
fn streamed_items() -> String {
    let delta = |n: usize| format!(r#"{{"type":"response.output_text.delta","output_index":{n},"delta":"q{n}"}}"#);
    let end = message(&"x\\n".repeat(4 * size() / 3));
    let end = format!(r#"{{"type":"response.completed","response":{{"object":"response","output":[{end}]}}}}"#);
    sse((0..size() / 32).map(delta).chain([end]))
}

/// One long text, and many short ones in its place.
fn streamed_texts() -> String {
    let text = |text: &str| format!(r#"{{"type":"response.output_text.done","output_index":0,"text":"{text}"}}"#);
    sse([text(&"x\\n".repeat(4 * size() / 3))].into_iter().chain((0..size() / 64).map(|n| text(&format!("y{n}.")))))
}

fn payloads() -> Vec<(&'static str, String)> {
    let fill = |piece: &str| piece.repeat(size() / piece.len());
    let keys: Vec<String> = (0..size() / 12).map(|n| format!("\"k{n}\":1")).collect();
    let message = |content: &str| format!(r#"[{{"role":"user","content":{content}}}]"#);
    vec![
        ("arrays", message(&format!("{}{}", fill("["), fill("]")))),
        ("parts", message(&format!("[{}0]", fill("{\"type\":\"input_text\",\"text\":\"a\"},")))),
        ("keys", format!("[{{\"type\":\"x\",{}}}]", keys.join(","))),
        ("the same key", format!("[{{\"type\":\"x\"{}}}]", fill(",\"k\":1"))),
        ("escapes", message(&format!("\"{}\"", fill("\\n\\u0041")))),
        (
            "small items",
            format!("[{}{{\"role\":\"user\",\"content\":\"a\"}}]", fill("{\"role\":\"user\",\"content\":\"a\"},")),
        ),
        ("blank lines after a stream", format!("data: {{\"type\":\"response.created\"}}\n\n{}", fill("\n"))),
        ("empty events", fill("data: {}\n\n")),
        ("versions of an item", streamed_versions()),
        ("items that the end does not say", streamed_items()),
        ("texts of one place", streamed_texts()),
        ("lines of JSON", fill("{\"role\":\"user\",\"content\":\"a\"}\n")),
        ("RAW in text", message(&format!("\"{}\"", fill("|RAWRAW|")))),
        ("tags in text", message(&format!("\"{}\"", fill("<a <user> ")))),
    ]
}

/// Runs a command under the limit.
fn assert_bounded(directory: &Path, command: &str, shape: &str) {
    let script = format!("ulimit -t {}; exec \"$0\" {command}", limit());
    let mut shell = Command::new("sh");
    shell.args(["-c", &script, env!("CARGO_BIN_EXE_chatmd")]).current_dir(directory);
    let status = shell.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status().unwrap();
    assert!(status.code().is_some(), "{command} on {shape}: {status}");
}

fn assert_all_bounded(shapes: &[(&str, String)], file: &str, commands: &[&str]) {
    let directory = tempfile::tempdir().unwrap();
    for (shape, text) in shapes {
        fs::write(directory.path().join(file), text).unwrap();
        for command in commands {
            assert_bounded(directory.path(), command, shape);
        }
    }
}

#[test]
fn documents_are_read_in_bounded_work() {
    assert_all_bounded(&shapes(), "in.md", &["to-request --input-only in.md", "fmt --check in.md"]);
}

#[test]
fn documents_are_checked_in_bounded_work() {
    assert_all_bounded(&shapes(), "in.md", &["check in.md"]);
}

#[test]
fn documents_are_shown_in_bounded_work() {
    assert_all_bounded(&shapes(), "in.md", &["show --plain in.md"]);
}

/// Shapes of Markdown, code and calls for which a page could take long.
fn page_shapes() -> Vec<(&'static str, String)> {
    let fill = |piece: &str| piece.repeat(size() / piece.len());
    let body = |piece: &str| format!("<user>\nRAW|\n{}\n|RAW\n</user>", fill(piece));
    let fenced = |language: &str, piece: &str| {
        let block = format!("```{language}\n{}\n```\n", piece.repeat(49_000 / piece.len()));
        format!("<user>\nRAW|\n{}|RAW\n</user>", block.repeat(5))
    };
    let call = |at: usize| format!("<tool_call function_name=\"f{at}\" tool_call_id=\"c{}\">{{}}</tool_call>", at % 7);
    let calls = (0..size() / 60).map(call).collect::<Vec<_>>().join("\n");
    vec![
        ("quotes", body("> ")),
        ("lists", body("- ")),
        ("links", body("[a](")),
        ("images", body("![a](https://b) ")),
        ("footnotes", body("[^a] [^a]: b\n\n")),
        ("headings", body("# a\n###### b\n")),
        ("tables", body("|a|b|\n|-|-|\n|c|d|\n\n")),
        ("emphasis", body("*a **b ")),
        ("raw HTML", body("<b><!-- ")),
        ("quoted code", fenced("rust", "'\\'")),
        ("open strings", fenced("python", "\"\"\"'")),
        ("open comments", fenced("c", "/*")),
        ("shell words", fenced("sh", "a")),
        ("secrets", body("sk-")),
        ("keys", body("-----BEGIN PRIVATE KEY-----")),
        ("lines of keys", body("-----BEGIN PRIVATE KEY-----\nMIIEpAIBAAKCAQEA7bq0mJ8nQx2yTq4r1u9sC3kz5w7v\n")),
        ("names", body("TOKEN=a1")),
        ("backslashes", body("\\")),
        ("escapes", body("\\u0041\\n")),
        ("percents", body("%25")),
        ("entities", body("&amp;")),
        ("colours", body("\u{1b}[1;")),
        ("hidden characters", body("\u{200b}a")),
        ("calls", calls),
        ("outputs", fill("<tool_response tool_call_id=\"c\">{}</tool_response>\n")),
        (
            "JSON",
            format!("<tool_response tool_call_id=\"c\">{}{}</tool_response>", "[".repeat(120), "1,".repeat(size() / 2)),
        ),
    ]
}

#[test]
fn documents_are_rendered_in_bounded_work() {
    assert_all_bounded(&shapes(), "in.md", &["render in.md"]);
}

#[test]
fn secrets_of_pages_are_found_in_bounded_work() {
    assert_all_bounded(&page_shapes(), "in.md", &["render --redact in.md"]);
}

#[test]
fn responses_are_read_in_bounded_work() {
    assert_all_bounded(&payloads(), "in.json", &["from-response in.json"]);
}
