//! `--redact`.

use chatmd::render::{Options, extract, redact};
use chatmd::{CheckOptions, Converter};

use super::laws::rendered;
use crate::run::chatmd;

const KEY: &str = "AKIA2E0A8F3B244C9986";

fn has_secret(document: &str) -> bool {
    Converter::new().check(document, &CheckOptions::default()).iter().any(|finding| finding.name() == "secret")
}

/// A secret in every place of a document, and hidden in every way.
fn documents() -> Vec<String> {
    let (head, tail) = KEY.split_at(9);
    vec![
        format!("<user>It is {KEY}.</user>"),
        format!("<user>It is {head}RAW|{tail}|RAW.</user>"),
        format!("<user>It is RAW|\n{head}|RAW{tail}.</user>"),
        format!("<user>It is {head}<!-- x -->{tail}.</user>"),
        format!("<user>It is RAW|{head}|RAWRAW|{tail}|RAW.</user>"),
        format!("<user><img src=\"https://a/{KEY}\"/></user>"),
        format!("<user><img src=\"https://a/&#65;{}\"/></user>", &KEY[1..]),
        format!("<user><doc src=\"x\" file filename=\"{KEY}\"/></user>"),
        format!("<tool_call function_name=\"f\" tool_call_id=\"c\">{{\"key\": \"{KEY}\"}}</tool_call>"),
        format!("<tool_response tool_call_id=\"c\">key={KEY}</tool_response>"),
        format!("<!-- chatmd:item {{\"type\":\"shell_call\",\"action\":{{\"commands\":[\"use {KEY}\"]}}}} -->"),
        format!(
            "<!-- chatmd:item {{\"type\":\"shell_call\",\"action\":{{\"commands\":[\"\\u0041{}\"]}}}} -->",
            &KEY[1..]
        ),
        format!("<!-- for {KEY} -->\n<user>x</user>"),
        format!("<config model=\"{KEY}\"/>\n<user>x</user>"),
        format!("<tool name=\"f\" description=\"{KEY}\">{{\"type\":\"object\"}}</tool>\n<user>x</user>"),
        format!("<reasoning><summary>{KEY}</summary></reasoning>"),
        format!("<user>```\n{KEY}\n```</user>"),
        format!("<user>\u{feff}\r\n{KEY}\r\n</user>"),
    ]
}

#[test]
fn no_secret_is_left_in_page_or_document() {
    for document in documents() {
        let options = Options { redacts: true, title: format!("Key {KEY}"), ..Options::default() };
        let page = rendered(&document, &options);
        let visible = super::page::read_page(&page.html).text;
        assert!(!visible.contains(&KEY[10..]) && !page.html.contains(&KEY[10..]), "{document}\n{visible}");
        let taken = String::from_utf8(extract(page.html.as_bytes()).unwrap()).unwrap();
        assert!(!taken.contains(&KEY[10..]) && taken.contains("[redacted: AWS access key id]"), "{document}\n{taken}");
        assert!(!has_secret(&taken), "{taken}");
        assert_eq!((page.redacted.len(), page.redacted[0].kind), (1, "AWS access key id"), "{document}");
        assert!(rendered(&document, &Options::default()).redacted.is_empty());
    }
}

#[test]
fn what_has_no_secret_stays_the_same() {
    for document in crate::support::documents().into_iter().filter(|document| !has_secret(document)) {
        let (text, redacted) = redact(&document);
        if redacted.is_empty() {
            assert_eq!(text, document);
        }
    }
    let key = "-----BEGIN RSA PRIVATE KEY-----\nMIIEpAIBAAKCAQEA7bq0mJ8nQx2yTq4r1u9sC3kz5w7v\n";
    // A key without an end does not reach into other turns.
    let (text, redacted) = redact(&format!("<user>\n{key}</user>\n<assistant>\nOk.\n</assistant>\n"));
    assert_eq!(text, "<user>\n[redacted: private key]\n</user>\n<assistant>\nOk.\n</assistant>\n");
    assert_eq!((redacted[0].line, redacted[0].kind), (2, "private key"));
}

#[test]
fn report_names_what_was_replaced_and_what_cannot_be_checked() {
    let directory = tempfile::tempdir().unwrap();
    std::fs::write(directory.path().join("notes.txt"), format!("key {KEY}")).unwrap();
    let png = "iVBORw0KGgoAAAANSUhEUgAAAAMAAAACCAIAAAASFvFNAAAAG0lEQVR42gXBsQEAAACCIAeHzvb0AEgagWmzAxwoAyWmzpe0AAAAAElFTkSuQmCC";
    let document = format!(
        "<user>\n{KEY}\n<doc src=\"notes.txt\" local/>\n<img src=\"data:image/png;base64,{png}\"/>\n</user>\n\
         <reasoning encrypted_content=\"abc\"></reasoning>\n"
    );
    let run = |arguments: &[&str]| chatmd(directory.path(), &[&["render"], arguments].concat(), &[], &document);
    let ran = run(&["--redact"]);
    let expected = "note: line 2: replaced what looks like a secret (AWS access key id)\n\
                    note: replaced what looks like a secret (AWS access key id) in a file that the document refers to\n\
                    warning: line 4: image cannot be checked for secrets\n\
                    warning: line 6: encrypted reasoning cannot be checked for secrets\n\
                    \u{20}\u{20}= help: look at it yourself before you share the page\n";
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), expected));
    assert!(!ran.stdout.contains(KEY));
    let strict = run(&["--redact=strict", "-o", "page.html"]);
    assert_eq!((strict.code, strict.stdout.as_str()), (Some(1), ""));
    assert!(strict.stderr.contains("error: ") && !directory.path().join("page.html").exists(), "{}", strict.stderr);
    let without = run(&["--redact=strict", "--no-images", "--no-source"]);
    assert_eq!(without.code, Some(0), "{}", without.stderr);
    assert!(!without.stderr.contains("warning"), "{}", without.stderr);
}
