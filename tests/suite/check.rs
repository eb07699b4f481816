//! `chatmd check`: its rules and its output formats.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use chatmd::internal::convert::Context;
use chatmd::internal::document::Limits;
use chatmd::internal::json::StringArena;
use chatmd::internal::lint;
use chatmd::internal::resolve::Resolver;
use chatmd::internal::source::Sources;
use chatmd::resources::{Directory, NoFiles};
use chatmd::{CheckOptions, Converter, Finding, Input, Report, Whitespace};

use crate::cases::large;
use crate::run::{Ran, chatmd, directories, expected_exit};
use crate::support::fixtures;

/// A blank image of 64×48 with a long comment.
pub(crate) const PNG: &str = "iVBORw0KGgoAAAANSUhEUgAAAEAAAAAwAQAAAACJMEGyAAABrHRFWHRDb21tZW50AEo0U3QnKmUtT2soYTwlLFhWKT8sZ1coaTA9cXFrKGprUyc9JmgyRlYzZjBqSGh4OC5ranI5UC1nfClpKHA7YHhlV0lca1tPR0A4ekArakdkYEx+WkVuKjBiVjZMNF9WJnYqaGpJTHlNbWBrWyksQ116dikofnpIc2p4WkV8UnZNI1xONm8vYCg8RTFAU1NgKzZaVGdEMlhnRHtWTnhRPjQrNzQ+dT4iX2w4QkUhM1ZlUG9pSTF5YnB0dydbeGhTU1RTLl5yVCg5KTtZNS9MbScuIWk0ZS1PbyQqO29RNHJBTW5PXTAvX1xeXkgrMy5MQl55NWMjO2RPM3lmJGRHcyx6QmNPNk49ZWZhS3I9bzk/VD46Y2BOfiQkRF1COXluTVp9TU8rPS4+XTpMO15wbyFedE1zK3UwUnw6XjdYckssfVNcVCt9NTYxJDRsXHQzb21ddU00Z2cxIyJ9dC5kMlg5PCRBPEZhP2xKQmZWMShOW3VrY1ZhMWU0ZGIjWThuITQ3M11wfTBoKEp4Y2RoXi5oKEA5RCYtYVpoJClZSm9hbmI6eZWCUGsAAAAOSURBVHjaY2AYBUMJAAABsAABjDhfXwAAAABJRU5ErkJggg==";

/// The report about a document that reads no files.
pub(crate) fn check(text: &str) -> Report {
    Converter::new().check(text, &CheckOptions::default())
}

/// The names of the rules that a text breaks, in order.
pub(crate) fn rule_names(text: &str) -> Vec<&'static str> {
    check(text).iter().map(Finding::name).collect()
}

/// Runs the command in a directory with these files.
pub(crate) fn run(files: &[(&str, &str)], arguments: &[&str], stdin: &str) -> (Ran, tempfile::TempDir) {
    let directory = tempfile::tempdir().unwrap();
    for (name, content) in files {
        fs::write(directory.path().join(name), content).unwrap();
    }
    let ran = chatmd(directory.path(), &[&["check"], arguments].concat(), &[], stdin);
    (ran, directory)
}

pub(crate) const WRONG: &str = "<user id=\"msg_a\" id=\"msg_b\">\nÄ `<img src=\"https://u\"/>`\n</user>\n\n<tool_response tool_call_id=\"c\">\nx\n</tool_response>\n";

#[test]
fn every_format_has_a_snapshot() {
    for format in ["human", "short", "json", "github", "sarif"] {
        let (ran, _) =
            run(&[("a.md", WRONG), ("b c,d.md", "<user>RAW|</user>")], &["--format", format, "a.md", "b c,d.md"], "");
        assert_eq!(ran.code, Some(1), "{}", ran.stderr);
        insta::assert_snapshot!(format, ran.stdout);
    }
}

#[test]
fn a_valid_document_has_no_diagnostics() {
    let right = "<user>\nHello.\n</user>\n";
    for (format, expected) in [("human", ""), ("short", ""), ("json", "[]\n"), ("github", "")] {
        let (ran, _) = run(&[("a.md", right)], &["--format", format, "a.md"], "");
        assert_eq!((ran.code, ran.stdout.as_str(), ran.stderr.as_str()), (Some(0), expected, ""), "{format}");
    }
}

