//! `check` on JSON: the same findings as in the document that the JSON becomes, with paths instead of lines.

use std::fs;

use chatmd::internal::diagnostic::problem_rules;
use chatmd::{CheckOptions, Converter, Finding, ResponseOptions};
use serde_json::Value;

use crate::check::{check, run};
use crate::check_api::{Mutation, mutations};
use crate::support::fixtures;

const REQUEST: &str = r#"{
  "model": "m", "store": "yes", "max_output_tokens": 3,
  "tools": [{"type": "file_search"}, {"type": "function", "name": "a b"}, {"type": "custom", "name": "c"}, {"type": "custom", "name": "c"}],
  "input": [
    {"role": "user", "content": [{"type": "input_text", "text": "a\u202eb"}, {"type": "input_image", "image_url": "https://e.com/a.png", "detail": "hi"}]},
    {"role": "user", "content": ""},
    {"type": "function_call_output", "call_id": "c", "output": [{"type": "input_audio"}]},
    {"role": "user", "content": "The key is AKIAZZ7M4ZJ2LKT9WB3Q."}
  ]
}"#;

/// Each finding: its path and its rule.
fn found(json: &str) -> Vec<(String, &'static str)> {
    let report = check(json);
    report.iter().map(|finding| (finding.path().unwrap_or("no path").to_owned(), finding.name())).collect()
}

#[test]
fn every_format_names_the_path() {
    for format in ["human", "short", "json", "github", "sarif"] {
        let (ran, _) = run(&[("request.json", REQUEST)], &["--format", format, "request.json"], "");
        assert_eq!((ran.code, ran.stderr.as_str()), (Some(1), ""));
        assert!(!ran.stdout.contains("AKIAZZ"), "a secret is never printed");
        insta::assert_snapshot!(format!("json_{format}"), ran.stdout);
    }
    let (ran, _) = run(&[("request.json", REQUEST)], &["--format", "sarif", "request.json"], "");
    let _: serde_sarif::sarif::Sarif = serde_json::from_str(&ran.stdout).unwrap();
}

