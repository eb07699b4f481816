//! `chatmd check` on files that are imported into messages.

use std::fs;

use crate::check::run;

const FRAGMENT: &str = "Answer in `<doc>` or\nin <img src=\"https://u\"> form.\n";

#[test]
fn a_fragment_is_a_document_only_without_the_flag() {
    let (ran, _) = run(&[("part.md", "Be brief.\n")], &["part.md"], "");
    assert_eq!(ran.code, Some(1), "{}", ran.stdout);
    assert!(ran.stdout.contains("text-at-top-level"), "{}", ran.stdout);
    let (ran, _) = run(&[("part.md", "Be brief.\n")], &["--fragment", "part.md"], "");
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(0), ""));
}

#[test]
fn a_block_in_a_fragment_is_an_error() {
    let (ran, _) = run(&[("part.md", "a\n<user>b</user>\n")], &["--fragment", "part.md"], "");
    assert_eq!(ran.code, Some(1));
    assert!(ran.stdout.contains("misplaced-element"), "{}", ran.stdout);
}

#[test]
fn a_fragment_is_fixed() {
    let (ran, directory) = run(&[("part.md", FRAGMENT)], &["--fragment", "--fix", "part.md"], "");
    assert_eq!(ran.code, Some(0), "{}", ran.stdout);
    let fixed = fs::read_to_string(directory.path().join("part.md")).unwrap();
    assert_eq!(fixed, "Answer in `RAW|<doc>|RAW` or\nin <img src=\"https://u\"/> form.\n");
}

/// Files are fragments if another document of the same run imports them into bodies only, directly or not.
#[test]
fn a_fragment_is_found_by_the_document_that_imports_it() {
    let files = [
        ("chat.md", "<user>\n<import src=\"part.md\"/>\n</user>\n"),
        ("part.md", "Be brief.\n<import src=\"inner.md\"/>\n"),
        ("inner.md", "Be kind.\n"),
    ];
    let (ran, _) = run(&files, &["inner.md", "part.md", "chat.md"], "");
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(0), ""), "{}", ran.stderr);
    let both = [("a.md", "<import src=\"b.md\"/>\n<user><import src=\"b.md\"/></user>"), ("b.md", "text")];
    let (ran, _) = run(&both, &["b.md", "a.md"], "");
    assert!(ran.stdout.contains("text-at-top-level"), "{}", ran.stdout);
}
