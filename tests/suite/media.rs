//! `--media`: images and files are written once and read back byte for byte.

use std::fs;
use std::io::Read;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use crate::run::chatmd;

const PNG: &str = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const PDF: &str = "JVBERi0xLjQKJSVFT0YK";

fn items() -> Value {
    let png = format!("data:image/png;base64,{PNG}");
    json!([
        { "type": "message", "role": "user", "content": [
            { "type": "input_image", "image_url": png, "detail": "low" },
            { "type": "input_file", "filename": "report 1.pdf", "file_data": format!("data:application/pdf;base64,{PDF}") },
        ] },
        { "type": "function_call_output", "call_id": "c", "output": [
            { "type": "input_text", "text": "twice the same" },
            { "type": "input_image", "image_url": png },
        ] },
        // A file could not give back any of these URLs.
        { "type": "message", "role": "user", "content": [
            { "type": "input_image", "image_url": format!("data:image/jpeg;base64,{PNG}") },
            { "type": "input_image", "image_url": format!("data:image/png;base64,{}", PNG.trim_end_matches('=')) },
            { "type": "input_image", "image_url": "data:image/png,raw" },
            { "type": "input_file", "filename": "a.txt", "file_data": "data:made/up;base64,AA==" },
        ] },
    ])
}

/// Items that no element can express, and encrypted reasoning.
fn other_items() -> Value {
    json!([
        { "type": "image_generation_call", "id": "ig_1", "status": "completed", "result": PNG },
        { "type": "code_interpreter_call", "id": "ci_1", "code": "plot()", "outputs": [
            { "type": "image", "url": format!("data:image/png;base64,{PNG}") },
            { "type": "logs", "logs": "done" },
        ] },
        { "type": "computer_call_output", "call_id": "c1", "output": {
            "type": "computer_screenshot", "image_url": format!("data:image/png;base64,{PNG}"),
        } },
        { "type": "computer_call_output", "call_id": "c2", "output": {
            "type": "computer_screenshot", "image_url": format!("data:image/png;base64,{PNG}"), "more": true,
        } },
        { "type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "gAAA_-".repeat(300) },
        // These stay inline: not the base64 that would be written, too short, and a key of our own.
        { "type": "image_generation_call", "id": "ig_2", "result": PNG.trim_end_matches('=') },
        { "type": "reasoning", "id": "rs_2", "summary": [], "encrypted_content": "gAAA" },
        { "type": "image_generation_call", "id": "ig_3", "result": PNG, "chatmd:file": "x" },
    ])
}

#[test]
fn base64_of_every_item_is_written_to_files_that_are_known_as_used() {
    let directory = tempfile::tempdir().unwrap();
    let items = other_items();
    let run = |arguments: &[&str], input: &str| {
        let ran = chatmd(directory.path(), arguments, &[], input);
        assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""), "{arguments:?}");
        ran.stdout
    };
    run(&["from-response", "--media", "media", "-o", "chat.md", "-"], &items.to_string());
    let document = fs::read_to_string(directory.path().join("chat.md")).unwrap();
    assert_eq!(document.matches("<!-- chatmd:item-files ").count(), 3, "{document}");
    assert_eq!(document.matches(" encrypted_src=\"media/").count(), 1, "{document}");
    assert_eq!(document.matches("<img src=\"media/").count(), 1, "{document}");
    let names = listing(&directory.path().join("media"));
    assert_eq!(names.iter().map(|name| name.find('.')).collect::<Vec<_>>(), [Some(12); 2], "{names:?}");
    let back = run(&["to-request", "--input-only", "chat.md"], "");
    assert_eq!(serde_json::from_str::<Value>(&back).unwrap(), items);
    // The files are known as used.
    assert_eq!(run(&["media", "--prune", "media", "chat.md"], ""), "");
    let listed: Vec<String> = run(&["check", "--deps", "chat.md"], "").lines().map(str::to_owned).collect();
    assert_eq!(listed, names.iter().map(|name| format!("media/{name}")).collect::<Vec<_>>());
}

