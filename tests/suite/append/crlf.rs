//! A CRLF document stays a CRLF document when a reply is appended, and the reply keeps its content.

use std::fs;

use chatmd::{Answer, AnswerOptions, AppendOptions, Converter, RequestOptions, ResponseOptions};
use proptest::collection::vec;
use proptest::prelude::*;
use serde_json::{Value, json};

use super::{REPLY, append, folder_with};
use crate::cases::{cases, few_cases};
use crate::generate::text;
use crate::items::{canonical, item};
use crate::run::chatmd;
use crate::support::MODES;

const DOCUMENT: &str = "<config model=\"m\"/>\r\n\r\n<user>\r\nHello.\r\n</user>\r\n";
const ANSWER: &str = "<assistant id=\"m1\" status=\"completed\">\r\nHi.\r\n</assistant>\r\n";
const WAITING: &str = "<user>\r\n\r\n</user>\r\n";

#[test]
fn appended_lines_use_the_line_ending_of_the_document() {
    for document in [DOCUMENT.to_owned(), DOCUMENT.trim_end().to_owned(), format!("{DOCUMENT}\r\n \r\n")] {
        let directory = folder_with(&document);
        let expected = format!("{DOCUMENT}\r\n{ANSWER}\r\n{WAITING}");
        for _ in 0..2 {
            assert_eq!(append(directory.path(), &["--next"], REPLY), (Some(0), expected.clone()));
        }
        let other = REPLY.replace("m1", "m2");
        let expected = format!("{DOCUMENT}\r\n{ANSWER}\r\n{}\r\n{WAITING}", ANSWER.replace("m1", "m2"));
        assert_eq!(append(directory.path(), &[], &other), (Some(0), expected));
    }
}

#[test]
fn existing_line_endings_are_kept() {
    let document = DOCUMENT.replace("\r\n", "\n");
    let directory = folder_with(&document);
    assert_eq!(append(directory.path(), &[], REPLY).1, format!("{document}\n{}", ANSWER.replace("\r\n", "\n")));
}

/// The items of the appended documents are those of the replies.
fn assert_reads_back(texts: &[String]) {
    let output: Vec<Value> = texts
        .iter()
        .enumerate()
        .flat_map(|(index, text)| {
            let content = json!([{ "type": "output_text", "text": text, "annotations": [] }]);
            let summary = json!([{ "type": "summary_text", "text": text }]);
            [
                json!({ "type": "message", "id": format!("m{index}"), "role": "assistant", "status": "completed", "content": content }),
                json!({ "type": "function_call", "call_id": format!("c{index}"), "name": "f", "arguments": text }),
                json!({ "type": "function_call_output", "call_id": format!("c{index}"), "output": text }),
                json!({ "type": "reasoning", "id": format!("r{index}"), "summary": summary }),
            ]
        })
        .collect();
    let reply = json!({ "object": "response", "status": "completed", "output": output });
    let directory = folder_with(DOCUMENT);
    let (code, text) = append(directory.path(), &[], &reply.to_string());
    assert_eq!(code, Some(0));
    let ran = chatmd(directory.path(), &["to-request", "--input-only", "chat.md"], &[], "");
    let items: Vec<Value> = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(items[1..], output, "{text:?}");
    assert_eq!(append(directory.path(), &[], &reply.to_string()), (Some(0), text.clone()));
    assert_eq!(chatmd(directory.path(), &["fmt", "chat.md"], &[], "").code, Some(0));
    let formatted = fs::read_to_string(directory.path().join("chat.md")).unwrap();
    assert_eq!(formatted, text, "what is appended is formatted");
}

#[test]
fn line_breaks_in_a_reply_are_kept_as_content() {
    let texts = [
        "a\nb",
        "a\r\nb",
        "\n",
        "\r",
        "\r\n",
        "a\r",
        "a\n",
        "\na",
        "\r\na\r\n",
        "<user>\n",
        "|RAW\nRAW|\r\n",
        "",
        " \n ",
    ];
    assert_reads_back(&texts.map(str::to_owned));
}

