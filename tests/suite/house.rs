//! The rooms of `src` and who may use whom, so that the picture of the architecture cannot go stale.
//!
//! A room is a module of `lib.rs`, as a file or as a folder. The front door is `main.rs` and its
//! modules. A room that the table does not know is a failure: it has to get a row.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// Each room with the rooms it may use besides itself.
const TABLE: [(&str, &[&str]); 13] = [
    ("door", &["convert", "document", "wire", "resources", "syntax", "diagnostic", "source"]),
    ("source", &[]),
    ("tag", &[]),
    ("diagnostic", &["source", "tag"]),
    ("syntax", &["diagnostic", "source", "tag"]),
    ("document", &["syntax", "diagnostic", "source", "tag"]),
    ("check", &["convert", "document", "wire", "resources", "syntax", "tokens", "diagnostic", "source", "tag"]),
    ("tokens", &[]),
    ("wire", &[]),
    ("resources", &[]),
    ("stats", &["convert", "wire", "resources", "tokens", "diagnostic", "source"]),
    ("convert", &["document", "wire", "resources", "syntax", "diagnostic", "source", "tag"]),
    ("show", &["convert", "document", "wire", "resources", "syntax", "diagnostic", "source"]),
];
/// The one place of a room that may use one room more.
const DOOR: (&str, &str) = ("document/import", "resources");
/// Crates that only the front door knows.
const FRONT_DOOR_CRATES: [&str; 5] = ["anyhow", "clap", "anstream", "colorchoice_clap", "terminal_size"];
const LONGEST_FILE: usize = 400;

/// The modules that `main.rs` or `lib.rs` declares.
type Modules = BTreeSet<String>;

#[test]
fn the_house_is_as_it_is_drawn() {
    let files = files();
    let (door, rooms) = (modules(&files, "main.rs"), modules(&files, "lib.rs"));
    assert!(rooms.contains("syntax") && door.contains("cli"), "rooms {rooms:?}, front door {door:?}");
    assert_eq!(door.intersection(&rooms).next(), None, "the command uses the library through `chatmd::`");
    let unknown: Vec<&String> = rooms.iter().filter(|room| !TABLE.iter().any(|(known, _)| known == room)).collect();
    assert!(unknown.is_empty(), "no row in the table for {unknown:?}");
    let complaints: Vec<String> = files.iter().flat_map(|(path, text)| complaints(path, text, &door)).collect();
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
    assert!(files.len() > 20, "only {} files", files.len());
}

#[test]
fn each_rule_can_be_broken() {
    let door: Modules = ["cli", "command"].map(str::to_owned).into();
    let complain = |path: &str, text: &str| complaints(path, text, &door).len();
    for (path, text) in [
        ("source.rs", "use crate::tag::Tag;"),
        ("tag.rs", "fn f() { crate::source::decode(vec![]); }"),
        ("diagnostic/render.rs", "use crate::{source::Span, syntax::{self, Node}};"),
        ("syntax/scan.rs", "use crate::{\n    source::Span,\n    document,\n};"),
        ("document/lower.rs", "use crate::resources::Folder;"),
        ("document/important.rs", "use crate::resources::Folder;"),
        ("wire/item.rs", "use crate::convert::carry;"),
        ("resources.rs", "use crate::diagnostic::Problem;"),
        ("attic/mod.rs", "use crate::source::Span;"),
        ("syntax/mod.rs", "use super::document;"),
        ("syntax/scan.rs", "use super::super::document;"),
        ("document/mod.rs", "use anyhow::Context;"),
        ("source.rs", "use clap::{Parser};"),
        ("syntax/scan.rs", "fn f() { anstream::println!(\"x\") }"),
        ("cli.rs", "fn f() { Some(1).unwrap(); }"),
        ("source.rs", "fn f() { Some(1)\n.expect(\"it is there\"); }"),
        ("tag.rs", "fn f() { panic!(\"no\") }"),
        ("command/parse.rs", "fn f() { todo!() }"),
        ("command/parse.rs", &"\n".repeat(LONGEST_FILE + 1)),
    ] {
        assert_eq!(complain(path, text), 1, "{path}: {text}");
    }
    for (path, text) in [
        ("document/import.rs", "use crate::resources::Folder;"),
        ("document/import/cycle.rs", "use crate::resources::Folder;"),
        ("document/lower.rs", "use crate::{source, syntax::write, document::Part};\nuse super::layout;"),
        ("convert/to_request.rs", "use crate::{document, wire, resources};"),
        ("command/parse.rs", "use crate::cli::Cli;\nuse anyhow::Context;"),
        ("main.rs", "use clap::Parser;"),
        ("tag.rs", "//! See crate::source; never unwrap().\nfn f() { // panic!\n    Some(1).unwrap_or(2); }"),
        ("wire/item.rs", &"\n".repeat(LONGEST_FILE)),
    ] {
        assert_eq!(complaints(path, text, &door), [""; 0], "{path}: {text}");
    }
}