fn listing(directory: &Path) -> Vec<String> {
    let mut names: Vec<String> =
        fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn media_is_written_once_and_read_back_byte_for_byte() {
    let directory = tempfile::tempdir().unwrap();
    fs::create_dir(directory.path().join("notes")).unwrap();
    let items = items();
    for (out, media) in [("chat.md", "media"), ("notes/chat.md", "notes/pictures"), ("notes/other.md", "media")] {
        let arguments = ["from-response", "--root", ".", "--media", media, "-o", out, "-"];
        let ran = chatmd(directory.path(), &arguments, &[], &items.to_string());
        assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
        let document = fs::read_to_string(directory.path().join(out)).unwrap();
        assert_eq!(document.matches(" local").count(), 3, "{document}");
        assert!(document.contains("filename=\"report 1.pdf\""));
        let names = listing(&directory.path().join(media));
        assert_eq!(names.len(), 2, "{names:?}");
        // If the pictures are outside the directory of the document, `--root` has to allow them.
        let back = chatmd(directory.path(), &["to-request", "--input-only", "--root", ".", out], &[], "");
        assert_eq!(back.code, Some(0), "{}", back.stderr);
        assert_eq!(serde_json::from_str::<Value>(&back.stdout).unwrap(), items);
        // The second run changes nothing.
        let again = chatmd(directory.path(), &arguments, &[], &items.to_string());
        assert_eq!((again.code, fs::read_to_string(directory.path().join(out)).unwrap()), (Some(0), document));
        assert_eq!(listing(&directory.path().join(media)), names);
    }
}

#[test]
fn only_files_that_the_document_refers_to_are_written() {
    let png = format!("data:image/png;base64,{PNG}");
    let user = |part: Value| json!([{ "type": "message", "role": "user", "content": [part] }]);
    let file = json!({ "type": "input_file", "filename": "a.text", "file_data": "data:text/plain;base64,YQ==" });
    // Each is written with an element, then as JSON.
    let payloads = [
        user(json!({ "type": "input_image", "image_url": png, "more": 1 })),
        user(json!({ "type": "input_image", "image_url": png, "detail": null })),
        user(
            json!({ "type": "input_file", "filename": "a.pdf", "file_data": format!("data:application/pdf;base64,{PDF}"), "more": 1 }),
        ),
        json!([{ "type": "message", "role": "user", "content": [file, { "type": "x", "-": 1 }] }]),
        json!([{ "type": "function_call_output", "call_id": "c", "output": [{ "type": "input_image", "image_url": png, "more": 1 }] }]),
        json!([{ "type": "reasoning", "id": "rs_1", "-": 1, "summary": [], "encrypted_content": "gAAA_-".repeat(300) }]),
        json!([{ "type": "image_generation_call", "id": "ig_1", "result": PNG, "z": { "chatmd:file": "x" } }]),
        json!([{ "type": "computer_call_output", "call_id": "c", "output": { "type": "computer_screenshot", "image_url": png }, "-": 1 }]),
    ];
    for items in payloads {
        let directory = tempfile::tempdir().unwrap();
        let arguments = ["from-response", "--media", "media", "-o", "chat.md", "-"];
        let ran = chatmd(directory.path(), &arguments, &[], &items.to_string());
        assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""), "{items}");
        let document = fs::read_to_string(directory.path().join("chat.md")).unwrap();
        let media = directory.path().join("media");
        let names = if media.exists() { listing(&media) } else { Vec::new() };
        assert!(names.iter().all(|name| document.contains(name.as_str())), "{names:?} {document}");
        let back = chatmd(directory.path(), &["to-request", "--input-only", "chat.md"], &[], "");
        assert_eq!(serde_json::from_str::<Value>(&back.stdout).unwrap(), items);
    }
}

#[test]
fn inline_is_the_default_and_creates_no_directory() {
    let directory = tempfile::tempdir().unwrap();
    let ran = chatmd(directory.path(), &["from-response", "-"], &[], &items().to_string());
    assert!(ran.stdout.contains(PNG));
    assert!(listing(directory.path()).is_empty());
}

