//! The request of the beginning of a document is the beginning of its request.
//!
//! Reasoning belongs to everything before it, so a later turn must not change what was sent before.

use std::fs;

use chatmd::{Api, Converter, RequestOptions, ResponseOptions};
use proptest::collection::vec;
use proptest::prelude::*;
use serde_json::Value;

use crate::cases::cases;
use crate::generate::text;
use crate::items::item;
use crate::run::directories;
use crate::support::documents;

/// Declarations, which must stand before the first turn.
const HEADS: [&str; 4] = [
    "<config model=\"m\" temperature=\"1\" reasoning_effort=\"low\"/>",
    "<tool name=\"f\" description=\"d\">\n{\"type\":\"object\",\"properties\":{}}\n</tool>",
    "<tool type=\"web_search\"/>",
    "<system instructions>\nBe brief.\n</system>",
];

/// What may stand between turns.
const UPDATES: [&str; 3] = ["", "<config reasoning_effort=\"high\"/>\n", "<config text_format=\"text\"/>\n"];

/// The ends of the turns of a document; `None` if a declaration stands after the first turn.
fn ends(document: &str) -> Option<Vec<usize>> {
    let outline = Converter::new().outline(document).ok()?.value;
    // A document that is nested too deep for the test is no case.
    let nodes: Vec<Value> = serde_json::from_str(&outline).ok()?;
    let (mut ends, mut has_config) = (Vec::new(), false);
    for node in &nodes {
        // A later `<config>` changes settings from its place on, or is ignored.
        if node["tag"] == "config" && std::mem::replace(&mut has_config, true) {
            continue;
        }
        let has_instructions = || node["attrs"].as_array().unwrap().iter().any(|pair| pair[0] == "instructions");
        let is_turn = match node["tag"].as_str() {
            Some("user" | "assistant" | "developer" | "tool_call" | "tool_response" | "reasoning") => true,
            Some("system" | "msg") => !has_instructions(),
            Some(_) => false,
            // A comment or text.
            None => continue,
        };
        if is_turn {
            ends.push(usize::try_from(node["span"][1].as_u64().unwrap()).unwrap());
        } else if !ends.is_empty() {
            return None;
        }
    }
    let rest = ends.first().map_or("", |end| &document[*end..]);
    (!rest.contains("chatmd:request")).then_some(ends)
}

fn request(document: &str, options: &RequestOptions) -> Option<Value> {
    let request = Converter::new().to_request(document, options).ok()?.value;
    // A number that is too large for the test is no case.
    serde_json::from_str(&request).ok()
}

/// Compares the request of each beginning with the request of the whole. Returns how many were compared.
fn assert_prefixes(document: &str) -> usize {
    let Some(ends) = ends(document) else { return 0 };
    let api = Some(Api::Responses);
    let default = RequestOptions { api, model: Some("m".to_owned()), ..RequestOptions::default() };
    let stateless = RequestOptions { stateless: true, ..default.clone() };
    let mut compared = 0;
    for options in [default, stateless] {
        let Some(mut whole) = request(document, &options) else { continue };
        // Other APIs join turns to messages.
        let Some(whole_input) = whole.as_object_mut().unwrap().remove("input") else { continue };
        for end in &ends {
            let mut start = request(&document[..*end], &options).unwrap();
            let input = start.as_object_mut().unwrap().remove("input").unwrap_or_default();
            let (input, whole_input) = (input.as_array().cloned(), whole_input.as_array());
            let (input, whole_input) = (input.unwrap_or_default(), whole_input.cloned().unwrap_or_default());
            assert!(whole_input.starts_with(&input), "{}\n…\n{}", &document[..*end], &document[*end..]);
            assert_eq!(start, whole, "{}\n…\n{}", &document[..*end], &document[*end..]);
            compared += 1;
        }
    }
    compared
}

#[test]
fn fixtures_are_prefix_stable() {
    let compared: usize = documents().iter().map(|document| assert_prefixes(document)).sum();
    assert!(compared > 500, "only {compared}");
    let mut of_requests = 0;
    for directory in directories("requests") {
        let Ok(request) = fs::read_to_string(directory.join("request.json")) else { continue };
        let document = Converter::new().from_response(request, &ResponseOptions::default()).unwrap();
        of_requests += assert_prefixes(&document.text);
    }
    assert!(of_requests > 100, "only {of_requests}");
}

#[test]
fn declaration_after_a_turn_is_no_case_of_the_law() {
    let document = "<user>\na\n</user>\n\n<tool type=\"web_search\"/>\n\n<user>\nb\n</user>\n";
    assert_eq!(ends(document), None);
    let one = request(&document[..16], &RequestOptions { model: Some("m".to_owned()), ..Default::default() }).unwrap();
    let two = request(document, &RequestOptions { model: Some("m".to_owned()), ..Default::default() }).unwrap();
    assert_ne!(one["tools"], two["tools"]);
}

proptest! {
    #![proptest_config(cases())]

    #[test]
    fn any_conversation_is_prefix_stable(
        heads in proptest::sample::subsequence(&HEADS[..], 0..=HEADS.len()),
        items in vec((item(), "\n{0,2}", proptest::sample::select(&UPDATES[..])), 0..6),
        last in text(),
    ) {
        let mut document = heads.join("\n\n");
        for (item, gap, update) in &items {
            document.push_str(gap);
            document.push_str(&Converter::new().from_response(item.to_string(), &ResponseOptions::default()).unwrap().text);
            // Without a first one, it would set the fields of the request.
            if heads.contains(&HEADS[0]) {
                document.push_str(update);
            }
        }
        assert_prefixes(&document);
        assert_prefixes(&format!("{document}\n<user>{last}</user>\n\n<assistant>\n{last}\n</assistant>\n"));
    }
}