/// Every rule that a file of `src` breaks.
fn complaints(path: &str, text: &str, door: &Modules) -> Vec<String> {
    let code = without_comments(text);
    let room = path.split(['/', '.']).next().unwrap_or_default();
    let in_door = path == "main.rs" || door.contains(room);
    let mut complaints = Vec::new();
    if !in_door && path != "lib.rs" {
        let used = used_rooms(&code).into_iter().filter(|used| !may_use(path, room, used));
        complaints.extend(used.map(|used| format!("`{room}` must not use `{used}`")));
        let foreign = FRONT_DOOR_CRATES.iter().filter(|name| words(&code).any(|word| word == **name));
        complaints.extend(foreign.map(|name| format!("`{name}` is for the command, not for the library")));
        let leaves = if path.ends_with("/mod.rs") || !path.contains('/') { "super::" } else { "super::super::" };
        if code.contains(leaves) {
            complaints.push(format!("`{leaves}` leaves the room: say `crate::`"));
        }
    }
    for stops in [".unwrap()", ".expect(", "panic!", "todo!", "unimplemented!"] {
        if code.contains(stops) {
            complaints.push(format!("`{stops}` outside of tests"));
        }
    }
    let lines = text.lines().count();
    if lines > LONGEST_FILE {
        complaints.push(format!("{lines} lines, and {LONGEST_FILE} are too many to read at once"));
    }
    complaints.into_iter().map(|complaint| format!("src/{path}: {complaint}")).collect()
}

fn may_use(path: &str, room: &str, used: &str) -> bool {
    let row = TABLE.iter().find(|(known, _)| *known == room);
    let at_door = path.strip_prefix(DOOR.0).is_some_and(|rest| rest.starts_with(['.', '/']));
    row.is_some_and(|(_, uses)| used == room || uses.contains(&used)) || at_door && used == DOOR.1
}

/// The first names behind every `crate::`, alone or in braces.
fn used_rooms(code: &str) -> BTreeSet<&str> {
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

/// The modules that a file of `src` declares.
fn modules(files: &[(String, String)], path: &str) -> Modules {
    let (_, text) = files.iter().find(|(name, _)| name == path).unwrap();
    let declared = text.lines().filter_map(|line| line.trim_start_matches("pub ").strip_prefix("mod "));
    declared.map(|rest| rest.trim_end_matches(';').to_owned()).collect()
}

/// Every file of `src`, by its path there.
fn files() -> Vec<(String, String)> {
    fn walk(folder: &Path, below: &str, files: &mut Vec<(String, String)>) {
        for entry in fs::read_dir(folder).unwrap() {
            let entry = entry.unwrap();
            let name = format!("{below}{}", entry.file_name().to_str().unwrap());
            if entry.path().is_dir() {
                walk(&entry.path(), &format!("{name}/"), files);
            } else if entry.path().extension().is_some_and(|ending| ending == "rs") {
                files.push((name, fs::read_to_string(entry.path()).unwrap()));
            }
        }
    }
    let mut files = Vec::new();
    walk(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), "", &mut files);
    files
}