#[test]
fn unused_media_files_are_listed_and_pruned() {
    let directory = tempfile::tempdir().unwrap();
    chatmd(directory.path(), &["from-response", "--media", "media", "-o", "chat.md", "-"], &[], &items().to_string());
    // The hash of `old`.
    let unused = "media/cba06b5736faf67e54b07b561eae94395e774c517a7d910a54369e1263ccfbd4.png".to_owned();
    fs::write(directory.path().join(&unused), "old").unwrap();
    fs::write(directory.path().join("media/mine.txt"), "not ours").unwrap();
    let listed = chatmd(directory.path(), &["media", "media", "chat.md"], &[], "");
    assert_eq!((listed.code, listed.stdout), (Some(0), format!("{unused}\n")));
    assert!(directory.path().join(&unused).exists());
    let pruned = chatmd(directory.path(), &["media", "--prune", "media", "chat.md"], &[], "");
    assert_eq!((pruned.code, pruned.stdout), (Some(0), format!("{unused}\n")));
    assert_eq!(listing(&directory.path().join("media")).len(), 3);
    // A broken document may use any file, so nothing is removed.
    fs::write(directory.path().join(&unused), "old").unwrap();
    fs::write(directory.path().join("broken.md"), "<user>").unwrap();
    let refused = chatmd(directory.path(), &["media", "--prune", "media", "broken.md"], &[], "");
    assert_eq!((refused.code, refused.stdout.as_str()), (Some(65), ""));
    assert!(directory.path().join(&unused).exists());
}

/// Whoever prunes may forget a document. Nothing is deleted that a document nearby still names.
#[test]
fn files_of_documents_that_were_not_named_are_not_pruned() {
    let directory = tempfile::tempdir().unwrap();
    let at = |path: &str| directory.path().join(path);
    fs::create_dir_all(at("media")).unwrap();
    fs::create_dir_all(at("private")).unwrap();
    // The hash of `x`.
    let file = "media/2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881.png";
    fs::write(at(file), "x").unwrap();
    fs::write(at("chat.md"), "<user>\nHello.\n</user>\n").unwrap();
    fs::write(at(".gitignore"), "private\n").unwrap();
    let prune =
        |from: &str, arguments: &[&str]| chatmd(&at(from), &[&["media", "--prune"], arguments].concat(), &[], "");
    // The other document does not parse, and git ignores it.
    fs::write(at("private/other.md"), format!("<user>\n<img src=\"../{file}\" local/>\n")).unwrap();
    for (from, arguments) in [(".", &["media", "chat.md"][..]), ("private", &["../media", "../chat.md"])] {
        let refused = prune(from, arguments);
        assert_eq!((refused.code, refused.stdout.as_str()), (Some(77), ""), "{}", refused.stderr);
        assert!(refused.stderr.starts_with("error: nothing was deleted: "), "{}", refused.stderr);
        assert!(refused.stderr.contains("other.md uses "), "{}", refused.stderr);
        assert!(at(file).exists());
    }
    // Without `--prune`, the file is listed.
    assert_eq!(chatmd(directory.path(), &["media", "media", "chat.md"], &[], "").stdout, format!("{file}\n"));
    fs::remove_file(at("private/other.md")).unwrap();
    // An import may have any name. Files of other programs are not looked at.
    fs::create_dir_all(at(".git")).unwrap();
    fs::create_dir_all(at(".hidden")).unwrap();
    for path in [".git/index", ".hidden/part.inc"] {
        fs::write(at(path), format!("<user>\n<img src=\"../{file}\" local/>\n</user>\n")).unwrap();
    }
    let refused = prune(".", &["media", "chat.md"]);
    assert_eq!(refused.code, Some(77), "{}", refused.stderr);
    assert!(refused.stderr.contains(".hidden/part.inc uses "), "{}", refused.stderr);
    assert!(refused.stderr.contains("name the documents that import .hidden/part.inc"), "{}", refused.stderr);
    fs::remove_file(at(".hidden/part.inc")).unwrap();
    assert_eq!((prune(".", &["media", "chat.md"]).code, at(file).exists()), (Some(0), false));
}

