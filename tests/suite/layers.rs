//! Which module of `src` may use which, so that the layers in the documentation stay true.
//!
//! Every module that `lib.rs` declares has a row in the table. The command line is `main.rs` and `cli`.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// Each module with the modules it may use besides itself.
const LAYERS: [(&str, &[&str]); 30] = [
    ("sanitize", &[]),
    ("secret", &["sanitize"]),
    ("source", &["sanitize"]),
    ("element", &[]),
    ("json", &[]),
    ("api", &[]),
    ("options", &["api"]),
    ("outcome", &["json"]),
    ("ledger", &["api", "diagnostic", "json", "source"]),
    ("schema", &["json"]),
    ("tokens", &[]),
    ("resources", &[]),
    ("stream", &["json"]),
    ("responses", &["api", "outcome", "json", "stream", "element"]),
    ("wire", &["api", "ledger", "responses", "json", "resources", "source"]),
    ("messages", &["wire", "responses", "stream", "json", "resources", "source"]),
    ("chat", &["options", "outcome", "wire", "responses", "stream", "json", "resources", "source"]),
    ("diagnostic", &["secret", "source", "element", "sanitize"]),
    ("error", &["diagnostic", "responses", "resources", "source"]),
    ("syntax", &["options", "diagnostic", "source", "element", "json"]),
    ("document", &["options", "syntax", "diagnostic", "source", "element", "json"]),
    ("resolve", &["document", "resources", "diagnostic", "source"]),
    (
        "convert",
        &[
            "options",
            "outcome",
            "wire",
            "messages",
            "chat",
            "stream",
            "resolve",
            "document",
            "json",
            "responses",
            "resources",
            "syntax",
            "diagnostic",
            "error",
            "source",
            "element",
        ],
    ),
    (
        "lint",
        &[
            "secret",
            "options",
            "wire",
            "convert",
            "resolve",
            "document",
            "json",
            "responses",
            "resources",
            "schema",
            "syntax",
            "tokens",
            "diagnostic",
            "source",
            "element",
            "sanitize",
        ],
    ),
    (
        "sessions",
        &["convert", "document", "json", "messages", "resources", "responses", "wire", "syntax", "error", "source"],
    ),
    ("stats", &["api", "convert", "json", "responses", "resources", "tokens", "diagnostic", "source"]),
    (
        "transcript",
        &["api", "convert", "resolve", "document", "json", "responses", "resources", "syntax", "diagnostic", "source"],
    ),
    (
        "show",
        &[
            "secret",
            "transcript",
            "convert",
            "resolve",
            "document",
            "json",
            "responses",
            "resources",
            "syntax",
            "diagnostic",
            "source",
            "sanitize",
        ],
    ),
    (
        "render",
        &[
            "secret",
            "transcript",
            "show",
            "stats",
            "convert",
            "resolve",
            "document",
            "json",
            "responses",
            "resources",
            "syntax",
            "diagnostic",
            "source",
            "element",
            "sanitize",
        ],
    ),
    (
        "converter",
        &[
            "error",
            "wire",
            "render",
            "sessions",
            "lint",
            "show",
            "stats",
            "convert",
            "resolve",
            "document",
            "json",
            "responses",
            "resources",
            "stream",
            "syntax",
            "diagnostic",
            "source",
        ],
    ),
];
/// The files that may use a module their layer may not: imports are read while a document is lowered, and images are
/// encoded while their URLs are written.
const EXCEPTIONS: [(&str, &str); 2] = [("document/import", "resources"), ("responses/image_url", "resources")];
/// Crates that only the command line may use.
const CLI_CRATES: [&str; 5] = ["anyhow", "clap", "anstream", "colorchoice_clap", "terminal_size"];
const MAX_LINES: usize = 400;

