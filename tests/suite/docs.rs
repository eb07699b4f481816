//! The pages in `docs` match the program.
//!
//! `UPDATE_DOCS=1 cargo test --test suite docs` rewrites what is generated: the help texts, the transcripts and the index of rules.

mod wires;

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use chatmd::internal::lint::rules;

use crate::manual::commands;
use crate::run::{chatmd, name};
use crate::support::files;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

pub(crate) fn page(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// Compares a page with its expected text, or writes the page if `UPDATE_DOCS` is set.
fn assert_page(path: &str, expected: &str) {
    if std::env::var_os("UPDATE_DOCS").is_some() {
        fs::write(root().join(path), expected).unwrap();
    }
    let hint = "run `UPDATE_DOCS=1 cargo test --test suite docs`";
    assert_eq!(fs::read_to_string(root().join(path)).unwrap_or_default(), expected, "{path} is out of date: {hint}");
}

/// What a command line such as `chatmd show -h` prints.
fn printed(command_line: &str) -> String {
    let arguments: Vec<&str> = command_line.split(' ').skip(1).collect();
    let ran = chatmd(root(), &arguments, &[], "");
    assert_eq!(ran.code, Some(0), "{command_line}: {}", ran.stderr);
    ran.stdout
}

#[test]
fn help_texts_in_the_command_reference_are_current() {
    assert_console_blocks("docs/commands.md");
}

#[test]
fn transcripts_are_current() {
    assert_console_blocks("docs/transcripts.md");
}

#[test]
fn every_example_has_a_transcript_and_no_problem() {
    let text = page("docs/transcripts.md");
    for path in files("examples", ".md") {
        let name = name(&path);
        // These show what `show`, `stats` and the README are about.
        if ["tour.md", "tour-intro.md", "costs.md", "weather.md"].contains(&name) {
            continue;
        }
        assert!(text.contains(&format!("$ chatmd show fixtures/examples/{name}\n")), "{name} has no transcript");
        let ran = chatmd(root(), &["check", &format!("fixtures/examples/{name}")], &[], "");
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(0), ""), "{name}");
    }
}

/// Asserts that each ```` ```console ```` block of a page is a command line and what it prints.
fn assert_console_blocks(path: &str) {
    let text = page(path);
    let mut expected = String::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        writeln!(expected, "{line}").unwrap();
        if line == "```console" {
            let command_line = lines.next().and_then(|line| line.strip_prefix("$ ")).expect("a command line");
            lines.by_ref().find(|line| *line == "```").expect("the end of the block");
            writeln!(expected, "$ {command_line}").unwrap();
            for line in printed(command_line).lines() {
                writeln!(expected, "{}", line.trim_end()).unwrap();
            }
            expected.push_str("```\n");
        }
    }
    assert_page(path, &expected);
}

#[test]
fn command_reference_has_a_section_for_every_command() {
    let text = page("docs/commands.md");
    for command in commands() {
        assert!(text.contains(&format!("\n## `{command}`\n")), "{command} has no section");
        assert!(text.contains(&format!("\n$ chatmd {command} ")), "the help of {command} is missing");
    }
    for command in ["requests", "results"] {
        assert!(text.contains(&format!("\n$ chatmd batch {command} -h\n")), "the help of batch {command} is missing");
    }
}

#[test]
fn command_reference_lists_exactly_the_exit_codes_of_the_program() {
    let source = page("src/cli/error.rs");
    let variants = source.lines().filter_map(|line| line.trim().strip_suffix(',')?.split_once(" = "));
    let codes: Vec<&str> = variants.map(|(_, code)| code).collect();
    let text = page("docs/commands.md");
    let (_, section) = text.split_once("\n## Exit codes\n").unwrap();
    let rows = section.lines().filter_map(|line| line.strip_prefix("| ")?.split_once(" | "));
    let listed: Vec<&str> = rows.map(|(code, _)| code).skip(1).collect();
    assert!(codes.len() > 5);
    assert_eq!(listed, codes);
}

#[test]
fn index_lists_every_rule() {
    let mut index =
        "# Rules\n\nThe problems and lints that `chatmd check` reports. `chatmd explain RULE` prints a page.\n\n\
        | rule | severity | fixable | meaning |\n|---|---|---|---|\n"
            .to_owned();
    let mut sorted: Vec<_> = rules().collect();
    sorted.sort_by_key(|rule| rule.name);
    for rule in sorted {
        let severity = rule.severity;
        let fixable = if rule.is_fixable { "yes" } else { "" };
        let summary = rule.summary().replace('\n', " ").replace('|', "\\|");
        writeln!(index, "| [`{0}`](rules/{0}.md) | {severity} | {fixable} | {summary} |", rule.name).unwrap();
    }
    assert_page("docs/rules.md", &index);
}

#[test]
fn links_between_pages_lead_to_files() {
    let mut pages: Vec<PathBuf> = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md"].map(PathBuf::from).to_vec();
    pages.extend(
        fs::read_dir(root().join("docs")).unwrap().map(|entry| Path::new("docs").join(entry.unwrap().file_name())),
    );
    pages.retain(|path| path.extension().is_some_and(|extension| extension == "md"));
    let mut count = 0;
    for path in pages {
        let text = page(path.to_str().unwrap());
        for link in text.split("](").skip(1).filter_map(|rest| rest.split_once(')')).map(|(link, _)| link) {
            let file = link.split('#').next().unwrap_or_default();
            if file.is_empty() || file.contains("://") {
                continue;
            }
            count += 1;
            assert!(
                root().join(path.parent().unwrap()).join(file).exists(),
                "{}: {link} does not exist",
                path.display()
            );
        }
    }
    assert!(count > 20, "only {count} links");
}

#[test]
fn every_promise_names_a_test_that_exists() {
    let rows = page("SECURITY.md");
    let held = rows.lines().filter_map(|line| Some(line.strip_suffix("` |")?.rsplit_once('`')?.1));
    let mut count = 0;
    for test in held.filter(|held| held.contains("::")) {
        let (module, function) = test.rsplit_once("::").unwrap();
        let path = format!("tests/suite/{}.rs", module.replace("::", "/"));
        assert!(page(&path).contains(&format!("fn {function}(")), "{path} has no test `{function}`");
        count += 1;
    }
    assert!(count > 15, "only {count} promises");
}

#[test]
fn every_dependency_has_its_reason() {
    let reasons = page("docs/dependencies.md");
    let manifest = page("Cargo.toml");
    let section = manifest.split("\n[dependencies]\n").nth(1).and_then(|rest| rest.split("\n\n").next()).unwrap();
    for name in section.lines().filter_map(|line| line.split_once(" = ")).map(|(name, _)| name) {
        assert!(reasons.contains(&format!("`{name}`")), "docs/dependencies.md has no row for {name}");
    }
}
