//! `docs/comparison.md` names every case once, and no other.

use std::collections::BTreeSet;
use std::fs;

use crate::docs::page;
use crate::run::{directories, name};
use crate::support::fixtures;

/// The texts between backquotes.
fn quoted(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}

/// The names in the last column of the table of a section.
fn names_in_table(section: &str) -> Vec<String> {
    let rows = section.lines().filter(|line| line.starts_with("| ") && line.ends_with(" |")).skip(1);
    rows.flat_map(|row| quoted(row.trim_end_matches(" |").rsplit(" | ").next().unwrap())).map(str::to_owned).collect()
}

/// The names of the fixtures of a directory, or of the tests of a file.
fn names_of_cases(place: &str) -> Vec<String> {
    if let Some(directory) = place.strip_prefix("fixtures/") {
        return directories(directory).iter().map(|case| name(case).to_owned()).collect();
    }
    let code = page(place);
    code.split("#[test]\nfn ").skip(1).map(|test| test.split('(').next().unwrap().to_owned()).collect()
}

#[test]
fn every_case_has_its_row() {
    let text = page("docs/comparison.md");
    let sections: Vec<&str> = text.split("\n## ").filter(|section| section.contains(" Cases: ")).collect();
    for section in &sections {
        let places = section.split(" Cases: ").nth(1).and_then(|rest| rest.lines().next()).unwrap();
        let names = names_in_table(section);
        let unique: BTreeSet<String> = names.iter().cloned().collect();
        assert_eq!(names.len(), unique.len(), "a case has two rows: {names:?}");
        assert_eq!(unique, quoted(places).flat_map(names_of_cases).collect(), "{places}");
    }
    assert_eq!(sections.len(), fs::read_dir(fixtures().join("seeds")).unwrap().count());
}