/// The types of the SARIF 2.1.0 schema read the output and write it back unchanged.
#[test]
fn sarif_matches_its_schema() {
    for text in [WRONG, "<user>\nHello.\n</user>\n"] {
        let (ran, _) = run(&[("a.md", text)], &["--format", "sarif", "a.md"], "");
        let parsed: serde_sarif::sarif::Sarif = serde_json::from_str(&ran.stdout).unwrap();
        let again: serde_json::Value = serde_json::to_value(&parsed).unwrap();
        let log: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
        assert_eq!(again, log);
        assert_eq!(log["runs"][0]["results"].as_array().unwrap().len(), if text == WRONG { 3 } else { 0 });
    }
}

#[test]
fn strict_makes_warnings_errors() {
    let warned = "<user x=\"1\">\na\n</user>\n";
    for (arguments, code) in [
        (&["a.md"][..], 0),
        (&["--strict", "a.md"], 1),
        (&["--strict", "--allow", "UNKNOWN-ATTRIBUTE, secret", "a.md"], 0),
    ] {
        assert_eq!(run(&[("a.md", warned)], arguments, "").0.code, Some(code), "{arguments:?}");
    }
}

#[test]
fn an_unreadable_file_has_its_own_exit_code() {
    assert_eq!(run(&[], &["missing.md"], "").0.code, Some(66));
    let (ran, _) = run(&[("a.md", WRONG)], &["--format", "short", "missing.md", "a.md"], "");
    assert_eq!((ran.code, ran.stdout.lines().count()), (Some(66), 3), "{}", ran.stderr);
    let (ran, _) = run(&[("a.md", WRONG)], &["--format", "short", "a.md", "missing.md"], "");
    assert_eq!((ran.code, ran.stdout.lines().count()), (Some(1), 3), "{}", ran.stderr);
    let (ran, directory) = run(&[], &["-"], "<user>\nHello.\n</user>");
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(0), ""));
    fs::write(directory.path().join("bytes.md"), b"<user>\xff</user>").unwrap();
    let ran = chatmd(directory.path(), &["check", "--format", "short", "bytes.md"], &[], "");
    assert_eq!(
        (ran.code, ran.stdout.as_str()),
        (Some(1), "bytes.md:1:7: error: the text is not valid UTF-8 at byte offset 6 [not-utf8]\n")
    );
}

#[test]
fn a_comment_allows_a_rule_in_one_element() {
    for (text, expected) in [
        ("<user x=1>a</user><user x=1>b</user>", &["unknown-attribute", "unknown-attribute"][..]),
        ("<!-- chatmd:allow unknown-attribute -->\n<user x=1>a</user><user x=1>b</user>", &["unknown-attribute"]),
        ("<user x=1>a</user><user x=1>b<!-- chatmd:allow unknown-attribute --></user>", &["unknown-attribute"]),
        ("<!-- chatmd:allow unknown-attribute, raw-in-word -->\n<!-- why -->\n<user x=1>aRAW|b|RAW</user>", &[]),
        ("<!-- chatmd:allow unknown-attribute: it is for another program -->\n<user x=1>a</user>", &[]),
        ("<!-- chatmd:allow secret -->\n<!-- AKIAQX7M4ZJ2LKT9WB3D -->\n<user>a</user>", &[]),
        ("<!-- chatmd:allow unknown-atribute -->\n<user x=1>a</user>", &["unknown-rule", "unknown-attribute"]),
        ("<!-- chatmd:allow unterminated -->\n<user>a</user>", &["unknown-rule"]),
        ("<!-- chatmd:allow : why -->\n<user>a</user>", &["unknown-rule"]),
        ("<user>a</user><!-- chatmd:allow output-without-call --><tool_response tool_call_id=c>x</tool_response>", &[]),
    ] {
        assert_eq!(rule_names(text), expected, "{text}");
    }
}

#[test]
fn the_flag_rejects_unknown_rules() {
    let (ran, _) = run(&[("a.md", "")], &["--allow", "sekret", "a.md"], "");
    assert_eq!(ran.code, Some(2));
    assert!(
        ran.stderr.contains("unknown rule `sekret`") && ran.stderr.contains("did you mean `secret`?"),
        "{}",
        ran.stderr
    );
    let (ran, _) = run(&[("a.md", "")], &["--allow", "unclosed-element", "a.md"], "");
    assert_eq!(ran.code, Some(2));
    assert!(ran.stderr.contains("`unclosed-element` cannot be allowed"), "{}", ran.stderr);
}

