//! What people try first: other inputs, directories, guesses, and what the messages about them say.

use std::fs;

use ruzstd::encoding::{CompressionLevel, compress_to_vec};
use tempfile::TempDir;

use crate::run::{Ran, chatmd};

const CALL: &str = "<user>\nHello.\n</user>\n\n<tool_call function_name=\"f\" tool_call_id=\"c\">\n{}\n</tool_call>\n";
const SESSION_CALL: &str = r#"{"type":"function_call","name":"f","call_id":"c","arguments":"{}"}"#;

fn folder(files: &[(&str, &[u8])]) -> TempDir {
    let directory = tempfile::tempdir().unwrap();
    for (name, content) in files {
        fs::create_dir_all(directory.path().join(name).parent().unwrap()).unwrap();
        fs::write(directory.path().join(name), content).unwrap();
    }
    directory
}

fn run(files: &[(&str, &[u8])], arguments: &[&str]) -> (Ran, TempDir) {
    let directory = folder(files);
    (chatmd(directory.path(), arguments, &[], ""), directory)
}

fn session(payload: &str) -> String {
    format!(r#"{{"timestamp":"","type":"response_item","payload":{payload}}}"#) + "\n"
}

#[test]
fn sizes_are_all_that_stats_prints_also_of_directories() {
    let blocks =
        "<user>\nHello.\n</user>\n\n<reasoning issuer=\"x\" signature=\"y\"><summary>z</summary></reasoning>\n";
    let files: [(&str, &[u8]); 3] =
        [("docs/a.md", blocks.as_bytes()), ("docs/b.chat.md", CALL.as_bytes()), ("docs/c.md", b"# Title\n")];
    let (ran, _) = run(&files, &["stats", "docs/a.md"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""), "{}", ran.stdout);
    let (ran, _) = run(&files, &["stats", "docs"]);
    assert!(ran.stdout.starts_with("docs/a.md\n#") && ran.stdout.contains("\ndocs/b.chat.md\n#"), "{}", ran.stdout);
    assert!(ran.stderr.starts_with("note: 1 other file `*.md` is not a document"), "{}", ran.stderr);
    let (ran, _) = run(&files, &["stats", "docs", "--json"]);
    assert!(ran.stdout.starts_with("{\"file\":\"docs/a.md\",") && ran.stdout.lines().count() == 2, "{}", ran.stdout);
    let (ran, _) = run(&files, &["show", "docs"]);
    let expected = "error: `chatmd show` takes one file, and docs is a directory\n  = help: name a file in it\n";
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(74), expected));
}

