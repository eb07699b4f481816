//! `stats`: the size of a request before it is sent.

use std::fs;
use std::time::{Duration, Instant};

use chatmd::internal::convert::{Context, Request, RequestOptions, Wanted};
use chatmd::internal::diagnostic::{Colors, Diagnostics, thousands};
use chatmd::internal::document::{Limits, print};
use chatmd::internal::json::StringArena;
use chatmd::internal::resolve::Resolver;
use chatmd::internal::source::{Sources, Span};
use chatmd::internal::stats::{Stats, Subject, TableOptions, count, render, to_json};
use chatmd::internal::syntax::write::Whitespace;
use chatmd::internal::tokens::{Detail, image_tokens, text_tokens};
use chatmd::resources::NoFiles;
use proptest::collection::vec;
use proptest::prelude::*;
use serde_json::{Value, json};
use unicode_width::UnicodeWidthStr;

use crate::cases::{cases, large};
use crate::generate;
use crate::items::item;
use crate::run::{Ran, chatmd};
use crate::support::{fixtures, from_response};

const PNG: &str = "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

/// The stats of a document, and its `input`.
fn costs(text: &str) -> (Stats, String) {
    let (sources, strings, mut diagnostics) = (Sources::new(), StringArena::default(), Diagnostics::new());
    let source = sources.add("test.md", text.to_owned(), None);
    let resolver = Resolver::new(&sources, &NoFiles);
    let context = Context::new(&resolver, &strings, Whitespace::Layout, Limits::default());
    let document = context.read(source, &mut diagnostics);
    let options = RequestOptions::default();
    let place = Span::new(source, 0..0);
    let request = Request::of(&document, &context, &options, Wanted::Unsent, place, &mut diagnostics);
    let input = Request::of(&document, &context, &options, Wanted::Input, place, &mut diagnostics).to_json();
    (count(&request), input)
}

fn json_of(text: &str) -> Value {
    serde_json::from_str(&to_json(&costs(text).0, None)).unwrap()
}

/// A document that carries one item.
fn carried(item: &Value) -> Value {
    json_of(&format!("<!-- chatmd:item {item} -->"))["items"][0].clone()
}

fn example(args: &[&str]) -> Ran {
    let args: Vec<&str> = ["stats", "costs.md"].iter().chain(args).copied().collect();
    chatmd(&fixtures().join("examples"), &args, &[], "")
}

fn table(args: &[&str]) -> String {
    let ran = example(args);
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
    ran.stdout
}

#[test]
fn table_fits_the_width() {
    for (width, name) in [(60, "table-60"), (100, "table-100")] {
        let plain = table(&["--width", &width.to_string()]);
        let coloured = table(&["--width", &width.to_string(), "--color", "always"]);
        assert!(plain.lines().all(|line| line.width() <= width), "{plain}");
        assert_eq!(anstream::adapter::strip_str(&coloured).to_string(), plain);
        insta::assert_snapshot!(name, plain);
        insta::assert_snapshot!(format!("{name}-coloured"), coloured.replace('\x1b', "␛"));
    }
    assert_eq!(table(&[]), table(&["--width", "80"]), "no terminal");
    let (stats, _) = costs(&fs::read_to_string(fixtures().join("examples/costs.md")).unwrap());
    for width in 24..130 {
        let table = render(&stats, TableOptions { width, colors: Colors::None, top: None });
        assert!(table.lines().all(|line| line.width() <= width), "{width}\n{table}");
    }
}

