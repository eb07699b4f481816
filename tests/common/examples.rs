//! The examples of the language reference in `docs/language`.
//!
//! A ```` ```chatmd ```` block is a document. The block after it is the expected result: `tree` its syntax tree,
//! `problems` the names and places of its problems. `verbatim` after `chatmd` chooses the other whitespace mode. In a
//! document `␍` is a carriage return, `␉` a tab and `␠` a space at the end of a line.

use std::fs;
use std::path::{Path, PathBuf};

use chatmd::internal::syntax::write::Whitespace;

pub(crate) struct Example {
    pub(crate) file: PathBuf,
    pub(crate) line: usize,
    pub(crate) source: String,
    pub(crate) whitespace: Whitespace,
    pub(crate) expected: Vec<(String, String)>,
}

/// The documents of a file of the reference, with the expected results of each.
pub(crate) fn examples(path: &Path) -> Vec<Example> {
    let text = fs::read_to_string(path).unwrap();
    let mut examples: Vec<Example> = Vec::new();
    let mut lines = text.lines().enumerate();
    while let Some((number, line)) = lines.next() {
        let fence: String = line.chars().take_while(|c| *c == '`').collect();
        if fence.len() < 3 {
            continue;
        }
        let body: Vec<&str> = lines.by_ref().map(|(_, line)| line).take_while(|line| *line != fence).collect();
        let body = body.join("\n") + "\n";
        let mut words = line[fence.len()..].split(' ');
        match words.next().unwrap_or_default() {
            "chatmd" => examples.push(Example {
                file: path.to_owned(),
                line: number + 1,
                source: without_stand_ins(&body),
                whitespace: if words.any(|word| word == "verbatim") {
                    Whitespace::Verbatim
                } else {
                    Whitespace::Layout
                },
                expected: Vec::new(),
            }),
            kind @ ("tree" | "problems") => examples.last_mut().unwrap().expected.push((kind.to_owned(), body)),
            "" | "text" | "sh" | "json" => {}
            other => panic!("{}:{}: unknown kind of block `{other}`", path.display(), number + 1),
        }
    }
    examples
}

fn without_stand_ins(source: &str) -> String {
    source.replace('␍', "\r").replace('␉', "\t").replace('␠', " ")
}