#[test]
fn the_server_may_keep_calls_that_are_not_in_the_document() {
    let output = "<tool_response tool_call_id=\"c\">x</tool_response>";
    assert_eq!(rule_names(output), ["output-without-call"]);
    for known in [
        "<config previous_response_id=\"resp_1\"/>",
        "<!-- chatmd:request {\"conversation\":\"conv_1\"} -->",
        "<!-- chatmd:item {\"type\":\"item_reference\",\"id\":\"fc_1\"} -->",
    ] {
        assert_eq!(rule_names(&format!("{known}{output}")), [""; 0], "{known}");
    }
}

#[test]
fn an_output_must_have_the_type_of_its_call() {
    let call = "<tool_call function_name=\"f\" tool_call_id=\"c\">{}</tool_call>";
    let custom = "<tool_response type=\"custom_tool_call\" tool_call_id=\"c\">x</tool_response>";
    assert_eq!(rule_names(&format!("{call}{custom}")), ["output-without-call"]);
    assert_eq!(rule_names(&format!("{call}<user>\n</user>")), ["pending-call"]);
    assert_eq!(rule_names(&format!("{call}<user>next</user>")), ["call-without-output"]);
    let both =
        format!("{call}<tool_call type=\"custom_tool_call\" function_name=\"f\" tool_call_id=\"c\">x</tool_call>");
    let answered = "<tool_response tool_call_id=\"c\">x</tool_response><user>next</user>";
    assert_eq!(rule_names(&format!("{both}{answered}")), ["call-without-output"]);
    let carried = |kind: &str| {
        let rest = match kind {
            "shell_call" => ",\"action\":{\"commands\":[\"ls\"]}",
            "shell_call_output" => ",\"output\":[]",
            _ => "",
        };
        let id = if kind.starts_with("shell") { ",\"call_id\":\"c\"" } else { "" };
        format!("<!-- chatmd:item {{\"type\":\"{kind}\"{id}{rest}}} -->")
    };
    assert_eq!(rule_names(&[carried("shell_call"), carried("shell_call_output")].concat()), [""; 0]);
    assert_eq!(rule_names(&[carried("shell_call_output"), carried("shell_call")].concat()), ["output-before-call"]);
    assert_eq!(rule_names(&carried("web_search_call")), [""; 0]);
}

#[test]
fn base64_in_text_names_its_cost() {
    let text = format!("<user>\nSee {PNG} there\n</user>\n");
    let report = check(&text);
    let finding = report.iter().next().unwrap();
    assert_eq!(finding.message(), "684 characters of base64 in text cost about 460 tokens");
    assert_eq!(finding.help(), "as `<img src=\"data:…\"/>` it would cost about 255");
}

/// Texts that are similar to what a rule reports, and whether the rule applies.
#[test]
fn similar_texts_are_distinguished() {
    let key = "AKIAQX7M4ZJ2LKT9WB3D";
    let token = "ghp_x8Kq2LmVt5RbN7wYcZ3dJ6fHs9gPa4eUi1Qo";
    let listing = "src/main/Java/org/example/enterprise/application/module01/internal\n".repeat(20);
    for (text, rule) in [
        (key, "secret"),
        (&format!("+{token}"), "secret"),
        (&format!("https://example.com/{key}?x"), "secret"),
        (&format!("{{\"a\":\"x\\n{key}\"}}"), "secret"),
        (&format!("KEY={key}"), "secret"),
        (&format!("{key}LONGERWORDTHATISNOTAKEY9"), ""),
        ("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", "secret"),
        ("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", "secret"),
        ("ghp_1234567890abcdefghijklmnopqrstuvwxyz", ""),
        (&format!("x{key}"), ""),
        ("sk-fading-circle-animation-container-0123", ""),
        ("hf_hub_download_from_repository_v2_and_cache_locally_01", ""),
        ("What does \"-----BEGIN RSA PRIVATE KEY-----\" mean?", ""),
        (
            &format!("-----BEGIN RSA PRIVATE KEY-----\n{}\n", "MIIEowIBAAKCAQEAx8Kq2LmVt5RbN7wYcZ3dJ6fHs9gPa4eUi1Qo"),
            "secret",
        ),
        ("👩‍👩‍👧 and 1️⃣ and 🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}", ""),
        ("กิน\u{200b}ข้าว and abc\u{200e} (א) and \u{2068}אב\u{2069}", ""),
        ("🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e0067}\u{e0067}\u{e007f}", "hidden-characters"),
        ("é\u{200d}\u{200d}", "hidden-characters"),
        ("x\u{fe0e}\u{fe0f}y", "hidden-characters"),
        ("a\u{200d}b", "hidden-characters"),
        ("\u{202e}אב", "hidden-characters"),
        ("שלום\u{200f}\u{e0069}\u{e0067}\u{e006e}", "hidden-characters"),
        (&listing, ""),
        (&"The1QuickBrownFoxJumps".repeat(60), ""),
        (&format!("see {PNG} there"), "base64-in-text"),
        ("[{\"type\":\"file\",\"path\":\"a.rs\"}]", ""),
        ("[{\"type\":\"image_url\",\"image_url\":{\"url\":\"https://u\"}}]", "stringified-content"),
    ] {
        let diagnostics = rule_names(&format!("<user>\n{text}\n</user>\n"));
        assert_eq!(diagnostics, [rule].iter().filter(|rule| !rule.is_empty()).copied().collect::<Vec<_>>(), "{text}");
    }
}

