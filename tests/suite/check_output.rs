//! What `chatmd check` prints at the end, what `--fix` and `--diff` print, and which files of a directory are checked.

use std::fs;
use std::path::Path;

use crate::check::run;
use crate::run::{Ran, chatmd};

const TAG_IN_CODE: &str = "<user>\nSee `<img src=\"https://u\"/>`\n</user>\n";
const UNKNOWN: &str = "<user x=\"1\">\na\n</user>\n";
const WRONG: &str = "<config model=\"m\" top_p=\"7\"/>\n<user>\na\n</user>\n";

#[test]
fn the_last_line_counts_what_was_found() {
    for (texts, arguments, expected) in [
        (&[TAG_IN_CODE][..], &[][..], "1 warning, 1 fixable with --fix"),
        (&[UNKNOWN, UNKNOWN], &[], "2 warnings"),
        (&[UNKNOWN, WRONG, TAG_IN_CODE, WRONG], &[], "2 errors, 2 warnings, 1 fixable with --fix"),
        (&[TAG_IN_CODE, WRONG], &["--fix"], "1 fixed, 1 error"),
        (&[TAG_IN_CODE], &["--fix"], "1 fixed"),
    ] {
        let names = ["a.md", "b.md", "c.md", "d.md"];
        let files: Vec<(&str, &str)> = names.into_iter().zip(texts.iter().copied()).collect();
        let (ran, _) = run(&files, &[arguments, &names[..texts.len()]].concat(), "");
        assert_eq!(ran.stdout.lines().last(), Some(expected), "{}", ran.stdout);
    }
}

#[test]
fn a_document_that_is_named_twice_is_checked_once() {
    let (ran, _) = run(&[("a.md", UNKNOWN)], &["a.md", ".", "./a.md"], "");
    assert_eq!(ran.stdout.lines().last(), Some("1 warning"), "{}", ran.stdout);
    assert!(ran.stdout.contains("--> a.md:1:7"), "{}", ran.stdout);
}

#[test]
fn fix_says_what_it_fixed() {
    let (ran, _) = run(&[("a.md", TAG_IN_CODE)], &["--fix", "a.md"], "");
    assert_eq!(ran.stderr, "fixed: a.md:2:6: `<img>` inside Markdown code is still a tag [tag-in-code]\n");
    let (ran, _) = run(&[("a.md", UNKNOWN)], &["--fix", "a.md"], "");
    assert_eq!(ran.stderr, "", "nothing was fixed");
    let (ran, _) = run(&[], &["--fix", "-"], TAG_IN_CODE);
    assert_eq!(
        ran.stderr, "fixed: <stdin>:2:6: `<img>` inside Markdown code is still a tag [tag-in-code]\n1 fixed\n",
        "standard output has the document"
    );
}

#[test]
fn a_diff_has_colours_only_if_they_are_wanted() {
    let files = [("a.md", TAG_IN_CODE)];
    let (plain, _) = run(&files, &["--diff", "a.md"], "");
    assert!(plain.stdout.contains("\n-See `<img src=\"https://u\"/>`\n+See `RAW|<img"), "{}", plain.stdout);
    assert!(!plain.stdout.contains('\x1b'));
    assert_eq!((plain.code, plain.stderr.as_str()), (Some(1), "1 fixable with --fix\n"));
    let (coloured, _) = run(&files, &["--diff", "--color", "always", "a.md"], "");
    assert!(
        coloured.stdout.contains("\x1b[31m-See `<img src=\"https://u\"/>`\x1b[0m\n\x1b[32m+See"),
        "{:?}",
        coloured.stdout
    );
    let hostile = TAG_IN_CODE.replace("See", "\u{1b}[2J");
    let (coloured, _) = run(&[("a.md", &hostile)], &["--diff", "--color", "always", "a.md"], "");
    assert!(!coloured.stdout.contains("\x1b[2J"), "{:?}", coloured.stdout);
}

/// A directory with these files, and the output of `check` for it.
fn run_in(files: &[(&str, &str)], arguments: &[&str]) -> (Ran, tempfile::TempDir) {
    let directory = tempfile::tempdir().unwrap();
    for (name, content) in files {
        let path = directory.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }
    let ran = chatmd(directory.path(), &[&["check", "--format", "short"], arguments].concat(), &[], "");
    (ran, directory)
}