#[test]
fn calls_of_sessions_responses_and_streams_are_listed() {
    let session = session(r#"{"role":"user","content":"a\n\nb"}"#) + &session(SESSION_CALL);
    let response = format!("{{\"object\":\"response\",\"status\":\"completed\",\n\"output\":[\n{SESSION_CALL}]}}");
    let stream = format!(
        "data: {{\"type\":\"response.output_item.done\",\"output_index\":0,\"item\":{SESSION_CALL}}}\n\ndata: \
         {{\"type\":\"response.completed\",\"response\":{{\"object\":\"response\",\"status\":\"completed\"}}}}\n\n"
    );
    for (text, line) in [(session, 2), (response, 3), (stream, 1)] {
        let (ran, _) = run(&[("input", text.as_bytes())], &["calls", "input"]);
        assert!(ran.stdout.contains(&format!("\"type\":\"function_call\",\"line\":{line}}}")), "{}", ran.stdout);
    }
}

#[test]
fn line_breaks_of_windows_are_changed_on_request() {
    let text = "<user>\r\na\r\nRAW|b\r\nc|RAW\r\n</user>\r\n";
    let (ran, directory) = run(&[("a.md", text.as_bytes())], &["fmt", "--line-endings", "lf", "a.md"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let formatted = fs::read_to_string(directory.path().join("a.md")).unwrap();
    assert!(!formatted.contains('\r') && formatted.contains("b\nc"), "{formatted}");
    let sent = chatmd(directory.path(), &["to-request", "--input-only", "a.md"], &[], "").stdout;
    assert!(sent.contains(r#""a\nb\nc""#), "{sent}");
    let (_, directory) = run(&[("a.md", text.as_bytes())], &["fmt", "a.md"]);
    let formatted = fs::read_to_string(directory.path().join("a.md")).unwrap();
    assert_eq!(formatted.matches("\r\n").count(), formatted.matches('\n').count(), "{formatted}");
}

#[test]
fn nulls_of_an_sdk_have_a_hint() {
    let nulls =
        r#"{"type":"function_call","name":"f","call_id":"c","arguments":"{}","id":null,"status":null,"caller":null}"#;
    let (ran, _) = run(&[("a.json", nulls.as_bytes())], &["from-response", "a.json"]);
    assert!(
        ran.stderr.contains("the items have 3 members that are null; `--drop-nulls` leaves them out"),
        "{}",
        ran.stderr
    );
    let (ran, _) = run(&[("a.json", nulls.as_bytes())], &["from-response", "--drop-nulls", "a.json"]);
    assert_eq!(ran.stderr, "");
    let (ran, _) = run(&[("a.json", SESSION_CALL.as_bytes())], &["from-response", "a.json"]);
    assert_eq!(ran.stderr, "");
}

#[test]
fn other_inputs_are_named_for_what_they_are() {
    let gemini = r#"{"sessionId":"a","projectHash":"b","messages":[{"id":"1","type":"gemini","content":"Hello."}]}"#;
    let parts = r#"[{"type":"input_text","text":"a"},{"type":"input_image","image_url":"https://example.com/a.png"}]"#;
    for (text, what) in [(gemini, "this is a session of the Gemini CLI"), (parts, "this is an array of content parts")]
    {
        for (command, code) in [("from-response", 65), ("check", 1)] {
            let (ran, _) = run(&[("a.json", text.as_bytes())], &[command, "a.json"]);
            assert_eq!(ran.code, Some(code), "{}", ran.stderr);
            assert!((ran.stdout + &ran.stderr).contains(&format!("error[foreign-input]: {what}")));
        }
    }
    let png = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR";
    let (ran, _) = run(&[("a.png", png)], &["to-request", "a.png"]);
    assert!(
        ran.stderr.starts_with("error[not-utf8]: this is an image (image/png), not a document\n"),
        "{}",
        ran.stderr
    );
    let document = "<user>\n<doc src=\"a.pdf\" local/>\n</user>\n";
    let files: [(&str, &[u8]); 2] = [("a.md", document.as_bytes()), ("a.pdf", b"%PDF-1.4\n1 0 obj\n")];
    let (ran, _) = run(&files, &["to-request", "--input-only", "a.md"]);
    assert_eq!(ran.code, Some(65), "a PDF of ASCII characters is no text: {}", ran.stdout);
    assert!(ran.stderr.contains("= help: add `file` to send the file itself"), "{}", ran.stderr);
}

#[test]
fn keys_of_clients_are_removed_from_messages() {
    let request =
        r#"[{"type":"message","role":"user","previewurl":"blob:1","content":[{"type":"input_text","text":"a"}]}]"#;
    let (ran, _) = run(&[("a.json", request.as_bytes())], &["from-response", "a.json"]);
    assert_eq!(ran.stdout, "<user>\na\n</user>\n");
    let document = "<user><!-- chatmd:fields {\"previewurl\":\"blob:1\"} -->\na\n</user>\n";
    let (ran, _) = run(&[("a.md", document.as_bytes())], &["to-request", "--input-only", "a.md"]);
    assert!(!ran.stdout.contains("previewurl"), "{}", ran.stdout);
}

#[test]
fn messages_name_what_helps() {
    for (document, help) in [
        (CALL, "`chatmd answer` adds an output"),
        ("<tool name=\"file_search\"/>\n<user>\na\n</user>\n", "write `<tool type=\"file_search\"/>`"),
        ("<user>\n![a cat](cat.png)\n</user>\n", "no fix is made, because its description would be lost"),
        ("<user>\n<photo src=\"cat.png\"/>\n</user>\n", "write `<img src=\"cat.png\" local/>`"),
        ("<user>\n<file src=\"a.pdf\" local/>\n</user>\n", "write `<doc src=\"a.pdf\" local file/>`"),
    ] {
        let (ran, _) = run(&[("a.md", document.as_bytes())], &["check", "a.md"]);
        assert!(ran.stdout.contains(help), "{}", ran.stdout);
    }
}

#[test]
fn one_message_that_is_not_closed_is_fixed() {
    for (document, fixed) in [
        ("<user>\nHello.\n", "<user>\nHello.\n</user>\n"),
        ("<user>\na\n</user>\n\n<assistant>\nb", "<user>\na\n</user>\n\n<assistant>\nb\n</assistant>\n"),
        // It may end before the answer.
        ("<user>\na\n\n<assistant>\nb\n</assistant>\n", "<user>\na\n\n<assistant>\nb\n</assistant>\n"),
    ] {
        let (_, directory) = run(&[("a.md", document.as_bytes())], &["check", "--fix", "a.md"]);
        assert_eq!(fs::read_to_string(directory.path().join("a.md")).unwrap(), fixed);
    }
}

#[test]
fn locate_says_what_is_there() {
    let document = "<config model=\"m\"/>\n\n<user>\na\n</user>\n";
    for (path, help) in [
        ("input[9]", "`input` is an array with 1 element"),
        ("input[0].content[0].text[0]", "`input[0].content[0].text` is a string"),
        ("nothing", "the request is an object with `model`, `input`"),
        ("input[", "write a path such as `input[3].content[0].text`"),
    ] {
        let (ran, _) = run(&[("a.md", document.as_bytes())], &["locate", "a.md", path]);
        assert_eq!(ran.code, Some(65));
        assert!(ran.stderr.contains(help), "{}", ran.stderr);
    }
    let (ran, _) = run(&[("a.md", document.as_bytes())], &["locate", "a.md", "input"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(0), "a.md:3:1\n<user>\n"), "{}", ran.stderr);
}

#[test]
fn page_has_no_blank_messages_and_a_table_about_the_session() {
    let meta = r#"{"timestamp":"","type":"session_meta","payload":{"id":"<x>","cwd":"/work"}}"#;
    let text = format!(
        "{meta}\n{}{}",
        session(r#"{"role":"user","content":" \n "}"#),
        session(r#"{"role":"user","content":"Hello."}"#)
    );
    let (ran, _) = run(&[("a.jsonl", text.as_bytes())], &["render", "a.jsonl"]);
    assert_eq!(ran.stdout.matches("<h2>User</h2>").count(), 1, "{}", ran.stdout);
    let table = "<p class=\"comment\">Codex session</p>\n<table class=\"session\">\n<tr><th scope=\"row\">id</th><td>&lt;x&gt;</td></tr>\n<tr><th scope=\"row\">cwd</th><td>/work</td></tr>\n</table>\n";
    assert!(ran.stdout.contains(table), "{}", ran.stdout);
}

#[test]
fn names_that_are_hashes_are_cut_in_messages() {
    let document = format!("<user>\n<img src=\"media/{}.png\" local/>\n</user>\n", "0123456789abcdef".repeat(4));
    for command in [
        &["check", "--format", "short", "a.md"][..],
        &["show", "a.md"],
        &["render", "--redact", "a.md", "-o", "a.html"],
    ] {
        let (ran, _) = run(&[("a.md", document.as_bytes())], command);
        let shown = ran.stdout + &ran.stderr;
        assert!(!shown.contains("0123456789abcdef"), "{command:?}: {shown}");
    }
}

#[test]
fn session_that_is_much_larger_than_its_compressed_data_is_refused() {
    let line = session(&format!(r#"{{"role":"user","content":"{}"}}"#, "a".repeat(1 << 20)));
    let compressed = compress_to_vec(line.repeat(66).as_bytes(), CompressionLevel::Fastest);
    assert!(compressed.len() * 1000 < 66 << 20, "{}", compressed.len());
    let (ran, directory) = run(&[("a.zst", &compressed)], &["stats", "a.zst"]);
    assert_eq!(ran.code, Some(65), "{}", ran.stderr);
    assert!(ran.stderr.contains("more than 64 MiB and 1000 times its compressed size"), "{}", ran.stderr);
    assert!(ran.stderr.contains("`--max-session-bytes` allows more (limit-exceeded)"), "{}", ran.stderr);
    let small = chatmd(directory.path(), &["stats", "a.zst", "--max-session-bytes", "1000000"], &[], "");
    assert!(small.stderr.contains("more than 1000000 bytes after decompression"), "{}", small.stderr);
}

#[test]
fn decompressed_bytes_of_a_session_count_for_everything_that_is_read() {
    let line = session(r#"{"role":"user","content":"Hello."}"#);
    let compressed = compress_to_vec(line.as_bytes(), CompressionLevel::Fastest);
    for command in ["stats", "show", "check", "calls", "render", "from-response"] {
        for (limit, code) in [(line.len() - 1, Some(65)), (line.len(), Some(0))] {
            let (ran, _) = run(&[("a.zst", &compressed)], &[command, "a.zst", "--max-total-bytes", &limit.to_string()]);
            assert_eq!(ran.code, code, "{command} {limit}: {}", ran.stderr);
            let is_named = ran.stderr.contains("`--max-total-bytes` allows more (limit-exceeded)");
            assert_eq!(is_named, code == Some(65), "{command}: {}", ran.stderr);
        }
    }
}