#[test]
fn every_input_has_paths_of_its_own() {
    let item = r#"{"type":"message","role":"assistant","id":"0","content":[{"type":"output_text","text":"","annotations":[],"extra":1}]}"#;
    let call = r#"{"type":"function_call","call_id":"c","name":"f","arguments":"{"}"#;
    let response = format!(r#"{{"object":"response","status":"completed","output":[{call},{item}]}}"#);
    let event = |index: usize, item: &str| {
        format!(r#"{{"type":"response.output_item.done","output_index":{index},"item":{item}}}"#)
    };
    let completed =
        r#"{"type":"response.completed","response":{"object":"response","status":"completed","output":[]}}"#;
    for (json, prefix) in [
        (format!(r#"{{"model":"m","input":[{call},{item}]}}"#), "input[1]"),
        (format!("[{call},{item}]"), "[1]"),
        (response.clone(), "output[1]"),
        (format!(r#"{{"object":"list","data":[{call},{item}]}}"#), "data[1]"),
        (format!(r#"{{"custom_id":"a","response":{{"body":{response}}}}}"#), "response.body.output[1]"),
        (
            format!("[{response},{response}]")
                .replace("output\":[{\"type\":\"function_call", "output\":[{\"type\":\"x"),
            "[0].output[1]",
        ),
        (format!("{call}\n{item}\n"), "[1]"),
        (item.to_owned(), ""),
        (format!("\u{feff} {item}"), ""),
        (format!("data: {}\n\ndata: {}\n\ndata: {completed}\n\n", event(0, call), event(1, item)), "output[1]"),
        (format!("[{},{},{completed}]", event(0, call), event(1, item)), "[1].item"),
    ] {
        let found = found(&json);
        let dot = if prefix.is_empty() { "" } else { "." };
        for expected in [(prefix.to_owned(), "id-prefix"), (format!("{prefix}{dot}content[0].extra"), "unknown-field")]
        {
            assert!(found.contains(&expected), "{expected:?} in {found:?}: {json}");
        }
    }
}

#[test]
fn a_text_that_is_not_an_array_has_the_path_of_the_text() {
    let hidden = "a\u{202e}b";
    assert_eq!(found(&format!(r#"{{"model":"m","input":"{hidden}"}}"#)), [("input".to_owned(), "hidden-characters")]);
    let message = format!(r#"[{{"role":"user","content":"{hidden}"}}]"#);
    assert_eq!(found(&message), [("[0].content".to_owned(), "hidden-characters")]);
    let instructions = format!(r#"{{"model":"m","instructions":"{hidden}","input":"a"}}"#);
    assert_eq!(found(&instructions), [("instructions".to_owned(), "hidden-characters")]);
}

#[test]
fn what_is_not_json_has_a_line() {
    for (json, expected) in [
        ("{\n\"model\": tru}", "2:13 malformed-json"),
        ("{\"error\": {\"message\": \"no\", \"code\": \"c\"}}", "1:1 api-error"),
        ("{\"contents\": [], \"model\": \"m\"}", "1:1 foreign-input"),
    ] {
        let report = check(json);
        let found: Vec<String> =
            report.iter().map(|one| format!("{}:{} {}", one.line(), one.column(), one.name())).collect();
        assert_eq!(found, [expected]);
    }
    assert_eq!(found("[note] <user>a</user>"), [("no path".to_owned(), "text-at-top-level")]);
}

#[test]
fn json_is_never_fixed() {
    let (ran, directory) = run(&[("a.json", REQUEST)], &["--fix", "a.json"], "");
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(1), ""));
    assert_eq!(fs::read_to_string(directory.path().join("a.json")).unwrap(), REQUEST);
}

#[test]
fn a_rule_can_be_allowed() {
    let (ran, _) = run(&[], &["--allow", "hidden-characters", "-"], "{\"model\":\"m\",\"input\":\"a\u{202e}b\"}");
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(0), ""));
}

/// The rules that a request breaks, in the JSON and in the document that it becomes.
fn assert_same_findings(Mutation { pointer, what, request }: &Mutation) {
    let (converter, json) = (Converter::new(), request.to_string());
    let Ok(reply) = converter.from_response(json.as_str(), &ResponseOptions::default()) else { return };
    let names = |text: &str| {
        let report = converter.check(text, &CheckOptions::default());
        // These are about the conversion, which does not happen to JSON.
        let is_of_conversion = |problem: &str| matches!(problem, "InvalidConfig" | "MalformedItem" | "WrongField");
        let is_lint = |finding: &Finding<'_>| {
            !problem_rules().any(|(problem, rule)| is_of_conversion(problem) && rule == finding.rule())
        };
        let mut names: Vec<&str> = report.iter().filter(is_lint).map(Finding::name).collect();
        names.sort_unstable();
        names
    };
    assert_eq!(names(&json), names(&reply.text), "{what} of {pointer}");
}

#[test]
fn json_and_its_document_break_the_same_rules() {
    let request: Value = serde_json::from_slice(&fs::read(fixtures().join("checks/request.json")).unwrap()).unwrap();
    assert_eq!(found(&request.to_string()), []);
    mutations(&request).iter().for_each(assert_same_findings);
}

#[test]
fn a_broken_field_has_its_path() {
    let request: Value = serde_json::from_slice(&fs::read(fixtures().join("checks/request.json")).unwrap()).unwrap();
    let mutations = mutations(&request);
    let is_found = |mutation: &&Mutation| {
        let steps: Vec<String> = mutation.pointer.split('/').skip(1).take(2).map(str::to_owned).collect();
        let is_listed = matches!(steps[0].as_str(), "input" | "tools") && steps.len() > 1;
        let prefix = if is_listed { format!("{}[{}]", steps[0], steps[1]) } else { steps[0].clone() };
        found(&mutation.request.to_string()).iter().any(|(path, _)| path.starts_with(&prefix) || path == "no path")
    };
    let missed: Vec<&Mutation> = mutations.iter().filter(|mutation| !is_found(mutation)).collect();
    let names: Vec<String> = missed.iter().map(|one| format!("{} of {}", one.what, one.pointer)).collect();
    assert!(missed.len() * 20 <= mutations.len(), "{} of {}\n{}", missed.len(), mutations.len(), names.join("\n"));
}
