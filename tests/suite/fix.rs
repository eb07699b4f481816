//! `chatmd check --fix`: what it fixes, what it does not, and that nothing gets worse.

use std::fs;

use chatmd::internal::diagnostic::problem_rules;
use chatmd::internal::document::is_same;
use chatmd::internal::source::Sources;
use chatmd::internal::syntax::write::Whitespace;
use chatmd::{Finding, Report, Severity};
use proptest::prelude::*;

use crate::cases::cases;
use crate::check::{PNG, WRONG, check, rule_names, run};
use crate::generate::document;
use crate::run::chatmd;
use crate::support::documents;

/// A document with its fixes, and the fixes of the problems that they reveal.
fn fixed(text: &str) -> String {
    (0..10).fold(text.to_owned(), |text, _| check(&text).fix(&text))
}

/// Texts before and after the fixes.
#[test]
fn safe_fixes_are_applied() {
    let url = format!("data:image/png;base64,{PNG}");
    let lifted = format!("<img src=\"{url}\"/>");
    let call = "<tool_call function_name=\"f\" tool_call_id=\"c\">{}</tool_call>";
    let output = |body: &str| format!("{call}\n<tool_response tool_call_id=\"c\">\n{body}\n</tool_response>\n");
    for (text, expected) in [
        (
            "<user>\nSee `<img src=\"https://u\"/>` and `<!-- x -->`.\n</user>\n",
            "<user>\nSee `RAW|<img src=\"https://u\"/>|RAW` and `RAW|<!-- x -->|RAW`.\n</user>\n",
        ),
        ("<user>\nThe <tool name=\"x\"/> tag.\n</user>\n", "<user>\nThe RAW|<tool name=\"x\"/>|RAW tag.\n</user>\n"),
        ("<user>\n  <tool/>\n\n</user>\n", "<user>\nRAW|  <tool/>\n\n|RAW\n</user>\n"),
        (
            "<user>a <img src=\"https://u\"> b <doc src=\"https://d\" file></user>",
            "<user>a <img src=\"https://u\"/> b <doc src=\"https://d\" file/></user>",
        ),
        ("<user>Use <tool name=\"x\"> please</user>", "<user>Use RAW|<tool name=\"x\">|RAW please</user>"),
        (
            "<user>Write `<img>`, `<doc>` or `<img src=\"a.png\">`.</user>",
            "<user>Write `RAW|<img>|RAW`, `RAW|<doc>|RAW` or `RAW|<img src=\"a.png\">|RAW`.</user>",
        ),
        (
            "<user>\n```html\n<p><img src=\"a.png\" alt=\"x\"></p>\n```\n</user>\n",
            "<user>\n```html\n<p>RAW|<img src=\"a.png\" alt=\"x\">|RAW</p>\n```\n</user>\n",
        ),
        (
            "<user>\n```\n<img src=\"https://u\"/>\n```\n</user>\n",
            "<user>\n```\nRAW|<img src=\"https://u\"/>|RAW\n```\n</user>\n",
        ),
        (&output("See `<doc>`."), &output("See `RAW|<doc>|RAW`.")),
        (
            "<user>\nSee ![](https://u/a.png) and `![](b.png)` and RAW|![](c.png)|RAW.\n</user>\n",
            "<user>\nSee <img src=\"https://u/a.png\"/> and `![](b.png)` and RAW|![](c.png)|RAW.\n</user>\n",
        ),
        ("<user>a<user>x</user>b</user>", "<user>aRAW|<user>x</user>|RAWb</user>"),
        (&output(&format!("RAW|\n{PNG}\nfoo\n|RAW")), &output(&format!("{lifted}\nRAW|\nfoo\n|RAW"))),
        (
            "<config model=“m” store=\"false\" service_tier=‘flex’/>\n<user>a</user>\n",
            "<config model=\"m\" store=\"false\" service_tier=\"flex\"/>\n<user>a</user>\n",
        ),
        ("<config model=\"m\">\n<user>a</user>\n", "<config model=\"m\"/>\n<user>a</user>\n"),
        (&format!("<user>\nLook: {PNG}\n</user>\n"), &format!("<user>\nLook: {lifted}\n</user>\n")),
        (&format!("<user>\n{url}\n</user>\n"), &format!("<user>\n{lifted}\n</user>\n")),
        (&output(&format!("RAW|\n{PNG}\n|RAW")), &output(&lifted)),
        (&output(&format!("RAW|\na\n{PNG}\nb\n|RAW")), &output(&format!("RAW|\na\n|RAW\n{lifted}\nRAW|\nb\n|RAW"))),
    ] {
        let fixed = fixed(text);
        let report = check(&fixed);
        assert_eq!(fixed, expected, "{report}");
        assert!(!report.has_errors() && !report.has_fixes(), "{text}: {report}");
    }
}