#[test]
fn directory_that_the_document_may_not_read_is_refused() {
    let directory = tempfile::tempdir().unwrap();
    fs::create_dir(directory.path().join("notes")).unwrap();
    fs::write(directory.path().join("notes/chat.md"), "<user>\nHello.\n</user>\n").unwrap();
    let items =
        json!([{ "type": "message", "role": "assistant", "content": [{ "type": "output_text", "text": "Hi." }] }]);
    for to in [["--append", "notes/chat.md"], ["-o", "notes/new.md"]] {
        let arguments = [&["from-response", "--media", "media"][..], &to].concat();
        let refused = chatmd(directory.path(), &arguments, &[], &items.to_string());
        assert_eq!(refused.code, Some(77), "{}", refused.stderr);
        assert!(refused.stderr.contains("may not read media, the directory of `--media`"), "{}", refused.stderr);
        assert!(refused.stderr.contains("`--root DIR`"), "{}", refused.stderr);
        let allowed = chatmd(directory.path(), &[&arguments[..], &["--root", "."]].concat(), &[], &items.to_string());
        assert_eq!(allowed.code, Some(0), "{}", allowed.stderr);
    }
    assert!(!directory.path().join("media").exists());
}

#[test]
fn links_in_the_directory_are_neither_followed_nor_overwritten() {
    let directory = tempfile::tempdir().unwrap();
    let write = || {
        let arguments = ["from-response", "--media", "media", "-o", "chat.md", "-"];
        chatmd(directory.path(), &arguments, &[], &items().to_string())
    };
    assert_eq!(write().code, Some(0));
    let names = listing(&directory.path().join("media"));
    let file = directory.path().join("media").join(&names[0]);
    let content = fs::read(&file).unwrap();
    for target in ["victim", "missing"] {
        fs::write(directory.path().join("victim"), &content).unwrap();
        fs::remove_file(&file).unwrap();
        std::os::unix::fs::symlink(directory.path().join(target), &file).unwrap();
        let _ = fs::remove_file(directory.path().join("chat.md"));
        let refused = write();
        assert_eq!(refused.code, Some(77), "{}", refused.stderr);
        assert!(refused.stderr.contains("it is a link"), "{}", refused.stderr);
        assert!(file.is_symlink() && !directory.path().join("missing").exists());
        assert!(!directory.path().join("chat.md").exists());
        // A link is not one of our files.
        fs::write(directory.path().join("empty.md"), "").unwrap();
        let listed = chatmd(directory.path(), &["media", "--prune", "media", "empty.md"], &[], "");
        assert!(!listed.stdout.contains(&names[0]) && file.is_symlink(), "{}", listed.stdout);
        assert_eq!(write().code, Some(77));
    }
}

#[test]
fn damaged_file_is_written_again() {
    let directory = tempfile::tempdir().unwrap();
    let arguments = ["from-response", "--media", "media", "-o", "chat.md", "-"];
    assert_eq!(chatmd(directory.path(), &arguments, &[], &items().to_string()).code, Some(0));
    let names = listing(&directory.path().join("media"));
    let file = directory.path().join("media").join(&names[0]);
    let content = fs::read(&file).unwrap();
    // Of the same length, and shorter.
    for damaged in [vec![b'x'; content.len()], Vec::new()] {
        fs::write(&file, damaged).unwrap();
        assert_eq!(chatmd(directory.path(), &arguments, &[], &items().to_string()).code, Some(0));
        assert_eq!(fs::read(&file).unwrap(), content);
    }
}

/// A PDF whose hash begins with `e753a1030f8e` for the numbers 13938735 and 19395546.
fn pdf(number: u32) -> Vec<u8> {
    format!("%PDF-1.4\n%{number}\n").into_bytes()
}