#[test]
fn the_documents_of_a_directory_are_checked() {
    let checked = [
        ("docs/tag.md", WRONG),
        ("docs/deep/er/byte-order-mark.md", "\u{feff}<user x=1>a</user>"),
        ("docs/comment.md", "\n <!-- chatmd:allow secret -->\n<user x=1>a</user>"),
        ("docs/plain-comment.md", "<!-- a draft -->\n<user x=1>a</user>"),
        ("docs/import.md", "<import src=\"nowhere.md\"/>"),
        ("docs/README.md", "# Title\n\n<user x=1>a</user>"),
        ("docs/html.md", "<p>\n<user x=1>a</user>"),
        ("docs/not-closed.md", "<user"),
    ];
    let skipped = [
        ("docs/logo.md", "<img src=\"logo.png\">\n\n# Title"),
        ("docs/code.md", "# Title\n\n```\n<user x=1>a</user>\n```"),
        ("docs/name.md", "<username x=1>a</username>"),
        ("docs/text.txt", WRONG),
        ("docs/ignored.md", WRONG),
        ("docs/build/out.md", WRONG),
        ("docs/.gitignore", "ignored.md\nbuild/\n"),
        ("docs/.hidden/chat.md", WRONG),
        ("docs/empty.md", ""),
    ];
    let (ran, _) = run_in(&[&checked[..], &skipped].concat(), &["docs"]);
    let mut names: Vec<&str> = ran.stdout.lines().map(|line| line.split(':').next().unwrap()).collect();
    let mut expected: Vec<&str> = checked.iter().map(|(name, _)| *name).collect();
    expected.sort_unstable();
    names.dedup();
    assert_eq!((names, ran.code), (expected, Some(1)), "{}{}", ran.stdout, ran.stderr);
    let (ran, _) = run_in(&skipped, &["docs"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(0), ""));
    assert!(ran.stderr.starts_with("note: docs: no documents in this directory\n"), "{}", ran.stderr);
}

#[cfg(unix)]
#[test]
fn rules_of_a_directory_that_are_not_small_files_are_refused() {
    let directory = tempfile::tempdir().unwrap();
    fs::create_dir_all(directory.path().join("docs/inner")).unwrap();
    for name in ["docs/a.md", "docs/inner/b.md"] {
        fs::write(directory.path().join(name), "<user>\na\n</user>\n").unwrap();
    }
    for (rules, from) in [("docs/.gitignore", "."), ("docs/inner/.ignore", "docs"), (".gitignore", "docs/inner")] {
        let path = directory.path().join(rules);
        for target in ["/dev/zero", "a pipe"] {
            if target == "a pipe" {
                assert!(std::process::Command::new("mkfifo").arg(&path).status().unwrap().success());
            } else {
                std::os::unix::fs::symlink(target, &path).unwrap();
            }
            for command in [&["check", "."][..], &["batch", "requests", "-m", "m", "."]] {
                let ran = chatmd(&directory.path().join(from), command, &[], "");
                assert_eq!(ran.code, Some(74), "{rules} {target}: {}", ran.stderr);
                assert!(ran.stderr.contains("ignore: it is not a small regular file"), "{}", ran.stderr);
            }
            fs::remove_file(&path).unwrap();
        }
    }
}

#[test]
fn a_directory_is_fixed_and_listed_like_files() {
    let files =
        [("docs/a.md", TAG_IN_CODE), ("docs/b.md", "<user><doc src=\"c.txt\" local/></user>"), ("docs/c.txt", "c")];
    let (ran, directory) = run_in(&files, &["--fix", "docs"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(0), ""), "{}", ran.stderr);
    assert!(fs::read_to_string(directory.path().join("docs/a.md")).unwrap().contains("RAW|"));
    let ran = chatmd(directory.path(), &["check", "--deps", "docs"], &[], "");
    assert_eq!(ran.stdout, format!("docs{}c.txt\n", std::path::MAIN_SEPARATOR));
}

/// The order of the output does not depend on which file was checked first.
#[test]
fn many_documents_are_reported_in_order() {
    let names: Vec<String> = (100..160).map(|number| format!("docs/{number}.md")).collect();
    let files: Vec<(&str, &str)> = names.iter().map(|name| (name.as_str(), UNKNOWN)).collect();
    let (ran, _) = run_in(&files, &["docs"]);
    let reported: Vec<&str> = ran.stdout.lines().map(|line| line.split(':').next().unwrap()).collect();
    assert_eq!(reported, names);
}

#[test]
fn explain_lists_the_severity_and_whether_there_is_a_fix() {
    let ran = chatmd(Path::new("."), &["explain"], &[], "");
    let words = |name: &str| {
        let line = ran.stdout.lines().find(|line| line.split(' ').next() == Some(name)).unwrap();
        line.split_whitespace().skip(1).take(2).map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(words("missing-slash"), ["warning", "fixable"]);
    assert_eq!(words("not-utf8"), ["error", "The"]);
}

#[test]
fn the_cost_of_long_base64_is_estimated_well() {
    let bytes: Vec<u8> = (0_u32..60_000).map(|at| at.wrapping_mul(2_654_435_761).to_be_bytes()[1]).collect();
    let base64 = chatmd::internal::media::base64(&bytes);
    let text = format!("<tool_response tool_call_id=\"c\">\n{base64}\n</tool_response>\n");
    let (ran, _) = run(&[("a.md", &text)], &["a.md"], "");
    let (_, cost) = ran.stdout.split_once("cost about ").unwrap_or_else(|| panic!("{}", ran.stdout));
    let estimated: usize = cost.split_whitespace().next().unwrap().replace(',', "").parse().unwrap();
    let exact = chatmd::internal::tokens::text_tokens(&base64);
    assert!(estimated.abs_diff(exact) * 50 < exact, "{estimated} instead of {exact}");
}
