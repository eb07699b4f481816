//! `--redact`.

use chatmd::internal::render::{Options, extract, redact};
use chatmd::internal::source::Origins;
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
        let (text, redacted) = redact(&document, &mut Origins::default());
        if redacted.is_empty() {
            assert_eq!(text, document);
        }
    }
    let key = "-----BEGIN RSA PRIVATE KEY-----\nMIIEpAIBAAKCAQEA7bq0mJ8nQx2yTq4r1u9sC3kz5w7v\n";
    // A key without an end does not reach into other turns.
    let (text, redacted) =
        redact(&format!("<user>\n{key}</user>\n<assistant>\nOk.\n</assistant>\n"), &mut Origins::default());
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
                    \u{20}\u{20}= help: check it yourself before you share the page\n";
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), expected));
    assert!(!ran.stdout.contains(KEY));
    let strict = run(&["--redact=strict", "-o", "page.html"]);
    assert_eq!((strict.code, strict.stdout.as_str()), (Some(1), ""));
    assert!(strict.stderr.contains("error: ") && !directory.path().join("page.html").exists(), "{}", strict.stderr);
    let without = run(&["--redact=strict", "--no-images", "--no-source"]);
    assert_eq!(without.code, Some(0), "{}", without.stderr);
    assert!(!without.stderr.contains("warning"), "{}", without.stderr);
}

#[test]
fn secrets_of_json_are_listed_with_their_places() {
    let json = format!(
        "{{\"model\":\"m\",\"input\":[\n {{\"role\":\"user\",\n  \"content\":[{{\"type\":\"input_text\",\"text\":\"key {KEY}\"}}]}}]}}\n"
    );
    let directory = tempfile::tempdir().unwrap();
    let ran = chatmd(directory.path(), &["render", "--redact"], &[], &json);
    let expected =
        "note: <stdin>:3:47: input[0].content[0].text: this looks like an AWS access key id, and was replaced\n";
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), expected));
    assert!(!ran.stdout.contains(KEY));
}

/// Runs `render --redact=strict` on a document. Returns its exit code, its messages, and the document in the page if there is
/// a page.
fn strict(document: &str, arguments: &[&str]) -> (Option<i32>, String, Option<String>) {
    let directory = tempfile::tempdir().unwrap();
    let all = [&["render", "--redact=strict"], arguments].concat();
    let ran = chatmd(directory.path(), &all, &[], document);
    let taken = extract(ran.stdout.as_bytes()).ok().map(|bytes| String::from_utf8(bytes).unwrap());
    (ran.code, ran.stderr, taken)
}

#[test]
fn what_is_decoded_for_the_page_is_replaced_in_the_document() {
    let key = "ghp\\_Ab3dEfGh1jKlMn0pQrStUvWxYz01234567Ab";
    let line = "MIIEpAIBAAKCAQEA7bq0mJ8nQx2yTq4r1u9sC3kz5w7v";
    for (document, secret) in [
        (
            "<user>\n<doc file_id=\"file-1\" filename=\"API_TOKEN=&quot;Zx9kQ2mP7vLwAb3d8u&quot;\"/>\n</user>\n".into(),
            "Zx9kQ2",
        ),
        (format!("<user>\n[a](https://x.org/?t={key})\n</user>\n"), "z01234567"),
        (format!("<user>\n> -----BEGIN PRIVATE KEY-----\n> {line}\n> -----END PRIVATE KEY-----\n</user>\n"), "MIIEpAI"),
    ] {
        let (code, stderr, taken) = strict(&document, &[]);
        let taken = taken.unwrap();
        assert_eq!(code, Some(0), "{stderr}");
        assert!(stderr.starts_with("note: line 2: replaced") && !stderr.contains("refers to"), "{stderr}");
        assert!(!taken.contains(secret) && taken.contains("[redacted: "), "{taken}");
    }
}