#[test]
fn names_are_longer_if_another_file_has_the_same_beginning() {
    let file = |number: u32| {
        let url = chatmd::internal::media::data_url("application/pdf", &pdf(number));
        json!({ "type": "input_file", "filename": "a.pdf", "file_data": url })
    };
    let user = |parts: Vec<Value>| json!([{ "type": "message", "role": "user", "content": parts }]).to_string();
    let (one, other) = (13_938_735, 19_395_546);
    for runs in [vec![vec![one, other]], vec![vec![one], vec![other], vec![one]]] {
        let directory = tempfile::tempdir().unwrap();
        let at = |name: &str| directory.path().join(name);
        for numbers in &runs {
            let input = user(numbers.iter().map(|number| file(*number)).collect());
            let arguments = ["from-response", "--append", "chat.md", "--any", "--media", "media"];
            let ran = chatmd(directory.path(), &arguments, &[], &input);
            assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        }
        let names = listing(&at("media"));
        assert_eq!(names.iter().map(String::len).collect::<Vec<_>>(), ["e753a1030f8e.pdf".len(), 68], "{names:?}");
        assert_eq!(fs::read(at("media").join(&names[0])).unwrap(), pdf(one));
        assert_eq!(fs::read(at("media").join(&names[1])).unwrap(), pdf(other));
        let back = chatmd(directory.path(), &["to-request", "--input-only", "chat.md"], &[], "");
        for number in runs.concat() {
            assert!(back.stdout.contains(file(number)["file_data"].as_str().unwrap()), "{}", back.stdout);
        }
        // Both lengths are known as names.
        assert_eq!(chatmd(directory.path(), &["media", "media", "chat.md"], &[], "").stdout, "");
        fs::write(at("other.md"), "").unwrap();
        let unused = chatmd(directory.path(), &["media", "media", "other.md"], &[], "").stdout;
        assert_eq!(unused.lines().count(), 2, "{unused}");
    }
}

#[test]
fn prune_removes_only_files_with_the_hash_in_their_name() {
    let directory = tempfile::tempdir().unwrap();
    let media = directory.path().join("media");
    fs::create_dir(&media).unwrap();
    fs::write(directory.path().join("chat.md"), "").unwrap();
    let zeros = "0".repeat(64);
    let kept = [format!("{zeros}.png"), zeros.clone(), format!("{zeros}.tar.gz"), format!("{}.png", "A".repeat(64))];
    for name in &kept {
        fs::write(media.join(name), "mine").unwrap();
    }
    // A document that is named twice is locked once.
    let arguments = ["media", "--prune", "media", "chat.md", "./chat.md"];
    let pruned = chatmd(directory.path(), &arguments, &[], "");
    assert_eq!((pruned.code, pruned.stdout.as_str()), (Some(0), ""));
    assert!(pruned.stderr.contains("is kept: its content does not match the hash in its name"), "{}", pruned.stderr);
    assert_eq!(listing(&media).len(), kept.len());
}

#[test]
fn prune_waits_for_the_lock_of_every_document() {
    let directory = tempfile::tempdir().unwrap();
    fs::create_dir(directory.path().join("media")).unwrap();
    for name in ["a.md", "b.md"] {
        fs::write(directory.path().join(name), "").unwrap();
    }
    fs::hard_link(directory.path().join("b.md"), directory.path().join("c.md")).unwrap();
    let held = fs::File::open(directory.path().join("b.md")).unwrap();
    held.lock().unwrap();
    let mut prune = Command::new(env!("CARGO_BIN_EXE_chatmd"));
    prune.args(["media", "--prune", "media", "a.md", "b.md", "c.md"]).current_dir(directory.path());
    let mut prune = prune.stderr(Stdio::piped()).spawn().unwrap();
    let mut note = [0; 5];
    prune.stderr.as_mut().unwrap().read_exact(&mut note).unwrap();
    assert_eq!((&note, prune.try_wait().unwrap()), (b"note:", None));
    drop(held);
    assert!(prune.wait().unwrap().success());
}

#[cfg(target_os = "linux")]
#[test]
fn directory_that_is_not_utf8_is_refused() {
    use std::os::unix::ffi::OsStrExt;
    let directory = tempfile::tempdir().unwrap();
    let name = std::ffi::OsStr::from_bytes(b"caf\xe9");
    let mut command = Command::new(env!("CARGO_BIN_EXE_chatmd"));
    command.args(["from-response", "-o", "chat.md", "--media"]).arg(name).current_dir(directory.path());
    let ran = command.stdin(Stdio::null()).output().unwrap();
    assert_eq!(ran.status.code(), Some(77));
    assert!(String::from_utf8_lossy(&ran.stderr).contains("the name is not UTF-8"));
    assert!(listing(directory.path()).is_empty());
}