#[test]
fn every_module_uses_only_the_layers_below_it() {
    let files = files();
    let modules = library_modules(&files);
    assert!(modules.contains("syntax"), "{modules:?}");
    let unknown: Vec<&String> = modules
        .iter()
        .filter(|module| {
            !matches!(module.as_str(), "cli" | "internal") && !LAYERS.iter().any(|(known, _)| known == module)
        })
        .collect();
    assert!(unknown.is_empty(), "no row in the table for {unknown:?}");
    let violations: Vec<String> = files.iter().flat_map(|(path, text)| violations(path, text)).collect();
    assert!(violations.is_empty(), "{}", violations.join("\n"));
    assert!(files.len() > 20, "only {} files", files.len());
}

#[test]
fn the_architecture_page_has_a_row_for_every_module() {
    let page = include_str!("../../docs/ARCHITECTURE.md");
    let rows: Vec<Vec<&str>> =
        page.lines().filter(|line| line.starts_with("| `")).map(|line| line.split(" | ").collect()).collect();
    let quoted = |cell: &str| cell.split('`').skip(1).step_by(2).map(str::to_owned).collect::<Vec<_>>();
    let names: BTreeSet<String> = rows.iter().flat_map(|row| quoted(row[0])).collect();
    let expected: BTreeSet<String> = LAYERS.iter().map(|(name, _)| *name).chain(["cli"]).map(str::to_owned).collect();
    assert_eq!(names, expected);
    for row in rows {
        let module = &quoted(row[0])[0];
        let (layers, file) = row.get(2).map_or(("", ""), |uses| uses.split_once(';').unwrap_or((uses, "")));
        for used in quoted(layers) {
            assert!(may_use(module, module, &used), "`{module}` must not use `{used}`");
        }
        if let [file, used] = quoted(file).as_slice() {
            assert!(may_use(&format!("{module}/{file}"), module, used), "`{module}/{file}` must not use `{used}`");
        }
    }
}

#[test]
fn each_rule_of_the_layer_test_can_fail() {
    for (path, text) in [
        ("source.rs", "use crate::element::Tag;"),
        ("element.rs", "fn f() { crate::source::decode(vec![]); }"),
        ("diagnostic/render.rs", "use crate::{source::Span, syntax::{self, Node}};"),
        ("syntax/scan.rs", "use crate::{\n    source::Span,\n    document,\n};"),
        ("document/lower.rs", "use crate::resources::Directory;"),
        ("document/important.rs", "use crate::resources::Directory;"),
        ("json/value.rs", "use crate::responses::Item;"),
        ("responses/item.rs", "use crate::convert::metadata;"),
        ("resources.rs", "use crate::diagnostic::Problem;"),
        ("unlisted/mod.rs", "use crate::source::Span;"),
        ("syntax/mod.rs", "use super::document;"),
        ("syntax/scan.rs", "use super::super::document;"),
        ("document/mod.rs", "use anyhow::Context;"),
        ("source.rs", "use clap::{Parser};"),
        ("syntax/scan.rs", "fn f() { anstream::println!(\"x\") }"),
        ("cli/input.rs", "fn f() { Some(1).unwrap(); }"),
        ("source.rs", "fn f() { Some(1)\n.expect(\"it is there\"); }"),
        ("element.rs", "fn f() { panic!(\"no\") }"),
        ("cli/commands/parse.rs", "fn f() { todo!() }"),
        ("cli/commands/parse.rs", &"\n".repeat(MAX_LINES + 1)),
    ] {
        assert_eq!(violations(path, text).len(), 1, "{path}: {text}");
    }
    for (path, text) in [
        ("document/import.rs", "use crate::resources::Directory;"),
        ("document/import/cycle.rs", "use crate::resources::Directory;"),
        ("document/lower.rs", "use crate::{source, syntax::write, document::Part};\nuse super::layout;"),
        ("convert/to_request.rs", "use crate::{document, responses, resources};"),
        ("cli/commands/parse.rs", "use crate::cli::args::Cli;\nuse anyhow::Context;"),
        ("main.rs", "use clap::Parser;"),
        ("element.rs", "//! See crate::source; never unwrap().\nfn f() { // panic!\n    Some(1).unwrap_or(2); }"),
        ("responses/item.rs", &"\n".repeat(MAX_LINES)),
    ] {
        assert_eq!(violations(path, text), [""; 0], "{path}: {text}");
    }
}

