//! A CRLF document stays a CRLF document when a reply is appended, and the reply keeps its content.

use std::fs;

use proptest::prelude::*;
use serde_json::{Value, json};

use super::{REPLY, append, folder_with};
use crate::generate::text;
use crate::run::chatmd;

const DOCUMENT: &str = "<config model=\"m\"/>\r\n\r\n<user>\r\nHello.\r\n</user>\r\n";
const ANSWER: &str = "<assistant id=\"m1\" status=\"completed\">\r\nHi.\r\n</assistant>\r\n";
const WAITING: &str = "<user>\r\n\r\n</user>\r\n";

#[test]
fn appended_lines_use_the_line_ending_of_the_document() {
    for document in [DOCUMENT.to_owned(), DOCUMENT.trim_end().to_owned(), format!("{DOCUMENT}\r\n \r\n")] {
        let directory = folder_with(&document);
        let expected = format!("{DOCUMENT}\r\n{ANSWER}\r\n{WAITING}");
        for _ in 0..2 {
            assert_eq!(append(directory.path(), &["--reply"], REPLY), (Some(0), expected.clone()));
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

proptest! {
    #![proptest_config(ProptestConfig { cases: 20, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_reply_reads_back_from_a_crlf_document(texts in proptest::collection::vec(text(), 1..20)) {
        assert_reads_back(&texts);
    }
}
