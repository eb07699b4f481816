//! What messages never show, and how many are shown.

use std::fs;

use chatmd::{CheckOptions, Converter, RequestOptions};

use crate::run::chatmd;
use crate::support::{fixtures, to_input};

#[test]
fn base64_and_secrets_are_never_shown() {
    let is_payload = |c: char| c.is_ascii_alphanumeric() || "+/=_-".contains(c);
    for name in ["after-base64", "base64-in-the-marked-text", "after-a-secret"] {
        let source = fs::read_to_string(fixtures().join("problems").join(format!("{name}.md"))).unwrap();
        let output = Converter::new().to_input(source.as_str(), &RequestOptions::default());
        let messages = output.map_or_else(|error| error.to_string(), |output| output.warnings.to_string());
        assert!(!messages.is_empty(), "{name} causes nothing");
        let payload = source.split(|c| !is_payload(c)).max_by_key(|run| run.len()).unwrap();
        assert!(payload.len() >= 20, "{name} has nothing to hide");
        for start in (0..payload.len() - 8).step_by(4) {
            let shown = &payload[start..start + 8];
            assert!(!messages.contains(shown), "{name} shows {shown}:\n{messages}");
        }
    }
}

/// A part of a secret may not look like one by itself.
#[test]
fn no_part_of_a_secret_is_shown() {
    let jwt = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJib2IifQ.x8Kq2LmVt5RbN7wYcZ3dJ6fHs9gPa4eUi1QoX8Kq2Lm";
    for (word, shown, hidden) in [
        ("postgres://bob:Hunter2xPa55w0rd@db", "`bob:…`", "Hunter2x"),
        (jwt, "`…`", "x8Kq2LmV"),
        ("a:b@c", "`a:b`", "…"),
    ] {
        let report = Converter::new().check(format!("<user {word}>\nx\n</user>\n"), &CheckOptions::default());
        let lines: Vec<String> = report.iter().map(|finding| finding.message() + &finding.help()).collect();
        let messages = lines.concat() + &report.to_string();
        assert!(messages.contains(shown) && !messages.contains(hidden), "{messages}");
    }
}

#[test]
fn many_problems_are_counted() {
    let messages = to_input(&"</user>\n".repeat(103)).unwrap_err().to_string();
    assert_eq!(messages.matches("error[mismatched-tag]").count(), 100);
    assert!(
        messages.contains("<input>:100:1") && messages.trim_end().ends_with("note: and 3 more problems"),
        "{messages}"
    );
}

#[test]
fn an_error_after_many_warnings_is_shown() {
    let text = "<user ,></user>\n".repeat(1300) + "</user>\n" + &"<user ,></user>\n".repeat(5);
    let messages = to_input(&text).unwrap_err().to_string();
    assert_eq!(messages.matches("warning[stray-characters]").count(), 100);
    assert!(messages.contains("error[mismatched-tag]") && messages.contains("<input>:1301:1"), "{messages}");
    assert!(messages.trim_end().ends_with("note: and 1,205 more problems"), "{messages}");
}

#[test]
fn programs_get_all_problems() {
    let directory = std::env::temp_dir();
    let text = "</user>\n".repeat(1234);
    let human = chatmd(&directory, &["check", "-"], &[], &text);
    assert!(
        human.stdout.contains("note: and 1,134 more problems: `chatmd check --format short` lists all"),
        "{}",
        human.stdout
    );
    assert!(human.stdout.ends_with("1234 errors\n"), "{}", human.stdout);
    let short = chatmd(&directory, &["check", "--format", "short", "-"], &[], &text);
    assert_eq!(short.stdout.lines().count(), 1234);
}
