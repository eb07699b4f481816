//! `batch results` adds each answer to its document, and to nothing else.

use std::fs;

use super::{directory, document, read, result};
use crate::run::chatmd;

#[test]
fn results_are_appended_to_their_documents() {
    let directory = directory(3);
    fs::write(directory.path().join("out.jsonl"), result("00002.md", "two") + "\n" + &result("00000.md", "zero"))
        .unwrap();
    let ran = chatmd(directory.path(), &["batch", "results", "out.jsonl"], &[], "");
    assert_eq!((ran.code, ran.stderr.as_str(), ran.stdout.as_str()), (Some(0), "", ""));
    assert!(
        read(directory.path(), "00000.md")
            .ends_with("\n\n<assistant id=\"m\" status=\"completed\">\nzero\n</assistant>\n")
    );
    assert!(read(directory.path(), "00002.md").contains("\ntwo\n"));
    assert_eq!(read(directory.path(), "00001.md"), document("question 1"));
}

#[test]
fn results_keep_the_model_and_the_usage() {
    let usage = "\"model\":\"m-2026\",\"usage\":{\"input_tokens\":1}";
    let out = result("00000.md", "zero").replace("\"object\"", &format!("{usage},\"object\""));
    assert!(out.contains(usage));
    for (flags, comment) in
        [(&[][..], format!("\n\n<!-- response {{{usage}}} -->\n\n")), (&["--no-usage"], "\n\n".to_owned())]
    {
        let directory = directory(1);
        fs::write(directory.path().join("out.jsonl"), &out).unwrap();
        let ran = chatmd(directory.path(), &[&["batch", "results", "out.jsonl"], flags].concat(), &[], "");
        assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
        let text = read(directory.path(), "00000.md");
        assert!(text.contains(&format!("</user>{comment}<assistant ")), "{text}");
    }
}

#[test]
fn results_can_be_repeated_after_a_failure() {
    let directory = directory(3);
    fs::write(directory.path().join("00001.md"), "<user>").unwrap();
    let out = result("00000.md", "zero") + &result("00001.md", "one") + &result("00002.md", "two");
    fs::write(directory.path().join("out.jsonl"), out).unwrap();
    let first = chatmd(directory.path(), &["batch", "results", "--next", "out.jsonl"], &[], "");
    assert_eq!(first.code, Some(65), "{}", first.stderr);
    assert!(first.stderr.contains("out.jsonl:2: 00001.md does not parse"), "{}", first.stderr);
    let (zero, two) = (read(directory.path(), "00000.md"), read(directory.path(), "00002.md"));
    assert!(two.contains("\ntwo\n"), "{two}");
    fs::write(directory.path().join("00001.md"), document("question 1")).unwrap();
    let second = chatmd(directory.path(), &["batch", "results", "--next", "out.jsonl"], &[], "");
    assert_eq!(second.code, Some(0));
    let skipped = |name| format!("note: {name} already ends with this reply; nothing was appended\n");
    assert_eq!(second.stderr, skipped("00000.md") + &skipped("00002.md"));
    assert_eq!((read(directory.path(), "00000.md"), read(directory.path(), "00002.md")), (zero, two));
    for (name, text) in [("00001.md", "one"), ("00002.md", "two")] {
        assert_eq!(read(directory.path(), name).matches(&format!("\n{text}\n")).count(), 1, "{name}");
    }
    let third = chatmd(directory.path(), &["batch", "results", "--next", "out.jsonl"], &[], "");
    assert_eq!((third.code, third.stderr.lines().count()), (Some(0), 3), "{}", third.stderr);
    // No file is left besides the results and the documents.
    assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 4);
}

#[test]
fn results_cannot_name_documents_outside_the_roots() {
    let outside = directory(1);
    let path = outside.path().join("00000.md");
    let inside = directory(1);
    let out = result(path.to_str().unwrap(), "gotcha") + &result("00000.md", "fine");
    fs::write(inside.path().join("out.jsonl"), out).unwrap();
    let ran = chatmd(inside.path(), &["batch", "results", "out.jsonl"], &[], "");
    assert_eq!(ran.code, Some(77), "{}", ran.stderr);
    assert_eq!(read(outside.path(), "00000.md"), document("question 0"));
    assert!(read(inside.path(), "00000.md").contains("fine"));
    let root = outside.path().to_str().unwrap();
    let ran = chatmd(inside.path(), &["batch", "results", "--root", root, "out.jsonl"], &[], "");
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert!(read(outside.path(), "00000.md").contains("gotcha"));
}

