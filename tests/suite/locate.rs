//! Every part of a request can be traced to its element.

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::run::{chatmd, directories, expected_exit, flags, name};

const CHAT: &str = "<config model=\"m\" temperature=\"0.5\"/>\n\n<import src=\"more.md\"/>\n\n<tool_response tool_call_id=\"c\">\nlook\n<img src=\"https://example.com/a.png\"/>\n</tool_response>\n\n<tool_response tool_call_id=\"d\">\n[{\"type\":\"input_text\",\"text\":\"x\"}, {\"type\":\"input_image\",\"image_url\":\"u\"}]\n</tool_response>\n";
const MORE: &str = "<user>\nfirst\n<img src=\"https://example.com/b.png\"/>\n</user>\n";

fn directory() -> tempfile::TempDir {
    let directory = tempfile::tempdir().unwrap();
    fs::write(directory.path().join("chat.md"), CHAT).unwrap();
    fs::write(directory.path().join("more.md"), MORE).unwrap();
    directory
}

#[test]
fn path_is_located_at_its_line() {
    let directory = directory();
    for (path, place) in [
        ("input[0]", "more.md:1:1\n<user>\n"),
        ("input[0].content[1].image_url", "more.md:3:1\n<img src=\"https://example.com/b.png\"/>\n"),
        ("input[1].output[0].text", "chat.md:6:1\nlook\n"),
        ("input[1].output[1].image_url", "chat.md:7:1\n<img src=\"https://example.com/a.png\"/>\n"),
        ("input[1].call_id", "chat.md:5:1\n<tool_response tool_call_id=\"c\">\n"),
        ("/input/1/output/1", "chat.md:7:1\n<img src=\"https://example.com/a.png\"/>\n"),
        ("temperature", "chat.md:1:19\n<config model=\"m\" temperature=\"0.5\"/>\n"),
    ] {
        let ran = chatmd(directory.path(), &["locate", "chat.md", path], &[], "");
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(0), place), "{path}: {}", ran.stderr);
    }
    let ran = chatmd(directory.path(), &["locate", "chat.md", "input[2].output[1].image_url"], &[], "");
    assert!(ran.stdout.starts_with("chat.md:11:36\n"), "{}", ran.stdout);
    for (path, code) in [("input[7]", 65), ("nothing", 65), ("", 65)] {
        assert_eq!(chatmd(directory.path(), &["locate", "chat.md", path], &[], "").code, Some(code), "{path}");
    }
}

#[test]
fn path_that_does_not_exist_is_refused_with_what_is_there() {
    let directory = directory();
    fs::write(directory.path().join("files.md"), "<user>\nLook.\n<img src=\"missing.png\" local/>\n</user>\n").unwrap();
    for (path, help) in [
        ("input[0].content[7].text", "`input[0].content` is an array with 2 elements"),
        ("input[0].foo", "`input[0]` is an object with `type`, `role`, `content`"),
        ("input[1].output[0].text.x", "`input[1].output[0].text` is a string"),
    ] {
        let ran = chatmd(directory.path(), &["locate", "chat.md", path], &[], "");
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(65), ""), "{path}");
        assert!(ran.stderr.contains(help), "{path}: {}", ran.stderr);
    }
    // Files are not read, and their parts are there all the same.
    let ran = chatmd(directory.path(), &["locate", "files.md", "input[0].content[1].image_url"], &[], "");
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
}

#[test]
fn api_error_is_shown_at_the_line_that_caused_it() {
    let directory = directory();
    let error = r#"{"error":{"message":"Invalid URL.","code":"invalid_url","param":"input[0].content[1].image_url"}}"#;
    let ran = chatmd(directory.path(), &["from-response", "--for", "chat.md"], &[], error);
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(4), ""));
    insta::assert_snapshot!(ran.stderr, @r#"
    error[api-error]: API error (invalid_url): Invalid URL. (param: input[0].content[1].image_url)
     --> more.md:3:1
      |
    3 | <img src="https://example.com/b.png"/>
      | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ `input[0].content[1].image_url` comes from here
      |
      = note: imported at chat.md:3:1
      = help: fix it here and send the request again
    "#);
    let elsewhere = error.replace("input[0].content[1].image_url", "input[9]");
    let ran = chatmd(directory.path(), &["from-response", "--for", "chat.md"], &[], &elsewhere);
    assert_eq!(
        (ran.code, ran.stderr.as_str()),
        (Some(4), "error: API error (invalid_url): Invalid URL. (param: input[9])\n")
    );
}

/// A text of a server has line breaks. No line of it looks like another message.
#[test]
fn lines_of_an_api_error_are_indented() {
    let error = r#"{"error":{"message":"Bad.\nerror: other\n --> chat.md:1:1"}}"#;
    let ran = chatmd(directory().path(), &["from-response"], &[], error);
    let shown = "error: API error: Bad.\n    error: other\n     --> chat.md:1:1\n";
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(4), shown));
}

