//! `chatmd show`.

use std::fs;

use chatmd::internal::document::{Block, DataKind, ItemKind};
use chatmd::internal::source::Sources;
use chatmd::internal::syntax::write::Whitespace;

use crate::run::{Ran, chatmd};
#[cfg(unix)]
use crate::show_laws::unstyled;
use crate::support::{fixtures, read};

/// The document that has everything, with visible escapes.
fn tour(args: &[&str]) -> String {
    let args = [&["show", "tour.md"], args].concat();
    let ran = chatmd(&fixtures().join("examples"), &args, &[], "");
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
    ran.stdout.replace('\x1b', "␛")
}

#[test]
fn a_tour_of_everything() {
    insta::assert_snapshot!("tour-60", tour(&["--width", "60"]));
    insta::assert_snapshot!("tour-100", tour(&["--width", "100"]));
    insta::assert_snapshot!("tour-60-colored", tour(&["--width", "60", "--color", "always"]));
    insta::assert_snapshot!("tour-100-colored", tour(&["--width", "100", "--color", "always"]));
    insta::assert_snapshot!("tour-full", tour(&["--full", "--color", "always"]));
    insta::assert_snapshot!("tour-plain", tour(&["--plain", "--color", "always"]));
}

#[test]
fn without_a_terminal_there_are_80_columns_and_no_color() {
    assert_eq!(tour(&[]), tour(&["--width", "80", "--color", "never", "--no-pager"]));
}

#[test]
fn the_tour_has_everything() {
    let sources = Sources::new();
    let text = fs::read_to_string(fixtures().join("examples/tour.md")).unwrap();
    let (document, diagnostics) = read(&sources, &text, Whitespace::Layout);
    assert!(!diagnostics.has_errors());
    let has = |is_kind: fn(&Block<'_>) -> bool| document.blocks.iter().any(|block| is_kind(&block.value));
    assert!(has(|block| matches!(block, Block::Declaration(_))) && has(|block| matches!(block, Block::Import(_))));
    let has_kind = |is_kind: fn(ItemKind) -> bool| {
        document.blocks.iter().any(|block| block.value.element().is_some_and(|element| is_kind(element.kind)))
    };
    assert!(has_kind(|kind| kind == ItemKind::Reasoning) && has(|block| block.is_data(DataKind::Item)));
    assert!(has_kind(|kind| matches!(kind, ItemKind::ToolCall(_))));
    assert!(has_kind(|kind| matches!(kind, ItemKind::ToolResponse(_))));
    assert!(has(|block| matches!(block, Block::Comment(_))) && text.contains(['\x1b', '\u{202e}']));
}

fn run(args: &[&str], document: &str) -> Ran {
    let directory = tempfile::tempdir().unwrap();
    chatmd(directory.path(), &[&["show"], args].concat(), &[], document)
}

#[test]
fn missing_files_are_shown_by_name() {
    let document = "<import src=\"a.md\"/>\n<user>\n<import src=\"b.md\"/>\n<img src=\"c.png\" local/>\n\
                    <img src=\"/etc/hostname\" local/>\n<doc src=\"d.txt\" local/>\n</user>";
    let ran = run(&["--plain"], document);
    let shown = "[import a.md]\n\nuser\n  [import b.md]\n  [image c.png local]\n  [image /etc/hostname local]\n  [doc d.txt local]\n";
    assert_eq!((ran.code, ran.stderr.as_str(), ran.stdout.as_str()), (Some(0), "", shown));
}

/// Where every difference counts, the comments are shown as they are.
#[test]
fn parts_in_comments_are_shown_as_what_they_are() {
    let part = r#"<!-- chatmd:part {"type":"input_image","file_id":"file-1"} -->"#;
    let document = format!(
        "<user>\n{part}\n</user>\n\n<assistant>\n<!-- chatmd:part {{\"type\":\"refusal\"}} -->\nNo.\n</assistant>\n\n\
         <tool_response tool_call_id=\"c\">\nA\n{part}\n</tool_response>"
    );
    let shown = "user\n  [image file-1]\n\nassistant\n  [refusal]\n  No.\n\n";
    let folded = run(&[], &document);
    assert_eq!((folded.code, folded.stdout), (Some(0), format!("{shown}← c A [image file-1]\n")));
    let full = run(&["--full"], &document);
    assert_eq!(full.stdout, format!("{shown}← c\n  A\n  [image file-1]\n"));
    assert_eq!(run(&["--plain"], &document).stdout.matches("<!-- chatmd:part").count(), 3);
}

#[test]
fn a_malformed_document_is_rejected() {
    let ran = run(&[], "<user>\nhello");
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(65), ""));
    assert!(ran.stderr.contains("unclosed-element") && ran.stderr.contains("<stdin>:1:1"), "{}", ran.stderr);
    let warned = run(&["--plain"], "<user ,>Hi.</user>");
    assert_eq!((warned.code, warned.stderr.as_str(), warned.stdout.as_str()), (Some(0), "", "user\n  Hi.\n"));
    let strict = run(&["--strict"], "<user ,>Hi.</user>");
    assert_eq!((strict.code, strict.stdout.as_str()), (Some(65), ""));
}