#[test]
fn unsafe_fixes_are_not_applied() {
    for text in [
        "<user>\nDRAW|x|RAW\n</user>\n".to_owned(),
        format!("<user>\n```\n{PNG}\n```\n</user>\n"),
        format!("<user>\nRAW|{PNG}|RAW\n</user>\n"),
        format!("<user>{}RAW|{}|RAW</user>", &PNG[..280], &PNG[280..]),
        "<user>\nThe version is `<doc src=\"https://u\" local/>`.\n</user>\n".to_owned(),
        "<user>\n![a cat](https://u/a.png)\n</user>\n".to_owned(),
        "<user>\n[![](https://u/a.png)](https://u)\n</user>\n".to_owned(),
        "<user>\nThe version is `<agent src=\"https://u\">x</agent>`.\n</user>\n".to_owned(),
        "<user>\n|RAW|JPEG|\n|---|---|\n|RAW|x|\n</user>\n".to_owned(),
        "<user>\nUse `RAW|` and `|RAW` around tags.\n</user>\n".to_owned(),
        format!("<system>\n{PNG}\n</system>\n"),
        "<user>\n<tool>|RAW</tool>\n</user>\n".to_owned(),
        format!("<user>\n{{\"image\": \"{PNG}\"}}\n</user>\n"),
        format!("<assistant>\n{PNG}\n</assistant>\n"),
        format!(
            "<tool_call function_name=\"f\" tool_call_id=\"c\">{PNG}</tool_call><tool_response tool_call_id=\"c\">x</tool_response>"
        ),
    ] {
        let report = check(&text);
        assert_eq!(report.fix(&text), text);
        assert!(report.iter().any(|finding| finding.severity() == Severity::Warning), "{report}");
    }
}

/// `chatmd:` comments, files in a fenced block and unclosed fences are not mistakes.
#[test]
fn exceptions_in_code_are_not_reported() {
    for text in [
        "<assistant>\n```\nx = 1\n<!-- chatmd:part {} -->\ny = 2\n```\n</assistant>\n",
        "<user>\n```\nfoo\n<img src=\"https://u\"/>\n</user>\n",
        "<user>\n`a <!-- chatmd:allow secret -->`\n</user>\n",
        "<script>`<!-- x -->`</script>",
        "<user>\n\n```\ncode\n\n</user>\n\n<!-- note -->\n\n<assistant>\n\n```\n\n</assistant>\n",
        "<user>\n````\n<img src=\"https://u\"/>\n```\n</user>\n",
        "<user>\n```\n<img src=\"https://u\"/>\n``` not a fence\n</user>\n",
    ] {
        assert_eq!(rule_names(&format!("<user>a</user>\n{text}")), [""; 0], "{text}");
    }
    let document = "<user>\n```rust\n<doc src=\"b.rs\" local/>\n```\n</user>\n";
    let (ran, _) = run(&[("a.md", document), ("b.rs", "fn main() {}")], &["a.md"], "");
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(0), ""));
}

/// A malformed document does not get longer with every run.
#[test]
fn unreadable_documents_do_not_grow() {
    for text in [
        "<user>```<doc <!---->",
        "<msg <img>",
        "<tool>\n<tool/><tool/>",
        "<img src=u>\n<tool/><img src=u/>",
        "<system><doc src=\"https://d\" file>>\n`<!-- x -->`",
    ] {
        assert_fixes(text);
    }
}

#[test]
fn bytes_that_are_not_text_are_not_fixed() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("a.md");
    let bytes = b"<user>a\xff `<!-- x -->`</user>";
    fs::write(&path, bytes).unwrap();
    let ran = chatmd(directory.path(), &["check", "--fix", "a.md"], &[], "");
    assert_eq!((ran.code, fs::read(&path).unwrap().as_slice()), (Some(1), &bytes[..]));
}

#[test]
fn a_tag_that_is_shown_or_meant_as_text_is_not_closed() {
    for text in [
        "<assistant>Use <img src=\"a.png\"> here</assistant>",
        "<user>Is <img src=\"https://u\" alt=\"x\"> right?</user>",
        "<user>return\"<img src=https://u>\"</user>",
    ] {
        let (ran, _) = run(&[], &["--fix", "-"], text);
        assert_eq!((ran.stdout.as_str(), ran.code), (text, Some(0)), "{}", ran.stderr);
    }
    let text = "<tool name=\"x\" command=\"c\">Some text.\n\n<user>a</user>";
    let (ran, _) = run(&[], &["--fix", "-"], text);
    assert_eq!((ran.stdout.as_str(), ran.code), (text, Some(1)), "{}", ran.stderr);
}

#[test]
fn typographic_quotes_are_reported_once_for_each_tag() {
    for (text, is_reported) in [
        ("<config model=\"“m”\"/>\n<user>“a”</user>\n", false),
        ("<config model=“m m”/>\n<user>a</user>\n", true),
        ("<config model=“a&b”/>\n<user>a</user>\n", true),
        ("<user>\n<img src=“https://u” detail=‘low’/>\n</user>\n", true),
    ] {
        let count = rule_names(text).iter().filter(|name| **name == "typographic-quotes").count();
        assert_eq!(count, usize::from(is_reported), "{text}");
        assert_eq!(run(&[], &["--fix", "-"], text).0.stdout, text);
    }
}