#[test]
fn refusal_does_not_reveal_which_files_exist() {
    let directory = directory(0);
    for (path, code) in [("/no/such/place.md", 77), ("../gone.md", 77), ("gone.md", 66)] {
        fs::write(directory.path().join("out.jsonl"), result(path, "x")).unwrap();
        let ran = chatmd(directory.path(), &["batch", "results", "out.jsonl"], &[], "");
        assert_eq!(ran.code, Some(code), "{path}: {}", ran.stderr);
    }
    fs::write(directory.path().join("out.jsonl"), b"\xff").unwrap();
    assert_eq!(chatmd(directory.path(), &["batch", "results", "out.jsonl"], &[], "").code, Some(65));
}

#[test]
fn results_are_not_appended_below_hidden_directories() {
    let directory = directory(0);
    fs::create_dir_all(directory.path().join("a/.hooks/b")).unwrap();
    let path = "a/.hooks/b/chat.md";
    fs::write(directory.path().join(path), document("question")).unwrap();
    std::os::unix::fs::symlink(path, directory.path().join("link.md")).unwrap();
    fs::write(directory.path().join(".envrc"), document("question")).unwrap();
    for name in [path, "a/.hooks/b/gone.md", "link.md", ".envrc"] {
        fs::write(directory.path().join("out.jsonl"), result(name, "gotcha")).unwrap();
        let ran = chatmd(directory.path(), &["batch", "results", "out.jsonl"], &[], "");
        assert_eq!(ran.code, Some(77), "{name}: {}", ran.stderr);
        assert!(ran.stderr.contains("starts with `.`; `--root DIR` allows it"), "{}", ran.stderr);
    }
    assert_eq!(read(directory.path(), path), document("question"));
    fs::write(directory.path().join("out.jsonl"), result("link.md", "gotcha")).unwrap();
    let ran = chatmd(directory.path(), &["batch", "results", "--root", "a/.hooks", "out.jsonl"], &[], "");
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
}

#[test]
fn results_are_not_appended_to_empty_files() {
    let directory = directory(0);
    fs::write(directory.path().join("__init__.py"), "").unwrap();
    fs::write(directory.path().join("out.jsonl"), result("__init__.py", "gotcha")).unwrap();
    let ran = chatmd(directory.path(), &["batch", "results", "out.jsonl"], &[], "");
    assert_eq!(ran.code, Some(77), "{}", ran.stderr);
    assert_eq!(read(directory.path(), "__init__.py"), "");
}

/// A link that leads out now and then, while results are appended.
#[test]
fn link_that_is_exchanged_never_leads_out() {
    let base = tempfile::tempdir().unwrap();
    for name in ["inside/real", "outside"] {
        fs::create_dir_all(base.path().join(name)).unwrap();
    }
    fs::write(base.path().join("inside/real/chat.md"), document("question")).unwrap();
    fs::write(base.path().join("outside/chat.md"), document("other")).unwrap();
    let lines: String = (0..300).map(|index| result("d/chat.md", &format!("answer {index}"))).collect();
    fs::write(base.path().join("out.jsonl"), lines).unwrap();
    let (inside, done) = (base.path().join("inside"), std::sync::atomic::AtomicBool::new(false));
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !done.load(std::sync::atomic::Ordering::Relaxed) {
                for target in ["real", "../outside"] {
                    let _ = std::os::unix::fs::symlink(target, inside.join("new"));
                    let _ = fs::rename(inside.join("new"), inside.join("d"));
                }
            }
        });
        chatmd(&inside, &["batch", "results", "../out.jsonl"], &[], "");
        done.store(true, std::sync::atomic::Ordering::Relaxed);
    });
    assert_eq!(fs::read_to_string(base.path().join("outside/chat.md")).unwrap(), document("other"));
}

#[test]
fn results_are_appended_only_to_documents_that_parse() {
    let directory = directory(0);
    for text in ["PATH=/usr/bin\n", "<user>never closed"] {
        fs::write(directory.path().join("chat.md"), text).unwrap();
        fs::write(directory.path().join("out.jsonl"), result("chat.md", "gotcha")).unwrap();
        let ran = chatmd(directory.path(), &["batch", "results", "out.jsonl"], &[], "");
        assert_eq!(ran.code, Some(65), "{}", ran.stderr);
        assert_eq!(read(directory.path(), "chat.md"), text);
        assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 2);
    }
}
