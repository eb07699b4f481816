//! Every problem has a text that causes it, and a message that says what, where, why and what to do.
//!
//! `fixtures/problems` holds a `NAME.md`, or a `NAME/main.md` with the files it needs, for each
//! variant of `Problem`; the other names there show how messages look in special places. The
//! messages are snapshots, one for each fixture.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use chatmd::convert::{Context, RequestOptions, payload_problems, to_request};
use chatmd::diagnostic::{Colors, Diagnostics, NoHints, PROBLEMS, Problem, render};
use chatmd::document::Limits;
use chatmd::json::StringArena;
use chatmd::resolve::Resolver;
use chatmd::resources::{Commands, Directory};
use chatmd::responses;
use chatmd::source::{NotUtf8, SourceId, Sources, Span, decode};
use chatmd::syntax::write::Whitespace;

use crate::support::{fixtures, parse};

/// Problems that no conversion causes: the API, a flag or the permissions of files do.
const NOT_REACHABLE: [&str; 4] = ["api-error", "invalid-set", "invalid-tools", "unreadable-file"];

/// A document with problems, and its messages.
struct Case {
    name: String,
    diagnostics: Diagnostics,
    messages: String,
}

#[test]
fn every_message_has_a_snapshot() {
    for case in cases() {
        insta::assert_snapshot!(case.name, case.messages);
    }
}

#[test]
fn every_snapshot_belongs_to_a_fixture() {
    let names: BTreeSet<String> = cases().into_iter().map(|case| case.name).collect();
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/suite/snapshots");
    let snapshots = fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let ours =
        snapshots.filter_map(|file| Some(file.strip_prefix("suite__problems__")?.strip_suffix(".snap")?.to_owned()));
    assert_eq!(ours.collect::<BTreeSet<_>>(), names);
}