#[test]
fn a_malformed_import_is_rejected() {
    let directory = tempfile::tempdir().unwrap();
    fs::write(directory.path().join("a.md"), "<user>").unwrap();
    let ran = chatmd(directory.path(), &["show"], &[], "<import src=\"a.md\"/>");
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(65), ""));
    assert!(ran.stderr.contains("a.md:1:1") && ran.stderr.contains("imported at"), "{}", ran.stderr);
}

#[test]
fn crlf_and_tabs_are_whitespace() {
    let ran = run(&["--plain"], "<user>\r\na\tb\r\nc\r\n</user>\r\n");
    assert_eq!(ran.stdout, "user\n  a       b\n  c\n");
}

#[test]
fn base64_is_shown_by_its_start_and_its_size() {
    let data = "QUFBQkJC1".repeat(100);
    let rule = "-".repeat(900);
    let ran = run(&["--plain"], &format!("<user>\n{data}\n{rule}\n</user>"));
    assert_eq!(ran.stdout, format!("user\n  QUFBQkJC1QUFBQkJ…[900 B of base64 #5935e0f0]\n  {rule}\n"));
}

#[test]
fn no_content_looks_like_a_header() {
    let document = "<!--\nuser\n-->\n<user>\nassistant\n→ rm {}\n</user>\n<reasoning id=\"r\">\n<summary>a</summary>\n\
                    <summary>user</summary>\n</reasoning>\n<script>\nuser\n</script>";
    let shown = "<!--\n  user\n  -->\n\nuser\n  assistant\n  → rm {}\n\nreasoning id=r\n  a\n\n  user\n\n<script>\n  user\n  </script>\n";
    assert_eq!(run(&["--plain"], document).stdout, shown);
}

/// The output on a terminal of ten lines, by `script` of util-linux; `None` without that program.
#[cfg(unix)]
fn on_terminal(arguments: &str, variables: &[(&str, &str)], document: &str) -> Option<(Option<i32>, String)> {
    use std::process::Command;
    let version = Command::new("script").arg("--version").output();
    if !version.is_ok_and(|output| output.stdout.windows(10).any(|word| word == b"util-linux")) {
        eprintln!("not checked: no `script` of util-linux to make a terminal with");
        return None;
    }
    let directory = tempfile::tempdir().unwrap();
    fs::write(directory.path().join("chat.md"), document).unwrap();
    let line = format!("stty rows 10 cols 40; '{}' show {arguments} chat.md", env!("CARGO_BIN_EXE_chatmd"));
    let mut script = Command::new("script");
    script.args(["-qec", &line, "/dev/null"]).current_dir(directory.path()).env("TERM", "xterm");
    for name in ["CHATMD_PAGER", "PAGER", "LESS", "NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE"] {
        script.env_remove(name);
    }
    let output = script.envs(variables.iter().copied()).stdin(std::process::Stdio::null()).output().unwrap();
    Some((output.status.code(), String::from_utf8(output.stdout).unwrap().replace("\r\n", "\n")))
}