/// Every rule that a file of `src` breaks.
fn violations(path: &str, text: &str) -> Vec<String> {
    let code = without_comments(text);
    let module = path.split(['/', '.']).next().unwrap_or_default();
    let is_command_line = matches!(module, "main" | "cli");
    let mut violations = Vec::new();
    if !is_command_line && !matches!(module, "lib" | "internal") {
        let used = used_modules(&code).into_iter().filter(|used| !may_use(path, module, used));
        violations.extend(used.map(|used| format!("`{module}` must not use `{used}`")));
        let foreign = CLI_CRATES.iter().filter(|name| words(&code).any(|word| word == **name));
        violations.extend(foreign.map(|name| format!("`{name}` is for the command line, not for the library")));
        let leaves = if path.ends_with("/mod.rs") || !path.contains('/') { "super::" } else { "super::super::" };
        if code.contains(leaves) {
            violations.push(format!("`{leaves}` leaves the module: write `crate::`"));
        }
    }
    for stops in [".unwrap()", ".expect(", "panic!", "todo!", "unimplemented!"] {
        if code.contains(stops) {
            violations.push(format!("`{stops}` outside of tests"));
        }
    }
    let lines = text.lines().count();
    if lines > MAX_LINES {
        violations.push(format!("{lines} lines; the limit is {MAX_LINES}"));
    }
    violations.into_iter().map(|violation| format!("src/{path}: {violation}")).collect()
}

fn may_use(path: &str, module: &str, used: &str) -> bool {
    let row = LAYERS.iter().find(|(known, _)| *known == module);
    let is_file = |file| path.strip_prefix(file).is_some_and(|rest| rest.starts_with(['.', '/']));
    row.is_some_and(|(_, uses)| used == module || uses.contains(&used))
        || EXCEPTIONS.iter().any(|(file, module)| is_file(file) && used == *module)
}

/// The first name after every `crate::`, alone or in braces.
fn used_modules(code: &str) -> BTreeSet<&str> {
    let mut used = BTreeSet::new();
    for (at, path) in code.match_indices("crate::") {
        let rest = &code[at + path.len()..];
        match rest.strip_prefix('{') {
            Some(group) => used.extend(outermost(group).filter_map(|name| words(name).next())),
            None => used.extend(words(rest).next()),
        }
    }
    used
}

/// The entries of a group in braces, up to its end.
fn outermost(group: &str) -> impl Iterator<Item = &str> {
    let mut depth = 0;
    let end = group.find(|c| {
        depth += i32::from(c == '{') - i32::from(c == '}');
        depth < 0
    });
    let mut depth = 0;
    group[..end.unwrap_or(group.len())].split(move |c| {
        depth += i32::from(c == '{') - i32::from(c == '}');
        c == ',' && depth == 0
    })
}

fn words(code: &str) -> impl Iterator<Item = &str> {
    code.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty())
}

fn without_comments(text: &str) -> String {
    let code = |line: &str| line.split_once("//").map_or(line, |(code, _)| code).to_owned() + "\n";
    text.lines().map(code).collect()
}

/// The modules that `lib.rs` declares.
fn library_modules(files: &[(String, String)]) -> BTreeSet<String> {
    let (_, text) = files.iter().find(|(name, _)| name == "lib.rs").unwrap();
    let declared = text.lines().filter_map(|line| line.trim_start_matches("pub ").strip_prefix("mod "));
    declared.map(|rest| rest.trim_end_matches(';').to_owned()).collect()
}

/// Every file of `src`, by its path there.
fn files() -> Vec<(String, String)> {
    fn walk(directory: &Path, below: &str, files: &mut Vec<(String, String)>) {
        for entry in fs::read_dir(directory).unwrap() {
            let entry = entry.unwrap();
            let name = format!("{below}{}", entry.file_name().to_str().unwrap());
            if entry.path().is_dir() {
                walk(&entry.path(), &format!("{name}/"), files);
            } else if entry.path().extension().is_some_and(|extension| extension == "rs") {
                files.push((name, fs::read_to_string(entry.path()).unwrap()));
            }
        }
    }
    let mut files = Vec::new();
    walk(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), "", &mut files);
    files
}