/// A way to write letters that Markdown knows and the search for secrets does not.
#[test]
fn a_secret_that_cannot_be_replaced_keeps_the_document_out_of_the_page() {
    let url = "https://x.org/?t=ghp_Ab3dE&fjlig;h1jKlMn0pQrStUvWxYz01234567Ab";
    let document = format!("<user>\n[a]({url})\n</user>\n");
    let page = rendered(&document, &Options { redacts: true, ..Options::default() });
    assert!(!page.html.contains("z01234567Ab") && extract(page.html.as_bytes()).is_err());
    assert!(page.html.contains("The document was left out of the page") && page.redacted_elsewhere.is_empty());
    let (code, stderr, taken) = strict(&document, &[]);
    assert_eq!((code, taken), (Some(1), None), "{stderr}");
    assert!(stderr.starts_with("warning: the document was left out of the page: it contains a secret"), "{stderr}");
    assert_eq!(strict(&document, &["--no-source"]).0, Some(0));
}

#[test]
fn base64_cannot_be_checked_wherever_it_is() {
    let png = "iVBORw0KGgoAAAANSUhEUgAAAAMAAAACCAIAAAASFvFNAAAAG0lEQVR42gXBsQEAAACCIAeHzvb0AEgagWmzAxwoAyWmzpe0AAAAAElFTkSuQmCC";
    let long = png.repeat(3);
    for (document, what) in [
        (format!("<user>\nSee ![x](data:image/png;base64,{png})\n</user>\n"), "data URL"),
        (format!("<user>\nSee ![a](<data:image/png;base64,{png}>)\n</user>\n"), "data URL"),
        (format!("<user>\n[r]: data:image/png;base64,{png}\n\n![a][r]\n</user>\n"), "data URL"),
        (format!("<user>\n{long}\n</user>\n"), "base64"),
        (format!("<user>\nRAW|{long}|RAW\n</user>\n"), "base64"),
        (format!("<user>\n<!-- {long} -->\n</user>\n"), "base64"),
        (format!("\n<!-- chatmd:request {{\"metadata\":{{\"a\":\"{long}\"}}}} -->\n<user>\nx\n</user>\n"), "base64"),
        (format!("<user>\n<img src=\"data:image/png;base64,{png}\"/>\n</user>\n"), "image"),
        (format!("<user>\n<img src=\"data:image/png;base64,{long}\"/>\n</user>\n"), "image"),
    ] {
        let options = Options { redacts: true, ..Options::default() };
        let unchecked = rendered(&document, &options).unchecked;
        assert_eq!(unchecked.iter().map(|one| (one.line, one.what)).collect::<Vec<_>>(), [(2, what)], "{document}");
        // Long base64 is shortened in a page.
        let options = Options { has_source: false, no_images: true, ..options };
        assert_eq!(rendered(&document, &options).unchecked, [], "{document}");
    }
    let markdown = format!("<user>\n![x](data:image/png;base64,{png})\n</user>\n");
    let (code, stderr, _) = strict(&markdown, &[]);
    assert_eq!(code, Some(1), "{stderr}");
    assert!(stderr.starts_with("warning: line 2: data URL cannot be checked for secrets\nerror: "), "{stderr}");
    // The page shows the image, also without the document.
    let options = Options { redacts: true, has_source: false, ..Options::default() };
    assert_eq!(rendered(&markdown, &options).unchecked[0].what, "image");
}

#[test]
fn names_of_what_cannot_be_checked_are_sanitized() {
    let base64 = "iVBORw0KGgoAAAANSUhEUgAAAAMAAAACCAIAAAASFvFNAAAAG0lEQVR42gXBsQEAAACC";
    let document = format!(
        "<user>\n<doc src=\"data:application/pdf;base64,AAAA\" file filename=\"{base64} a\nerror: b\"/>\n</user>\n"
    );
    let page = rendered(&document, &Options { redacts: true, ..Options::default() });
    assert_eq!(page.unchecked[0].name, "… a\\u{a}error: b");
}
