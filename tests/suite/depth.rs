//! Nesting limits of elements, imports, paths and JSON. Exceeding one is an error and never an abort.

use std::fs;
use std::thread;

use chatmd::internal::convert::{Context, Request, RequestOptions, Wanted};
use chatmd::internal::diagnostic::{Colors, Diagnostics};
use chatmd::internal::document::{Limits, print, references};
use chatmd::internal::json::StringArena;
use chatmd::internal::lint;
use chatmd::internal::resolve::Resolver;
use chatmd::internal::show::{Options, show};
use chatmd::internal::source::{Sources, Span};
use chatmd::internal::syntax::MAX_DEPTH;
use chatmd::internal::syntax::write::Whitespace;
use chatmd::resources::Memory;
use tempfile::TempDir;

use crate::cases::large;
use crate::run::{Ran, chatmd};

/// Half the default stack size of a thread.
const STACK: usize = 1 << 20;

/// Every command that reads a document and what it imports.
const COMMANDS: [&[&str]; 8] = [
    &["to-request", "main.md"],
    &["check", "main.md"],
    &["check", "--deps", "main.md"],
    &["show", "--full", "main.md"],
    &["stats", "main.md"],
    &["locate", "main.md", "input[0]"],
    &["batch", "requests", "main.md"],
    &["media", ".", "main.md"],
];

/// `inner` inside this many agents.
fn nested(levels: usize, inner: &str) -> String {
    "<agent src=\"a\">".repeat(levels) + inner + &"</agent>".repeat(levels)
}

/// `main.md` with a message that imports `0.md`, and so on to `last.md`, each of them agents around the next.
fn chain(files: usize, levels: usize) -> Vec<(String, String)> {
    let import = |next: usize| format!("<import src=\"{next}.md\"/>");
    let mut chain = vec![("main.md".to_owned(), format!("<config model=\"m\"/><user>{}</user>", import(0)))];
    chain.extend((0..files).map(|index| {
        let inner = if index + 1 < files { import(index + 1) } else { "deep".to_owned() };
        (format!("{index}.md"), nested(levels, &inner))
    }));
    chain
}

fn directory(files: &[(String, String)]) -> TempDir {
    let directory = TempDir::new().unwrap();
    for (name, text) in files {
        fs::write(directory.path().join(name), text).unwrap();
    }
    directory
}

/// The problems of a document after every recursive function has run on it, on a small stack.
fn problems(files: Vec<(String, String)>) -> Vec<&'static str> {
    let worked = thread::Builder::new().stack_size(STACK).spawn(move || {
        let memory = files.iter().fold(Memory::new(), |memory, (name, text)| memory.with(name, text.clone()));
        let (sources, strings) = (Sources::new(), StringArena::default());
        let resolver = Resolver::new(&sources, &memory);
        let context = Context::new(&resolver, &strings, Whitespace::Layout, Limits::default());
        let source = sources.add_file("main.md", Some("main.md".into()), files[0].1.clone(), None);
        let mut diagnostics = Diagnostics::new();
        let document = context.read(source, &mut diagnostics);
        let names: Vec<&str> = diagnostics.iter().map(|one| one.rule().name).collect();
        let place = Span::new(source, 0..0);
        let options = RequestOptions::default();
        Request::of(&document, &context, &options, Wanted::Request, place, &mut diagnostics);
        lint::check(source, &context, &lint::CheckOptions::default());
        for options in
            [Options::PLAIN, Options { width: Some(40), colors: Colors::Ansi, full: false, exact: false, hint: None }]
        {
            show(&document, &resolver, &options);
        }
        assert!(document.clone() == document);
        assert!(!print(&document, Whitespace::Layout).is_empty() || references(&document).is_empty());
        names
    });
    worked.unwrap().join().unwrap()
}

/// The process exited by itself.
#[track_caller]
fn assert_ended(ran: &Ran, args: &[&str]) {
    assert!(matches!(ran.code, Some(0 | 1 | 65 | 66 | 77)), "{args:?}: {:?} {}", ran.code, ran.stderr);
}

#[test]
fn elements_of_several_files_share_one_limit() {
    let most = MAX_DEPTH - 1;
    assert_eq!(problems(chain(1, most)), [""; 0]);
    assert_eq!(problems(chain(most, 1)), [""; 0]);
    assert_eq!(problems(chain(1, most + 1)), ["limit-exceeded"]);
    assert_eq!(problems(chain(2, most)), ["limit-exceeded"]);
    assert_eq!(problems(chain(127, 126)), ["limit-exceeded"]);
}

#[test]
fn nesting_too_deep_across_files_is_reported_once_with_its_place() {
    let directory = directory(&chain(127, 126));
    for args in COMMANDS {
        let ran = chatmd(directory.path(), args, &[], "");
        assert_ended(&ran, args);
        let output = ran.stdout + &ran.stderr;
        assert_eq!(output.matches("error[limit-exceeded]").count(), 1, "{args:?}: {output}");
        let place = ["--> 1.md:1:16", "imported at 0.md:1:1891", "imported at main.md:1:26"];
        assert!(place.iter().all(|words| output.contains(words)), "{args:?}: {output}");
    }
}