#[cfg(unix)]
#[test]
fn terminal_is_told_how_to_unfold() {
    let hint = "`chatmd show --full` shows everything.";
    let call =
        |arguments: &str| format!("<tool_call function_name=\"f\" tool_call_id=\"c\">\n{arguments}\n</tool_call>\n");
    let long = call(&format!("{{\"a\":\"{}\"}}", "x".repeat(100)));
    for (arguments, document, expected) in
        [("", &long, true), ("--full", &long, false), ("", &call("{}"), false), ("--plain", &long, false)]
    {
        let Some((code, shown)) = on_terminal(arguments, &[("PAGER", "cat")], document) else { return };
        assert_eq!((code, shown.contains(hint)), (Some(0), expected), "{shown}");
    }
    assert!(!run(&[], &long).stdout.contains(hint));
}

#[test]
fn long_names_of_images_fit_on_a_line() {
    let name = format!("{}/picture.png", "directory".repeat(30));
    for source in [format!("{name}\" local"), format!("https://example.com/{name}\"")] {
        let document = format!("<user>\n<img src=\"{source}/>\n</user>\n");
        let shown = run(&[], &document).stdout;
        assert!(shown.lines().all(|line| line.chars().count() <= 80), "{shown}");
        assert!(shown.contains("…") && shown.contains("/picture.png]"), "{shown}");
        assert!(run(&["--plain"], &document).stdout.contains(&name));
    }
}

#[cfg(unix)]
#[test]
fn long_output_goes_to_the_pager() {
    let long = format!("<user>\n{}last\n</user>", "*line*\n\n".repeat(20));
    let short = "<user>\n*short*\n</user>";
    let mark = ("PAGER", "sed -e 's/^/P: /'");
    let Some((code, paged)) = on_terminal("", &[mark], &long) else { return };
    assert_eq!(code, Some(0), "{paged}");
    assert!(paged.lines().all(|line| line.starts_with("P: ")) && paged.contains("P:   \x1b[3mline\x1b[0m"), "{paged}");
    let direct = |arguments: &str, variables: &[(&str, &str)], document: &str| {
        let (code, shown) = on_terminal(arguments, variables, document).unwrap();
        assert_eq!(code, Some(0), "{shown}");
        !shown.contains("P: ") && unstyled(&shown).starts_with("user\n  ")
    };
    assert!(direct("", &[mark], short));
    assert!(direct("--no-pager", &[mark], &long) && direct("--plain", &[mark], &long));
    assert!(direct("", &[mark, ("CHATMD_PAGER", "")], &long), "ours comes first");
    for pager in ["", "cat", "no-such-pager", "'unclosed"] {
        assert!(direct("", &[("PAGER", pager)], &long), "{pager}");
    }
}

#[cfg(unix)]
#[test]
fn a_pager_may_be_quit_early() {
    let long = format!("<user>\n{}\n</user>", "line\n".repeat(100_000));
    let Some((code, shown)) = on_terminal("", &[("CHATMD_PAGER", "head -n 2")], &long) else { return };
    assert_eq!((code, unstyled(&shown).as_str()), (Some(0), "user\n  line\n"));
}

#[test]
fn comment_with_the_model_and_the_usage_is_in_words_unless_all_is_shown() {
    let answer = "\n<assistant>\nHi!\n</assistant>\n";
    let usage = r#""usage":{"input_tokens":412,"input_tokens_details":{"cached_tokens":300},"output_tokens":96}"#;
    for (fields, words) in [
        (format!(r#"{{"model":"m-2026",{usage}}}"#), "m-2026, 412 input (300 cached), 96 output tokens"),
        (r#"{"model":"m-\u001b[31m"}"#.to_owned(), "m-\\u{1b}[31m"),
        (format!("{{{usage}}}"), "412 input (300 cached), 96 output tokens"),
        // Other fields would be hidden.
        (r#"{"id":"r","model":"m"}"#.to_owned(), r#"<!-- response {"id":"r","model":"m"} -->"#),
        (r#"{"usage":{}}"#.to_owned(), r#"<!-- response {"usage":{}} -->"#),
    ] {
        let document = format!("<!-- response {fields} -->\n{answer}");
        assert_eq!(run(&[], &document).stdout, format!("{words}\n\nassistant\n  Hi!\n"));
        for all in ["--plain", "--full"] {
            assert!(run(&[all], &document).stdout.starts_with(&format!("<!-- response {fields} -->\n")), "{document}");
        }
    }
}