#[test]
fn json_has_the_documented_fields() {
    let printed = table(&["--json"]);
    let stats: Value = serde_json::from_str(&printed).unwrap();
    assert_eq!(printed.lines().count(), 1);
    assert_eq!(stats["model"], "gpt-5");
    assert_eq!(stats["instructions"], Value::Null);
    assert_eq!(stats["tools"]["line"], 3);
    let user = json!({ "index": 1, "type": "message", "role": "user", "line": 9, "bytes": 680, "tokens": 225, "files": 0,
        "images": [{ "width": 16, "height": 12, "media_type": "image/png", "bytes": 357, "tokens": 210 }] });
    assert_eq!(stats["items"][1], user);
    let output = json!({ "index": 8, "type": "custom_tool_call_output", "name": "東京の天気予報を読む道具", "call_id": "call_3",
        "line": 40, "bytes": 3138, "tokens": 2059, "files": 0, "images": [] });
    assert_eq!(stats["items"][8], output);
    let unknown = json!([{ "width": null, "height": null, "media_type": null, "bytes": null, "tokens": null }]);
    assert_eq!(stats["items"][11]["images"], unknown);
    let total = json!({ "items": 12, "bytes": 8658, "images": 3, "tokens": 2836, "unknown_images": 1, "unknown_files": 0,
        "tool_output_tokens": 2435, "tool_output_share": 0.8586 });
    assert_eq!(stats["total"], total);
    let empty = json!({ "items": 0, "bytes": 0, "images": 0, "tokens": 0, "unknown_images": 0, "unknown_files": 0,
        "tool_output_tokens": 0, "tool_output_share": null });
    let nothing =
        json!({ "model": null, "instructions": null, "tools": null, "items": [], "total": empty, "usage": null });
    assert_eq!(json_of(""), nothing);
}

#[test]
fn top_shows_the_largest_rows_and_keeps_the_totals() {
    let (all, top) = (table(&[]), table(&["--top", "2"]));
    let lines: Vec<&str> = top.lines().collect();
    assert!(lines[1].trim_start().starts_with("8  output of ") && lines[2].trim_start().starts_with("6  output of "));
    assert!(lines[3].trim_start().starts_with("12 items"), "{top}");
    assert!(top.contains("Shown: 2 of 13 rows, those with most tokens."), "{top}");
    assert_eq!(all.lines().last(), top.lines().last());
    assert!(table(&["--top", "0"]).contains("12 items"));
    assert_eq!(table(&["--top", "99"]).lines().count(), all.lines().count());
    assert_eq!(example(&["--top", "2", "--json"]).code, Some(2));
}