#[test]
fn files_that_are_sent_are_checked() {
    for (content, rule) in [("AKIAQX7M4ZJ2LKT9WB3D", "secret"), ("a\u{200b}b", "hidden-characters")] {
        let (ran, _) = run(
            &[("a.md", "<user>\n<doc src=\"b.txt\" local/>\n</user>\n"), ("b.txt", content)],
            &["--format", "short", "a.md"],
            "",
        );
        assert!(
            ran.stdout.starts_with("a.md:2:1: warning: `b.txt` contains ") && ran.stdout.contains(rule),
            "{}",
            ran.stdout
        );
    }
}

#[test]
fn escapes_of_json_are_decoded() {
    let text = "<tool_call function_name=\"f\" tool_call_id=\"c\">{}</tool_call>\n<tool_response tool_call_id=\"c\">\n\
        [{\"type\":\"input_text\",\"text\":\"a\\udb40\\udc69 ghp\\u005fPSL2oRlPhDBuqOSg5ApYzTTOkq2BEDbN2AHR\"}]\n</tool_response>";
    assert_eq!(rule_names(text), ["hidden-characters", "secret"]);
}

#[test]
fn an_imported_file_can_allow_rules() {
    let document = "<user>\n<import src=\"sub/b.md\"/>\n</user>\n";
    let directory = tempfile::tempdir().unwrap();
    fs::create_dir(directory.path().join("sub")).unwrap();
    let check = |content: &str| {
        fs::write(directory.path().join("sub/b.md"), content).unwrap();
        let arguments = ["check", "--format", "short", "--stdin-filename", "a.md"];
        chatmd(directory.path(), &arguments, &[], document).stdout
    };
    assert!(check("AKIAQX7M4ZJ2LKT9WB3D").starts_with("sub/b.md:1:1: warning: "));
    assert_eq!(check("<!-- chatmd:allow secret: a test -->\nAKIAQX7M4ZJ2LKT9WB3D"), "");
}

#[test]
fn a_file_that_is_imported_twice_is_reported_once() {
    let document = "<import src=\"b.md\"/>\n<import src=\"b.md\"/>\n";
    let files = [("a.md", document), ("b.md", "<user x=\"1\">\na\n</user>\n")];
    let (ran, _) = run(&files, &["--format", "short", "a.md"], "");
    assert_eq!(ran.stdout, "b.md:1:7: warning: unknown attribute `x` on `<user>` [unknown-attribute]\n");
}

#[test]
fn other_documents_in_the_arena_are_not_checked() {
    let (sources, strings) = (Sources::new(), StringArena::default());
    for (text, count) in [("<user a=\"1\">`<tool/>`</user>", 2), ("<user>a</user>", 0)] {
        let source = sources.add("test.md", text.to_owned(), None);
        let resolver = Resolver::new(&sources, &NoFiles);
        let checked = lint::check(
            source,
            &Context::new(&resolver, &strings, Whitespace::default(), Limits::default()),
            &CheckOptions::default(),
        );
        assert_eq!(checked.diagnostics.iter().len(), count, "{text}");
    }
}

