//! `calls`: what waits for its output.

use std::path::Path;

use serde_json::{Value, json};

use crate::run::{Ran, chatmd};

fn calls(arguments: &[&str], document: &str) -> Ran {
    chatmd(Path::new("."), &[&["calls"], arguments].concat(), &[], document)
}

fn call(id: &str, name: &str, arguments: &str) -> String {
    format!("<tool_call function_name=\"{name}\" tool_call_id=\"{id}\">\n{arguments}\n</tool_call>\n")
}

fn output(id: &str) -> String {
    format!("<tool_response tool_call_id=\"{id}\">\nok\n</tool_response>\n")
}

fn lines(stdout: &str) -> Vec<Value> {
    stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn comments(items: &[Value]) -> String {
    let comment = |item: &Value| format!("<!-- chatmd:item {item} -->\n");
    items.iter().map(comment).collect::<Vec<_>>().concat()
}

#[test]
fn calls_without_outputs_are_listed_in_order() {
    let document = call("a", "f", "{\"x\": 1}") + &call("b", "g", "not JSON") + &call("c", "h", "") + &output("b");
    let ran = calls(&[], &document);
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
    let expected = [
        json!({ "call_id": "a", "name": "f", "arguments": "{\"x\": 1}", "type": "function_call", "line": 1 }),
        json!({ "call_id": "c", "name": "h", "arguments": "", "type": "function_call", "line": 7 }),
    ];
    assert_eq!(lines(&ran.stdout), expected);
    assert!(ran.stdout.starts_with("{\"call_id\":\"a\",\"name\":\"f\",\"arguments\":"), "{}", ran.stdout);
}

#[test]
fn call_that_the_model_does_not_wait_for_is_marked() {
    let items = [
        json!({ "type": "function_call", "call_id": "a", "name": "f", "arguments": "{}", "async": true }),
        json!({ "type": "custom_tool_call", "call_id": "b", "name": "g", "input": "x", "async": false }),
    ];
    let ran = calls(&[], &comments(&items));
    let expected = [
        json!({ "call_id": "a", "name": "f", "arguments": "{}", "type": "function_call", "async": true, "line": 1 }),
        json!({ "call_id": "b", "name": "g", "arguments": "x", "type": "custom_tool_call", "line": 2 }),
    ];
    assert_eq!(lines(&ran.stdout), expected);
}

#[test]
fn document_without_open_calls_prints_nothing() {
    for document in [String::new(), "<user>\nHello.\n</user>\n".to_owned(), call("a", "f", "{}") + &output("a")] {
        let ran = calls(&[], &document);
        assert_eq!((ran.code, ran.stdout.as_str(), ran.stderr.as_str()), (Some(0), "", ""), "{document}");
    }
}

#[test]
fn hosted_calls_wait_for_outputs_of_their_own_type() {
    let items = [
        json!({ "type": "shell_call", "call_id": "s", "action": { "commands": ["ls"] } }),
        json!({ "type": "computer_call", "call_id": "c", "action": { "type": "click", "x": 1 } }),
        json!({ "type": "apply_patch_call", "call_id": "p", "operation": { "type": "delete_file", "path": "a" } }),
        json!({ "type": "mcp_approval_request", "id": "mcpr_1", "name": "roll", "arguments": "{}", "server_label": "dice" }),
        json!({ "type": "custom_tool_call", "call_id": "u", "name": "code", "input": "print(1)\n" }),
        json!({ "type": "web_search_call", "id": "w", "status": "completed" }),
    ];
    let document = comments(&items);
    let ran = calls(&[], &document);
    let found: Vec<_> = lines(&ran.stdout)
        .iter()
        .map(|call| {
            [&call["call_id"], &call["name"], &call["type"]].map(|value| value.as_str().unwrap().to_owned()).join(" ")
        })
        .collect();
    let expected = [
        "s shell shell_call",
        "c computer computer_call",
        "p apply_patch apply_patch_call",
        "mcpr_1 roll mcp_approval_request",
        "u code custom_tool_call",
    ];
    assert_eq!(found, expected);
    assert_eq!(lines(&ran.stdout)[0]["arguments"], "{\"commands\":[\"ls\"]}");
    let outputs = [
        json!({ "type": "shell_call_output", "call_id": "s", "output": [] }),
        json!({ "type": "mcp_approval_response", "approval_request_id": "mcpr_1", "approve": true }),
        json!({ "type": "function_call_output", "call_id": "u", "output": "an output of another type" }),
    ];
    let answered = comments(&outputs);
    let found = lines(&calls(&[], &(document + &answered)).stdout);
    let ids: Vec<&Value> = found.iter().map(|call| &call["call_id"]).collect();
    assert_eq!(ids, ["c", "p", "u"]);
}

#[test]
fn tsv_has_a_line_for_each_call() {
    let document = call("a", "f", "{\n  \"x\": \"1\\t2\"\n}")
        + &call("b|fc_2", "g.h-1", "line\n\ttab \"quoted\"")
        + &call("c", "f", "");
    let ran = calls(&["--format", "tsv"], &document);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let expected = "a\tf\t{\"x\":\"1\\t2\"}\nb|fc_2\tg.h-1\t\"line\\n\\ttab \\\"quoted\\\"\"\nc\tf\t\"\"\n";
    assert_eq!(ran.stdout, expected);
}

#[test]
fn tsv_refuses_names_and_ids_that_a_shell_could_misread() {
    for name in ["../../bin/sh", "a/b", "-rf", "a b", ".hidden", "..", "a\tb", "a\nb", "$(id)", "é"] {
        let document = call("a", "fine", "{}") + &call("b", name, "{}");
        let ran = calls(&["--format", "tsv"], &document);
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(65), ""), "{name}");
        assert!(ran.stderr.contains("<stdin>:4: the name of this call is `"), "{}", ran.stderr);
        assert_eq!(lines(&calls(&[], &document).stdout)[1]["name"], name);
    }
    for id in ["-x", "a b", "a\tb"] {
        let ran = calls(&["--format", "tsv"], &call(id, "f", "{}"));
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(65), ""), "{id}");
        assert!(ran.stderr.ends_with("use `--format json` and check the ids\n"), "{}", ran.stderr);
    }
    let ran = calls(&["--format", "tsv"], &call("", "f", "{}"));
    assert!(ran.stderr.contains("<stdin>:1: the id of this call is empty\n"), "{}", ran.stderr);
}