#[test]
fn max_tokens_reports_by_how_much_it_is_exceeded() {
    let all = table(&[]);
    for most in ["2836", "1000000"] {
        assert_eq!(table(&["--max-tokens", most]), all);
    }
    let over = example(&["--max-tokens", "2800"]);
    assert_eq!((over.code, over.stdout), (Some(1), all));
    insta::assert_snapshot!(over.stderr, @"
    error: at least 2,836 tokens, 36 more than --max-tokens 2,800
      = help: the largest is `input[8]`, output of 東京の天気予報を読む道具 at line 40: 2,059
    ");
    let over = example(&["--json", "--max-tokens", "0"]);
    assert_eq!((over.code, over.stdout.lines().count()), (Some(1), 1));
    let directory = tempfile::tempdir().unwrap();
    let over =
        chatmd(directory.path(), &["stats", "--max-tokens", "1"], &[], "<system instructions>\nhello world\n</system>");
    insta::assert_snapshot!(over.stderr, @"
    error: about 2 tokens, 1 more than --max-tokens 1
      = help: the largest is instructions at line 1: 2
    ");
}

/// The same array is counted as an image if it is sent as parts, and as base64 if it is sent as text.
#[test]
fn image_part_counts_as_image_and_image_text_as_base64() {
    let example = fs::read_to_string(fixtures().join("examples/costs.md")).unwrap();
    let array = example.lines().find(|line| line.starts_with("[{\"type\":\"input_image\"")).unwrap();
    let cost = |hint: &str| {
        let output = format!("<tool_response tool_call_id=\"c\"{hint}>\n{array}\n</tool_response>\n");
        json_of(&format!("<config model=\"gpt-5\"/>\n{output}"))["items"][0].clone()
    };
    let (parts, text) = (cost(""), cost(" output=\"text\""));
    assert_eq!((parts["tokens"].as_u64(), text["tokens"].as_u64()), (Some(350), Some(2059)));
    assert_eq!(image_tokens("gpt-5", (640, 480), Detail::High), 350);
    assert_eq!(text_tokens(array), 2059);
    assert_eq!((&parts["images"][0]["width"], &text["images"]), (&json!(640), &json!([])));
}

#[test]
fn image_tokens_depend_on_model_and_detail() {
    let document = |attributes: &str| format!("<user>\n<img src=\"{PNG}\"{attributes}/>\n</user>\n");
    let tokens = |args: &[&str], variables: &[(&str, &str)], document: &str| {
        let args: Vec<&str> = ["stats", "--json"].iter().chain(args).copied().collect();
        let ran = chatmd(tempfile::tempdir().unwrap().path(), &args, variables, document);
        assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
        serde_json::from_str::<Value>(&ran.stdout).unwrap()["total"]["tokens"].as_u64().unwrap()
    };
    assert_eq!(tokens(&[], &[], &document("")), 255, "no model is needed");
    assert_eq!(tokens(&[], &[], &document(" detail=\"low\"")), 85);
    assert_eq!(tokens(&["--model", "gpt-5"], &[], &document("")), 210);
    assert_eq!(tokens(&[], &[("CHATMD_MODEL", "o4-mini")], &document("")), 2);
    assert_eq!(tokens(&["--model", "gpt-5"], &[], &document(" detail=\"auto\"")), 210);
}

#[test]
fn base64_and_encrypted_content_are_not_counted_as_text() {
    let base64 = PNG.split_once(',').unwrap().1;
    let sealed = "gAAAAAB".repeat(1000);
    let pixel = json!({ "width": 1, "height": 1, "media_type": "image/png", "bytes": 70, "tokens": 255 });
    let few = |item: &Value| assert!(item["tokens"].as_u64().unwrap() < 330, "{item}");
    for item in [
        json!({ "type": "computer_call_output", "call_id": "c", "output": { "type": "computer_screenshot", "image_url": PNG } }),
        json!({ "type": "image_generation_call", "id": "ig", "status": "completed", "result": base64 }),
        json!({ "type": "code_interpreter_call", "id": "ci", "outputs": [{ "type": "image", "url": PNG }] }),
    ] {
        let counted = carried(&item);
        assert_eq!(counted["images"], json!([pixel]), "{item}");
        few(&counted);
    }
    for (item, files) in [
        (json!({ "type": "reasoning", "id": "rs", "summary": [], "encrypted_content": sealed }), 0),
        (json!({ "type": "compaction", "id": "cmp", "encrypted_content": sealed }), 0),
        (
            json!({ "type": "message", "role": "user", "content": [{ "type": "input_file", "filename": "a.pdf", "file_data": sealed }] }),
            1,
        ),
        (
            json!({ "type": "message", "role": "user", "content": [{ "type": "input_audio", "input_audio": { "data": "AAAA".repeat(500), "format": "wav" } }] }),
            1,
        ),
        (
            json!({ "type": "function_call_output", "call_id": "c", "output": [{ "type": "input_file", "file_id": "file-1" }] }),
            1,
        ),
    ] {
        let counted = carried(&item);
        assert_eq!((&counted["files"], &counted["images"]), (&json!(files), &json!([])), "{item}");
        assert_eq!(counted["bytes"], item.to_string().len(), "{item}");
        few(&counted);
    }
    let text = json!({ "type": "mcp_call", "name": "n", "output": base64.repeat(100) });
    assert!(carried(&text)["tokens"].as_u64().unwrap() > 3000, "a text is a text");
}

#[test]
fn rows_have_readable_labels() {
    let (stats, _) = costs(
        "<system instructions>\nA.\n</system>\n<tool_call function_name=\"f\" tool_call_id=\"c\">\n{}\n</tool_call>\n\
         <tool_response tool_call_id=\"c\">\nx\n</tool_response>\n<tool_response tool_call_id=\"d\">\nx\n</tool_response>\n\
         <!-- chatmd:item {\"type\":\"web_search_call\"} -->\n<!-- chatmd:item {} -->\n<developer>\nx\n</developer>\n",
    );
    let labels: Vec<String> = stats.rows.iter().map(|row| chatmd::internal::stats::label(&row.subject)).collect();
    let expected = ["instructions", "call f", "output of f", "output of d", "web_search_call", "item", "developer"];
    assert_eq!(labels, expected);
    let lines: Vec<usize> = stats.rows.iter().map(|row| row.line.unwrap()).collect();
    assert_eq!(lines, [1, 4, 7, 10, 13, 14, 15]);
}

#[test]
fn imported_item_has_the_line_of_its_import() {
    let directory = tempfile::tempdir().unwrap();
    fs::write(directory.path().join("chat.md"), "<user>\na\n</user>\n\n<import src=\"more.md\"/>\n").unwrap();
    fs::write(directory.path().join("more.md"), "<!-- -->\n\n<user>\nb\n</user>\n").unwrap();
    let ran = chatmd(directory.path(), &["stats", "--json", "chat.md"], &[], "");
    let stats: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!((&stats["items"][0]["line"], &stats["items"][1]["line"]), (&json!(1), &json!(5)), "{}", ran.stderr);
}

#[test]
fn stats_output_is_sanitized() {
    let secret = "sk-abcdefghijklmnopqrstuvwxyz";
    let items = json!([
        { "type": "function_call", "call_id": "c", "name": format!("a\u{1b}[31m\u{9b}\n{secret}"), "arguments": "{}" },
        { "type": "function_call_output", "call_id": "c", "output": "x" },
        { "type": format!("t\u{7}\u{202e}{}", "QUJD".repeat(100)) },
        { "type": "message", "role": "r\r\u{1b}]0;x\u{7}", "content": [] },
    ]);
    let document = from_response(&items.to_string()).unwrap().text;
    for args in [&["stats"][..], &["stats", "--json"], &["stats", "--max-tokens", "0", "--color", "never"]] {
        let ran = chatmd(tempfile::tempdir().unwrap().path(), args, &[], &document);
        for text in [&ran.stdout, &ran.stderr] {
            let is_harmful = |c: char| c != '\n' && c.is_control() || c == '\u{202e}';
            assert!(!text.contains(is_harmful) && !text.contains("sk-abc") && !text.contains("QUJDQUJD"), "{text}");
        }
        assert!(ran.stdout.contains("[31m"), "{}", ran.stderr);
    }
}

#[test]
fn problems_are_reported_as_by_other_commands() {
    let directory = tempfile::tempdir().unwrap();
    for (document, code, expected) in [
        ("hello", 65, "error[text-at-top-level]"),
        ("<user>\n<img src=\"gone.png\" local/>\n</user>\n", 66, "error[missing-file]"),
        ("<user>\n<doc src=\"/etc/passwd\" local/>\n</user>\n", 77, "error[forbidden-file]"),
    ] {
        let ran = chatmd(directory.path(), &["stats"], &[], document);
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(code), ""), "{document}");
        assert!(ran.stderr.starts_with(expected), "{}", ran.stderr);
    }
    let ran = chatmd(directory.path(), &["stats", "gone.md"], &[], "");
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(66), ""));
    assert!(ran.stderr.contains("cannot read gone.md"), "{}", ran.stderr);
}