/// Items whose JSON in `chatmd:` comments does not fit on a line.
fn long_items() -> [Value; 4] {
    let long = "a long text that makes the line longer than one hundred columns, so that it is laid out";
    let citation = json!({ "type": "url_citation", "url": "https://example.com", "title": long, "start_index": 0, "end_index": 1 });
    let content = json!([{ "type": "output_text", "text": "a\nb", "annotations": [citation] }]);
    [
        json!({ "type": "web_search_call", "id": "ws_1", "status": "completed", "action": { "type": "search", "query": long, "sources": null } }),
        json!({ "type": "message", "id": "m1", "role": "assistant", "status": "completed", "content": content }),
        json!({ "type": "function_call", "call_id": "c", "name": "f", "arguments": "{}", "more": { "a": long, "b": long } }),
        json!({ "type": "function_call_output", "call_id": "c", "output": [{ "type": "new", "a": long, "b": "\r\n" }] }),
    ]
}

#[test]
fn json_that_is_laid_out_has_the_line_ending_of_the_document() {
    let directory = folder_with(DOCUMENT);
    let (code, text) = append(directory.path(), &[], &json!(long_items()).to_string());
    assert_eq!(code, Some(0));
    assert_eq!(
        text.replace("\r\n", "").matches(['\r', '\n']).collect::<String>(),
        "\n",
        "only the text has another one"
    );
    let ran = chatmd(directory.path(), &["to-request", "--input-only", "chat.md"], &[], "");
    let items: Vec<Value> = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(items[1..], long_items());
    assert_eq!(append(directory.path(), &[], &json!(long_items()).to_string()), (Some(0), text.clone()));
    chatmd(directory.path(), &["fmt", "chat.md"], &[], "");
    assert_eq!(fs::read_to_string(directory.path().join("chat.md")).unwrap(), text);
}

#[test]
fn json_of_an_answer_that_is_laid_out_has_the_line_ending_of_the_document() {
    let long = "a long text that makes the line longer than one hundred columns, so that it is laid out";
    let part = json!({ "type": "input_text", "text": "a\r\nb", "more": { "a": long, "b": long } });
    let output = json!({ "type": "function_call_output", "call_id": "c", "output": [part] });
    let document =
        format!("{DOCUMENT}\r\n<tool_call tool_call_id=\"c\" function_name=\"f\">\r\n{{}}\r\n</tool_call>\r\n");
    let answer = Answer::Json(output["output"].to_string());
    let answered = Converter::new().answer(document.as_str(), "c", &answer, &AnswerOptions::default()).unwrap();
    assert!(answered.text.starts_with(&document) && !answered.text.replace("\r\n", "").contains('\n'));
    let input = Converter::new().to_input(answered.text.as_str(), &RequestOptions::default()).unwrap().value;
    assert_eq!(serde_json::from_str::<Vec<Value>>(&input).unwrap().last(), Some(&output));
}

proptest! {
    #![proptest_config(cases())]

    #[test]
    fn any_items_read_back_from_a_crlf_document(items in vec(item(), 1..3)) {
        let expected: Vec<Value> = items.iter().map(canonical).collect();
        for mode in MODES {
            let converter = Converter::new().whitespace(mode);
            let reply = converter.from_response(Value::Array(items.clone()).to_string(), &ResponseOptions::default()).unwrap();
            let appended = converter.append(DOCUMENT, &reply.text, &AppendOptions { next_turn: true, ..AppendOptions::default() }).unwrap();
            let text = appended.text.unwrap();
            let input = converter.to_input(text.as_str(), &RequestOptions::default()).unwrap().value;
            let read: Vec<Value> = serde_json::from_str(&input).unwrap();
            prop_assert_eq!(&read[1..], &expected, "{:?}\n{}", mode, text);
            let again = converter.append(text.as_str(), &reply.text, &AppendOptions::default()).unwrap();
            prop_assert!(again.already_present, "{:?}\n{}", mode, text);
        }
    }
}

proptest! {
    #![proptest_config(few_cases())]

    #[test]
    fn any_reply_reads_back_from_a_crlf_document(texts in proptest::collection::vec(text(), 1..20)) {
        assert_reads_back(&texts);
    }
}
