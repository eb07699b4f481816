//! Every rule has a page of the same form, and `explain` prints it.

#[path = "../common/page.rs"]
mod page;

use std::collections::BTreeSet;
use std::path::Path;

use chatmd::internal::lint::{find_rule, rules};

use crate::run::{chatmd, name};
use crate::support::files;
use page::{NOT_CAUSED_BY_CHECK, Page, expand_marks, has_only_session, page};

const FIXES: &str = "`chatmd check --fix` fixes this";
const WIDEST: usize = 100;
/// The lines of the list also have the severity.
const WIDEST_LINE: usize = 118;

fn pages() -> impl Iterator<Item = (&'static chatmd::internal::diagnostic::Rule, Page)> {
    rules().map(|rule| (rule, page(rule)))
}

#[test]
fn every_page_is_the_page_of_a_rule() {
    let pages: BTreeSet<String> =
        files("../docs/rules", ".md").iter().map(|path| name(path).trim_end_matches(".md").to_owned()).collect();
    let rules: BTreeSet<String> = rules().map(|rule| rule.name.to_owned()).collect();
    assert_eq!(pages, rules);
}

#[test]
fn every_page_has_the_same_form() {
    for (rule, page) in pages() {
        assert_eq!(page.heading, format!("# {}", rule.name));
        let summary = rule.summary();
        assert!(page.prose.starts_with(summary) && summary.ends_with('.'), "{}: {summary}", rule.name);
        assert!(!summary.contains('\n') && summary.chars().next().is_some_and(|c| !c.is_lowercase()), "{summary}");
        assert!(page.prose.ends_with('.'), "{}: {}", rule.name, page.prose);
        let is_from_other_api = |line: &&str| line.chars().count() > WIDEST;
        assert_eq!(page.prose.lines().find(is_from_other_api), None, "{}: too wide", rule.name);
        assert!(!rule.page.contains(chatmd::internal::sanitize::is_invisible), "{}: write `⟨U+…⟩`", rule.name);
        assert!(rule.page.ends_with('\n') && !rule.page.ends_with("\n\n"), "{}: how does it end?", rule.name);
        let sections: &[&str] = match (has_only_session(rule.name), page.session.bad.is_empty()) {
            (true, _) => &[],
            (false, true) => &["Bad", "Good"],
            (false, false) => &["Bad", "Good", "On the command line"],
        };
        assert_eq!(page.sections, sections, "{}", rule.name);
        assert_eq!(page.bad.len(), page.good.len(), "{}: a good example for each bad one", rule.name);
        if let Some(fix) = page.fix {
            assert!(fix.starts_with(FIXES) && rule.page.trim_end().ends_with(&fix) && fix.ends_with('.'), "{fix}");
        }
    }
}

#[test]
fn rules_that_no_document_breaks_have_a_session() {
    for name in NOT_CAUSED_BY_CHECK {
        let page = page(find_rule(name).unwrap());
        assert!(page.bad.is_empty() && page.good.is_empty() && page.fix.is_none(), "{name} has an example");
    }
    for (rule, page) in pages() {
        assert_eq!(page.bad.is_empty(), has_only_session(rule.name), "{}: examples", rule.name);
        let session = page.session;
        let has_commands = session.bad.contains("chatmd ") && session.good.contains("chatmd ");
        assert!(has_commands || session.bad.is_empty() && !has_only_session(rule.name), "{} has no session", rule.name);
    }
}

#[test]
fn rule_names_are_unique() {
    let names: BTreeSet<&str> = rules().map(|rule| rule.name).collect();
    assert_eq!(names.len(), rules().count());
}

fn explain(words: &[&str]) -> (Option<i32>, String, String) {
    let ran = chatmd(Path::new("."), &[&["explain"], words].concat(), &[], "");
    (ran.code, ran.stdout, ran.stderr)
}