#[test]
fn large_documents_are_counted_quickly() {
    let output = |body: &str| format!("<tool_response tool_call_id=\"c\">\n{body}\n</tool_response>\n");
    let image = format!("{{\"type\":\"input_image\",\"image_url\":\"{PNG}\"}}");
    let image_of_megabytes =
        format!("data:image/png;base64,{}", "iVBORw0KGgoA".to_owned() + &"AAAA".repeat(large(2_000_000)));
    let long_name = format!(
        "<tool_call function_name=\"{}\" tool_call_id=\"c\">\n{{}}\n</tool_call>\n",
        "n ".repeat(large(500_000))
    );
    for (what, document, items) in [
        ("a text", output(&"all work and no play\n".repeat(large(100_000))), 1),
        ("no words", output(&"a".repeat(large(1_000_000))), 1),
        ("items", "<user>\nx\n</user>\n".repeat(large(30_000)), large(30_000)),
        ("items on one line", "<user>x</user>".repeat(large(30_000)), large(30_000)),
        ("images", output(&format!("[{}]", vec![image.as_str(); large(20_000)].join(","))), 1),
        ("a broken image of megabytes", format!("<user>\n<img src=\"{image_of_megabytes}\"/>\n</user>"), 1),
        ("a long name", long_name + &output("x").repeat(large(10_000)), large(10_000) + 1),
        ("deep JSON", format!("<!-- chatmd:item {{\"a\":{}{}}} -->", "[".repeat(120), "]".repeat(120)), 1),
    ] {
        let began = Instant::now();
        let (stats, _) = costs(&document);
        let table = render(&stats, TableOptions { width: 80, colors: Colors::None, top: None });
        assert_eq!(stats.total().items, items, "{what}");
        assert!(table.lines().all(|line| line.width() <= 80), "{what}");
        assert!(table.len() + to_json(&stats, None).len() < 8_000_000, "{what}");
        assert!(began.elapsed() < Duration::from_secs(60), "{what}: {:?}", began.elapsed());
    }
}