#[test]
fn files_are_fixed_in_place_and_a_diff_changes_nothing() {
    let (ran, directory) = run(&[("a.md", WRONG)], &["--diff", "a.md"], "");
    let read = || fs::read_to_string(directory.path().join("a.md")).unwrap();
    assert_eq!((ran.code, read().as_str()), (Some(1), WRONG));
    let diff = |text: &str| run(&[], &["--diff", "--stdin-filename", "c.md"], text).0;
    for text in
        ["<user>`<!-- x -->`</user>", "<user>\nSee <img src=\"https://a\"> and <img src=\"https://b\"> ok\n</user>\n"]
    {
        let ran = diff(text);
        assert!(ran.code == Some(1) && ran.stderr.ends_with(" fixable with --fix\n"), "{text}: {}", ran.stderr);
        assert_eq!(ran.stderr.lines().count(), 1, "{text}: it would change, and nothing else is wrong");
        assert!(ran.stdout.starts_with("--- c.md\n+++ c.md\n"), "{}", ran.stdout);
    }
    assert_eq!((diff("<user>\na\n</user>\n").code, diff("<user>\na\n</user>\n").stdout), (Some(0), String::new()));
    assert!(
        ran.stdout.contains("+Ä `RAW|<img src=\"https://u\"/>|RAW`") && !ran.stdout.contains("warning"),
        "{}",
        ran.stdout
    );
    assert!(ran.stderr.contains("output-without-call") && !ran.stderr.contains("tag-in-code"), "{}", ran.stderr);
    let ran = chatmd(directory.path(), &["check", "--fix", "a.md"], &[], "");
    assert_eq!(ran.code, Some(1));
    assert_eq!(read(), WRONG.replace("<img src=\"https://u\"/>", "RAW|<img src=\"https://u\"/>|RAW"));
    assert!(ran.stdout.contains("output-without-call"), "{}", ran.stdout);
}

/// The errors of reading a text, before it means anything.
const SYNTAX: [&str; 5] = ["text-at-top-level", "unterminated", "unclosed-element", "mismatched-tag", "limit-exceeded"];

/// Asserts that fixing ends, makes nothing worse, changes a text only if something is fixable, and keeps the meaning
/// if it only wraps text.
fn assert_fixes(text: &str) {
    let is_error = |finding: &Finding<'_>| finding.severity() == Severity::Error;
    let unreadable =
        |report: &Report| report.iter().filter(is_error).filter(|finding| SYNTAX.contains(&finding.name())).count();
    let errors = |report: &Report| {
        report.iter().filter(is_error).filter(|finding| problem_rules().any(|(_, rule)| rule == finding.rule())).count()
    };
    let before = check(text);
    assert_eq!(before.iter().any(|finding| finding.fix().is_some()), before.fix(text) != text, "{text:?}");
    let (mut fixed, mut after, mut rounds) = (text.to_owned(), check(text), 0);
    // Wrapping a tag can turn other text into Markdown code, which the next round finds.
    let has_only_nested_blocks = |report: &Report| report.iter().all(|finding| finding.name() == "nested-block");
    let mut only_nested_blocks = has_only_nested_blocks(&before);
    while after.has_fixes() {
        only_nested_blocks &= has_only_nested_blocks(&after);
        fixed = after.fix(&fixed);
        after = check(&fixed);
        rounds += 1;
        assert!(rounds < 10, "{text:?} became {fixed:?}");
    }
    assert!(unreadable(&after) <= unreadable(&before), "{text:?} became {fixed:?}");
    // An element that is never closed hides what is wrong inside of it.
    assert!(unreadable(&before) > 0 || errors(&after) <= errors(&before), "{text:?} became {fixed:?}");
    if only_nested_blocks {
        let sources = Sources::new();
        let ids = (sources.add("a", text.to_owned(), None), sources.add("b", fixed.clone(), None));
        assert!(is_same(&sources, ids.0, ids.1, Whitespace::Layout), "{text:?} became {fixed:?}");
    }
}

#[test]
fn fixing_a_fixture_makes_nothing_worse() {
    for text in documents() {
        assert_fixes(&text);
    }
}

proptest! {
    #![proptest_config(cases())]

    #[test]
    fn printed_documents_have_no_tag_by_accident(document in document()) {
        let text = chatmd::internal::document::print(&document, Whitespace::Layout);
        let diagnostics = rule_names(&text);
        prop_assert!(!diagnostics.iter().any(|code| ["raw-in-word", "nested-block"].contains(code)), "{:?} {}", diagnostics, text);
        assert_fixes(&text);
    }

    #[test]
    fn mangled_text_is_checked_and_fixed(text in "(<(user|img src=u|tool|/user|/tool)/?>|RAW\\||\\|RAW|`|```|\n| |<!-- x -->|a){0,24}") {
        assert_fixes(&text);
        assert_fixes(&format!("<user>{text}</user>"));
    }
}