#[test]
fn calls_of_imported_files_are_listed_and_missing_images_do_not_matter() {
    let directory = tempfile::tempdir().unwrap();
    std::fs::write(directory.path().join("old.md"), call("a", "f", "{}")).unwrap();
    let document = "<import src=\"old.md\"/>\n<user>\n<img src=\"gone.png\" local/>\n</user>\n";
    let ran = chatmd(directory.path(), &["calls"], &[], document);
    assert_eq!(lines(&ran.stdout).len(), 1, "{}", ran.stderr);
    assert_eq!(chatmd(directory.path(), &["calls"], &[], &(document.to_owned() + &output("a"))).stdout, "");
    assert_eq!(chatmd(directory.path(), &["calls", "gone.md"], &[], "").code, Some(66));
    assert_eq!(calls(&[], "<user>\n").code, Some(65));
}

/// `--media` keeps long base64 of an item in a file.
#[test]
fn calls_whose_base64_is_in_a_file_are_listed() {
    let directory = tempfile::tempdir().unwrap();
    std::fs::write(directory.path().join("patch"), "text").unwrap();
    let comment = "<!-- chatmd:item-files {\"type\":\"apply_patch_call\",\"call_id\":\"p\",\"operation\":{\"diff\":{\"chatmd:file\":\"patch\"}}} -->\n";
    std::fs::write(directory.path().join("chat.md"), comment).unwrap();
    let run = |arguments: &[&str], input: &str| chatmd(directory.path(), arguments, &[], input);
    let ran = run(&["calls", "chat.md"], "");
    let expected = json!({ "call_id": "p", "name": "apply_patch", "arguments": "{\"diff\":\"dGV4dA==\"}", "type": "apply_patch_call", "line": 1 });
    assert_eq!(lines(&ran.stdout), [expected], "{}", ran.stderr);
    let ran = run(&["answer", "chat.md", "p"], "done");
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
    assert_eq!(run(&["calls", "chat.md"], "").stdout, "");
}
