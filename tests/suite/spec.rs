//! The language reference in `docs/language`, whose examples are run.
//!
//! A ```` ```chatmd ```` block is a document. The block after it is the expected result: `tree` its syntax tree,
//! `problems` the names and places of its problems. `verbatim` after `chatmd` chooses the other whitespace mode. In a
//! document `␍` is a carriage return, `␉` a tab and `␠` a space at the end of a line.

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use chatmd::diagnostic::Diagnostics;
use chatmd::document::{self, Outline, outline};
use chatmd::source::Sources;
use chatmd::syntax::write::Whitespace;

use crate::support::{files, parse};

pub(crate) struct Example {
    pub(crate) file: PathBuf,
    pub(crate) line: usize,
    pub(crate) source: String,
    pub(crate) whitespace: Whitespace,
    pub(crate) expected: Vec<(String, String)>,
}

#[test]
fn every_example_of_the_reference_holds() {
    let mut count = 0;
    let mut failures = String::new();
    for example in files("../docs/language", ".md").iter().flat_map(|path| examples(path)) {
        assert!(!example.expected.is_empty(), "{}:{}: no expected result", example.file.display(), example.line);
        for (kind, expected) in &example.expected {
            count += 1;
            let got = run(&example, kind);
            if got.trim_end() != expected.trim_end() {
                let place = format!("{}:{}", example.file.display(), example.line);
                writeln!(failures, "{place}: {kind}\n--- expected\n{expected}--- got\n{got}").unwrap();
            }
        }
    }
    assert!(failures.is_empty(), "{failures}");
    assert!(count > 20, "only {count} examples");
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

fn run(example: &Example, kind: &str) -> String {
    let sources = Sources::new();
    let (nodes, mut diagnostics) = parse(&sources, &example.source);
    if kind == "tree" {
        let errors: Vec<_> = diagnostics.iter().map(|diagnostic| diagnostic.rule().name).collect();
        assert!(!diagnostics.has_errors(), "{}:{}: {errors:?}", example.file.display(), example.line);
        return tree(&outline(&nodes, example.whitespace), 0);
    }
    document::lower(&nodes, example.whitespace, &mut diagnostics);
    diagnostics.sort(&sources);
    problems(&diagnostics, &sources)
}

fn problems(diagnostics: &Diagnostics, sources: &Sources) -> String {
    let line = |diagnostic: &chatmd::diagnostic::Diagnostic| {
        let (line, column) = sources.line_column(diagnostic.span);
        format!("{} {line}:{column} {}\n", diagnostic.rule().name, diagnostic.message.title)
    };
    if diagnostics.iter().len() == 0 { "none\n".to_owned() } else { diagnostics.iter().map(line).collect() }
}

/// One line per node: an element with its attributes, or a text in quotes.
fn tree(nodes: &[Outline<'_>], depth: usize) -> String {
    let mut out = String::new();
    for node in nodes {
        let indent = "  ".repeat(depth);
        match node {
            Outline::Text { text, .. } => writeln!(out, "{indent}{}", serde_json::to_string(text).unwrap()).unwrap(),
            Outline::Element { tag, attrs, children, .. } => {
                let attribute = |(name, value): &(String, Option<String>)| match value {
                    Some(value) => format!(" {name}={}", serde_json::to_string(value).unwrap()),
                    None => format!(" {name}"),
                };
                writeln!(out, "{indent}{tag}{}", attrs.iter().map(attribute).collect::<String>()).unwrap();
                out.push_str(&tree(children, depth + 1));
            }
        }
    }
    out
}