/// A message never shows the secret that it reports.
#[test]
fn a_secret_is_reported_and_not_shown() {
    let word = "x8Kq2LmVt5RbN7wYcZ3dJ6fHs9gPa4eUi1QoX8Kq2LmVt5RbN7wYcZ3dJ6fHs9gPa4e";
    let jwt = format!("eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.{}", &word[..43]);
    let mut secrets: Vec<String> =
        ["sk-ant-", "sk-proj-", "ghp_", "github_pat_", "glpat-", "hf_", "npm_", "xoxb-", "ya29.", "gsk_", "sk_live_"]
            .iter()
            .map(|prefix| format!("{prefix}{word}"))
            .collect();
    secrets.extend([jwt, "AKIAQX7M4ZJ2LKT9WB3D".to_owned(), format!("AIza{}", &word[..35])]);
    for secret in &secrets {
        for text in [format!("see {secret} there"), format!("{{\"k\":\"x\\n{secret}\"}}"), format!("\n+{secret}\n")] {
            let (ran, _) = run(&[], &["-"], &format!("<user>\n{text}\n</user>\n"));
            assert!(ran.stdout.contains("warning[secret]"), "{secret}: {}", ran.stdout);
            let tail = &secret[secret.len() - 10..];
            assert!(!ran.stdout.contains(tail), "{secret}: {}", ran.stdout);
        }
    }
    let key = format!("-----BEGIN PRIVATE KEY-----\\n{word}\\nzwd7QXoWq1abc\\n-----END PRIVATE KEY-----");
    let (ran, _) = run(&[], &["-"], &format!("<user>\n\"{key}\"\n</user>\n"));
    assert!(ran.stdout.contains("a private key") && !ran.stdout.contains("zwd7QXo"), "{}", ran.stdout);
}

#[test]
fn every_file_that_would_be_read_is_listed() {
    let document = "<import src=\"part.md\"/>\n<user><img src=\"missing.png\" local/><doc src=\"https://example.com\" file/></user>";
    let part = "<user><doc src=\"a.txt\" local/><doc src=\"a.txt\" local/></user>";
    let (ran, _) = run(&[("chat.md", document), ("part.md", part), ("a.txt", "text")], &["--deps", "chat.md"], "");
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(0), "a.txt\nmissing.png\npart.md\n"), "{}", ran.stderr);
}

/// Fixtures that convert, and the rules that apply to them.
#[test]
fn valid_fixtures_break_only_the_rules_in_the_snapshot() {
    let mut applied: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
    let mut count = 0;
    for directory in directories("requests").into_iter().chain(directories("responses")) {
        if expected_exit(&directory) != 0 || !directory.join("chat.md").exists() {
            continue;
        }
        count += 1;
        let document = Input::from(fs::read(directory.join("chat.md")).unwrap()).with_path(directory.join("chat.md"));
        let files = Directory::of(&directory);
        let report = Converter::new().resources(&files).check(document, &CheckOptions::default());
        for finding in report.iter() {
            let place = directory.strip_prefix(fixtures()).unwrap().to_string_lossy().into_owned();
            applied.entry(finding.name()).or_default().insert(place);
        }
    }
    assert!(count > 120, "only {count}");
    let lines = applied
        .iter()
        .map(|(rule, places)| format!("{rule}: {}\n", places.iter().cloned().collect::<Vec<_>>().join(", ")));
    insta::assert_snapshot!("rules-that-apply-to-right-fixtures", lines.collect::<String>());
    let ran = chatmd(&fixtures(), &["check", "examples/weather.md"], &[], "");
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(0), ""));
}

/// Inputs so large that quadratic work would not end. Each is checked, fixed and formatted.
#[test]
fn pathological_inputs_are_checked() {
    let body = |one: &str, times: usize| format!("<user>{}</user>", one.repeat(large(times)));
    let output = "<tool_response tool_call_id=\"c\">x</tool_response>\n";
    for (text, count) in [
        (body(".eyJ", 500_000) + "<user x=\"1\"/>", 1),
        (body("-----BEGIN ", 200_000) + "<user x=\"1\"/>", 1),
        (body("sk-", 500_000) + "<user x=\"1\"/>", 1),
        (body("a\u{200b}", 20_000), large(20_000)),
        (body("`<!-- x -->` ", 10_000), large(10_000)),
        (body("<tool/> ", 10_000), large(10_000)),
        (body("`", 1_000_000) + "<user x=\"1\"/>", 1),
        (body("aRAW|a|RAW ", 20_000), large(20_000)),
        (body(&format!("{PNG} "), 500), large(500)),
        (output.repeat(large(10_000)), large(10_000)),
        ("<!-- chatmd:allow unknown-attribute -->\n<user x=\"1\">a</user>\n".repeat(large(10_000)), 0),
    ] {
        let report = check(&text);
        assert_eq!(report.iter().count(), count, "{}", &text[..40]);
        assert_eq!(report.fix(&text) == text, !report.has_fixes());
        let json: Vec<serde_json::Value> =
            serde_json::from_str(&lint::json(&[&report], false, &chatmd::internal::diagnostic::NoHints)).unwrap();
        assert_eq!(json.len(), count);
    }
}