#[test]
fn every_problem_has_a_fixture_that_causes_it() {
    let cases: BTreeMap<String, Case> = cases().into_iter().map(|case| (case.name.clone(), case)).collect();
    let mut wrong = Vec::new();
    for rule in PROBLEMS {
        let name = rule.name;
        let diagnostics = cases.get(name).map(|case| &case.diagnostics);
        let is_caused = diagnostics.is_some_and(|diagnostics| diagnostics.iter().any(|one| one.rule() == rule));
        match (NOT_REACHABLE.contains(&name), diagnostics) {
            (true, Some(_)) => wrong.push(format!("{name} is reachable: remove it from the list")),
            (false, None) => wrong.push(format!("no fixtures/problems/{name}.md")),
            (false, Some(_)) if !is_caused => wrong.push(format!("fixtures/problems/{name}.md causes something else")),
            (true, None) | (false, Some(_)) => {}
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let unknown = NOT_REACHABLE.iter().find(|name| PROBLEMS.iter().all(|rule| rule.name != **name));
    assert_eq!(unknown, None, "no such problem");
}

#[test]
fn every_message_says_what_where_and_what_to_do() {
    for Case { name, diagnostics, messages } in cases() {
        assert_ne!(diagnostics.iter().len(), 0, "{name} causes nothing");
        let all: Vec<&str> = messages.split_terminator("\n\n").collect();
        assert_eq!(all.len(), diagnostics.iter().len(), "{name}: one message for each problem\n{messages}");
        for (message, diagnostic) in all.iter().zip(&diagnostics) {
            let level = if diagnostic.is_error() { "error" } else { "warning" };
            let what = format!("{level}[{}]: ", diagnostic.rule().name);
            assert!(message.starts_with(&what), "{name}: no `{what}`\n{message}");
            assert!(message.lines().nth(1).is_some_and(|place| place.contains("--> ")), "{name}: no place\n{message}");
            assert!(message.contains("= help: "), "{name}: no help\n{message}");
            let shows_control = |c: char| c.is_control() && c != '\n';
            assert!(!message.contains(shows_control), "{name}: a control character\n{message:?}");
        }
    }
}

#[test]
fn base64_and_secrets_are_never_shown() {
    let is_payload = |c: char| c.is_ascii_alphanumeric() || "+/=_-".contains(c);
    for name in ["after-base64", "base64-in-the-marked-text", "after-a-secret"] {
        let case = cases().into_iter().find(|case| case.name == name).unwrap();
        let source = fs::read_to_string(fixtures().join("problems").join(format!("{name}.md"))).unwrap();
        let payload = source.split(|c| !is_payload(c)).max_by_key(|run| run.len()).unwrap();
        assert!(payload.len() >= 20, "{name} has nothing to hide");
        for start in (0..payload.len() - 8).step_by(4) {
            let shown = &payload[start..start + 8];
            assert!(!case.messages.contains(shown), "{name} shows {shown}:\n{}", case.messages);
        }
    }
}

#[test]
fn many_problems_are_counted() {
    let sources = Sources::new();
    let (_, diagnostics) = parse(&sources, &"</user>\n".repeat(103));
    let messages = plain(&diagnostics, &sources);
    assert_eq!(messages.matches("error[stray-closing-tag]").count(), 100);
    assert!(
        messages.contains("test.md:100:1") && messages.trim_end().ends_with("note: and 3 more problems"),
        "{messages}"
    );
}

/// Every fixture, read like the command reads a document.
fn cases() -> Vec<Case> {
    let entries = fs::read_dir(fixtures().join("problems")).unwrap().map(|entry| entry.unwrap().path());
    let mut documents: Vec<PathBuf> =
        entries.map(|path| if path.is_dir() { path.join("main.md") } else { path }).collect();
    documents.sort();
    documents.iter().map(|path| case(path)).collect()
}

fn case(path: &Path) -> Case {
    let place = path.strip_prefix(fixtures().join("problems")).unwrap();
    let shown = place.to_str().unwrap().replace('\\', "/");
    let name =
        ["/main.md", ".md", ".json"].iter().find_map(|completion| shown.strip_suffix(completion)).unwrap().to_owned();
    let sources = Sources::new();
    let mut diagnostics = Diagnostics::new();
    let is_json = path.extension().is_some_and(|completion| completion == "json");
    match decode(fs::read(path).unwrap()) {
        Ok(text) => {
            let source = sources.add_file(shown, Some(path.to_owned()), text, None);
            if is_json {
                read_json(&sources, source, &mut diagnostics);
            } else {
                convert(&name, path, &sources, source, &mut diagnostics);
            }
        }
        Err(NotUtf8 { valid, byte, looks_like_utf16 }) => {
            let offset = valid.len();
            let source = sources.add(shown, valid, None);
            diagnostics.report(Problem::NotUtf8 { byte, offset, looks_like_utf16 }, Span::new(source, offset..offset));
        }
    }
    diagnostics.sort(&sources);
    let messages = plain(&diagnostics, &sources);
    Case { name, diagnostics, messages }
}

/// Converts with small limits, and with the options that the fixture needs.
fn convert(name: &str, path: &Path, sources: &Sources, source: SourceId, diagnostics: &mut Diagnostics) {
    let texts = StringArena::default();
    let directory = Directory::of(path.parent().unwrap()).ceiling(5000);
    let command = |about: &str| (name == about).then(|| vec!["false".to_owned()]);
    let agent = command("agent-failed").or_else(|| command("agent-too-deep"));
    let time = Duration::from_secs(60);
    let programs = Commands { fetch: command("fetch-failed"), agent, time, ceiling: 1000 };
    let resolver = Resolver::new(sources, &directory).with_programs(&programs);
    let context = Context::new(&resolver, &texts);
    let limits = Limits { depth: 2, imports: 6, bytes: 1500 };
    let document = context.read(source, Whitespace::Layout, limits, diagnostics);
    let options = RequestOptions {
        default_model: (name != "missing-model").then(|| "any".to_owned()),
        stateless: name == "reasoning-omitted",
        ..RequestOptions::default()
    };
    to_request(&document, &context, &options, Span::new(source, 0..0), diagnostics);
}

fn read_json(sources: &Sources, source: SourceId, diagnostics: &mut Diagnostics) {
    let texts = StringArena::default();
    let reply = responses::read(&sources.get(source).text, &texts);
    diagnostics.append(payload_problems(&reply, sources, source));
}

fn plain(diagnostics: &Diagnostics, sources: &Sources) -> String {
    render(diagnostics, sources, Colors::None, &NoHints)
}
