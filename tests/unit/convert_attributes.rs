//! Tests of `src/convert/attributes.rs`.

use std::collections::BTreeSet;

use super::*;
use crate::convert::{Request, RequestOptions, Wanted, WriteOptions, from_items};
use crate::document::{ConfigUpdates, Limits, print};
use crate::json::is_same;
use crate::resolve::Resolver;
use crate::resources::NoFiles;
use crate::responses::Item;
use crate::source::Sources;
use crate::syntax::write::Whitespace;

/// Converts a document to items and compares them with JSON. Converts them back and compares the document.
fn assert_items(text: &str, expected: &str) {
    let (sources, strings) = (Sources::new(), StringArena::default());
    let source = sources.add("", text.to_owned(), None);
    let resolver = Resolver::new(&sources, &NoFiles);
    let context = Context::new(&resolver, &strings, Whitespace::Layout, Limits::default());
    let mut diagnostics = Diagnostics::new();
    let document = context.read(source, &mut diagnostics);
    let mut request = Request::new(Span::new(source, 0..0), &sources).for_all_apis();
    let options = RequestOptions::default();
    request.convert(&document, &context, &options, Wanted::Input, &mut diagnostics);
    assert!(diagnostics.is_empty(), "{diagnostics:?}");
    let items: Vec<Item<'_>> = request.items.into_iter().map(|located| located.item).collect();
    let json = strings.json(|out| crate::json::write::array(out, &items, |out, item| item.encode(out)));
    let is_expected = Json::parse(expected, &strings).is_ok_and(|expected| is_same(json, expected));
    assert!(is_expected, "{}", json.raw());
    let written = from_items(&items, WriteOptions::default(), &BTreeSet::new(), ConfigUpdates::default());
    assert_eq!(print(&written, Whitespace::Layout), text);
    for mut item in items.into_iter().filter(|item| !item.is_foreign()) {
        assert!(strings.json(|out| item.encode(out)).raw().contains("\"@"));
        item.remove_extensions();
        let json = strings.json(|out| item.encode(out));
        assert!(!json.raw().contains("\"@"), "{}", json.raw());
        assert_eq!(Item::decode(json), Ok(item));
    }
}

#[test]
fn messages_have_names_and_cache_marks() {
    assert_items(
        "<user name=\"ann\" cache_control=\"5m\">\nHi.\n</user>\n",
        r#"[{"type":"message","role":"user","@name":"ann","@cache_control":{"type":"ephemeral","ttl":"5m"},
            "content":[{"type":"input_text","text":"Hi."}]}]"#,
    );
}

#[test]
fn parts_have_issuers_and_cache_marks() {
    assert_items(
        "<user>\n<img file_id=\"f\" detail=\"low\" issuer=\"anthropic\" cache_control/>\n\
         <doc file_id=\"g\" issuer=\"anthropic\" cache_control=\"1h\"/>\n</user>\n",
        r#"[{"type":"message","role":"user","content":[
            {"type":"input_image","file_id":"f","detail":"low","@issuer":"anthropic","@cache_control":{"type":"ephemeral"}},
            {"type":"input_file","file_id":"g","@issuer":"anthropic","@cache_control":{"type":"ephemeral","ttl":"1h"}}]}]"#,
    );
}

#[test]
fn outputs_have_failed_or_not() {
    assert_items(
        "<tool_response tool_call_id=\"a\" error>\nno\n</tool_response>\n\n\
         <tool_response tool_call_id=\"b\" error=\"false\">\nyes\n</tool_response>\n",
        r#"[{"type":"function_call_output","call_id":"a","output":"no","@error":true},
            {"type":"function_call_output","call_id":"b","output":"yes","@error":false}]"#,
    );
}

#[test]
fn reasoning_of_another_issuer_is_an_item() {
    assert_items(
        "<reasoning issuer=\"anthropic\" signature=\"S\">\nT\n</reasoning>\n\n\
         <reasoning issuer=\"anthropic\" redacted=\"D\"></reasoning>\n\n\
         <reasoning issuer=\"chat\" field=\"reasoning\">\nT\n</reasoning>\n",
        r#"[{"type":"reasoning","@issuer":"anthropic","@signature":"S","summary":[{"type":"summary_text","text":"T"}]},
            {"type":"reasoning","@issuer":"anthropic","@redacted":"D","summary":[]},
            {"type":"reasoning","@issuer":"chat","@field":"reasoning","summary":[{"type":"summary_text","text":"T"}]}]"#,
    );
}

#[test]
fn foreign_blocks_and_messages_are_items() {
    assert_items(
        "<!-- chatmd:foreign {\"issuer\":\"anthropic\",\"block\":{\"type\":\"x\"}} -->\n\n\
         <!-- chatmd:foreign {\"api\":\"chat\",\"message\":{\"role\":\"x\"}} -->\n",
        r#"[{"issuer":"anthropic","block":{"type":"x"}},{"api":"chat","message":{"role":"x"}}]"#,
    );
}

#[test]
fn comments_have_members_of_other_apis() {
    assert_items(
        "<user><!-- chatmd:fields {\"@messages\":{\"@at\":\"new\"}} -->\n\
         <!-- chatmd:part {\"@chat\":{\"a\":1}} -->\nHi.\n\
         <!-- chatmd:part {\"type\":\"input_file\",\"@messages\":{\"type\":\"search_result\"}} -->\n</user>\n",
        r#"[{"type":"message","role":"user","@messages":{"@at":"new"},"content":[
            {"type":"input_text","text":"Hi.","@chat":{"a":1}},
            {"type":"input_file","@messages":{"type":"search_result"}}]}]"#,
    );
}

#[test]
fn json_of_the_api_has_no_extensions() {
    let strings = StringArena::default();
    for json in [
        r#"{"type":"message","role":"user","content":[],"@name":"x"}"#,
        r#"{"type":"message","role":"user","content":[{"type":"input_text","text":"x","@chat":1}]}"#,
        r#"{"type":"reasoning","summary":[{"type":"summary_text","text":"x","@chat":1}]}"#,
        r#"{"type":"function_call_output","call_id":"c","output":[{"type":"input_image","@chat":1}]}"#,
    ] {
        let item = Json::parse(json, &strings).and_then(Item::decode);
        let Ok(item @ Item::Other(_)) = item else { unreachable!("{json}: {item:?}") };
        assert_eq!(strings.json(|out| item.encode(out)).raw(), json);
    }
}