/// Every pointer of a source map exists in the request, and its span is the element that it comes from.
#[test]
fn source_map_covers_every_item_of_every_fixture() {
    let mut count = 0;
    for fixture in directories("requests").iter().filter(|directory| expected_exit(directory) == 0) {
        let out = tempfile::tempdir().unwrap();
        let map = out.path().join("map.json");
        // A document of one API may be a fixture for another one.
        let flags = flags(fixture);
        let api = flags.windows(2).filter(|pair| pair[0] == "--api").flatten();
        let output = Command::new(env!("CARGO_BIN_EXE_chatmd"))
            .current_dir(fixture)
            .args(["to-request", "--model", "m", "--source-map", map.to_str().unwrap(), "chat.md"])
            .args(api)
            .output()
            .unwrap();
        if !output.status.success() {
            continue;
        }
        // Skip numbers that serde_json cannot represent.
        let Ok(request) = serde_json::from_slice::<Value>(&output.stdout) else { continue };
        let map: Value = serde_json::from_str(&fs::read_to_string(&map).unwrap()).unwrap();
        for index in 0..request["input"].as_array().map_or(0, Vec::len) {
            assert!(map.get(format!("/input/{index}")).is_some(), "{}: item {index}", name(fixture));
        }
        for (pointer, place) in map.as_object().unwrap() {
            assert!(request.pointer(pointer).is_some(), "{}: {pointer} is not in the request", name(fixture));
            assert_points(fixture, pointer, place, &request);
            count += 1;
        }
    }
    assert!(count > 50, "only {count} places");
}

/// The text of the span starts with an element that can produce the value.
fn assert_points(fixture: &Path, pointer: &str, place: &Value, request: &Value) {
    let file = fixture.join(place["file"].as_str().unwrap());
    let Ok(text) = fs::read_to_string(&file) else { return };
    let (start, end) = (place["span"][0].as_u64().unwrap(), place["span"][1].as_u64().unwrap());
    let marked = &text[usize::try_from(start).unwrap()..usize::try_from(end).unwrap()];
    let is_item = pointer.starts_with("/input/") && pointer.split('/').count() == 3;
    if is_item {
        assert!(marked.starts_with('<'), "{}: {pointer} is at {marked:?}", name(fixture));
    }
    if let Some(url) = request.pointer(&format!("{pointer}/image_url")).and_then(Value::as_str)
        && marked.starts_with("<img")
        && !url.starts_with("data:")
    {
        assert!(marked.contains(url) || marked.contains("&amp;"), "{}: {pointer} is at {marked:?}", name(fixture));
    }
}

/// The places of a request do not depend on the files that it includes.
#[test]
fn missing_files_do_not_hide_places() {
    let directory = tempfile::tempdir().unwrap();
    let document = "<config model=\"m\" text_format=\"gone.json\"/>\n<tool name=\"t\" schema=\"gone.json\"/>\n<user>\n<img src=\"gone.png\" local/>\n<doc src=\"gone.txt\" local/>\n<doc src=\"https://example.com\" markdown/>\n<agent src=\"gone.md\" local>\nq\n</agent>\n</user>\n<user>\nlast\n</user>\n";
    fs::write(directory.path().join("chat.md"), document).unwrap();
    for (path, place) in [
        ("input[0].content[0].image_url", "chat.md:4:1\n"),
        ("input[0].content[1].text", "chat.md:5:1\n"),
        ("input[0].content[2].text", "chat.md:6:1\n"),
        ("input[0].content[3].text", "chat.md:7:1\n"),
        ("input[1]", "chat.md:11:1\n"),
        ("tools[0]", "chat.md:2:1\n"),
    ] {
        let ran = chatmd(directory.path(), &["locate", "chat.md", path], &[], "");
        assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""), "{path}");
        assert!(ran.stdout.starts_with(place), "{path}: {}", ran.stdout);
    }
    let error = r#"{"error":{"message":"Invalid.","param":"input[1].content[0]"}}"#;
    let ran = chatmd(directory.path(), &["from-response", "--for", "chat.md"], &[], error);
    assert!(ran.code == Some(4) && ran.stderr.contains("--> chat.md:12:1"), "{}", ran.stderr);
}

#[test]
fn a_part_of_an_output_is_found_in_a_request_of_the_messages_api() {
    let directory = tempfile::tempdir().unwrap();
    let document = "<config api=\"messages\" model=\"m\" max_tokens=\"9\"/>\n\n<user>\nHi.\n</user>\n\n\
        <tool_call function_name=\"f\" tool_call_id=\"a\">\n{}\n</tool_call>\n\n\
        <tool_response tool_call_id=\"a\">\nSeen:\n<img src=\"https://example.com/a.png\"/>\n</tool_response>\n";
    std::fs::write(directory.path().join("chat.md"), document).unwrap();
    for (path, line) in [("messages.2.content.0.content.1.image.source", 13), ("messages[2].content[0]", 11)] {
        let ran = chatmd(directory.path(), &["locate", "chat.md", path], &[], "");
        assert_eq!(ran.code, Some(0), "{path}: {}", ran.stderr);
        assert!(ran.stdout.starts_with(&format!("chat.md:{line}:")), "{path}: {}", ran.stdout);
    }
}