#[test]
fn the_deepest_document_goes_through_every_command() {
    let elements = format!("<user>{}</user>", nested(MAX_DEPTH - 1, "deep"));
    let messages = "<user>".repeat(MAX_DEPTH) + &"</user>".repeat(MAX_DEPTH);
    let inside = MAX_DEPTH - 1;
    let summaries = format!("<reasoning>{}{}</reasoning>", "<summary>a".repeat(inside), "</summary>".repeat(inside));
    let config = "<config model=\"m\"/>";
    for document in [elements, messages, summaries] {
        let directory = directory(&[("main.md".to_owned(), format!("{config}{document}"))]);
        for args in COMMANDS.into_iter().chain([&["parse", "main.md"][..], &["fmt", "--check", "main.md"]]) {
            assert_ended(&chatmd(directory.path(), args, &[], ""), args);
        }
        assert!(!problems(vec![("main.md".to_owned(), format!("{config}{document}"))]).contains(&"limit-exceeded"));
    }
}

#[test]
fn imports_inside_imports_end_at_their_limit() {
    for (files, code) in [(128, Some(0)), (129, Some(65))] {
        let in_a_body = directory(&chain(files, 0));
        let ran = chatmd(in_a_body.path(), &["to-request", "main.md"], &[], "");
        assert_eq!(ran.code, code, "{}", ran.stderr);
        let names = (0..files).map(|index| (format!("{index}.md"), format!("<import src=\"{}.md\"/>", index + 1)));
        let last = (format!("{files}.md"), "<user>Hello.</user>".to_owned());
        let at_top_level = directory(&names.chain([last]).collect::<Vec<_>>());
        let ran = chatmd(at_top_level.path(), &["to-request", "--input-only", "0.md"], &[], "");
        assert_eq!(ran.code, code, "{}", ran.stderr);
    }
}

#[test]
fn a_raised_import_limit_does_not_overflow_the_stack() {
    let count = 5000;
    let directory = directory(&chain(count, 0));
    let limits = ["--max-import-depth", "1000000", "--max-imports", "1000000"];
    for command in [&["to-request", "main.md"][..], &["stats", "main.md"], &["batch", "requests", "main.md"]] {
        let args: Vec<&str> = command.iter().chain(&limits).copied().collect();
        let ran = chatmd(directory.path(), &args, &[], "");
        assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""), "{command:?}");
    }
}

#[test]
fn a_path_deeper_than_json_may_nest_is_an_error() {
    let directory = directory(&[("main.md".to_owned(), "<config model=\"m\"/><user>Hello.</user>".to_owned())]);
    let set = |path: &str, value: &str| {
        chatmd(directory.path(), &["to-request", "main.md", "--set", &format!("{path}={value}")], &[], "")
    };
    let steps = |count: usize| vec!["a"; count].join(".");
    let lists = |count: usize| "[".repeat(count) + &"]".repeat(count);
    for (path, value, code) in [
        (steps(127), "1".to_owned(), 0),
        (steps(128), "1".to_owned(), 65),
        (steps(20_000), "1".to_owned(), 65),
        (steps(27), lists(100), 0),
        (steps(28), lists(100), 65),
        (format!("input.0.{}", steps(125)), "1".to_owned(), 0),
        (format!("input.0.{}", steps(20_000)), "1".to_owned(), 65),
    ] {
        let ran = set(&path, &value);
        assert_eq!(ran.code, Some(code), "{} steps: {}", path.split('.').count(), ran.stderr);
        if code == 0 {
            let again = chatmd(directory.path(), &["from-response"], &[], &ran.stdout);
            assert_eq!(again.code, Some(0), "the request can be read: {}", again.stderr);
        } else {
            assert!(ran.stderr.contains("invalid-option") && ran.stderr.len() < 1000, "{}", ran.stderr);
        }
    }
    for path in [steps(50_000), "/a".repeat(50_000), format!("input{}", "[0]".repeat(20_000))] {
        let ran = chatmd(directory.path(), &["locate", "main.md", &path], &[], "");
        assert!(matches!(ran.code, Some(0 | 65)) && ran.stderr.len() < 1000, "{}", ran.stderr);
    }
}

/// Names in a document can be long. Messages about them are bounded.
#[test]
fn long_names_do_not_make_long_messages() {
    let long = "a b ".repeat(large(100_000));
    for document in [
        format!("<msg role=\"{long}\">x</msg>"),
        format!("<user><img src=\"{long}\" local/></user>"),
        format!("<import src=\"{long}\"/>"),
        format!("<config model=\"m\"/><tool name=\"{long}\"/>"),
        format!("<user><doc src=\"https://{long}\"/></user>"),
    ] {
        for args in [&["to-request"][..], &["check"], &["check", "--format", "short"], &["check", "--format", "json"]] {
            let ran = chatmd(std::path::Path::new("."), args, &[], &document);
            let output = ran.stdout.len() + ran.stderr.len();
            assert!(ran.code != Some(0) && output < 5000, "{args:?}: {output} bytes about {}", &document[..20]);
        }
    }
}