#[test]
fn every_rule_is_explained_by_its_name() {
    for rule in rules() {
        for word in [rule.name, &rule.name.to_uppercase()] {
            assert_eq!(explain(&[word]), (Some(0), rule.page.to_owned(), String::new()), "{word}");
        }
    }
}

#[test]
fn an_unknown_rule_is_a_usage_error_with_a_hint() {
    for (word, hint) in [
        ("secrets", "did you mean `secret`?"),
        ("unclosd-element", "did you mean `unclosed-element`?"),
        ("zzz", "`chatmd explain` lists the rules"),
        ("", "`chatmd explain` lists the rules"),
    ] {
        let (code, stdout, stderr) = explain(&[word]);
        assert_eq!((code, stdout.as_str()), (Some(2), ""), "{word}");
        assert!(stderr.contains(&format!("unknown rule `{word}`")) && stderr.contains(hint), "{word}: {stderr}");
    }
}

/// `explain`, `--allow` and `chatmd:allow` name the new name.
#[test]
fn a_former_name_is_an_error_that_names_the_new_one() {
    let (code, stdout, stderr) = explain(&["unterminated-raw"]);
    assert_eq!((code, stdout.as_str()), (Some(2), ""));
    assert!(stderr.contains("the rule is called `unterminated` now"), "{stderr}");
    let ran = chatmd(Path::new("."), &["check", "--allow", "Suspect-Field", "-"], &[], "<user>a</user>");
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""));
    assert!(ran.stderr.contains("the rule is called `wrong-type` now"), "{}", ran.stderr);
    let document = "<!-- chatmd:allow duplicate-id -->\n<user>a</user>";
    let ran = chatmd(Path::new("."), &["check", "-"], &[], document);
    assert_eq!(ran.code, Some(1));
    let message = "error[unknown-rule]: unknown rule `duplicate-id`";
    assert!(ran.stdout.contains(message) && ran.stdout.contains("`repeated-id` now"), "{}", ran.stdout);
}

/// Of the diagnostics with an allowed name, those that prevent a request are still reported.
#[test]
fn what_prevents_a_request_is_not_allowed_with_the_name() {
    let document = "<config max_tokens=\"4k\">{\"store\":\"yes\"}</config>\n<user>a</user>";
    let ran = chatmd(Path::new("."), &["check", "--format", "short", "--allow", "wrong-type", "-"], &[], document);
    assert_eq!(ran.code, Some(1));
    assert!(ran.stdout.contains("max_tokens") && !ran.stdout.contains("store"), "{}", ran.stdout);
}

#[test]
fn the_list_has_a_line_for_every_rule() {
    let (code, stdout, stderr) = explain(&[]);
    assert_eq!((code, stderr.as_str(), stdout.lines().count()), (Some(0), "", rules().count()));
    for (line, rule) in stdout.lines().zip(rules()) {
        let (name, rest) = line.split_once("  ").unwrap();
        let (severity, rest) = rest.trim_start().split_once("  ").unwrap();
        let is_error = rule.severity == chatmd::Severity::Error;
        assert_eq!((name, severity.trim() == "error"), (rule.name, is_error));
        assert_eq!(rest.trim_start(), [if rule.is_fixable { "fixable  " } else { "" }, rule.summary()].concat());
        assert!(line.chars().count() <= WIDEST_LINE, "too wide: {line}");
    }
}

#[test]
fn marks_are_expanded() {
    assert_eq!(expand_marks("a⟨U+200B⟩b⟨0xFF⟩c"), b"a\xe2\x80\x8bb\xffc");
    assert_eq!(expand_marks("[1,001 base64]"), vec![b'A'; 1001]);
    assert_eq!(expand_marks("[7 characters]\n[2 times <b>]"), b"word wo\n<b><b>");
    for text in ["[{\"a\":[1,2]}]", "[1 or two]", "⟨⟩ ⟨x⟩ ⟨U+D800⟩", "[12 times]", "["] {
        assert_eq!(expand_marks(text), text.as_bytes());
    }
}
