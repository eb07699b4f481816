//! The empty `<user>` at the end of a document: where the next turn will be written, and nothing that is sent.

use std::fs;

use chatmd::internal::document::Block;
use chatmd::internal::source::Sources;
use chatmd::internal::syntax::write::Whitespace;
use proptest::collection::vec;
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::cases::cases;
use crate::items::item;
use crate::run::chatmd;
use crate::support::{documents, from_response, read, to_input};

const PLACEHOLDER: &str = "\n\n<user>\n\n</user>\n";
const CHAT: &str = "<config model=\"m\"/>\n\n<user>\nHello.\n</user>\n\n<assistant>\nHi.\n</assistant>\n";

#[test]
fn a_placeholder_changes_the_request_of_no_fixture() {
    let mut count = 0;
    for document in documents() {
        let Ok(items) = to_input(&document) else { continue };
        let sources = Sources::new();
        if read(&sources, &document, Whitespace::Layout).0.placeholder().is_some() {
            continue;
        }
        count += 1;
        assert_eq!(to_input(&(document.clone() + PLACEHOLDER)).unwrap(), items, "{document}");
    }
    assert!(count > 200, "only {count} documents convert");
}

proptest! {
    #![proptest_config(cases())]

    /// A written document has no placeholder, so that one can be added.
    #[test]
    fn a_message_that_is_there_is_never_a_placeholder(items in vec(item(), 0..2), count in 0..3_usize) {
        let empty = json!({ "type": "message", "role": "user", "content": [] });
        let items: Vec<Value> = items.into_iter().chain(std::iter::repeat_n(empty, count)).collect();
        let document = from_response(&Value::Array(items).to_string()).unwrap().text;
        let sources = Sources::new();
        let (written, _) = read(&sources, &document, Whitespace::Layout);
        prop_assert!(written.placeholder().is_none(), "{document}");
        let (waiting, _) = read(&sources, &(document.clone() + PLACEHOLDER), Whitespace::Layout);
        prop_assert_eq!(waiting.placeholder(), Some(written.blocks.len()));
        let sent = to_input(&document).unwrap();
        prop_assert_eq!(to_input(&(document + PLACEHOLDER)).unwrap(), sent);
    }
}

#[test]
fn comments_may_follow_a_placeholder_and_nothing_else_may() {
    for (rest, is_last) in [
        ("", true),
        ("<!-- for people -->", true),
        ("<!-- chatmd:allow secret -->", true),
        ("<!-- chatmd:request {} -->", true),
        ("<!-- chatmd:item {\"type\":\"x\"} -->", false),
        ("<config/>", false),
        ("<script></script>", false),
        ("<user>x</user>", false),
        ("<assistant></assistant>", false),
    ] {
        let sources = Sources::new();
        let (document, _) = read(&sources, &format!("<user></user>{rest}"), Whitespace::Layout);
        assert_eq!(document.placeholder().is_some(), is_last, "{rest}");
        assert!(matches!(document.blocks[0].value, Block::Element(_)));
    }
}

#[test]
fn every_command_agrees_that_it_is_not_sent() {
    let directory = tempfile::tempdir().unwrap();
    fs::write(directory.path().join("without.md"), CHAT).unwrap();
    fs::write(directory.path().join("with.md"), CHAT.to_owned() + PLACEHOLDER).unwrap();
    for args in [
        &["to-request", "FILE"][..],
        &["to-request", "--stateless", "--instructions", "FILE"],
        &["to-request", "--input-only", "--source-map", "map.json", "FILE"],
        &["check", "--strict", "FILE"],
        &["stats", "--json", "FILE"],
        &["show", "--full", "FILE"],
    ] {
        let run = |name: &str| {
            let args: Vec<&str> = args.iter().map(|word| if *word == "FILE" { name } else { word }).collect();
            let ran = chatmd(directory.path(), &args, &[], "");
            let map = directory.path().join("map.json");
            let written = fs::read_to_string(&map).unwrap_or_default();
            let _ = fs::remove_file(map);
            (ran.code, ran.stdout, ran.stderr, written.replace(name, "FILE"))
        };
        let (with, without) = (run("with.md"), run("without.md"));
        assert_eq!(with, without, "{args:?}");
        assert_eq!(with.0, Some(0), "{args:?}: {}", with.2);
    }
    let located = |path: &str| chatmd(directory.path(), &["locate", "with.md", path], &[], "").code;
    assert_eq!((located("input[1]"), located("input[2]")), (Some(0), Some(65)));
}

#[test]
fn fmt_keeps_it_and_keeps_what_is_sent_apart() {
    for document in ["<user>\n\n</user>\n", "<user><!-- chatmd:fields {} --></user>\n"] {
        let ran = chatmd(std::path::Path::new("."), &["fmt", "-"], &[], document);
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(0), document), "{}", ran.stderr);
    }
}

#[test]
fn the_question_to_an_agent_takes_the_place_of_its_placeholder() {
    let directory = tempfile::tempdir().unwrap();
    fs::write(directory.path().join("agent.md"), CHAT.to_owned() + PLACEHOLDER).unwrap();
    let document = "<user><agent src=\"agent.md\" local>Why?</agent></user>";
    let path = std::env::var("PATH").unwrap();
    let args = ["to-request", "--input-only", "--agent-command", "cat"];
    let ran = chatmd(directory.path(), &args, &[("PATH", path.as_str())], document);
    let items: Value = serde_json::from_str(&ran.stdout).unwrap_or_else(|_| panic!("{}", ran.stderr));
    let request: Value = serde_json::from_str(items[0]["content"][0]["text"].as_str().unwrap()).unwrap();
    let roles: Vec<&Value> = request["input"].as_array().unwrap().iter().map(|item| &item["role"]).collect();
    assert_eq!(roles, ["user", "assistant", "user"], "{request}");
    assert_eq!(request["input"][2]["content"][0]["text"], "Why?");
}