#[test]
fn large_numbers_have_thousands_separators() {
    for (number, written) in [(0, "0"), (999, "999"), (1000, "1,000"), (1_234_567, "1,234,567")] {
        assert_eq!(thousands(number), written);
    }
}

/// Properties of the stats of every document.
fn assert_laws(text: &str, width: usize) {
    let (stats, input) = costs(text);
    let json: Value = serde_json::from_str(&to_json(&stats, None)).unwrap();
    let (items, total) = (json["items"].as_array().unwrap(), stats.total());
    let rows: Vec<&Value> = items.iter().chain([&json["instructions"], &json["tools"]]).collect();
    let sum = |key: &str| rows.iter().filter_map(|row| row[key].as_u64()).sum::<u64>();
    let count = |key: &str| rows.iter().filter_map(|row| Some(row[key].as_array()?.len() as u64)).sum::<u64>();
    let sums = json!([items.len(), sum("bytes"), sum("tokens"), count("images"), sum("files")]);
    let keys = ["items", "bytes", "tokens", "images", "unknown_files"];
    assert_eq!(sums, Value::from_iter(keys.map(|key| json["total"][key].clone())), "{text}");
    let bytes: usize = items.iter().map(|item| usize::try_from(item["bytes"].as_u64().unwrap()).unwrap()).sum();
    assert_eq!(bytes + items.len().saturating_sub(1) + 2, input.len(), "commas and brackets: {text}");
    let index = |row: &chatmd::internal::stats::Row| {
        if let Subject::Item(item) = &row.subject { Some(item.index) } else { None }
    };
    assert!(stats.rows.iter().filter_map(index).eq(0..total.items));
    assert!(total.tool_output_tokens <= total.tokens);
    assert!(stats.top(usize::MAX).is_sorted_by_key(|row| std::cmp::Reverse(row.cost.tokens())));
    let table = render(&stats, TableOptions { width, colors: Colors::None, top: None });
    assert!(table.lines().all(|line| line.width() <= width), "{width}\n{table}");
    assert!(!table.contains(|c: char| c.is_control() && c != '\n'), "{table:?}");
}

proptest! {
    #![proptest_config(cases())]

    #[test]
    fn rows_of_any_document_add_up_to_the_total(document in generate::document(), width in 30_usize..120) {
        assert_laws(&print(&document, Whitespace::Layout), width);
    }

    #[test]
    fn rows_of_any_items_add_up_to_the_total(items in vec(item(), 0..4), width in 30_usize..120) {
        assert_laws(&from_response(&Value::Array(items).to_string()).unwrap().text, width);
    }
}
